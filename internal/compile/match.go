package compile

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// match looks at every frontier: between two of them a late row may still find its place.
func (c *compiler) match(n *plan.Match, as reader) ([]stream, error) {
	every := dataflow.Grain{Every: true}
	streams, err := c.node(n.Input, reader{as.id, every})
	if err != nil {
		return nil, err
	}
	tasks := c.tasks(n.Keys, streams)
	spec := operator.MatchSpec{Time: n.Time, Keys: n.Keys, KeyKinds: keyKinds(n.Input, n.Keys), Kinds: kinds(n.Input), By: orderings(n.By),
		Automaton: pattern.Compile(n.Pattern, n.Skip, n.Within), Reads: matchReadings(n.Reads), Ordered: tasks > 1, Grain: as.grain, Memory: c.graph.Memory}
	for v, d := range n.Define {
		alone, _ := d.Alone(v)
		spec.Define = append(spec.Define, operator.MatchDefinition{Condition: d.Condition, Reads: matchReadings(d.Reads), Alone: alone})
	}
	to := runtime.Target{Keys: n.Keys, Grain: every, Passes: as.grain.Matters()}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{{ID: as.id, Label: "MATCH_RECOGNIZE", Print: plan.Fingerprint(n), Orders: true,
		Instant: n.Input.Columns()[n.Time].Type.Kind == types.TimestampLTZ, New: func() dataflow.Operator {
			own := spec
			own.Env = c.env()
			return operator.NewMatch(own)
		}}}})
	if tasks > 1 {
		out.ordered, out.levels = true, dataflow.OrderLevels
	}
	return []stream{out}, nil
}

func matchReadings(r plan.Readings) operator.MatchReadings {
	var out operator.MatchReadings
	for _, v := range r.Values {
		out.Values = append(out.Values, operator.MatchValue{Column: v.Column, Variable: v.Variable, Offset: v.Offset, First: v.First, Rowtime: v.Rowtime})
	}
	for _, a := range r.Aggregates {
		call := operator.Aggregate{New: a.Overload.New, Args: a.Args, Filter: a.Filter, Kind: vector.KindOf(a.Overload.Result)}
		out.Aggregates = append(out.Aggregates, operator.MatchAggregate{Aggregate: call, Variable: a.Variable})
	}
	return out
}
