package history

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Value is what a line had in a minute. Label is "" if the series has one line.
type Value struct {
	Series *Series
	Label  string
	N      int64
}

// Ran is a job that ran in a minute: its figures when the minute began, nil if it began later, and when the minute, or the job, was over.
type Ran struct{ Before, Now *runtime.Stats }

// Look is a statement at the end of a minute.
type Look struct {
	// At is when, in microseconds of the wall clock.
	At int64
	// Jobs are those that ran in the minute, in their order; if Running is set the last of them still does.
	Jobs    []Ran
	Running bool
	// Before and Past are what had become of checkpoints and attempts when the minute began and when it was over.
	Before, Past supervisor.Past
}

// Values are what is kept of the minute; none if no job ran in it.
func (l *Look) Values() []Value {
	if len(l.Jobs) == 0 {
		return nil
	}
	t := &taking{at: map[line]int{}}
	t.add(checkpoints, "", l.Past.Taken-l.Before.Taken)
	t.add(checkpointFails, "", l.Past.Missed-l.Before.Missed)
	t.add(restarts, "", l.Past.Failed-l.Before.Failed)
	if c := l.Past.Checkpoint; c.ID > 0 {
		t.add(checkpointTime, "", c.Took.Milliseconds())
		t.add(checkpointBytes, "", c.Bytes)
	}
	for i := range l.Jobs {
		j := &job{taking: t, Ran: l.Jobs[i], runs: l.Running && i == len(l.Jobs)-1, at: l.At}
		j.sources()
		j.sinks()
		j.tasks()
		j.splits()
	}
	return t.values
}

// line is one line of a series.
type line struct {
	series *Series
	label  string
}

// taking collects values, folding those of the same line.
type taking struct {
	values []Value
	at     map[line]int
}

func (t *taking) add(s *Series, label string, n int64) {
	i, there := t.at[line{s, label}]
	if !there {
		t.at[line{s, label}] = len(t.values)
		t.values = append(t.values, Value{s, label, n})
		return
	}
	switch v := &t.values[i]; s.Fold {
	case Sum:
		v.N += n
	case Most:
		v.N = max(v.N, n)
	default:
		v.N = n
	}
}

// job takes the values of one job.
type job struct {
	*taking
	Ran
	runs bool
	at   int64
}

// delay adds how far a frontier is behind the clock, if it is anywhere.
func (j *job) delay(s *Series, f watermark.Frontier) {
	if j.runs && f != watermark.Unset && f != watermark.Final {
		j.add(s, "", j.at/1000-f.W())
	}
}

func (j *job) sources() {
	for i := range j.Now.Sources {
		s := &j.Now.Sources[i]
		was := s.Before
		if j.Before != nil && i < len(j.Before.Sources) {
			was = j.Before.Sources[i].SourceTotals
		}
		j.add(recordsIn, "", s.Rows-was.Rows)
		j.add(late, s.Name, s.Late-was.Late)
		if n := s.Pending.Records; n >= 0 && j.runs {
			j.add(pending, s.Name, n)
		}
		if !s.Watermarked || s.Watermark == nil {
			continue
		}
		j.add(lateness, s.Name, s.Watermark.Recent()/1000)
	}
	j.delay(inputDelay, j.Now.Input())
}

func (j *job) sinks() {
	for i := range j.Now.Sinks {
		s := &j.Now.Sinks[i]
		rows := s.Rows
		if j.Before != nil && i < len(j.Before.Sinks) {
			rows -= j.Before.Sinks[i].Rows
		}
		j.add(recordsOut, "", rows)
	}
	j.delay(outDelay, j.Now.Output())
}

func (j *job) tasks() {
	for i := range j.Now.Tasks {
		t := &j.Now.Tasks[i]
		var was *runtime.TaskStats
		if j.Before != nil {
			was = j.Before.Task(t)
		}
		var before runtime.TaskInstance
		if was != nil {
			before = was.Total()
		}
		total := t.Total()
		j.add(taskIn, t.ID, total.In.Rows-before.In.Rows)
		j.add(taskOut, t.ID, total.Out.Rows-before.Out.Rows)
		j.spent(t, was)
		j.held(t)
		if t.Source < 0 {
			continue
		}
		s := &j.Now.Sources[t.Source]
		if !s.Watermarked || s.Watermark == nil {
			continue
		}
		totals := s.Before
		if j.Before != nil && t.Source < len(j.Before.Sources) {
			totals = j.Before.Sources[t.Source].SourceTotals
		}
		j.add(taskLate, t.ID, s.Late-totals.Late)
		j.add(taskLateness, t.ID, s.Watermark.Recent()/1000)
	}
}

// spent tells what the instances of a task did with their time.
func (j *job) spent(t, was *runtime.TaskStats) {
	s, ok := t.Since(was)
	if !ok {
		return
	}
	j.add(taskBusy, t.ID, perSecond(s.Busy))
	j.add(taskBlocked, t.ID, perSecond(s.Backpressured))
	j.add(taskIdle, t.ID, perSecond(s.Idle))
}

// perSecond is a share of time in milliseconds of a second.
func perSecond(share float64) int64 { return int64(math.Round(1000 * share)) }

// held tells what the operators of a task hold, and what they have dropped.
func (j *job) held(t *runtime.TaskStats) {
	var bytes, dropped int64
	for _, at := range t.Operators {
		o := &j.Now.Operators[at]
		was := o.Before.Dropped
		if j.Before != nil && at < len(j.Before.Operators) {
			was = j.Before.Operators[at].Dropped
		}
		bytes, dropped = bytes+o.Size.Bytes, dropped+o.Dropped-was
	}
	j.add(taskState, t.ID, bytes)
	j.add(taskDropped, t.ID, dropped)
}

// splits tells of splits. Of a table that is read several times the first reading speaks for them.
func (j *job) splits() {
	seen := map[string]bool{}
	for i := range j.Now.Sources {
		s := &j.Now.Sources[i]
		if !s.Watermarked || s.Watermark == nil || seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		var was *watermark.Snapshot
		if j.Before != nil && i < len(j.Before.Sources) {
			was = j.Before.Sources[i].Watermark
		}
		for k := range min(len(s.Watermark.Splits), len(s.Splits)) {
			var before watermark.SplitSnapshot
			if was != nil && k < len(was.Splits) {
				before = was.Splits[k]
			}
			j.split(s.Splits[k], &s.Watermark.Splits[k], &before)
		}
	}
}

func (j *job) split(name string, now, was *watermark.SplitSnapshot) {
	active, paused, idle := now.ActiveFor-was.ActiveFor, now.StalledFor-was.StalledFor, now.IdleFor-was.IdleFor
	if all := active + paused + idle; all > 0 && active >= 0 && paused >= 0 && idle >= 0 {
		j.add(splitPaused, name, paused*1000/all)
		j.add(splitIdle, name, idle*1000/all)
		j.add(splitActive, name, 1000-paused*1000/all-idle*1000/all)
	}
	if late := now.Late - was.Late; late >= 0 {
		j.add(splitLate, name, late)
	}
}
