package runtime

import (
	"slices"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SourceCounts adds up what was read from a source. Any goroutine may read it.
type SourceCounts struct {
	rows, bytes, skipped, nullTime, late atomic.Int64
}

// SourceTotals is SourceCounts at one moment.
type SourceTotals struct {
	// Rows were decoded; Skipped ones were malformed and left out, and are not among them.
	Rows, Bytes, Skipped int64
	// NullTime rows had no event time and were dropped for it.
	NullTime int64
	// Late rows were older than the frontier of the source.
	Late int64
}

// Totals reads the counters.
func (c *SourceCounts) Totals() SourceTotals {
	return SourceTotals{Rows: c.rows.Load(), Bytes: c.bytes.Load(), Skipped: c.skipped.Load(), NullTime: c.nullTime.Load(), Late: c.late.Load()}
}

func (c *SourceCounts) set(t SourceTotals) {
	c.rows.Store(t.Rows)
	c.bytes.Store(t.Bytes)
	c.skipped.Store(t.Skipped)
	c.nullTime.Store(t.NullTime)
	c.late.Store(t.Late)
}

// Outages are why systems outside gave no answer when they were asked last, each reason once; nil if they all do. It may be called at any time.
func (j *Job) Outages() (all []error) {
	seen := map[string]bool{}
	note := func(err error) {
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			all = append(all, err)
		}
	}
	for _, s := range j.sources {
		note(connector.OutageOf(s.spec.Reader))
	}
	note(connector.OutageOf(j.sink()))
	return all
}

// SourceStats is one source of a job.
type SourceStats struct {
	Name string
	SourceTotals
	// Size is how many bytes there are to read in all, 0 if unknown.
	Size int64
	// Splits names the splits by number, those that are done too until others get their numbers.
	Splits []string
	// Watermarked and Instant are what Source has of them, and so is Strategy.
	Watermarked, Instant bool
	// Bounded says that the input ends by itself, DefaultWatermark that no WATERMARK clause declares the watermark.
	Bounded, DefaultWatermark bool
	// Settings are those of Source.
	Settings []Setting
	// Awaits is the table that is read to its end before this one is read, "" if there is none or that has been.
	Awaits string
	// Held rows were taken from their splits and wait for other tables; they are not among Rows.
	Held int64
	// Diverted rows are late ones that were left out.
	Diverted int64
	// Before is what SourceTotals was when the job began, so that the difference is since the last restart.
	Before SourceTotals
	// Pending is what the splits have that was not taken from them, by what their connector knows.
	Pending connector.Backlog
	// Backlogs are the same by split.
	Backlogs []connector.Backlog
	Strategy watermark.Strategy
	// Watermark explains the frontier; it may be up to a tenth of a second old while the job runs.
	Watermark *watermark.Snapshot
}

// OperatorStats is one operator, over all its tasks and workers.
type OperatorStats struct {
	ID, Label string
	// Instant, Orders, Keeps, Stream and Tells are what OperatorSpec has of it.
	Instant, Orders bool
	Keeps           *Keeping
	Stream          *Stream
	Tells           string
	dataflow.Totals
	// Input and Output are how far what comes to it and what leaves it are, over all instances.
	Input, Output Standing
	// Size is how much it holds. It may be some time old, longer the longer it takes to tell.
	Size dataflow.Size
	// RecentDrop is how late the latest row was that it dropped in the last minute, as Dropped.Past counts it; 0 if it dropped none.
	RecentDrop int64
	// Next is what it does first when the frontier comes by, nil if it waits for nothing.
	Next *dataflow.Due
	// Before is what Totals was when the job began, so that the difference is since the last restart.
	Before    dataflow.Totals
	Instances []OperatorInstance
}

// OperatorInstance is an operator in one task, or in one worker; those of all workers are the same.
type OperatorInstance struct {
	Input, Output Standing
	Size          dataflow.Size
	Next          *dataflow.Due
}

// Stats is a job at one moment.
type Stats struct {
	Sources   []SourceStats
	Operators []OperatorStats // in the order of the rows
	Sinks     []SinkStats     // in the order of the statement
	Tasks     []TaskStats     // those that read sources first, then in the order of the rows
	// Written counts the rows that went to the sink, those that are kept beside the results among them.
	Written int64
}

// Results counts the rows that went to the sink without those that are kept beside them. While the job runs some of these may be on their way still.
func (s *Stats) Results() int64 {
	n := s.Written
	for i := range s.Operators {
		if o := &s.Operators[i]; o.Keeps != nil {
			n -= o.Out
		}
	}
	return max(n, 0)
}

// GroupStats is what the sources of an alignment group have published together: the least of each. Flow: what splits of the group wait for.
type GroupStats struct {
	Name             string
	Frontier, System watermark.Frontier
}

