package metrics

import (
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Look is one statement at one moment.
type Look struct {
	Statement, Pool, Phase string
	// At is when, in microseconds of the wall clock. Stats is nil if no job runs; otherwise it Began then.
	At, Began int64
	Stats     *runtime.Stats
	// Before is an earlier look at the same job, for what is told per second; nil if there is none.
	Before *Look
	// Topics says which tables are topics.
	Topics func(table string) bool
	// Past is what became of the checkpoints and attempts of the statement since the server started it.
	supervisor.Past
}

// Sample is a value of a series. Labels are those of the series, in its order.
type Sample struct {
	*Series
	Statement, Pool string
	Labels          []string
	Value           float64
	// Began is when the job began that a counter counts for, in microseconds of the wall clock; 0 if it counts since the server started the statement.
	Began int64
}

// collector collects the samples of one look.
type collector struct {
	look  *Look
	out   []Sample
	began int64
	// sentinel says that a watermark that is not set has a sample too, the least number there is, as in Confluent Cloud; otherwise it has none.
	sentinel bool
}

// Collect makes samples of a look. A watermark that is not set has no sample, unless sentinel is set.
func Collect(l *Look, sentinel bool) []Sample {
	c := &collector{look: l, sentinel: sentinel}
	c.add(status, 1, l.Phase)
	c.add(checkpoints, float64(l.Taken))
	c.add(checkpointFails, float64(l.Missed))
	c.add(restarts, float64(l.Failed))
	if last := l.Checkpoint; last.ID > 0 {
		c.add(checkpointTime, millis(last.Took.Microseconds()))
		c.add(checkpointAge, millis(max(0, l.At-last.At)))
		c.add(checkpointBytes, float64(last.Bytes))
	}
	if l.Stats != nil {
		c.began = l.Began
		c.statement()
		c.tasks()
		c.operators()
		c.streams()
		c.readers()
		c.splits()
	}
	return c.out
}

func (c *collector) add(s *Series, value float64, labels ...string) {
	c.out = append(c.out, Sample{s, c.look.Statement, c.look.Pool, labels, value, c.began})
}

func millis(micros int64) float64 { return float64(micros) / 1000 }

// mark adds a watermark.
func (c *collector) mark(s *Series, f watermark.Frontier, labels ...string) {
	if f == watermark.Unset && !c.sentinel || f == watermark.Final {
		return
	}
	c.add(s, float64(f.W()), labels...)
}

// table adds up what is told by table. A statement may read one several times, and every reading counts, as in Flink, where each is a source operator of its own.
type table struct {
	name          string
	late, skipped int64
	pending       int64
	knows         bool // how much is pending
	frontier      watermark.Frontier
	marked        bool // it has a watermark
}

func (c *collector) statement() {
	var all []*table
	var rows, bytes, topics, rest, lateness int64
	for i := range c.look.Stats.Sources {
		s := &c.look.Stats.Sources[i]
		t := find(&all, s.Name)
		since := s.Rows - s.Before.Rows
		rows, bytes = rows+since, bytes+s.Bytes-s.Before.Bytes
		if c.look.Topics(s.Name) {
			topics += since
		} else {
			rest += since
		}
		t.late += s.Late - s.Before.Late
		t.skipped += s.Skipped - s.Before.Skipped
		if n := s.Pending.Records; n >= 0 {
			t.pending, t.knows = max(t.pending, n), true
		}
		if s.Watermarked && s.Watermark != nil {
			t.marked = true
			t.frontier = min(t.frontier, s.Watermark.Frontier)
			lateness = max(lateness, s.Watermark.Recent())
		}
	}
	c.add(recordsIn, float64(rows))
	c.add(recordsTopics, float64(topics))
	c.add(recordsFiles, float64(rest))
	c.add(bytesIn, float64(bytes))
	c.add(maxLateness, millis(lateness))
	for _, t := range all {
		c.add(lateRecords, float64(t.late), t.name)
		c.add(skipped, float64(t.skipped), t.name)
		if t.knows {
			c.add(pending, float64(t.pending), t.name)
		}
		if t.marked {
			c.mark(inputMark, t.frontier, t.name)
		}
	}
	var out, written int64
	var sinks []*table
	for i := range c.look.Stats.Sinks {
		s := &c.look.Stats.Sinks[i]
		out += s.Rows
		written += max(0, s.Bytes)
		t := find(&sinks, s.Name)
		t.frontier = min(t.frontier, s.Input.Frontier)
	}
	for _, t := range sinks {
		c.mark(outputMark, t.frontier, t.name)
	}
	c.add(recordsOut, float64(out))
	c.add(bytesOut, float64(written))
}

func find(all *[]*table, name string) *table {
	for _, t := range *all {
		if t.name == name {
			return t
		}
	}
	t := &table{name: name, frontier: watermark.Final}
	*all = append(*all, t)
	return t
}

func (c *collector) tasks() {
	for i := range c.look.Stats.Tasks {
		t := &c.look.Stats.Tasks[i]
		total := t.Total()
		c.add(taskIn, float64(total.In.Rows), t.ID)
		c.add(taskOut, float64(total.Out.Rows), t.ID)
		c.add(taskBytesIn, float64(total.In.Bytes), t.ID)
		c.add(taskBytes, float64(total.Out.Bytes), t.ID)
		before := c.look.Before
		if before == nil || before.Stats == nil {
			continue
		}
		was := before.Stats.Task(t)
		if was == nil {
			continue
		}
		if s, ok := t.Since(was); ok {
			c.add(taskBusy, 1000*s.Busy, t.ID)
			c.add(taskIdle, 1000*s.Idle, t.ID)
			c.add(taskBlocked, 1000*s.Backpressured, t.ID)
		}
	}
}

func (c *collector) operators() {
	for i := range c.look.Stats.Operators {
		o := &c.look.Stats.Operators[i]
		c.add(operatorIn, float64(o.In-o.Before.In), o.ID)
		c.add(operatorOut, float64(o.Out-o.Before.Out), o.ID)
		c.mark(operatorInput, o.Input.Frontier, o.ID)
		c.mark(operatorOutput, o.Output.Frontier, o.ID)
		c.add(operatorState, float64(o.Size.Bytes), o.ID)
		c.add(operatorLate, float64(o.Dropped-o.Before.Dropped), o.ID)
		c.add(operatorLateness, millis(o.RecentDrop), o.ID)
	}
}

// readers tells of what reads sources, each an operator that is called like its task.
func (c *collector) readers() {
	for i := range c.look.Stats.Tasks {
		t := &c.look.Stats.Tasks[i]
		if t.Source < 0 {
			continue
		}
		s := &c.look.Stats.Sources[t.Source]
		if s.Watermarked && s.Watermark != nil {
			c.add(readerLate, float64(s.Late-s.Before.Late), t.ID)
			c.add(readerLateness, millis(s.Watermark.Recent()), t.ID)
		}
	}
}

// reading is a split as one source reads it. A table that a statement reads several times has its splits several times.
type reading struct {
	source, split int
	*watermark.SplitSnapshot
}

// splits tells of splits: rows of all readings, and how the reading is that is the furthest behind.
func (c *collector) splits() {
	var names []string
	all := map[string][]reading{}
	for i := range c.look.Stats.Sources {
		s := &c.look.Stats.Sources[i]
		if s.Watermark == nil {
			continue
		}
		for k := range s.Watermark.Splits {
			if k >= len(s.Splits) {
				break
			}
			name := s.Splits[k]
			if all[name] == nil {
				names = append(names, name)
			}
			all[name] = append(all[name], reading{i, k, &s.Watermark.Splits[k]})
		}
	}
	for _, name := range names {
		c.split(name, all[name])
	}
}

func (c *collector) split(name string, readings []reading) {
	var read, late, lateness int64
	var last *reading
	for i := range readings {
		r := &readings[i]
		read += r.Read - r.ReadBefore
		if !c.look.Stats.Sources[r.source].Watermarked {
			continue
		}
		late += r.Late - r.LateBefore
		lateness = max(lateness, r.Recent.Past())
		if last == nil || r.Frontier < last.Frontier {
			last = r
		}
	}
	c.add(splitIn, float64(read), name)
	if last == nil {
		return
	}
	c.mark(splitMark, last.Frontier, name)
	c.add(splitLate, float64(late), name)
	c.add(splitLateness, millis(lateness), name)
	was := c.sourceBefore(last.source)
	if was == nil || last.split >= len(was.Splits) {
		return
	}
	passed := c.look.Stats.Sources[last.source].Watermark.At - was.At
	old := &was.Splits[last.split]
	active, paused, idle := last.ActiveFor-old.ActiveFor, last.StalledFor-old.StalledFor, last.IdleFor-old.IdleFor
	if passed <= 0 || active < 0 || paused < 0 || idle < 0 {
		return
	}
	share := func(micros int64) float64 { return float64(micros) * 1000 / float64(passed) }
	c.add(splitActive, share(active), name)
	c.add(splitPaused, share(paused), name)
	c.add(splitIdle, share(idle), name)
}

func (c *collector) sourceBefore(i int) *watermark.Snapshot {
	if c.look.Before == nil || c.look.Before.Stats == nil || i >= len(c.look.Before.Stats.Sources) {
		return nil
	}
	return c.look.Before.Stats.Sources[i].Watermark
}
