package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// temporalJoin looks at every frontier: each decides which rows are late. Where rows on the left are taken back, all tasks are told of every one, since rows leave frontier by frontier.
func (c *compiler) temporalJoin(n *plan.TemporalJoin, as reader) ([]stream, error) {
	every := reader{as.id, dataflow.Grain{Every: true}}
	t, err := c.twoSides(n.Left, n.Right, every)
	if err != nil {
		return nil, err
	}
	tasks := c.tasks(n.LeftKeys, t.streams)
	keys := [2][]int{n.LeftKeys, n.RightKeys}
	spec := operator.TemporalJoinSpec{Outer: n.Kind == plan.LeftJoin, Sides: t.sides, Times: [2]int{n.LeftTime, n.RightTime}, Keys: keys, Rising: n.Rising,
		Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)}, Condition: n.Condition, Updates: plan.Updates(n.Left), Ordered: tasks > 1, Grain: as.grain, Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " temporal join", Print: plan.Fingerprint(n), Orders: true,
		Instant: n.Left.Columns()[n.LeftTime].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			s := spec
			s.Env = c.env()
			return operator.NewTemporalJoin(s)
		}}
	out := c.mergeSides(t, keys, every, tasks, op)
	for _, s := range t.streams {
		to := c.target(s)
		to.Ordered, to.Passes = false, spec.Updates || as.grain.Matters()
	}
	if tasks > 1 {
		out.ordered, out.levels = true, dataflow.OrderLevels
	}
	return []stream{out}, nil
}
