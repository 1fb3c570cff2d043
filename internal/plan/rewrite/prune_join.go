package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowJoin drops the columns of either side that neither the join nor anybody above reads.
func narrowJoin(n *plan.Join, need []int) (plan.Node, columns) {
	lefts := len(n.Left.Columns())
	var left, right []int
	read := func(i int) {
		if i < lefts {
			left = append(left, i)
		} else {
			right = append(right, i-lefts)
		}
	}
	for _, i := range need {
		read(i)
	}
	if n.Condition != nil {
		for _, i := range expr.Columns(n.Condition) {
			read(i)
		}
	}
	j := &plan.Join{Kind: n.Kind}
	var lm, rm columns
	j.Left, lm = narrowKept(n.Left, union(left, n.LeftKeys))
	j.Right, rm = narrowKept(n.Right, union(right, n.RightKeys))
	j.LeftKeys, j.RightKeys = lm.list(n.LeftKeys), rm.list(n.RightKeys)
	m, shift := columns{}, len(j.Left.Columns())
	for old, now := range lm {
		m[old] = now
	}
	for old, now := range rm {
		m[lefts+old] = shift + now
	}
	if n.Condition != nil {
		j.Condition = m.expr(n.Condition)
	}
	j.Cols = plan.JoinColumns(n.Kind, j.Left, j.Right)
	return j, m
}
