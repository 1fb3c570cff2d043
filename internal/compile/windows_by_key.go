package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// keyWindows has one task: results leave as rows come in.
func (c *compiler) keyWindows(n *plan.KeyWindows, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	spec := operator.KeyWindowsSpec{Spec: n.Spec, Delay: n.Delay, Time: n.Time, Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Aggregates: aggregates(n.Aggregates), Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: (&plan.Windowing{Spec: n.Spec}).String() + " by key", Print: plan.Fingerprint(n),
		Instant: n.Input.Columns()[n.Time].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator { return operator.NewKeyWindows(spec) }}
	return []stream{c.merge(streams, runtime.Target{Grain: as.grain, Passes: as.grain.Matters()}, runtime.Fragment{Tasks: 1, Chain: []runtime.OperatorSpec{op}})}, nil
}
