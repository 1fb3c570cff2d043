// Package profile is a statement as the page shows it: what its job tells of itself at one moment, with the rules by which Confluent Cloud puts it into one view. It computes from looks that others
// took and asks nobody.
//
// Open this file first (the statement, its sources and sinks), then task.go (a box of the profiler), partition.go (a split) and mark.go (a watermark and its delay).
package profile

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/why"
)

// view is a look on its way to a profile.
type view struct {
	look *metrics.Look
	// before is an earlier look at the same job, nil if there is none.
	before *metrics.Look
	// names are those of the sources, by place, and sinks those of the sinks.
	names, sinks []string
	answer       *why.Answer
	states       map[string]why.State // by name
	instants     map[string]bool      // of tasks, by ID: their event times are instants
}

// Of is the profile of a statement that was looked at. names tell the readings of its sources apart, and answer says what it waits for; neither counts if it does not run.
func Of(look *metrics.Look, names []string, answer *why.Answer) api.Profile {
	p := api.Profile{APIVersion: api.Version, Kind: api.KindProfile, At: millis(look.At), Sources: []api.ProfileSource{}, Sinks: []api.ProfileSink{}, Tasks: []api.ProfileTask{},
		Restarts: look.Failed, Checkpoints: checkpoints(look)}
	if look.Stats == nil {
		return p
	}
	v := newView(look, names, answer)
	p.Running, p.Began = true, millis(look.Began)
	if v.before != nil {
		p.Window = millis(look.At - v.before.At)
	}
	p.Input, p.Output = v.input(), v.output()
	for i := range look.Stats.Sources {
		p.Sources = append(p.Sources, v.source(i))
		p.Late += p.Sources[i].Late
	}
	for i := range look.Stats.Sinks {
		p.Sinks = append(p.Sinks, v.sink(i))
	}
	p.Streams, p.Groups = v.streams(), v.groups()
	for i := range look.Stats.Operators {
		o := &look.Stats.Operators[i]
		p.Dropped += o.Dropped - o.Before.Dropped
	}
	for i := range look.Stats.Tasks {
		p.Tasks = append(p.Tasks, v.task(i))
	}
	return p
}

// Line is what the list of statements shows of one: what its job tells alone.
func Line(look *metrics.Look, names []string, answer *why.Answer) (l api.OverviewLine) {
	if look.Stats == nil {
		return l
	}
	v := newView(look, names, answer)
	l.Input, l.Output = v.input(), v.output()
	var in, out, inBefore, outBefore int64
	for i := range look.Stats.Sources {
		s := &look.Stats.Sources[i]
		in += s.Rows - s.Before.Rows
		l.Late += s.Late - s.Before.Late
		if was := v.sourceBefore(i); was != nil {
			inBefore += was.Rows - was.Before.Rows
		}
		if n := behind(s.Pending); n != nil {
			if l.Behind == nil {
				l.Behind = new(int64)
			}
			*l.Behind += *n
		}
	}
	for i := range look.Stats.Sinks {
		out += look.Stats.Sinks[i].Rows
		if was := v.sinkBefore(i); was != nil {
			outBefore += was.Rows
		}
	}
	l.In, l.Out = new(v.counted(in, inBefore)), new(v.counted(out, outBefore))
	return l
}

func newView(look *metrics.Look, names []string, answer *why.Answer) *view {
	v := &view{look: look, names: names, answer: answer, states: map[string]why.State{}, instants: map[string]bool{}}
	if b := look.Before; b != nil && b.Stats != nil && b.At < look.At {
		v.before = b
	}
	for i := range answer.Sources {
		v.states[answer.Sources[i].Name] = answer.Sources[i].State
	}
	for i := range look.Stats.Sinks {
		name := look.Stats.Sinks[i].Name
		if name == "" {
			name = resultName
		}
		v.sinks = append(v.sinks, name)
	}
	v.findInstants()
	return v
}

// resultName is what the sink of a query is called.
const resultName = "result"

// findInstants finds out which tasks have instants for event times: those that read such a table, and all behind them.
func (v *view) findInstants() {
	stats := v.look.Stats
	for i := range stats.Tasks {
		t := &stats.Tasks[i]
		v.instants[t.ID] = t.Source >= 0 && stats.Sources[t.Source].Instant
		for _, from := range t.From {
			v.instants[t.ID] = v.instants[t.ID] || v.instants[from]
		}
	}
}

