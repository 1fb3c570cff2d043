package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
)

func (c *compiler) partitionedTopN(n *plan.TopN, as reader) ([]stream, error) {
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(streams, c.tasks(n.Keys, streams))
	spec := operator.TopNSpec{Partition: n.Keys, PartitionKinds: keyKinds(n.Input, n.Keys), By: orderings(n.Ranks.By), Numbered: n.Ranks.Numbered, Latest: n.Ranks.Latest,
		Kinds: kinds(n.Input), TTL: n.TTL.Micros, Level: level, Memory: c.graph.Memory}
	spec.Offset, spec.Count = rankRange(n.Ranks)
	if keys, ok := n.Replaces(); ok {
		spec.Input, spec.Keys = operator.Replaced, keys
	} else if plan.Updates(n.Input) {
		spec.Input = operator.TakenBack
	}
	to := runtime.Target{Keys: n.Keys, Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{{ID: as.id, Label: "first rows", Print: plan.Fingerprint(n),
		New: func() dataflow.Operator { return operator.NewTopN(spec) }}}})
	if tasks > 1 {
		out.ordered, out.levels = true, level+1
	}
	return []stream{out}, nil
}

// rankRange is how many rows are left out in front, and how many follow at most.
func rankRange(r plan.Ranks) (offset, count int) {
	return int(min(r.From-1, maxRank)), int(min(r.To-r.From+1, maxRank))
}

func (c *compiler) windowTopN(n *plan.WindowTopN, as reader) ([]stream, error) {
	to := runtime.Target{Keys: n.Keys, Grain: grain(n.Windows).And(as.grain), Passes: as.grain.Matters()}
	streams, err := c.node(n.Input, reader{as.id, to.Grain})
	if err != nil {
		return nil, err
	}
	spec := operator.WindowTopNSpec{Windows: operator.Attached{Start: n.Start, End: n.End}, Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys),
		By: orderings(n.Ranks.By), Numbered: n.Ranks.Numbered, Latest: n.Ranks.Latest, Kinds: kinds(n.Input), Tick: n.Windows.Time.Tick(), Memory: c.graph.Memory}
	spec.Offset, spec.Count = rankRange(n.Ranks)
	return []stream{c.merge(streams, to, runtime.Fragment{Tasks: c.tasks(n.Keys, streams), Chain: []runtime.OperatorSpec{{ID: as.id, Label: "first rows of " + n.Windows.String(),
		Print: plan.Fingerprint(n), Instant: n.Windows.Time.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			own := spec
			own.Windows.Zone = newZone(n.Windows) // it remembers, so every task has one
			return operator.NewWindowTopN(own)
		}}}})}, nil
}

func (c *compiler) topN(n *plan.Limit, as reader) ([]stream, error) {
	spec := operator.TopNSpec{By: orderings(n.By), Offset: int(min(n.Offset, maxRank)), Count: int(min(n.Count, maxRank)), Kinds: kinds(n.Input), TTL: n.TTL.Micros, Memory: c.graph.Memory}
	if keys, ok := n.Replaces(); ok {
		spec.Input, spec.Keys = operator.Replaced, keys
	} else if plan.Updates(n.Input) {
		spec.Input = operator.TakenBack
	}
	return c.alone(n.Input, as, as.grain, runtime.OperatorSpec{Label: "LIMIT", Print: plan.Fingerprint(n), New: func() dataflow.Operator { return operator.NewTopN(spec) }})
}

// maxRank is more rows than anybody keeps, and two of it are an int.
const maxRank = 1 << 40
