package runtime

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SinkSpec is one of the tables that a statement writes to, or its result.
type SinkSpec struct {
	// Name is that of the table, empty for the result of a query.
	Name string
	// Inputs is how many inputs of the last fragment are its own: the first ones for the first sink, and so on.
	Inputs int
	// Sink is what is written to, for what it tells of itself.
	Sink connector.Sink
}

// SinkStats is what there is to say of one sink.
type SinkStats struct {
	Name string
	// Rows were given to it since the job began. Bytes is what it made of them, -1 if it does not know.
	Rows, Bytes int64
	// Input is how far the rows that come to it are in event time.
	Input Standing
	// System is the system frontier of the rows that come to it: no later one was written before it, and those that were are completed. It is Unset if one of the sources has none.
	System watermark.Frontier
}

// sinkStanding is what has come to a sink. The task of the last fragment writes it, anybody reads it.
type sinkStanding struct {
	name   string
	inputs []int
	sink   connector.Sink
	sized  connector.Weighed // nil if the sink does not know
	rows   atomic.Int64
	place  place
	come   []Standing // by input; the task's
	system atomic.Int64
}

func newSinks(g *Graph) []*sinkStanding {
	specs := g.Sinks
	if specs == nil {
		last := &g.Fragments[len(g.Fragments)-1]
		specs = []SinkSpec{{Inputs: last.Inputs, Sink: last.Sink}}
	}
	var all []*sinkStanding
	first := 0
	for _, spec := range specs {
		s := &sinkStanding{name: spec.Name, sink: spec.Sink}
		s.sized, _ = spec.Sink.(connector.Weighed)
		for range spec.Inputs {
			s.inputs = append(s.inputs, first)
			first++
		}
		s.place.show(Standing{watermark.Unset, true})
		s.system.Store(int64(watermark.Unset))
		all = append(all, s)
	}
	return all
}

// reach notes how far the inputs of the last fragment are with what was written.
func (j *Job) reach(inputs *watermark.Merge) {
	for _, s := range j.sinks {
		least := watermark.Final
		for _, i := range s.inputs {
			least = min(least, inputs.InputSystem(i))
		}
		s.system.Store(int64(least))
	}
}

// sinksByInput are the sinks by input of the last fragment.
func (j *Job) sinksByInput() []*sinkStanding {
	var all []*sinkStanding
	for _, s := range j.sinks {
		for range s.inputs {
			all = append(all, s)
		}
	}
	return all
}

func (s *sinkStanding) stats() SinkStats {
	x := SinkStats{Name: s.name, Rows: s.rows.Load(), Bytes: -1, Input: s.place.standing(), System: watermark.Frontier(s.system.Load())}
	if s.sized != nil {
		x.Bytes = s.sized.Weight()
	}
	return x
}