// Groups are the named alignment groups of sources that look ahead, in the order of their first source.
func (s *Stats) Groups() []GroupStats {
	var groups []GroupStats
	for i := range s.Sources {
		x := &s.Sources[i]
		by := x.Strategy.Alignment
		if by.Group == "" || !x.Strategy.LooksAhead() {
			continue
		}
		at := slices.IndexFunc(groups, func(g GroupStats) bool { return g.Name == by.Group })
		if at < 0 {
			at = len(groups)
			groups = append(groups, GroupStats{by.Group, watermark.Final, watermark.Final})
		}
		groups[at].Frontier = min(groups[at].Frontier, x.Watermark.Frontier)
		groups[at].System = min(groups[at].System, x.Watermark.System)
	}
	return groups
}

// Stats reads all counters. It may be called at any time from any goroutine.
func (j *Job) Stats() Stats {
	var s Stats
	for i, x := range j.sources {
		stats := SourceStats{Name: x.spec.Name, SourceTotals: x.counts.Totals(), Watermarked: x.spec.Watermarked, Instant: x.spec.Instant,
			Bounded: x.spec.Reader.Bounded(), DefaultWatermark: x.spec.DefaultWatermark, Settings: x.spec.Settings,
			Strategy: x.spec.Strategy, Watermark: x.core.Load()}
		if sized, ok := x.spec.Reader.(connector.Sized); ok {
			stats.Size = sized.Size()
		}
		if x.spec.sends(watermark.DivertLate) {
			stats.Diverted = stats.Late
		}
		if first := x.predecessors.first.Load(); first != nil {
			stats.Awaits = first.spec.Name
		}
		if x.injected != nil {
			stats.Held = x.injected.rows.Load()
		}
		x.tellSplits(&stats)
		if len(j.before.sources) > 0 {
			stats.Before = j.before.sources[i]
		}
		s.Sources = append(s.Sources, stats)
	}
	now, wall := j.elapsed(), j.clock.Now()
	for i := range j.graph.Sources {
		task := j.sourceTask(i, now)
		for x, b := range j.graph.Sources[i].Branches {
			for k := range b.Chain {
				total := j.newOperatorStats(&b.Chain[k])
				for n, w := range j.workers {
					total.Add(totals(w.lanes[i].branches[x].ops[k]))
					total.Instances = append(total.Instances, OperatorInstance{Input: task.Instances[n].Input, Output: task.Instances[n].Output})
				}
				task.Operators = append(task.Operators, len(s.Operators))
				s.Operators = append(s.Operators, total.together())
			}
		}
		s.Tasks = append(s.Tasks, task)
	}
	for f, tasks := range j.tasks {
		task := j.fragmentTask(f, now)
		for k := range j.graph.Fragments[f].Chain {
			total := j.newOperatorStats(&j.graph.Fragments[f].Chain[k])
			for _, t := range tasks {
				total.Add(totals(t.ops[k]))
				if c, ok := t.ops[k].(dataflow.Counted); ok {
					total.RecentDrop = max(total.RecentDrop, c.Counts().RecentDrop(wall))
				}
				total.Instances = append(total.Instances, OperatorInstance{t.places.all[k].standing(), t.places.all[k+1].standing(), t.places.sizes[k].size(), t.places.next(k)})
			}
			task.Operators = append(task.Operators, len(s.Operators))
			s.Operators = append(s.Operators, total.together())
		}
		s.Tasks = append(s.Tasks, task)
		for _, t := range tasks {
			if w, ok := t.out.(*writer); ok {
				s.Written += w.rows.Load()
			}
		}
	}
	for _, x := range j.sinks {
		s.Sinks = append(s.Sinks, x.stats())
	}
	return s
}

func (j *Job) newOperatorStats(spec *OperatorSpec) *OperatorStats {
	return &OperatorStats{ID: spec.ID, Label: spec.Label, Instant: spec.Instant, Orders: spec.Orders, Keeps: spec.Keeps, Stream: spec.Stream, Tells: spec.Tells, Before: j.before.operators[spec.ID]}
}

// together puts the instances of o together.
func (o *OperatorStats) together() OperatorStats {
	var in, out []Standing
	for _, x := range o.Instances {
		in, out = append(in, x.Input), append(out, x.Output)
		o.Size.Add(x.Size)
		if x.Next != nil && (o.Next == nil || x.Next.Deadline < o.Next.Deadline) {
			o.Next = x.Next
		}
	}
	o.Input, o.Output = Together(in), Together(out)
	return *o
}

// totals is what an operator has counted, nothing if it does not count.
func totals(op dataflow.Operator) dataflow.Totals {
	if c, ok := op.(dataflow.Counted); ok {
		return c.Counts().Totals()
	}
	return dataflow.Totals{}
}
