package compile

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// realTime is how often timers in real time are looked at while nothing else happens.
const realTime = 100 * timefmt.Millisecond

// process looks at every frontier of each of its inputs: they decide what is late, and when timers are due.
func (c *compiler) process(n *plan.Process, as reader) ([]stream, error) {
	every := dataflow.Grain{Every: true}
	var streams []stream
	spec := operator.ProcessSpec{Spec: n.Spec, Memory: c.graph.Memory}
	for i, in := range n.Inputs {
		if plan.Updates(in) {
			return nil, fault.Errorf(fault.User, "computation '%s' reads rows that take back or change earlier ones; it can only read streams to which rows are added", n.Spec.Name)
		}
		own, err := c.node(in, reader{fmt.Sprintf("%s/%d", as.id, i), every})
		if err != nil {
			return nil, err
		}
		for range own {
			spec.Streams = append(spec.Streams, i)
		}
		streams = append(streams, own...)
	}
	if slices.ContainsFunc(n.Spec.Timers, func(t process.TimerStream) bool { return t.Scale == process.RealTime }) {
		c.graph.Tick = realTime
	}
	op := runtime.OperatorSpec{ID: as.id, Label: "process " + n.Spec.Name, Print: plan.Fingerprint(n), New: func() dataflow.Operator { return operator.NewProcess(spec) }}
	tasks := c.tasks(n.Spec.Inputs[0].Keys, streams)
	if n.Spec.Follows() {
		tasks = 1
	}
	if tasks > 1 {
		spec.Several = &atomic.Int64{}
	}
	out := c.merge(streams, runtime.Target{Grain: every, Passes: true, Ordered: tasks > 1}, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{op}})
	for i, s := range streams {
		c.target(s).Keys = n.Spec.Inputs[spec.Streams[i]].Keys
	}
	if tasks > 1 {
		out.ordered, out.levels, out.phased = true, dataflow.OrderLevels, true
	}
	return []stream{out}, nil
}

// deduplicate passes rows among their marks.
func (c *compiler) deduplicate(n *plan.Deduplicate, as reader) ([]stream, error) {
	if plan.Updates(n.Input) {
		return nil, fault.Errorf(fault.User, "rows that take back or change earlier ones have no ids of their own")
	}
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(streams, c.tasks(n.ID, streams))
	spec := operator.DeduplicateSpec{ID: n.ID, IDKinds: keyKinds(n.Input, n.ID), System: n.System}
	op := runtime.OperatorSpec{ID: as.id, Label: "deduplicate", Print: plan.Fingerprint(n), New: func() dataflow.Operator { return operator.NewDeduplicate(spec) }}
	to := runtime.Target{Keys: n.ID, Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1}
	out := c.merge(streams, to, runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{op}})
	if tasks > 1 {
		out.ordered, out.levels = true, level
	}
	return []stream{out}, nil
}
