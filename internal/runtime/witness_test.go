package runtime

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// twin is a witness with a core of its own, which has to be as the one of the source is after every call.
type twin struct {
	t        *testing.T
	of, core *watermark.Core
	delay    int64
	statuses []watermark.Status
	found    watermark.Observed
	turns    map[watermark.Status]int
	rows     int64
}

func newTwin(t *testing.T, by watermark.Strategy, delay int64, of *watermark.Core, now int64) *twin {
	core, err := watermark.New(by, now)
	if err != nil {
		t.Fatal(err)
	}
	return &twin{t: t, of: of, core: core, delay: delay, turns: map[watermark.Status]int{}}
}

func (w *twin) Turned(split int, name string, to watermark.Status, now int64) {
	if name == "" {
		w.t.Error("a split without a name")
	}
	w.turns[to]++
	switch {
	case split == len(w.statuses):
		w.statuses = append(w.statuses, watermark.Active)
		w.core.AddSplit(now)
	case to == watermark.Finished:
		w.core.FinishSplit(split, now)
	case to == watermark.Stalled:
		w.core.Stall(split, now)
	case w.statuses[split] == watermark.Finished:
		w.core.ReplaceSplit(split, now)
	default:
		w.core.Unstall(split, now)
	}
	w.statuses[split] = to
	w.same()
}

func (w *twin) Read(split int, times []int64, values []int32, found *watermark.Observed, now int64) {
	candidates := make([]int64, len(times))
	for i, t := range times {
		if candidates[i] = t; t != watermark.NoTime {
			candidates[i] -= w.delay
		}
	}
	w.found.Reset()
	if values != nil {
		for _, v := range values {
			w.core.Value(w.of.ValueName(v))
		}
		w.core.ObserveValues(split, times, candidates, w.numbered(values), now, &w.found)
	} else {
		w.core.Observe(split, times, candidates, now, &w.found)
	}
	w.rows += int64(len(times))
	if !slices.Equal(w.found.Late, found.Late) || !slices.Equal(w.found.Behind, found.Behind) || !slices.Equal(w.found.Null, found.Null) || !slices.Equal(w.found.Marks, found.Marks) {
		w.t.Errorf("the core found %+v, and its twin %+v", *found, w.found)
	}
	w.same()
}

// numbered are values by the twin's numbers.
func (w *twin) numbered(values []int32) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		out[i], _ = w.core.Value(w.of.ValueName(v))
	}
	return out
}

func (w *twin) Ticked(stalled, setBack, now int64) {
	w.core.SetBack(setBack)
	if stalled > 0 {
		for i := range w.core.Splits() {
			w.core.Stall(i, now-stalled)
			w.core.Unstall(i, now)
		}
	}
	w.found.Reset()
	w.core.Tick(now, &w.found)
	w.same()
}

func (w *twin) same() {
	if w.core.Frontier() != w.of.Frontier() || w.core.Active() != w.of.Active() {
		w.t.Errorf("the core is at %d, active %v, and its twin at %d, active %v", w.of.Frontier(), w.of.Active(), w.core.Frontier(), w.core.Active())
	}
	for i := range w.statuses {
		if w.core.SplitFrontier(i) != w.of.SplitFrontier(i) {
			w.t.Errorf("split %d is at %d, and its twin at %d", i, w.of.SplitFrontier(i), w.core.SplitFrontier(i))
		}
	}
}

// TestWitness: in random worlds, whoever is shown what the cores are shown comes to the same.
func TestWitness(t *testing.T) {
	var rows int64
	turns := map[watermark.Status]int{}
	for seed := range uint64(60) {
		w := newWorld(t, seed, new(tally))
		var twins []*twin
		w.witness = func(x *table, of *watermark.Core) Witness {
			twins = append(twins, newTwin(t, x.by, x.delay, of, w.clock.Now()))
			return twins[len(twins)-1]
		}
		w.live()
		for _, x := range twins {
			rows += x.rows
			for to, n := range x.turns {
				turns[to] += n
			}
		}
		if t.Failed() {
			t.Fatalf("world %d", seed)
		}
	}
	if rows == 0 || turns[watermark.Finished] == 0 || turns[watermark.Stalled] == 0 || turns[watermark.Active] <= turns[watermark.Stalled] {
		t.Errorf("something has never happened: %d rows, %v", rows, turns)
	}
}
