package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// setOperation lowers UNION ALL, whose columns meet by name. YQL: a column that one side does not have is NULL there.
func (l *Lowerer) setOperation(q *yql.SetOperation) (*relation, error) {
	if q.Op != yql.Union || !q.All {
		hint := "write UNION ALL"
		if q.Op != yql.Union {
			hint = "JOIN a table on its PRIMARY KEY, and filter"
		}
		name := string(q.Op)
		if q.All {
			name += " ALL"
		}
		return nil, l.unsupported(q.Span(), hint, "%s is", name)
	}
	left, err := l.query(q.Left)
	if err != nil {
		return nil, err
	}
	right, err := l.query(q.Right)
	if err != nil {
		return nil, err
	}
	return l.union(left, right, q.Right.Span())
}

// union puts two streams together. What is the time of the watermark in both stays it.
func (l *Lowerer) union(left, right *relation, at source.Span) (*relation, error) {
	var names []string
	for _, r := range []*relation{left, right} {
		for _, n := range r.names() {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	p, q := project(left), project(right)
	for _, name := range names {
		i, j := left.index(name), right.index(name)
		var v, w functions.Value
		switch {
		case i < 0:
			w = right.value(j)
			v = functions.Null(w.Type)
		case j < 0:
			v = left.value(i)
			w = functions.Null(v.Type)
		default:
			v, w = left.value(i), right.value(j)
		}
		switch {
		case yqltype.Equal(v.Type, w.Type):
		case left.timeOf(v.Expr) >= 0 && right.timeOf(w.Expr) >= 0:
			// A time that both sides go by stays a column as it is.
			v.Type.Optional, w.Type.Optional = true, true
		default:
			both, _, ok := functions.Unify([]functions.Value{v, w})
			if !ok {
				return nil, l.errorf(source.CodeType, at, "CAST one of them", "column '%s' of UNION ALL is %s on the left and %s on the right", name, v.Type, w.Type)
			}
			t := both[0].Type
			t.Optional = t.Optional || both[1].Type.Optional
			v, w = both[0], both[1]
			v.Type, w.Type = t, t
		}
		p.add(name, "", v, plainColumn)
		q.add(name, "", w, plainColumn)
	}
	if left.time != nil && right.time != nil {
		p.carry()
		q.carry()
	}
	u := &plan.Union{Inputs: append(parts(p.node), parts(q.node)...), Cols: slices.Clone(p.node.Cols)}
	out := &relation{columns: p.out.columns, stream: left.stream || right.stream}
	for i := range u.Cols {
		u.Cols[i].Rowtime = p.node.Cols[i].Rowtime && q.node.Cols[i].Rowtime
		if u.Cols[i].Rowtime && out.time == nil {
			t := *left.time
			t.column, t.expr = i, nil
			out.time = &t
		}
	}
	out.node = u
	return out, nil
}

// parts are the inputs that one side of a union has: if it is a union of the same columns, those of that one, so that a chain of UNION ALL is one union.
func parts(side *plan.Project) []plan.Node {
	inner, ok := side.Input.(*plan.Union)
	if !ok || len(side.Exprs) != len(inner.Cols) {
		return []plan.Node{side}
	}
	for i, e := range side.Exprs {
		if c, ok := e.(*expr.Column); !ok || c.Index != i {
			return []plan.Node{side}
		}
	}
	return slices.Clip(inner.Inputs) // whoever appends to them leaves the inputs of inner alone
}

// index is the column of a name, -1 if there is none.
func (r *relation) index(name string) int {
	return slices.IndexFunc(r.columns, func(c column) bool { return c.kind == plainColumn && c.name == name })
}
