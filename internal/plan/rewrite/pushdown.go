package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// pushdown moves conditions into the joins that they are about: those on one side below the join, those on both into its condition, where equality makes keys. An outer
// join takes only conditions on the side whose rows it keeps, which go below it.
func pushdown(n plan.Node) plan.Node {
	n = plan.WithChildren(n, pushdown)
	f, ok := n.(*plan.Filter)
	if !ok {
		return n
	}
	join, ok := f.Input.(*plan.Join)
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
		case cols[len(cols)-1] < lefts && join.Kind != plan.RightJoin && join.Kind != plan.FullJoin:
			left = append(left, c)
		case cols[0] >= lefts && (join.Kind == plan.InnerJoin || join.Kind == plan.RightJoin):
			right = append(right, plan.Shift(c, lefts, -lefts))
		case join.Kind == plan.InnerJoin:
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
func rejoin(join *plan.Join, left, right, both []expr.Expr) (plan.Node, error) {
	for i := range join.LeftKeys {
		e, err := equality(join, i)
		if err != nil {
			return nil, err
		}
		both = append(both, e)
	}
	if join.Condition != nil {
		both = append(both, expr.Conjuncts(join.Condition)...)
	}
	var condition expr.Expr
	var err error
	if len(both) > 0 {
		if condition, err = expr.NewAnd(both...); err != nil {
			return nil, err
		}
	}
	l, err := filtered(join.Left, left)
	if err != nil {
		return nil, err
	}
	r, err := filtered(join.Right, right)
	if err != nil {
		return nil, err
	}
	return plan.NewJoin(join.Kind, pushdown(l), pushdown(r), condition)
}

// equality is what key number i of a join demands, over the columns of both sides.
func equality(j *plan.Join, i int) (expr.Expr, error) {
	left, right := j.Left.Columns(), j.Right.Columns()
	l, r := j.LeftKeys[i], j.RightKeys[i]
	return expr.NewCall(function.MustScalar("="), []expr.Expr{
		expr.NewColumn(l, left[l].Name, left[l].Type), expr.NewColumn(len(left)+r, right[r].Name, right[r].Type)})
}

// filtered is n with a filter on all of conditions, n itself if there are none.
func filtered(n plan.Node, conditions []expr.Expr) (plan.Node, error) {
	if len(conditions) == 0 {
		return n, nil
	}
	c, err := expr.NewAnd(conditions...)
	return &plan.Filter{Input: n, Condition: c}, err
}
