package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

var joinKinds = map[sql.JoinKind]plan.JoinKind{
	sql.InnerJoin: plan.InnerJoin, sql.CrossJoin: plan.InnerJoin, sql.LeftJoin: plan.LeftJoin, sql.RightJoin: plan.RightJoin, sql.FullJoin: plan.FullJoin,
}

// join binds left JOIN right. Columns of both sides can be named behind it, those of USING and NATURAL once.
func (b *Binder) join(r *sql.Join) (plan.Node, *scope, error) {
	left, ls, err := b.tableRef(r.Left)
	if err != nil {
		return nil, nil, err
	}
	table, of := versioned(r), r.Right
	if table != nil {
		plain := *table
		plain.AsOf = nil
		of = &plain
	}
	right, rs, err := b.tableRef(of)
	if err != nil {
		return nil, nil, err
	}
	if name, ok := sharedTable(ls, rs); ok {
		return nil, nil, b.errorf(source.CodeDuplicate, r.Right.Span(), "give one of them another name with AS", "two tables in FROM are called '%s'", name)
	}
	both := &scope{columns: slices.Concat(ls.columns, rs.columns), tables: slices.Concat(ls.tables, rs.tables), merged: slices.Clone(ls.merged)}
	for _, i := range rs.merged {
		both.merged = append(both.merged, len(ls.columns)+i)
	}
	var condition expr.Expr
	merged, err := b.mergedColumns(r, ls, rs)
	switch {
	case err != nil:
		return nil, nil, err
	case r.On != nil:
		if condition, err = b.condition(r.On, both.in("ON")); err != nil {
			return nil, nil, err
		}
	case len(merged) > 0:
		if condition, err = b.equalColumns(r, both, merged, len(ls.columns)); err != nil {
			return nil, nil, err
		}
	}
	var n plan.Node
	if table != nil {
		n, err = b.temporalJoin(r, table, left, right, ls, condition)
	} else {
		if n, err = plan.NewJoin(joinKinds[r.Kind], left, right, condition); err == nil {
			plan.KeepJoin(n, b.inputTTL(r.Left), b.inputTTL(r.Right))
		}
	}
	if err != nil {
		return nil, nil, b.place(err, r.Span())
	}
	both.columns = n.Columns()
	if len(merged) == 0 {
		return n, both, nil
	}
	return b.mergeColumns(r, n, both, merged, len(ls.columns))
}

// sharedTable is a name that both scopes give to a table.
func sharedTable(a, b *scope) (string, bool) {
	for _, t := range a.tables {
		if t != "" && slices.Contains(b.tables, t) {
			return t, true
		}
	}
	return "", false
}

// mergedColumns are the pairs of columns that USING or NATURAL make one of, by position on either side.
func (b *Binder) mergedColumns(r *sql.Join, left, right *scope) ([][2]int, error) {
	var pairs [][2]int
	for _, id := range r.Using {
		name := sql.Name{Parts: []sql.Ident{id}}
		l, err := b.find(name, left)
		if err != nil {
			return nil, err
		}
		m, err := b.find(name, right)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, [2]int{l, m})
	}
	if r.Natural {
		for i, c := range left.columns {
			for j, d := range right.columns {
				if c.Name == d.Name && !c.Hidden && left.belongs(i, "") && right.belongs(j, "") {
					pairs = append(pairs, [2]int{i, j})
				}
			}
		}
	}
	return pairs, nil
}

func (b *Binder) equalColumns(r *sql.Join, both *scope, pairs [][2]int, lefts int) (expr.Expr, error) {
	var conditions []expr.Expr
	for _, p := range pairs {
		e, err := expr.NewCall(function.MustScalar("="), []expr.Expr{both.column(p[0]), both.column(lefts + p[1])})
		if err != nil {
			return nil, b.place(err, r.Span())
		}
		conditions = append(conditions, e)
	}
	return expr.NewAnd(conditions...)
}

// mergeColumns puts the columns of USING or NATURAL in front, each once, with the value of the side that has one. Those that they are made of stay, under the names
// of their tables.
func (b *Binder) mergeColumns(r *sql.Join, n plan.Node, both *scope, pairs [][2]int, lefts int) (plan.Node, *scope, error) {
	p := &plan.Project{Input: n}
	out := &scope{}
	for _, pair := range pairs {
		l, m := both.column(pair[0]), both.column(lefts+pair[1])
		var e expr.Expr = l
		switch r.Kind {
		case sql.RightJoin:
			e = m
		case sql.FullJoin:
			var err error
			if e, err = expr.NewCall(function.MustScalar("COALESCE"), []expr.Expr{l, m}); err != nil {
				return nil, nil, b.place(err, r.Span())
			}
		}
		p.Exprs = append(p.Exprs, e)
		out.columns = append(out.columns, plan.Column{Name: both.columns[pair[0]].Name, Type: e.Type()})
		out.tables = append(out.tables, "")
	}
	for i, c := range both.columns {
		if slices.Contains(both.merged, i) || slices.ContainsFunc(pairs, func(p [2]int) bool { return i == p[0] || i == lefts+p[1] }) {
			out.merged = append(out.merged, len(out.columns))
		}
		p.Exprs = append(p.Exprs, both.column(i))
		out.columns, out.tables = append(out.columns, c), append(out.tables, both.tables[i])
	}
	p.Cols = out.columns
	return p, out, nil
}
