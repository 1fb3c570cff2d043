package advice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// event is something that a study is shown.
type event struct {
	split       int
	to          watermark.Status // with rows, Active
	times       []int64          // nil if it turns
	values      []int32
	tick        bool
	stalled     int64
	setBack     int64
	now         int64
	takes, adds bool
}

// world makes events of a table that is out of order, at random.
type world struct {
	*rand.Rand
	now    int64
	status []watermark.Status
	clock  []int64 // event time by split
	values bool
	micros bool
}

func (w *world) events(n int) []event {
	var all []event
	for range 1 + w.IntN(3) {
		all = append(all, w.join(len(w.status)))
	}
	for range n {
		w.now += w.Int64N(3 * second)
		split := w.IntN(len(w.status))
		switch k := w.IntN(40); {
		case k == 0:
			all = append(all, w.join(len(w.status)))
		case k == 1 && w.status[split] == watermark.Finished:
			all = append(all, w.join(split))
		case k == 2 && w.status[split] != watermark.Finished:
			all = append(all, w.turn(split, watermark.Finished))
		case k == 3 && w.status[split] == watermark.Active:
			all = append(all, w.turn(split, watermark.Stalled))
		case k == 4 && w.status[split] == watermark.Stalled:
			all = append(all, w.turn(split, watermark.Active))
		case k < 15:
			e := event{tick: true}
			if w.IntN(5) == 0 {
				e.stalled = w.Int64N(second)
			}
			if w.IntN(10) == 0 {
				e.setBack = w.Int64N(hour)
				w.now -= e.setBack
			}
			e.now = w.now
			all = append(all, e)
		case w.status[split] != watermark.Finished:
			all = append(all, w.rows(split))
		}
	}
	return all
}

func (w *world) join(split int) event {
	e := event{split: split, to: watermark.Active, now: w.now, adds: split == len(w.status), takes: split < len(w.status)}
	if e.adds {
		w.status, w.clock = append(w.status, 0), append(w.clock, 0)
	}
	w.status[split], w.clock[split] = watermark.Active, w.now-w.Int64N(hour)
	return e
}

func (w *world) turn(split int, to watermark.Status) event {
	w.status[split] = to
	return event{split: split, to: to, now: w.now}
}

func (w *world) rows(split int) event {
	e := event{split: split, to: w.status[split], now: w.now}
	for range 1 + w.IntN(30) {
		w.clock[split] += w.Int64N(second)
		t := w.clock[split]
		switch k := w.IntN(20); {
		case k == 0:
			t = watermark.NoTime
		case k < 6: // out of order by lengths of all sizes
			t -= int64(math.Exp(w.Float64() * math.Log(float64(3*day))))
		case k == 6:
			t += w.Int64N(2 * hour)
		case k == 7: // so that a round delay just saves it, or just does not
			t += w.Int64N(3)*milli - rungs[w.IntN(len(rungs))]
		}
		if t != watermark.NoTime && !w.micros {
			t -= (t%milli + milli) % milli
		}
		e.times = append(e.times, t)
		if w.values {
			e.values = append(e.values, int32(w.IntN(4)))
		}
	}
	return e
}

// core is one that is called as the runtime calls it, with candidates that are so far behind the times.
func called(t *testing.T, s watermark.Strategy, candidate func(int64) int64, events []event, each func(c *watermark.Core, e event, found *watermark.Observed)) {
	t.Helper()
	c, err := watermark.New(s, events[0].now)
	if err != nil {
		t.Fatal(err)
	}
	if s.Dimension != nil {
		for n := range 4 {
			c.Value(fmt.Sprintf("value %d", n))
		}
	}
	each(c, event{}, nil)
	was := map[int]watermark.Status{}
	var found watermark.Observed
	for _, e := range events {
		found.Reset()
		switch {
		case e.tick:
			c.SetBack(e.setBack)
			if e.stalled > 0 {
				for i := range c.Splits() {
					c.Stall(i, e.now-e.stalled)
					c.Unstall(i, e.now)
				}
			}
			c.Tick(e.now, &found)
		case e.times != nil:
			candidates := make([]int64, len(e.times))
			for i, at := range e.times {
				candidates[i] = candidate(at)
			}
			if e.values != nil {
				c.ObserveValues(e.split, e.times, candidates, e.values, e.now, &found)
			} else {
				c.Observe(e.split, e.times, candidates, e.now, &found)
			}
		case e.adds:
			c.AddSplit(e.now)
		case e.takes:
			c.ReplaceSplit(e.split, e.now)
		case e.to == watermark.Finished:
			c.FinishSplit(e.split, e.now)
		case e.to == watermark.Stalled:
			c.Stall(e.split, e.now)
		default:
			c.Unstall(e.split, e.now)
		}
		was[e.split] = e.to
		each(c, e, &found)
	}
}

