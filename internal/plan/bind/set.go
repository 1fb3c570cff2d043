package bind

import (
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// setOperation binds UNION, INTERSECT and EXCEPT, whose columns meet by position and are called as on the left.
func (b *Binder) setOperation(q *sql.SetOperation) (plan.Node, error) {
	left, err := b.inner(q.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.inner(q.Right)
	if err != nil {
		return nil, err
	}
	cols, err := b.meet(q, left.Columns(), right.Columns())
	if err != nil {
		return nil, err
	}
	if left, err = b.convert(left, cols); err != nil {
		return nil, b.place(err, q.Span())
	}
	if right, err = b.convert(right, cols); err != nil {
		return nil, b.place(err, q.Span())
	}
	if q.Op == sql.Union {
		return b.union(q, left, right, cols)
	}
	for i := range cols {
		cols[i].Rowtime = false
	}
	return &plan.SetOperation{Op: setOps[q.Op][q.All], Left: left, Right: right, Cols: cols, TTL: b.StateTTL()}, nil
}

var setOps = map[sql.SetOp]map[bool]plan.SetOp{
	sql.Intersect: {false: plan.Intersect, true: plan.IntersectAll},
	sql.Except:    {false: plan.Except, true: plan.ExceptAll},
}

func (b *Binder) union(q *sql.SetOperation, left, right plan.Node, cols []plan.Column) (plan.Node, error) {
	u := &plan.Union{Cols: cols}
	for _, n := range []plan.Node{left, right} {
		if inner, ok := n.(*plan.Union); ok {
			u.Inputs = append(u.Inputs, inner.Inputs...)
		} else {
			u.Inputs = append(u.Inputs, n)
		}
	}
	if q.All {
		return u, nil
	}
	return b.distinct(u, b.gap(q.Left.Span(), q.Right.Span()))
}

// meet finds the columns that both sides are brought to. A column stays a time attribute if it is one on both sides.
func (b *Binder) meet(q *sql.SetOperation, l, r []plan.Column) ([]plan.Column, error) {
	name := string(q.Op)
	if q.All {
		name += " ALL"
	}
	if len(l) != len(r) {
		return nil, b.errorf(source.CodeType, q.Right.Span(), "select the same number of columns on both sides", "%s has %s on the left and %d on the right", name, counted(len(l), "column"), len(r))
	}
	var cols []plan.Column
	for i := range l {
		t, ok := types.Common(l[i].Type, r[i].Type)
		if !ok {
			return nil, b.errorf(source.CodeType, q.Right.Span(), "CAST one of them", "column %d ('%s') of %s is %s on the left and %s on the right", i+1, l[i].Name, name, l[i].Type.Nullable(), r[i].Type.Nullable())
		}
		cols = append(cols, plan.Column{Name: l[i].Name, Type: t, Rowtime: l[i].Rowtime && r[i].Rowtime && types.Same(l[i].Type, r[i].Type)})
	}
	return cols, nil
}
