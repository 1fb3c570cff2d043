package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// collapse joins a projection with the one below it, unless that would compute something twice.
func collapse(n plan.Node) plan.Node {
	return collapsed(plan.WithChildren(n, func(c plan.Node) plan.Node { return collapse(c) }))
}

// collapsed is n, joined with the projection below it if both are projections.
func collapsed(n plan.Node) plan.Node {
	outer, ok := n.(*plan.Project)
	if !ok {
		return n
	}
	inner, ok := outer.Input.(*plan.Project)
	if !ok || repeats(outer, inner) {
		return n
	}
	joined := &plan.Project{Input: inner.Input, Cols: outer.Cols}
	for _, e := range outer.Exprs {
		joined.Exprs = append(joined.Exprs, expr.Map(e, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return inner.Exprs[c.Index]
			}
			return e
		}))
	}
	return joined
}

// repeats reports whether outer reads a column that inner computes more than once.
func repeats(outer, inner *plan.Project) bool {
	reads := make([]int, len(inner.Exprs))
	var count func(e expr.Expr)
	count = func(e expr.Expr) {
		if c, ok := e.(*expr.Column); ok {
			reads[c.Index]++
		}
		for _, child := range e.Children() {
			count(child)
		}
	}
	for _, e := range outer.Exprs {
		count(e)
	}
	for i, n := range reads {
		if _, cheap := inner.Exprs[i].(*expr.Column); n > 1 && !cheap {
			return true
		}
	}
	return false
}
