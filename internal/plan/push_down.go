package plan

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
)

// PushDown moves conditions into the joins that they are about: those on one side below the join, those on both into its condition, where equality makes keys. An outer
// join takes only conditions on the side whose rows it keeps, which go below it.
func PushDown(n Node) Node {
	n = WithChildren(n, PushDown)
	f, ok := n.(*Filter)
	if !ok {
		return n
	}
	join, ok := f.Input.(*Join)
	if !ok {
		return n
	}
	lefts := len(join.Left.Columns())
	var left, right, both, rest []expr.Expr
	for _, c := range expr.Conjuncts(f.Condition) {
		cols := expr.Columns(c)
		switch {
		case len(cols) == 0, !expr.Steady(c):
			rest = append(rest, c)
		case cols[len(cols)-1] < lefts && join.Kind != RightJoin && join.Kind != FullJoin:
			left = append(left, c)
		case cols[0] >= lefts && (join.Kind == InnerJoin || join.Kind == RightJoin):
			right = append(right, Shift(c, lefts, -lefts))
		case join.Kind == InnerJoin:
			both = append(both, c)
		default:
			rest = append(rest, c)
		}
	}
	if len(left)+len(right)+len(both) == 0 {
		return n
	}
	joined, err := rejoin(join, left, right, both)
	if err != nil {
		panic("tidemark bug: a condition that was right is wrong in its new place: " + err.Error())
	}
	if joined, err = filtered(joined, rest); err != nil {
		panic("tidemark bug: a condition that was right is wrong without others: " + err.Error())
	}
	return joined
}

// rejoin makes the join anew, with more conditions below it and in it.
func rejoin(join *Join, left, right, both []expr.Expr) (Node, error) {
	l, err := filtered(join.Left, left)
	if err != nil {
		return nil, err
	}
	r, err := filtered(join.Right, right)
	if err != nil {
		return nil, err
	}
	return join.Again(PushDown(l), PushDown(r), both)
}

// filtered is n with a filter on all of conditions, n itself if there are none.
func filtered(n Node, conditions []expr.Expr) (Node, error) {
	if len(conditions) == 0 {
		return n, nil
	}
	c, err := expr.NewAnd(conditions...)
	return &Filter{Input: n, Condition: c}, err
}
