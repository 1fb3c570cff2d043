package runtime

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TaskStats is a stretch of operators that run by direct calls, between a source and an exchange, between two exchanges, or before the sinks, with all its instances. The ways that the rows of a source
// go up to their first exchange are one task: its instances are the workers, which read all sources.
type TaskStats struct {
	// ID names the task by its place in the statement, Name for people.
	ID, Name string
	// From are the IDs of the tasks whose rows it gets, in the order of its inputs.
	From []string
	// Source is a place in Stats.Sources, -1 unless the task reads one; Writes says that it writes to the sinks.
	Source int
	Writes bool
	// Operators are places in Stats.Operators, in the order of the rows.
	Operators []int
	Instances []TaskInstance
}

// TaskInstance is what one worker does for a source, or one task.
type TaskInstance struct {
	Spent
	// In counts what came: of a source, the rows that were decoded and the bytes of their chunks. Out counts what left for other tasks; of the last task, what was given to the sinks.
	In, Out Flow
	// Input is how far what comes is in event time, and Output what has left.
	Input, Output Standing
}

// Flow is rows since the job began, and about how many bytes they take.
type Flow struct{ Rows, Bytes int64 }

func (f *flow) total() Flow { return Flow{f.rows.Load(), f.bytes.Load()} }

// Spent is what an instance has done with its time since the job began, in microseconds. It adds up to how long the instance has run. Whoever wants shares takes the difference of two looks.
type Spent struct {
	Busy int64
	// Backpressured is the time in which it waited for those behind it to take something, or for whoever takes the rows of a sink. Of a worker that is true of all sources: none can be read meanwhile.
	Backpressured int64
	// Idle is the rest: it waited for rows, or a worker was busy with another source.
	Idle int64
}

// Add adds t to s.
func (s *Spent) Add(t Spent) {
	s.Busy += t.Busy
	s.Backpressured += t.Backpressured
	s.Idle += t.Idle
}

// Total is the task as if it were one instance: sums, and frontiers as of streams side by side.
func (t *TaskStats) Total() (all TaskInstance) {
	var in, out []Standing
	for i := range t.Instances {
		x := &t.Instances[i]
		all.Spent.Add(x.Spent)
		all.In.Rows, all.In.Bytes = all.In.Rows+x.In.Rows, all.In.Bytes+x.In.Bytes
		all.Out.Rows, all.Out.Bytes = all.Out.Rows+x.Out.Rows, all.Out.Bytes+x.Out.Bytes
		in, out = append(in, x.Input), append(out, x.Output)
	}
	all.Input, all.Output = Together(in), Together(out)
	return all
}

// spentOn is what a meter says at a moment of the work for source number i, or of a task, which has none but 0.
func (m *meter) spentOn(i int, now int64, hops int) Spent {
	t, all := m.times(now, hops), int64(0)
	for _, n := range t {
		all += n
	}
	s := Spent{Busy: t[m.work(i)], Backpressured: t[sending]}
	s.Idle = all - s.Busy - s.Backpressured
	return s
}

// sourceTask is the task that reads source i.
func (j *Job) sourceTask(i int, now int64) TaskStats {
	spec := &j.graph.Sources[i]
	t := TaskStats{ID: sourceID(i), Source: i}
	names := []string{spec.Name}
	for _, b := range spec.Branches {
		for _, op := range b.Chain {
			names = append(names, op.Label)
		}
	}
	t.Name = strings.Join(names, arrow)
	passed := Standing{watermark.Frontier(j.sources[i].passed.Load()), true}
	if w := j.sources[i].core.Load(); w != nil {
		passed.Active = w.Active
	}
	for _, w := range j.workers {
		l := &w.lanes[i]
		t.Instances = append(t.Instances, TaskInstance{Spent: w.meter.spentOn(i, now, len(j.workers)+2), In: l.in.total(), Out: l.out.total(), Input: passed, Output: passed})
	}
	return t
}

const arrow = " → "

func sourceID(i int) string { return fmt.Sprintf("source-%d", i) }

// fragmentTask is the task that a fragment is.
func (j *Job) fragmentTask(f int, now int64) TaskStats {
	spec := &j.graph.Fragments[f]
	t := TaskStats{ID: j.graph.fragmentID(f), Source: -1, Writes: spec.Sink != nil}
	var names []string
	for _, op := range spec.Chain {
		names = append(names, op.Label)
	}
	if t.Writes {
		for _, s := range j.sinks {
			if s.name == "" {
				names = append(names, "result")
			} else {
				names = append(names, "into "+s.name)
			}
		}
	}
	if names == nil {
		names = []string{"exchange"}
	}
	t.Name = strings.Join(names, arrow)
	type feeder struct {
		input int
		id    string
	}
	var feeders []feeder
	for i := range j.graph.Sources {
		for _, b := range j.graph.Sources[i].Branches {
			if b.To.Fragment == f {
				feeders = append(feeders, feeder{b.To.Input, sourceID(i)})
			}
		}
	}
	for k := range f {
		for _, to := range j.graph.Fragments[k].To {
			if to.Fragment == f {
				feeders = append(feeders, feeder{to.Input, j.graph.fragmentID(k)})
			}
		}
	}
	slices.SortStableFunc(feeders, func(a, b feeder) int { return a.input - b.input })
	for _, x := range feeders {
		if !slices.Contains(t.From, x.id) {
			t.From = append(t.From, x.id)
		}
	}
	for _, x := range j.tasks[f] {
		y := TaskInstance{Spent: x.meter.spentOn(0, now, 0), In: x.in.total(), Out: x.leaving.total(), Input: x.places.all[0].standing(), Output: x.places.all[len(x.ops)].standing()}
		if t.Writes {
			y.Out = Flow{}
			for _, s := range j.sinks {
				y.Out.Rows += s.rows.Load()
				if s.sized != nil {
					y.Out.Bytes += s.sized.Weight()
				}
			}
		}
		t.Instances = append(t.Instances, y)
	}
	return t
}

// fragmentID names a fragment by its first operator: how many fragments there are depends on the parallelism.
func (g *Graph) fragmentID(f int) string {
	switch spec := &g.Fragments[f]; {
	case spec.Sink != nil:
		return "sink"
	case len(spec.Chain) > 0:
		return spec.Chain[0].ID
	}
	return fmt.Sprintf("exchange-%d", f)
}
