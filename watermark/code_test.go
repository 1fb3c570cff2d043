package watermark

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// twins are a core whose candidates are values of an expression, and one with a generator that must say the same.
type twins struct {
	t             *testing.T
	byExpr, byGen *Core
	delay         int64 // of the expression
}

// newTwins makes them of a strategy without candidates. SQL's `ts - d` promises one tick more than the generator; under Granular it does not.
func newTwins(t *testing.T, s Strategy, bound time.Duration, now int64) *twins {
	w := &twins{t: t, byExpr: newCore(s, now), delay: bound.Microseconds() + s.Tick}
	if _, granular := s.Emission.(Granular); granular {
		w.delay = bound.Microseconds()
	}
	s.Candidates = BoundedOutOfOrderness(bound).Candidates
	w.byGen = newCore(s, now)
	return w
}

func (w *twins) both(do func(c *Core, out *Observed)) {
	w.t.Helper()
	var a, b Observed
	do(w.byExpr, &a)
	do(w.byGen, &b)
	if !slices.Equal(a.Marks, b.Marks) || !slices.Equal(a.Late, b.Late) || !slices.Equal(a.Null, b.Null) {
		w.t.Fatalf("expression %+v\ngenerator  %+v", a, b)
	}
	if w.byExpr.Frontier() != w.byGen.Frontier() || w.byExpr.Active() != w.byGen.Active() {
		w.t.Fatalf("expression %d %t\ngenerator  %d %t", w.byExpr.Frontier(), w.byExpr.Active(), w.byGen.Frontier(), w.byGen.Active())
	}
}

func (w *twins) observe(split int, times []int64, now int64) {
	candidates := make([]int64, len(times))
	for k, t := range times {
		if candidates[k] = NoTime; t != NoTime {
			candidates[k] = t - w.delay
		}
	}
	w.both(func(c *Core, out *Observed) { c.Observe(split, times, candidates, now, out) })
}

// A generator of bounded out-of-orderness is the expression `ts - d - 1 tick`, row for row: under every emission and idleness, with stalls, splits that come and go, restarts and a clock that is set back.
func TestGeneratorIsExpression(t *testing.T) {
	for n, s := range strategies() {
		if s.Candidates != nil || s.Dimension != nil || s.LastRows > 0 {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			for seed := range uint64(10) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				bound := time.Duration(rng.IntN(60)) * time.Microsecond
				w := newTwins(t, s, bound, 0)
				var open []int
				now := int64(0)
				stalls := map[int]int{}
				for range 150 {
					now += int64(rng.IntN(60))
					if len(open) == 0 {
						w.both(func(c *Core, _ *Observed) { c.AddSplit(now) })
						open = append(open, w.byExpr.Splits()-1)
					}
					i := open[rng.IntN(len(open))]
					switch p := rng.IntN(100); {
					case p < 60:
						times, _ := randomRun(rng, now)
						w.observe(i, times, now)
					case p < 84:
						w.both(func(c *Core, out *Observed) { c.Tick(now, out) })
					case p < 88:
						w.both(func(c *Core, _ *Observed) { c.AddSplit(now) })
						open = append(open, w.byExpr.Splits()-1)
					case p < 90:
						w.both(func(c *Core, _ *Observed) { c.FinishSplit(i, now) })
						open = slices.DeleteFunc(open, func(x int) bool { return x == i })
					case p < 94:
						w.both(func(c *Core, _ *Observed) { c.Stall(i, now) })
						stalls[i]++
					case p < 97 && stalls[i] > 0:
						w.both(func(c *Core, _ *Observed) { c.Unstall(i, now) })
						stalls[i]--
					case p == 97:
						w.both(func(c *Core, _ *Observed) { c.SetBack(100) })
						now -= 100
					case p > 97:
						// All have been asked, so that both states know the same.
						w.both(func(c *Core, out *Observed) { c.Tick(now, out) })
						states := [][]byte{w.byExpr.AppendState(nil), w.byGen.AppendState(nil)}
						if !slices.Equal(states[0], states[1]) {
							t.Fatal("the states differ")
						}
						w = newTwins(t, s, bound, now)
						for k, c := range []*Core{w.byExpr, w.byGen} {
							if err := c.Restore(states[k]); err != nil {
								t.Fatal(err)
							}
						}
						clear(stalls)
					}
				}
			}
		})
	}
}

// said is a generator that does what a test tells it to do.
type said struct {
	events              []Event
	onEvent, onPeriodic func(out Output)
	asked               int
}

func (g *said) OnEvent(e Event, out Output) {
	g.events = append(g.events, e)
	if g.onEvent != nil {
		g.onEvent(out)
		g.onEvent = nil
	}
}