func behind(delay int64) func(int64) int64 {
	return func(t int64) int64 {
		if t == watermark.NoTime {
			return t
		}
		return t - delay
	}
}

// studied shows events to a study of a table, beside a core as the table has it.
func studied(t *testing.T, table Table, events []event) *Study {
	t.Helper()
	var s *Study
	called(t, table.Strategy, behind(max(table.Delay, 0)), events, func(c *watermark.Core, e event, found *watermark.Observed) {
		switch {
		case s == nil:
			s = NewStudy(table, c, events[0].now)
		case e.tick:
			s.Ticked(e.stalled, e.setBack, e.now)
		case e.times != nil:
			s.Read(e.split, e.times, e.values, found, e.now)
		default:
			s.Turned(e.split, fmt.Sprintf("split %d", e.split), e.to, e.now)
		}
	})
	return s
}

var strategies = []watermark.Strategy{
	{},
	{Emission: watermark.Periodic{Interval: 200 * milli}},
	{Emission: watermark.OnEvent{Gap: 7}},
	{Idleness: watermark.Fixed{Timeout: 5 * second}},
	{Idleness: watermark.Fixed{Timeout: 5 * second, Flush: true}},
	{Idleness: watermark.Progressive{From: 2 * second, To: 20 * second, Flush: true}, Emission: watermark.Periodic{Interval: 200 * milli, EagerFor: 200 * milli}},
	{Tick: 1},
	{MaxAhead: watermark.MaxAhead(10 * minute)},
	{MaxAhead: watermark.MaxAhead(10 * minute), Idleness: watermark.Fixed{Timeout: 2 * second, Flush: true}},
	{Tick: 1, Idleness: watermark.Fixed{Timeout: 2 * second, Flush: true}},
	{Emission: watermark.OnEvent{Gap: 3}, Idleness: watermark.Fixed{Timeout: 2 * second, Flush: true}},
	{LastRows: 5},
	{Emission: watermark.Granular{Step: second}, Idleness: watermark.Stepped{Timeout: 5 * second, Step: second}},
	{Dimension: &watermark.Dimension{}},
	{Dimension: &watermark.Dimension{Timeout: 10 * second, Expected: []string{"value 0", "value 1", "value 2", "value 3"}}, Idleness: watermark.Fixed{Timeout: 30 * second, Flush: true}},
}

// TestDelaysAreThoseOfCores: so many rows are late with a delay as a core says that has it, whatever the strategy, and whether there is such a core or its count follows from another.
func TestDelaysAreThoseOfCores(t *testing.T) {
	for k, strategy := range strategies {
		for seed := range uint64(2) {
			w := &world{Rand: rand.New(rand.NewPCG(seed, uint64(k))), now: 1_700_000_000 * second, values: strategy.Dimension != nil, micros: strategy.Tick == 1}
			events := w.events(300)
			table := Table{Name: "t", Column: "ts", Watermark: "ts - INTERVAL '7' SECOND", Delay: 7 * second, Strategy: strategy, Delays: []int64{1234 * milli}}
			s := studied(t, table, events)
			lateNow := int64(0)
			called(t, strategy, behind(table.Delay), events, func(_ *watermark.Core, _ event, found *watermark.Observed) {
				if found != nil {
					lateNow += int64(len(found.Late))
				}
			})
			if got := s.Report().Present.Late; got != lateNow {
				t.Errorf("%v, seed %d: %d rows late now, want %d", strategy, seed, got, lateNow)
			}
			for i, d := range s.delays.delays {
				want := int64(0)
				called(t, table.asIf(), behind(d), events, func(_ *watermark.Core, _ event, found *watermark.Observed) {
					if found != nil {
						want += int64(len(found.Late))
					}
				})
				if got := s.delays.late(i); got != want {
					t.Errorf("%v, seed %d: with %v %d rows late, want %d", strategy, seed, Length(d), got, want)
				}
			}
		}
	}
}

