package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// keyWindows sends results as rows come in, and at the end of the input those of windows that no row has ended.
func (c *compiler) keyWindows(n *plan.KeyWindows, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(streams, c.tasks(n.Keys, streams))
	spec := operator.KeyWindowsSpec{Ordered: tasks > 1, Level: level, TTL: n.TTL.Micros, Spec: n.Spec, Delay: n.Delay, Time: n.Time, Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Aggregates: aggregates(n.Aggregates), Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: (&plan.Windowing{Spec: n.Spec}).String() + " by key", Print: plan.Fingerprint(n),
		Instant: n.Input.Columns()[n.Time].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator { return operator.NewKeyWindows(spec) }}
	to := runtime.Target{Keys: n.Keys, Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{op}})
	if tasks > 1 {
		out.ordered, out.levels = true, level+1
	}
	return []stream{out}, nil
}
