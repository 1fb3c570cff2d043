package profile

import (
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

func (v *view) task(i int) api.ProfileTask {
	stats := v.look.Stats
	t := &stats.Tasks[i]
	total := t.Total()
	p := api.ProfileTask{ID: t.ID, Name: t.Name, Inputs: []api.TaskInput{}, Instances: len(t.Instances), Operators: []api.ProfileOperator{}, Partitions: []api.Partition{}}
	for n, from := range t.From {
		p.Inputs = append(p.Inputs, api.TaskInput{ID: from, Number: n})
	}
	var was runtime.TaskInstance
	if v.before != nil {
		if before := v.before.Stats.Task(t); before != nil {
			was, p.Shares = before.Total(), shares(t, before)
		}
	}
	p.In, p.BytesIn = v.counted(total.In.Rows, was.In.Rows), v.counted(total.In.Bytes, was.In.Bytes)
	p.Out, p.BytesOut = v.counted(total.Out.Rows, was.Out.Rows), v.counted(total.Out.Bytes, was.Out.Bytes)
	// Confluent Cloud: a task shows the watermark of its output; one that writes, that of its input.
	standing := total.Output
	if t.Writes {
		standing, p.Writes = total.Input, v.sinks
	}
	p.Mark = v.mark(standing.Frontier, v.instants[t.ID])
	for _, at := range t.Operators {
		o := v.operator(at, v.instants[t.ID])
		p.Dropped, p.State = p.Dropped+o.Dropped, p.State+o.State
		p.Operators = append(p.Operators, o)
	}
	if t.Source >= 0 {
		v.reads(&p, t.Source)
	}
	return p
}

// reads adds what a task has that reads a source.
func (v *view) reads(p *api.ProfileTask, source int) {
	s := &v.look.Stats.Sources[source]
	p.Reads, p.Late = v.names[source], s.Late-s.Before.Late
	if s.Watermark == nil {
		return
	}
	if s.Watermarked {
		late := int64(0)
		for i := range s.Watermark.Splits {
			late += s.Watermark.Splits[i].RecentLate
		}
		p.RecentLate, p.WorstLateness = &late, new(millis(s.Watermark.Recent()))
	}
	p.Partitions = v.partitions(source)
}

// shares are what a task has done with its time since the earlier look, in parts of 100; nil if that is not known.
func shares(t, before *runtime.TaskStats) *api.Shares {
	s, ok := t.Since(before)
	if !ok {
		return nil
	}
	return &api.Shares{Busy: 100 * s.Busy, Backpressured: 100 * s.Backpressured, Idle: 100 * s.Idle}
}

func (v *view) operator(i int, instant bool) api.ProfileOperator {
	o := &v.look.Stats.Operators[i]
	var was runtime.OperatorStats
	if v.before != nil && i < len(v.before.Stats.Operators) && v.before.Stats.Operators[i].ID == o.ID {
		was = v.before.Stats.Operators[i]
	}
	p := api.ProfileOperator{ID: o.ID, Name: o.Label, Input: v.mark(o.Input.Frontier, instant), Output: v.mark(o.Output.Frontier, instant),
		In: v.counted(o.In-o.Before.In, was.In-was.Before.In), Out: v.counted(o.Out-o.Before.Out, was.Out-was.Before.Out),
		Next: v.due(o), State: o.Size.Bytes, Keys: o.Size.Groups, Dropped: o.Dropped - o.Before.Dropped}
	if left := o.Filtered - o.Before.Filtered; o.Tells != "" && left > 0 {
		p.LeftOut, p.Why = left, o.Tells
	}
	return p
}

// due is what an operator does next.
func (v *view) due(o *runtime.OperatorStats) *api.Due {
	if o.Next == nil {
		return nil
	}
	d := &api.Due{At: millis(o.Next.At), Text: timefmt.EventTime(o.Next.At, o.Instant), What: string(o.Next.What)}
	if o.Next.Start != watermark.NoTime {
		d.Start = new(millis(o.Next.Start))
	}
	if f := o.Input.Frontier; f != watermark.Unset {
		d.Needed = new(-millis(-o.Next.Left(f))) // a part of a millisecond is one
	}
	return d
}
