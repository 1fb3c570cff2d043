package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var tableJoinKinds = map[plan.JoinKind]operator.JoinKind{plan.InnerJoin: operator.InnerJoin, plan.LeftJoin: operator.LeftJoin, plan.SemiJoin: operator.SemiJoin, plan.AntiJoin: operator.AntiJoin}

// tableJoin has one task: rows leave among the marks that they came with.
func (c *compiler) tableJoin(n *plan.TableJoin, as reader) ([]stream, error) {
	t, err := c.twoSides(n.Left, n.Right, as)
	if err != nil {
		return nil, err
	}
	spec := operator.TableJoinSpec{Kind: tableJoinKinds[n.Kind], Sides: t.sides, Keys: [2][]int{n.LeftKeys, n.RightKeys}, Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)},
		First: n.First, Updates: plan.Updates(n.Left), Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " join with a table", Print: plan.Fingerprint(n), New: func() dataflow.Operator { return operator.NewTableJoin(spec) }}
	return []stream{c.merge(t.streams, runtime.Target{Grain: as.grain, Passes: true}, runtime.Fragment{Tasks: 1, Chain: []runtime.OperatorSpec{op}})}, nil
}