// TestAgainstEveryRow holds a report against one that is made of all rows at once.
func TestAgainstEveryRow(t *testing.T) {
	for seed := range uint64(40) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 0)), now: 1_700_000_000 * second}
		events := w.events(300)
		table := Table{Name: "t", Column: "ts", Delay: NoDelay, Bounded: true}
		got := studied(t, table, events).Report()

		type naive struct{ lengths []int64 }
		var all naive
		newest, alone := map[int]int64{}, map[int64]int64{}
		var nulls, disordered int64
		worst := Furthest{}
		rows := map[int]int64{}
		for _, e := range events {
			if e.takes || e.adds {
				delete(newest, e.split)
				rows[e.split] = 0
			}
			for _, at := range e.times {
				rows[e.split]++
				if at == watermark.NoTime {
					nulls++
					continue
				}
				by := int64(0)
				if before, ok := newest[e.split]; ok {
					by = max(before-at, 0)
					for _, d := range rungs {
						if at <= before-d {
							alone[d]++
						}
					}
				}
				newest[e.split] = max(at, newest[e.split])
				if by > 0 {
					disordered++
				}
				if by > int64(worst.By) {
					worst = Furthest{Length(by), Time{at, false}, fmt.Sprintf("split %d", e.split), rows[e.split]}
				}
				all.lengths = append(all.lengths, by)
			}
		}
		slices.Sort(all.lengths)
		n := len(all.lengths)
		if got.Rows != int64(n) || got.NullTimes != nulls || got.Disorder.Rows != disordered || *got.Disorder.Worst != worst {
			t.Fatalf("seed %d: %d rows, %d without time, %d out of order, %v the worst; want %d, %d, %d, %v", seed, got.Rows, got.NullTimes, got.Disorder.Rows, *got.Disorder.Worst, n, nulls, disordered, worst)
		}
		for _, q := range []struct {
			of10k int
			got   Length
		}{{5_000, got.Disorder.P50}, {9_000, got.Disorder.P90}, {9_900, got.Disorder.P99}, {9_990, got.Disorder.P999}, {9_999, got.Disorder.P9999}} {
			want := float64(all.lengths[(n*q.of10k+9_999)/10_000-1])
			if math.Abs(float64(q.got)-want) > Accuracy*want+1 { // 1 us: it is a whole number
				t.Errorf("seed %d: %d of 10,000 rows are no more than %d us out of order, want %.0f", seed, q.of10k, q.got, want)
			}
		}
		for _, d := range got.Delays {
			if d.Alone != alone[int64(d.Delay)] {
				t.Errorf("seed %d: %d rows late by their own split with %v, want %d", seed, d.Alone, d.Delay, alone[int64(d.Delay)])
			}
		}
		sum := int64(0)
		for _, s := range got.Splits {
			sum += s.Rows
		}
		if sum != got.Rows {
			t.Errorf("seed %d: splits have %d rows, and all %d", seed, sum, got.Rows)
		}
	}
}

// TestTargets: the delay that is advised for a share of the rows is the shortest round one with which no more are late.
func TestTargets(t *testing.T) {
	for seed := range uint64(20) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 1)), now: 1_700_000_000 * second}
		s := studied(t, Table{Name: "t", Column: "ts", Delay: NoDelay, Strategy: strategies[seed%uint64(len(strategies)-2)]}, w.events(300))
		r := s.Report()
		for k, of := range []int64{100, 1_000, 10_000, math.MaxInt64} {
			got, allowed := r.Targets[k], r.Rows/of
			at := -1
			if got.Delay != nil {
				at = slices.Index(rungs, int64(*got.Delay))
				if late := s.delays.late(s.delays.find(rungs[at])); late != got.Late || late > allowed {
					t.Errorf("seed %d: %v for %s %%: %d late, said to be %d, and %d may be", seed, *got.Delay, got.OnTime, late, got.Late, allowed)
				}
			} else {
				at = len(rungs)
			}
			for _, shorter := range rungs[1:at] {
				if late := s.delays.late(s.delays.find(shorter)); late <= allowed {
					t.Errorf("seed %d: for %s %% %v would do", seed, got.OnTime, Length(shorter))
				}
			}
		}
	}
}
