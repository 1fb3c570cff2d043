package advice

import (
	"math"
	"slices"
	"sort"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

const (
	milli  = timefmt.Millisecond
	second = timefmt.Second
	minute = timefmt.Minute
	hour   = timefmt.Hour
	day    = timefmt.Day
)

// rungs are the delays that are advised: round ones, each at most twice the one before, and written in two digits of a unit as Flink takes them.
var rungs = []int64{0,
	milli, 2 * milli, 3 * milli, 5 * milli, 10 * milli, 20 * milli, 30 * milli, 50 * milli, 100 * milli, 200 * milli, 300 * milli, 500 * milli,
	second, 1500 * milli, 2 * second, 3 * second, 4 * second, 5 * second, 6 * second, 8 * second, 10 * second, 12 * second, 15 * second, 20 * second, 25 * second, 30 * second, 40 * second, 50 * second,
	minute, 90 * second, 2 * minute, 3 * minute, 4 * minute, 5 * minute, 6 * minute, 8 * minute, 10 * minute, 12 * minute, 15 * minute, 20 * minute, 25 * minute, 30 * minute, 40 * minute, 50 * minute,
	hour, 90 * minute, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 8 * hour, 12 * hour, 18 * hour,
	day, 36 * hour, 2 * day, 3 * day, 5 * day, 7 * day, 14 * day, 30 * day, 60 * day, 90 * day}

// landmarks are the rungs that are shown as far as they tell something.
var landmarks = []int64{0, 10 * milli, 100 * milli, 500 * milli, second, 2 * second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, hour, 6 * hour, day, 7 * day, 30 * day}

// ladder counts the rows that would be late for each of many delays.
type ladder struct {
	delays []int64 // ascending
	// none has no delay and no flush. What a row is behind its frontier is the delay that the row needs.
	none *whatIf
	// each has a core for every delay; nil if none tells for all.
	each []*whatIf
	// never has rows that do not move the watermark, so what is late there is late for every delay; nil unless splits that turn idle flush.
	never *whatIf

	needs tally

	shortens bool // see there
	tick     int64
	scratch  []int64
}

func newLadder(t *Table, now int64) *ladder {
	s := t.asIf()
	l := &ladder{delays: slices.Concat(rungs, t.Delays)}
	if t.Delay >= 0 {
		l.delays = append(l.delays, t.Delay)
	}
	slices.Sort(l.delays)
	l.delays = slices.Compact(l.delays)
	l.needs = newTally(l.delays)
	l.none = newWhatIf(unflushed(s), 0, now)
	if shifts(s) {
		return l
	}
	l.shortens, l.tick = shortens(s), t.tick()
	for _, d := range l.delays {
		l.each = append(l.each, newWhatIf(s, d, now))
	}
	if flushes(s) {
		l.never = newWhatIf(s, never, now)
	}
	return l
}

// all yields every core.
func (l *ladder) all(yield func(*whatIf) bool) {
	if !yield(l.none) || l.never != nil && !yield(l.never) {
		return
	}
	for _, w := range l.each {
		if !yield(w) {
			return
		}
	}
}

// read shows a run of a split, whose newest row was at before, to every core; names tells those of the values of a dimension, and times after limit say nothing.
func (l *ladder) read(split int, times []int64, values []int32, before, limit, now int64, names func(int32) string) {
	l.none.read(split, times, values, now, names)
	for k, row := range l.none.found.Late {
		l.needs.add(int64(l.none.found.Behind[k].Sub(times[row])))
	}
	if l.each == nil {
		return
	}
	var r *run
	if l.shortens {
		r = newRun(times, before, limit, l.tick)
	}
	for w := range l.all {
		switch {
		case w == l.none:
		case r == nil:
			w.read(split, times, values, now, names)
		default:
			l.scratch = r.shortened(l.scratch[:0], max(w.core.Frontier(), w.core.SplitFrontier(split)), w.delay)
			w.read(split, l.scratch, nil, now, names)
		}
	}
}

// late is how many rows would be late with delay number i.
func (l *ladder) late(i int) int64 {
	if l.each != nil {
		return l.each[i].late
	}
	return l.needs.short(i)
}

// find is the number of a delay.
func (l *ladder) find(delay int64) int {
	i, _ := slices.BinarySearch(l.delays, delay)
	return i
}

// enough is the shortest of the rungs for which no more than so many rows are late, as late counts them; ok is false if there is none. It is never 0: without any delay a row is late that has the same time as
// the one before it.
func (l *ladder) enough(most int64, late func(i int) int64) (i int, ok bool) {
	for i, d := range l.delays {
		if _, rung := slices.BinarySearch(rungs, d); rung && d > 0 && late(i) <= most {
			return i, true
		}
	}
	return 0, false
}

// tally counts rows by the delay that they need.
type tally struct {
	delays []int64
	rows   []int64 // by how many delays are too short
}

func newTally(delays []int64) tally { return tally{delays, make([]int64, len(delays)+1)} }

func (t *tally) add(need int64) {
	t.rows[sort.Search(len(t.delays), func(i int) bool { return t.delays[i] >= need })]++
}

// short is how many rows need more than delay number i.
func (t *tally) short(i int) int64 {
	n := int64(0)
	for _, rows := range t.rows[i+1:] {
		n += rows
	}
	return n
}

// never is the delay of a watermark that no row moves.
const never = math.MaxInt64

// whatIf is a core that is shown the same rows with another delay.
type whatIf struct {
	core       *watermark.Core
	delay      int64
	late       int64
	candidates []int64
	found      watermark.Observed // of the last run
	values     int32              // of the dimension, that the core knows
}

func newWhatIf(s watermark.Strategy, delay, now int64) *whatIf {
	core, err := watermark.New(s, now)
	if err != nil {
		panic("tidemark bug: advice on a table: " + err.Error())
	}
	core.ForgetLate()
	return &whatIf{core: core, delay: delay}
}

func (w *whatIf) read(split int, times []int64, values []int32, now int64, names func(int32) string) {
	candidates := times
	if w.delay > 0 {
		candidates = w.candidates[:0]
		for _, t := range times {
			candidates = append(candidates, w.candidate(t))
		}
		w.candidates = candidates
	}
	w.found.Reset()
	if values == nil {
		w.core.Observe(split, times, candidates, now, &w.found)
	} else {
		for _, v := range values {
			for ; w.values <= v; w.values++ {
				w.core.Value(names(w.values))
			}
		}
		w.core.ObserveValues(split, times, candidates, values, now, &w.found)
	}
	w.late += int64(len(w.found.Late))
}

// candidate is what a row at t says of the watermark.
func (w *whatIf) candidate(t int64) int64 {
	if w.delay == never || t == watermark.NoTime || t < watermark.NoTime+1+w.delay {
		return watermark.NoTime
	}
	return t - w.delay
}

func (w *whatIf) turned(split int, was, to watermark.Status, known bool, now int64) {
	switch {
	case !known:
		w.core.AddSplit(now)
	case to == watermark.Finished:
		w.core.FinishSplit(split, now)
	case was == watermark.Finished:
		w.core.ReplaceSplit(split, now)
	case to == watermark.Stalled:
		w.core.Stall(split, now)
	default:
		w.core.Unstall(split, now)
	}
}

func (w *whatIf) ticked(stalled, setBack, now int64) {
	if setBack > 0 {
		w.core.SetBack(setBack)
	}
	if stalled > 0 {
		for i := range w.core.Splits() {
			w.core.Stall(i, now-stalled)
			w.core.Unstall(i, now)
		}
	}
	w.found.Reset()
	w.core.Tick(now, &w.found)
}
