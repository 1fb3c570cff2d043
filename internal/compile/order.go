package compile

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// alone compiles an operator that needs all rows in one place: a fragment of one task.
func (c *compiler) alone(input plan.Node, as reader, grain dataflow.Grain, op runtime.OperatorSpec) ([]stream, error) {
	streams, err := c.node(input, reader{as.id, grain})
	if err != nil {
		return nil, err
	}
	op.ID = as.id
	to := runtime.Target{Grain: grain, Passes: as.grain.Matters()}
	return []stream{c.merge(streams, to, runtime.Fragment{Tasks: 1, Chain: []runtime.OperatorSpec{op}})}, nil
}

// sort looks at every frontier: between two of them a late row may still find its place.
func (c *compiler) sort(n *plan.Sort, as reader) ([]stream, error) {
	time := n.Columns()[n.By[0].Column].Type
	return c.alone(n.Input, as, dataflow.Grain{Every: true}, runtime.OperatorSpec{Label: "ORDER BY", Print: plan.Fingerprint(n), Orders: true,
		Instant: time.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			return operator.NewSort(operator.SortSpec{Time: n.By[0].Column, By: orderings(n.By[1:]), Kinds: kinds(n.Input), Grain: as.grain, Memory: c.graph.Memory})
		}})
}

func (c *compiler) atEnd(n *plan.AtEnd, as reader) ([]stream, error) {
	return c.alone(n.Input, as, as.grain, runtime.OperatorSpec{Label: "AT END", Print: plan.Fingerprint(n), New: func() dataflow.Operator {
		return operator.NewAtEnd(operator.AtEndSpec{By: orderings(n.By), Kinds: kinds(n.Input), Memory: c.graph.Memory})
	}})
}

func (c *compiler) limit(n *plan.Limit, as reader) ([]stream, error) {
	return c.alone(n.Input, as, as.grain, runtime.OperatorSpec{Label: "LIMIT", Print: plan.Fingerprint(n), Ends: slices.Contains(c.enough, n),
		New: func() dataflow.Operator { return operator.NewLimit(n.Offset, n.Count) }})
}

func orderings(by []plan.SortKey) []state.Ordering {
	list := make([]state.Ordering, len(by))
	for i, k := range by {
		list[i] = state.Ordering{Column: k.Column, Desc: k.Desc, NullsLast: k.NullsLast}
	}
	return list
}

// enough are the limits that every row of every output comes through, so that there is nothing to come once they are all reached; nil if there are none.
func enough(outputs []Output) []*plan.Limit {
	var all []*plan.Limit
	for _, out := range outputs {
		limits, ok := through(out.Root)
		if !ok {
			return nil
		}
		all = append(all, limits...)
	}
	return all
}

func through(n plan.Node) (limits []*plan.Limit, ok bool) {
	if l, is := n.(*plan.Limit); is && l.Passes() {
		return []*plan.Limit{l}, true
	}
	for _, c := range n.Children() {
		below, ok := through(c)
		if !ok {
			return nil, false
		}
		limits = append(limits, below...)
	}
	return limits, limits != nil
}
