package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowTemporalJoin drops the columns of either side that neither the join nor anybody above reads.
func narrowTemporalJoin(n *plan.TemporalJoin, need []int) (plan.Node, columns) {
	lefts := len(n.Left.Columns())
	read := need
	if n.Condition != nil {
		read = union(need, expr.Columns(n.Condition))
	}
	var left, right []int
	for _, i := range read {
		if i < lefts {
			left = append(left, i)
		} else {
			right = append(right, i-lefts)
		}
	}
	j := &plan.TemporalJoin{Kind: n.Kind}
	var lm, rm columns
	j.Left, lm = narrowKept(n.Left, union(left, n.LeftKeys, []int{n.LeftTime}))
	j.Right, rm = narrowKept(n.Right, union(right, n.RightKeys, []int{n.RightTime}))
	j.LeftTime, j.RightTime = lm[n.LeftTime], rm[n.RightTime]
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
	j.Cols = plan.TemporalColumns(n.Kind, j.Left, j.Right, j.LeftTime)
	return j, m
}
