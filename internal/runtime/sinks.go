package runtime

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/watermark"
)

// SinkSpec is one of the tables that a statement writes to, or its result.
type SinkSpec struct {
	// Name is that of the table, empty for the result of a query.
	Name string
	// Inputs is how many inputs of the last fragment are its own: the first ones for the first sink, and so on.
	Inputs int
}

// SinkStats is what there is to say of one sink.
type SinkStats struct {
	Name string
	// System is the system frontier of the rows that come to it: no later one was written before it, and those that were are completed. It is Unset if one of the sources has none.
	System watermark.Frontier
}

// sinkStanding is how far what comes to a sink is. The task of the last fragment writes it, anybody reads it.
type sinkStanding struct {
	name   string
	inputs []int
	system atomic.Int64
}

func newSinks(g *Graph) []*sinkStanding {
	specs := g.Sinks
	if specs == nil {
		specs = []SinkSpec{{Inputs: g.Fragments[len(g.Fragments)-1].Inputs}}
	}
	var all []*sinkStanding
	first := 0
	for _, spec := range specs {
		s := &sinkStanding{name: spec.Name}
		for range spec.Inputs {
			s.inputs = append(s.inputs, first)
			first++
		}
		s.system.Store(int64(watermark.Unset))
		all = append(all, s)
	}
	return all
}

// reach notes how far the inputs of the last fragment are.
func (j *Job) reach(inputs *watermark.Merge) {
	for _, s := range j.sinks {
		least := watermark.Final
		for _, i := range s.inputs {
			least = min(least, inputs.InputSystem(i))
		}
		s.system.Store(int64(least))
	}
}

func (s *sinkStanding) stats() SinkStats {
	return SinkStats{Name: s.name, System: watermark.Frontier(s.system.Load())}
}