func (g *said) OnPeriodic(out Output) {
	g.asked++
	if g.onPeriodic != nil {
		g.onPeriodic(out)
		g.onPeriodic = nil
	}
}

// told makes a core with so many splits of which each does what it is told.
func told(s Strategy, splits int) (*Core, []*said) {
	var all []*said
	s.Candidates = Code{New: func() Generator {
		all = append(all, new(said))
		return all[len(all)-1]
	}}
	c := newCore(s, 0)
	for range splits {
		c.AddSplit(0)
	}
	return c, all
}

func emit(f Frontier) func(Output) { return func(out Output) { out.Emit(f) } }

// What OnEvent emits leaves behind its row under every strategy; what OnPeriodic emits, when the strategy says so.
func TestWhenGeneratorsEmit(t *testing.T) {
	row := func(c *Core, t int64) []Mark {
		var out Observed
		c.Observe(0, []int64{t}, []int64{t}, 0, &out)
		return out.Marks
	}
	tick := func(c *Core) []Mark {
		var out Observed
		c.Tick(0, &out)
		return out.Marks
	}
	for _, s := range []Strategy{{Emission: Periodic{Interval: 1}}, {Emission: OnEvent{3}}, {Emission: Granular{1000}}} {
		c, g := told(s, 1)
		g[0].onEvent = emit(3000)
		if m := row(c, 5000); !reflect.DeepEqual(m, []Mark{{1, 3000}}) {
			t.Errorf("%v: OnEvent gave %v", s.Emission, m)
		}
	}
	c, g := told(Strategy{Emission: Periodic{Interval: 1}}, 1)
	row(c, 5000)
	if g[0].asked != 0 {
		t.Error("OnPeriodic was called with a row under Periodic")
	}
	g[0].onPeriodic = emit(4000)
	if m := tick(c); !reflect.DeepEqual(m, []Mark{{0, 4000}}) {
		t.Errorf("OnPeriodic gave %v at a tick", m)
	}
	c, g = told(Strategy{Emission: OnEvent{2}}, 1)
	g[0].onPeriodic = emit(4000)
	if m := row(c, 5000); m != nil || g[0].asked != 1 {
		t.Errorf("OnPeriodic gave %v with the first of two rows, asked %d times", m, g[0].asked)
	}
	if m := row(c, 5000); !reflect.DeepEqual(m, []Mark{{1, 4000}}) {
		t.Errorf("OnPeriodic gave %v with the second of two rows", m)
	}
	c, g = told(Strategy{Emission: AtEnd{}}, 1)
	g[0].onEvent = emit(3000)
	if m := row(c, 5000); m != nil {
		t.Errorf("at the end: %v", m)
	}
}

// Frontiers are floored to the tick, never fall, and the least of the splits counts.
func TestWhatGeneratorsEmit(t *testing.T) {
	c, g := told(Strategy{}, 2)
	var out Observed
	step := func(split int, f, want Frontier) {
		t.Helper()
		g[split].onEvent = emit(f)
		c.Observe(split, []int64{9_000_000}, []int64{7}, 0, &out)
		if c.Frontier() != want {
			t.Errorf("split %d emitted %d: %d, want %d", split, f, c.Frontier(), want)
		}
	}
	step(0, 5999, Unset)
	step(1, 9000, 5000)
	step(0, 2000, 5000)
	step(0, 8000, 8000)
	step(1, -1, 8000)
	step(0, Final, 9000)
	step(1, Final, Final)
	if want := []Mark{{1, 5000}, {1, 8000}, {1, 9000}, {1, Final}}; !reflect.DeepEqual(out.Marks, want) {
		t.Errorf("marks %v, want %v", out.Marks, want)
	}
}

// Events have the place of the row among all rows of the split, and rows without a time are none.
func TestGeneratorsSeeRows(t *testing.T) {
	c, g := told(Strategy{MaxAhead: 1000}, 1)
	var out Observed
	c.Observe(0, []int64{5, NoTime, 7, 9000}, []int64{NoTime, 1, 6, 1}, 100, &out)
	c.Observe(0, []int64{8}, []int64{2}, 100, &out)
	if want := []Event{{5, NoTime, 0}, {7, 6, 2}, {8, 2, 4}}; !slices.Equal(g[0].events, want) {
		t.Errorf("events %v, want %v", g[0].events, want)
	}
	now := int64(0)
	g[0].onPeriodic = func(out Output) { now = out.Now() }
	c.Tick(123, &out)
	if now != 123 {
		t.Errorf("now %d", now)
	}
}

