package bind

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// scalar joins input with a query that has one row at most, of one column: an aggregation without GROUP BY. One whose WHERE equates its rows with those outside becomes an
// aggregation by what is equated. The last column of the result is the value, NULL where there is no row.
func (b *Binder) scalar(q *sql.Subquery, input plan.Node, s *scope) (plan.Node, error) {
	sel, ok := q.Query.(*sql.Select)
	if !ok || len(sel.GroupBy) > 0 || !b.aggregates(sel.Items) || sel.Distinct {
		return nil, b.unsupported(q.Span(), "aggregate without GROUP BY, for instance with MAX, so that there is one row", "a query as a value that may have several rows is")
	}
	if len(sel.Items) != 1 {
		return nil, b.errorf(source.CodeType, q.Span(), "select one column", "a query as a value has one column, not %d", len(sel.Items))
	}
	rows, inner, condition, err := b.correlated(sel, s)
	if err != nil {
		return nil, err
	}
	width := len(s.columns)
	if condition == nil {
		value, err := b.grouped(&sql.Select{Located: sel.Located, Items: sel.Items, Having: sel.Having}, rows, inner, nil)
		if err != nil {
			return nil, err
		}
		return b.joined(plan.LeftJoin, input, value, nil, q.Span())
	}
	return b.scalarByKey(q, sel, input, rows, inner, condition, width)
}

// scalarByKey groups the rows inside by what the condition equates with values outside, and joins by that.
func (b *Binder) scalarByKey(q *sql.Subquery, sel *sql.Select, input, rows plan.Node, inner *scope, condition expr.Expr, width int) (plan.Node, error) {
	if sel.Having != nil {
		return nil, b.unsupported(sel.Having.Span(), "leave it out, or join with the query: give it a name in FROM or WITH", "HAVING in a query as a value that is about the query outside is")
	}
	g := &grouping{input: inner, updates: plan.Updates(rows), edges: map[plan.Edge]bool{}}
	var outside []expr.Expr
	for _, c := range expr.Conjuncts(condition) {
		out, in, ok := plan.Equated(c, width)
		if !ok {
			return nil, b.unsupported(q.Span(), "compare a column of this query with one of the query outside for equality, and nothing else", "a query as a value whose WHERE relates it in another way to the query outside is")
		}
		outside = append(outside, out)
		g.keys = append(g.keys, groupKey{Expr: in})
	}
	behind := &scope{group: g, where: "SELECT"}
	value, err := b.expr(sel.Items[0].Expr, behind)
	if err != nil {
		return nil, err
	}
	agg := b.groupAggregate(g, rows)
	agg.node.(*plan.GroupAggregate).TTL = b.StateTTL()
	p := &plan.Project{Input: agg.node}
	for i := range g.keys {
		at := agg.positions[i]
		p.Exprs = append(p.Exprs, expr.NewColumn(at, agg.cols[at].Name, agg.cols[at].Type))
		p.Cols = append(p.Cols, agg.cols[at])
	}
	value = expr.Map(value, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		at := agg.positions[c.Index]
		return expr.NewColumn(at, agg.cols[at].Name, c.Type())
	})
	nothing, err := b.ofNothing(q, value, agg)
	if err != nil {
		return nil, err
	}
	p.Exprs = append(p.Exprs, value, expr.LiteralBool(true))
	p.Cols = append(p.Cols, plan.Column{Name: value.String(), Type: value.Type()}, plan.Column{Name: "found", Type: expr.LiteralBool(true).Type()})
	return b.joinByKey(q, input, p, outside, width, nothing)
}

// ofNothing is what value, over the columns of agg, is for no row at all: counts are 0, other aggregates NULL.
func (b *Binder) ofNothing(q *sql.Subquery, value expr.Expr, agg *aggregation) (expr.Expr, error) {
	empty := expr.Map(value, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		switch {
		case !ok:
			return e
		case agg.cols[c.Index].Type.NotNull && c.Type().Kind == types.BigInt:
			return expr.LiteralInt(c.Type(), 0)
		}
		return expr.Null(c.Type())
	})
	l, err := expr.Constant(empty, b.session.Zone())
	if err != nil {
		return nil, b.place(err, q.Span())
	}
	if l == nil {
		return nil, b.unsupported(q.Span(), "select the aggregate alone, and compute with it outside", "a query as a value that depends on the clock is")
	}
	return l, nil
}

// joinByKey joins input with the keys and the value of grouped rows; the last column of the result is the value, or nothing where no row was found.
func (b *Binder) joinByKey(q *sql.Subquery, input plan.Node, grouped *plan.Project, outside []expr.Expr, width int, nothing expr.Expr) (plan.Node, error) {
	var tests []expr.Expr
	for i, out := range outside {
		key := expr.NewColumn(width+i, grouped.Cols[i].Name, grouped.Cols[i].Type)
		test, err := expr.NewCall(function.MustScalar("="), []expr.Expr{out, key})
		if err != nil {
			return nil, b.place(err, q.Span())
		}
		tests = append(tests, test)
	}
	all, err := expr.NewAnd(tests...)
	if err != nil {
		return nil, b.place(err, q.Span())
	}
	n, err := b.joined(plan.LeftJoin, input, grouped, all, q.Span())
	if err != nil {
		return nil, err
	}
	p := &plan.Project{Input: n}
	cols := n.Columns()
	for i, c := range cols[:width] {
		p.Exprs, p.Cols = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type)), append(p.Cols, c)
	}
	found := len(cols) - 1
	value := expr.NewColumn(found-1, cols[found-1].Name, cols[found-1].Type)
	missing, err := expr.NewCall(function.MustScalar("IS NULL"), []expr.Expr{expr.NewColumn(found, cols[found].Name, cols[found].Type)})
	if err != nil {
		return nil, b.place(err, q.Span())
	}
	result, err := expr.NewCase([]expr.When{{Condition: missing, Result: nothing}}, value)
	if err != nil {
		return nil, b.place(err, q.Span())
	}
	p.Exprs, p.Cols = append(p.Exprs, result), append(p.Cols, plan.Column{Type: result.Type()})
	return p, nil
}
