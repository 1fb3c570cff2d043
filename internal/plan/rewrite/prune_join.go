package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// twoSides is the inputs of a join, narrowed, and where their columns are now: of each side, and of both together.
type twoSides struct {
	nodes   [2]plan.Node
	sides   [2]columns
	columns columns
}

// narrowSides drops the columns of two inputs that nobody reads: not who is above, who wants need of both together, nor the condition, nor the join itself, which wants own of each.
func narrowSides(left, right plan.Node, need []int, condition expr.Expr, own [2][]int) twoSides {
	lefts := len(left.Columns())
	if condition != nil {
		need = union(need, expr.Columns(condition))
	}
	for _, i := range need {
		if i < lefts {
			own[0] = append(own[0], i)
		} else {
			own[1] = append(own[1], i-lefts)
		}
	}
	t := twoSides{columns: columns{}}
	t.nodes[0], t.sides[0] = narrowKept(left, union(own[0]))
	t.nodes[1], t.sides[1] = narrowKept(right, union(own[1]))
	shift := len(t.nodes[0].Columns())
	for old, now := range t.sides[0] {
		t.columns[old] = now
	}
	for old, now := range t.sides[1] {
		t.columns[lefts+old] = shift + now
	}
	return t
}

// condition is one over the columns of both sides, where they are now.
func (t *twoSides) condition(c expr.Expr) expr.Expr {
	if c == nil {
		return nil
	}
	return t.columns.expr(c)
}

// narrowJoin drops the columns of either side that neither the join nor anybody above reads.
func narrowJoin(n *plan.Join, need []int) (plan.Node, columns) {
	left, right := n.Reads()
	t := narrowSides(n.Left, n.Right, need, n.Condition, [2][]int{union(left), union(right)})
	return n.Narrowed(t.nodes[0], t.nodes[1], t.sides[0].at, t.sides[1].at, t.condition(n.Condition)), t.columns
}

// narrowTemporalJoin does so for one that finds versions.
func narrowTemporalJoin(n *plan.TemporalJoin, need []int) (plan.Node, columns) {
	t := narrowSides(n.Left, n.Right, need, n.Condition, [2][]int{union(n.LeftKeys, []int{n.LeftTime}), union(n.RightKeys, []int{n.RightTime})})
	j := &plan.TemporalJoin{Kind: n.Kind, Left: t.nodes[0], Right: t.nodes[1], LeftKeys: t.sides[0].list(n.LeftKeys), RightKeys: t.sides[1].list(n.RightKeys), Rising: n.Rising, Condition: t.condition(n.Condition),
		LeftTime: t.sides[0][n.LeftTime], RightTime: t.sides[1][n.RightTime]}
	j.Cols = plan.TemporalColumns(n.Kind, j.Left, j.Right, j.LeftTime)
	return j, t.columns
}