// A split that its generator marks idle is left out until it emits or is marked active; rows do not wake it.
func TestGeneratorsMarkIdle(t *testing.T) {
	c, g := told(Strategy{Emission: OnEvent{1}, Idleness: Fixed{Timeout: 1000}}, 2)
	var out Observed
	row := func(split int, do func(Output), f Frontier, active bool) {
		t.Helper()
		g[split].onEvent = do
		c.Observe(split, []int64{9_000_000}, []int64{7}, 0, &out)
		if c.Frontier() != f || c.Active() != active {
			t.Errorf("%d %t, want %d %t", c.Frontier(), c.Active(), f, active)
		}
	}
	idle := func(out Output) { out.MarkIdle() }
	active := func(out Output) { out.MarkActive() }
	row(0, emit(5000), Unset, true)
	row(1, idle, 5000, true)
	row(1, nil, 5000, true)
	row(0, emit(6000), 6000, true)
	row(1, active, 6000, true)
	row(0, emit(7000), 6000, true)
	row(1, emit(8000), 7000, true)
	row(1, idle, 7000, true)
	row(0, idle, 8000, false) // all idle: the greatest
	row(0, nil, 8000, false)
	row(0, emit(7500), 8000, true)
	row(0, func(out Output) { out.Emit(9000); out.MarkIdle() }, 9000, false)
	row(0, func(out Output) { out.MarkIdle(); out.Emit(10_000) }, 10_000, true)
	// A timeout takes the split out as ever, and then the next row wakes it and its generator is not asked.
	c.Tick(1000, &out)
	asked := g[0].asked
	c.Tick(2000, &out)
	if c.Active() || g[0].asked != asked || g[1].asked == 0 {
		t.Errorf("active %t, asked %d and before %d", c.Active(), g[0].asked, asked)
	}
	row(0, nil, 10_000, true)
	c.FinishSplit(0, 0)
	c.FinishSplit(1, 0)
	c.SealSplits()
	if c.Frontier() != Final {
		t.Error("not at the end")
	}
}

// After a restart generators begin anew, and what was promised stays.
func TestGeneratorsRestart(t *testing.T) {
	c, g := told(Strategy{}, 1)
	var out Observed
	g[0].onEvent = emit(5000)
	c.Observe(0, []int64{9000}, []int64{7}, 0, &out)
	restored, again := told(Strategy{}, 0)
	if err := restored.Restore(c.AppendState(nil)); err != nil {
		t.Fatal(err)
	}
	if len(again) != 0 || restored.Frontier() != 5000 || restored.SplitFrontier(0) != 5000 {
		t.Errorf("frontier %d of %d", restored.SplitFrontier(0), restored.Frontier())
	}
	out.Reset()
	restored.Observe(0, []int64{4000}, []int64{7}, 0, &out)
	if !slices.Equal(out.Late, []int32{0}) {
		t.Errorf("late %v", out.Late)
	}
}

// Monotonous has a row of the newest time on time, and the row before it late.
func TestMonotonous(t *testing.T) {
	c := newCore(Monotonous(), 0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{5000, 5000, 4000}, []int64{NoTime, NoTime, NoTime}, 0, &out)
	if !slices.Equal(out.Late, []int32{2}) || c.Frontier() != 5000 {
		t.Errorf("late %v, frontier %d", out.Late, c.Frontier())
	}
}

// Flink's helper takes off a millisecond more than the expression `ts - d` does.
func TestBoundedTakesOffOneMillisecondMore(t *testing.T) {
	expr, helper := newCore(Strategy{}, 0), newCore(BoundedOutOfOrderness(2*time.Second), 0)
	for _, c := range []*Core{expr, helper} {
		c.AddSplit(0)
		c.Observe(0, []int64{10_000_000}, []int64{8_000_000}, 0, new(Observed))
	}
	if e, h := expr.Frontier().W(), helper.Frontier().W(); e != 8000 || h != 7999 {
		t.Errorf("expression %d, helper %d", e, h)
	}
}

// BenchmarkObserveCode reports ns/row of runs of 1,000 rows of one split with the generator of BoundedOutOfOrderness.
func BenchmarkObserveCode(b *testing.B) {
	const rows, run = 1 << 16, 1000
	for _, e := range []Emission{Periodic{DefaultInterval, 0}, OnEvent{1}} {
		b.Run(e.String(), func(b *testing.B) {
			s := BoundedOutOfOrderness(50 * time.Millisecond)
			s.Emission = e
			c := newCore(s, 0)
			c.AddSplit(0)
			times, candidates := make([]int64, rows), make([]int64, rows)
			benchmarkRuns(b, times, candidates, func(from int, now int64, out *Observed) {
				c.Observe(0, times[from:from+run], candidates[from:from+run], now, out)
			}, run)
		})
	}
}
