package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// over looks at every frontier: between two of them a late row may still find its place.
func (c *compiler) over(n *plan.Over, as reader) ([]stream, error) {
	every := dataflow.Grain{Every: true}
	streams, err := c.node(n.Input, reader{as.id, every})
	if err != nil {
		return nil, err
	}
	in := n.Input.Columns()
	tasks := c.tasks(n.Keys, streams)
	spec := operator.OverSpec{Time: n.By[0].Column, Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Kinds: kinds(n.Input), Aggregates: aggregates(n.Calls),
		Rows: n.Frame.Rows, Bounded: n.Frame.Bounded, Preceding: n.Frame.Preceding, TTL: n.TTL.Micros, Ordered: tasks > 1, Grain: as.grain, Memory: c.graph.Memory}
	to := runtime.Target{Keys: n.Keys, Grain: every, Passes: as.grain.Matters()}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{{ID: as.id, Label: "OVER", Print: plan.Fingerprint(n), Orders: true,
		Instant: in[spec.Time].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator { return operator.NewOver(spec) }}}})
	if tasks > 1 {
		out.ordered, out.levels = true, dataflow.OrderLevels
	}
	return []stream{out}, nil
}
