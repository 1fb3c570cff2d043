package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// intervalJoin looks at every frontier: each decides which rows are kept. It is one task: its results leave as rows come in and also as the frontier rises, and frontiers have no place among
// the rows of several tasks.
func (c *compiler) intervalJoin(n *plan.Join, as reader) ([]stream, error) {
	every := reader{as.id, dataflow.Grain{Every: true}}
	t, err := c.twoSides(n.Left, n.Right, every)
	if err != nil {
		return nil, err
	}
	v := n.Interval
	spec := operator.IntervalJoinSpec{Kind: joinKinds[n.Kind], Sides: t.sides, Keys: [2][]int{n.LeftKeys, n.RightKeys}, Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)},
		Times: [2]int{v.LeftTime, v.RightTime}, Low: v.Low, High: v.High, Hold: v.Hold(), Condition: n.Condition, Grain: as.grain, Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " interval join", Print: plan.Fingerprint(n),
		Instant: n.Left.Columns()[v.LeftTime].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			own := spec
			own.Env = c.env()
			return operator.NewIntervalJoin(own)
		}}
	return []stream{c.mergeSides(t, [2][]int{}, every, 1, op)}, nil
}

// windowJoin looks at the ends of its windows.
func (c *compiler) windowJoin(n *plan.Join, as reader) ([]stream, error) {
	w := n.Windows
	ends := reader{as.id, grain(w.Windows).And(as.grain)}
	t, err := c.twoSides(n.Left, n.Right, ends)
	if err != nil {
		return nil, err
	}
	keys := [2][]int{n.LeftKeys, n.RightKeys}
	spec := operator.WindowJoinSpec{Kind: joinKinds[n.Kind], Sides: t.sides, Keys: keys, Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)},
		Condition: n.Condition, Tick: w.Windows.Time.Tick(), Memory: c.graph.Memory}
	for s := range spec.Windows {
		spec.Windows[s] = operator.Attached{Start: w.Start[s], End: w.End[s]}
	}
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " join in " + w.Windows.String(), Print: plan.Fingerprint(n),
		Instant: w.Windows.Time.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			own := spec
			own.Env = c.env()
			for s := range own.Windows {
				own.Windows[s].Zone = newZone(w.Windows) // it remembers, so every task has its own
			}
			return operator.NewWindowJoin(own)
		}}
	out := c.mergeSides(t, keys, ends, c.tasks(n.LeftKeys, t.streams), op)
	for _, s := range t.streams {
		to := c.target(s)
		to.Ordered, to.Passes = false, as.grain.Matters()
	}
	return []stream{out}, nil
}