// input is over all sources. Flink 2.3: those that are idle do not count unless all are.
func (v *view) input() *api.Mark {
	if len(v.answer.Sources) == 0 {
		return nil
	}
	return v.mark(v.answer.Frontier, v.answer.Sources[0].Instant)
}

// output is over all sinks.
func (v *view) output() *api.Mark {
	return v.mark(v.look.Stats.Output(), v.written())
}

// written reports whether the event times that come to the sinks are instants.
func (v *view) written() bool {
	tasks := v.look.Stats.Tasks
	return len(tasks) > 0 && v.instants[tasks[len(tasks)-1].ID]
}

func (v *view) source(i int) api.ProfileSource {
	s := &v.look.Stats.Sources[i]
	p := api.ProfileSource{Name: v.names[i], Table: s.Name, Late: s.Late - s.Before.Late, Skipped: s.Skipped - s.Before.Skipped, NullTimes: s.NullTime - s.Before.NullTime,
		Behind: behind(s.Pending), State: string(v.states[v.names[i]]), Strategy: []api.StrategyLine{}}
	var was runtime.SourceStats
	if b := v.sourceBefore(i); b != nil {
		was = *b
	}
	p.Rows, p.Bytes = v.counted(s.Rows-s.Before.Rows, was.Rows-was.Before.Rows), v.counted(s.Bytes-s.Before.Bytes, was.Bytes-was.Before.Bytes)
	if s.Watermarked && s.Watermark != nil {
		p.Mark = v.mark(s.Watermark.Frontier, s.Instant)
	}
	for _, x := range s.Settings {
		p.Strategy = append(p.Strategy, api.StrategyLine{Name: x.Name, Value: x.Value, From: x.Origin})
	}
	for _, t := range v.look.Stats.Tasks {
		if t.Source == i {
			p.Task = t.ID
		}
	}
	return p
}

func (v *view) sink(i int) api.ProfileSink {
	s := &v.look.Stats.Sinks[i]
	var was runtime.SinkStats
	if b := v.sinkBefore(i); b != nil {
		was = *b
	}
	p := api.ProfileSink{Name: v.sinks[i], Mark: v.mark(s.Input.Frontier, v.written()), Rows: v.counted(s.Rows, was.Rows)}
	if s.Bytes >= 0 {
		p.Bytes = new(v.counted(s.Bytes, was.Bytes))
	}
	return p
}

// counted is a number that was another one in the earlier look.
func (v *view) counted(now, was int64) api.Counted {
	c := api.Counted{Total: now}
	if v.before != nil {
		c.PerSecond = new(float64(max(0, now-was)) * 1e6 / float64(v.look.At-v.before.At))
	}
	return c
}

func (v *view) sourceBefore(i int) *runtime.SourceStats {
	if v.before == nil || i >= len(v.before.Stats.Sources) {
		return nil
	}
	return &v.before.Stats.Sources[i]
}

func (v *view) sinkBefore(i int) *runtime.SinkStats {
	if v.before == nil || i >= len(v.before.Stats.Sinks) {
		return nil
	}
	return &v.before.Stats.Sinks[i]
}

// behind is how many records are there to be read, nil if nobody knows.
func behind(b connector.Backlog) *int64 {
	if b.Records < 0 {
		return nil
	}
	return &b.Records
}

// checkpoints are those that the statement has taken, nil if it has tried none.
func checkpoints(look *metrics.Look) *api.Checkpoints {
	if look.Taken == 0 && look.Missed == 0 {
		return nil
	}
	c := &api.Checkpoints{Completed: look.Taken, Failed: look.Missed}
	if last := look.Checkpoint; last.ID > 0 {
		took := last.Took.Microseconds()
		c.LastAt, c.LastTook, c.LastSize = millis(last.At-took), millis(took), last.Bytes
	}
	if look.Miss.Err != nil && look.Miss.At >= look.Checkpoint.At {
		c.Failure = look.Miss.Err.Error()
	}
	return c
}
