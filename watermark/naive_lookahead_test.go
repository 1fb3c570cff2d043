package watermark

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveAhead is Lookahead as its contract reads: it keeps all that ever happened and works everything out anew at a tick. It counts in seconds, with noSecond for none.
type naiveAhead struct {
	by      Lookahead
	lift    Lift
	splits  []*naiveAheadSplit
	emitted int64
	beyond  int64
	system  int64
	sealed  bool
	// Of splits that left, the greatest promise and when the last row was written; and what the source and its system frontier came to when none was left.
	furthest, reached [2]int64
}

type naiveAheadSplit struct {
	group    string
	fetched  []naiveBatch
	held     *naiveBatch
	confirms []int64 // since the last row
	lastRow  int64
	failures []int64 // since the last read that worked
	finished bool
	counted  int64
	lifted   Lifted
}

type naiveBatch struct {
	times   []int64
	written [2]int64
	done    bool
}

const noSecond = math.MinInt64 / 2

func (n *naiveAhead) bound() int64 { return n.by.Bound / second }

func (s *naiveAheadSplit) open() (open []naiveBatch) {
	for _, b := range s.fetched {
		if !b.done {
			open = append(open, b)
		}
	}
	return open
}

// read is the frontier of all that was fetched.
func (n *naiveAhead) read(s *naiveAheadSplit) int64 {
	f := int64(noSecond)
	for _, b := range s.fetched {
		f = max(f, slices.Max(b.times)-n.bound())
	}
	return f
}

// promise is max(newest - B, min(min ahead, max ahead - B)), with the newest of the batches before the first that is not completed.
func (n *naiveAhead) promise(s *naiveAheadSplit) int64 {
	f := int64(noSecond)
	for _, b := range s.fetched {
		if !b.done {
			return max(f, min(slices.Min(b.times), slices.Max(b.times)-n.bound()))
		}
		f = max(f, slices.Max(b.times)-n.bound())
	}
	if h := s.held; h != nil {
		f = max(f, min(slices.Min(h.times), slices.Max(h.times)-n.bound()))
	}
	return f
}

func (n *naiveAhead) hold(s *naiveAheadSplit) int64 {
	var all []int64
	for _, b := range s.open() {
		all = append(all, b.times...)
	}
	slices.Sort(all)
	k := len(all) * (100 - n.by.InFlight.Value) / 100
	if k == len(all) {
		return math.MaxInt64
	}
	return max(all[0], all[k]-n.by.InFlight.Delay/second)
}

func (n *naiveAhead) unreachable(s *naiveAheadSplit) bool {
	if len(s.failures) == 0 || n.by.Outages.HalfLife == 0 {
		return false
	}
	half := float64(n.by.Outages.HalfLife)
	lasts := float64(s.failures[len(s.failures)-1] - s.failures[0])
	return half/math.Ln2*(1-math.Pow(0.5, lasts/half)) > 0.5*half
}

// inside are the splits that take part.
func (n *naiveAhead) inside() (all []*naiveAheadSplit) {
	for _, s := range n.splits {
		if !s.finished || len(s.open()) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// left follows what may have had s leave.
func (n *naiveAhead) left(s *naiveAheadSplit) {
	if slices.Contains(n.inside(), s) {
		return
	}
	n.furthest[0] = max(n.furthest[0], n.promise(s))
	for _, b := range s.fetched {
		n.furthest[1] = max(n.furthest[1], b.written[1])
	}
	if len(n.inside()) == 0 {
		n.reached = [2]int64{max(n.reached[0], n.furthest[0]), max(n.reached[1], n.furthest[1])}
	}
}

// system is when the first batch in flight was written; else the last row completed or the last confirmation.
func (s *naiveAheadSplit) system() int64 {
	if open := s.open(); len(open) > 0 {
		return open[0].written[0]
	}
	if s.held != nil {
		return s.held.written[0]
	}
	f := int64(noSecond)
	for _, b := range s.fetched {
		f = max(f, b.written[1])
	}
	for _, at := range s.confirms {
		f = max(f, at/second)
	}
	return f
}

func (n *naiveAhead) tick(now int64) {
	var all []*naiveAheadSplit
	for _, s := range n.splits {
		s.counted, s.lifted = math.MaxInt64, NotLifted
		if s.finished && len(s.open()) == 0 {
			continue
		}
		s.counted = min(n.promise(s), n.hold(s))
		all = append(all, s)
	}
	system := n.reached[1]
	if len(all) > 0 {
		system = max(system, slices.MinFunc(all, func(a, b *naiveAheadSplit) int { return cmp.Compare(a.system(), b.system()) }).system())
	}
	n.system = max(n.system, min(system, now/second))
	lift := func(s *naiveAheadSplit, to int64, why Lifted) {
		s.counted, s.lifted = max(s.counted, to-n.bound()), why
	}

	down := map[string]int64{} // the least of the last failures
	up := map[string]bool{}
	for _, s := range all {
		if !n.unreachable(s) {
			up[s.group] = true
			continue
		}
		at := s.failures[len(s.failures)-1]
		if first, ok := down[s.group]; !ok || at < first {
			down[s.group] = at
		}
	}
	for group := range up {
		delete(down, group)
	}
	if n.by.Outages.HalfLife > 0 && len(down) <= n.by.Outages.MaxDown && len(up) >= n.by.Outages.MinUp {
		for _, s := range all {
			if at, ok := down[s.group]; ok {
				lift(s, at/second, LiftedForOutage)
			}
		}
	}

	limit := int(n.lift.Ratio * float64(len(all)))
	for _, s := range all {
		if len(s.open()) == 0 && s.held == nil && len(s.confirms) > 0 && slices.Max(s.confirms)-s.confirms[0] >= n.lift.After && limit > 0 {
			limit--
			lift(s, slices.Max(s.confirms)/second, LiftedEmpty)
		}
	}

	var sorted []int64
	for _, s := range all {
		sorted = append(sorted, s.counted)
	}
	slices.Sort(sorted)
	if k := len(all) * (100 - n.by.LateData.Value) / 100; k < len(all) && sorted[k] != noSecond {
		t := sorted[k] - n.by.LateData.Delay/second
		e := max(sorted[0], t)
		for _, s := range all {
			if s.counted < t {
				lift(s, e, LiftedLate)
			}
		}
	}

	promised := n.reached[0]
	if len(all) > 0 {
		promised = max(promised, slices.MinFunc(all, func(a, b *naiveAheadSplit) int { return cmp.Compare(a.counted, b.counted) }).counted)
	}
	n.emitted = max(n.emitted, min(promised, now/second))
	n.beyond = 0
	if promised > now/second {
		n.beyond = max(0, promised-n.emitted)
	}
}

// TestLookaheadAgreesWithNaive plays random histories against both.
func TestLookaheadAgreesWithNaive(t *testing.T) {
	percentiles := []Percentile{All, {80, 5 * second}, {50, 0}, {0, second}}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 4))
		by := Lookahead{Bound: int64(rng.IntN(20))*second + int64(rng.IntN(2))*500_000, InFlight: percentiles[rng.IntN(4)], LateData: percentiles[rng.IntN(4)]}
		if rng.IntN(2) == 0 {
			by.Outages = Outages{MaxDown: rng.IntN(3), MinUp: rng.IntN(2), HalfLife: 40 * second}
		}
		s := Strategy{Tick: 1000, Emission: Periodic{}, Idleness: Never{}, Candidates: by}
		nobody := [2]int64{noSecond, noSecond}
		n := &naiveAhead{by: by, emitted: noSecond, system: noSecond, furthest: nobody, reached: nobody}
		if rng.IntN(3) > 0 {
			n.lift = Lift{After: 10 * second, Ratio: []float64{0.25, 0.4, 1}[rng.IntN(3)]}
			s.Idleness = n.lift
		}
		now := 1000 * second
		c := newCore(s, now)
		numbers := map[int][]int64{} // of the batches in flight, by split, and which of the naive ones they are
		places := map[int][]int{}
		check := func(what string) {
			t.Helper()
			c.Publish(now)
			if got := inNaive(c.Frontier()); got != n.emitted {
				t.Fatalf("seed %d, %v, %s at %d: frontier %d, want %d", seed, s, what, now, got, n.emitted)
			}
			snap := c.Load()
			if snap.Beyond != n.beyond*second {
				t.Fatalf("seed %d, %v, %s at %d: %d beyond the present, want %d s", seed, s, what, now, snap.Beyond, n.beyond)
			}
			if inNaive(snap.System) != n.system {
				t.Fatalf("seed %d, %v, %s at %d: system frontier %d, want %d", seed, s, what, now, snap.System, n.system)
			}
			for i, x := range n.splits {
				a := snap.Splits[i].Lookahead
				if inNaive(a.Completed) != n.promise(x) || inNaive(a.Fetched) != n.read(x) || inNaive(a.System) != x.system() || a.InFlight != len(x.open()) || a.Unreachable != n.unreachable(x) ||
					what == "tick" && (a.Lifted != x.lifted || inNaive(snap.Splits[i].Frontier) != x.counted) {
					t.Fatalf("seed %d, %v, %s at %d: split %d is %+v, %+v; want %+v, completed %d, fetched %d", seed, s, what, now, i, snap.Splits[i], a, x, n.promise(x), n.read(x))
				}
			}
		}
		for range 150 {
			now += int64(rng.IntN(int(4 * second)))
			if len(n.splits) == 0 || rng.IntN(30) == 0 {
				group := []string{"", "east", "west"}[rng.IntN(3)]
				i := c.AddSplit(now)
				c.SetGroup(i, group)
				if len(n.inside()) == 0 {
					n.reached[0] = min(n.reached[0], now/second)
				}
				n.splits = append(n.splits, &naiveAheadSplit{group: group, counted: noSecond, lastRow: now})
			}
			i := rng.IntN(len(n.splits))
			x := n.splits[i]
			switch p := rng.IntN(100); {
			case p < 25 && !x.finished:
				times := make([]int64, 1+rng.IntN(6))
				for k := range times {
					times[k] = now - 30*second + int64(rng.IntN(int(40*second)))
				}
				var out Observed
				cut := rng.IntN(len(times) + 1)
				c.Observe(i, times[:cut], times[:cut], now, &out)
				out.Base = int32(cut)
				c.Observe(i, times[cut:], times[cut:], now, &out)
				var late []int32
				var behind []Frontier
				b := naiveBatch{}
				for k, at := range times {
					if promised := max(n.read(x), n.emitted) * second; at < promised {
						late = append(late, int32(k))
						behind = append(behind, Frontier(promised))
					}
					b.times = append(b.times, at/second)
				}
				if !slices.Equal(out.Late, late) || !slices.Equal(out.Behind, behind) {
					t.Fatalf("seed %d: late %v behind %v, want %v behind %v", seed, out.Late, out.Behind, late, behind)
				}
				last := now - int64(rng.IntN(int(3*second)))
				first := last - int64(rng.IntN(int(second)))
				b.written = [2]int64{first / second, last / second}
				number, ok := c.Fetched(i, first, last)
				if !ok {
					t.Fatal("no batch")
				}
				x.confirms, x.lastRow, x.held = nil, now, nil
				x.fetched = append(x.fetched, b)
				numbers[i], places[i] = append(numbers[i], number), append(places[i], len(x.fetched)-1)
				check("fetch")
			case p < 45 && len(numbers[i]) > 0:
				k := rng.IntN(len(numbers[i]))
				c.Complete(i, numbers[i][k])
				x.fetched[places[i][k]].done = true
				if x.finished {
					n.left(x)
				}
				numbers[i], places[i] = slices.Delete(numbers[i], k, k+1), slices.Delete(places[i], k, k+1)
				check("done")
			case p < 50 && !x.finished && x.held == nil:
				from := now - 30*second + int64(rng.IntN(int(40*second)))
				to := from + int64(rng.IntN(int(9*second)))
				c.Announce(i, from, to, now-second, now)
				x.held = &naiveBatch{times: []int64{from / second, to / second}, written: [2]int64{(now - second) / second, now / second}}
				check("held")
			case p < 60 && !x.finished:
				at := now - int64(rng.IntN(int(2*second)))
				c.ConfirmEmpty(i, at)
				if at >= x.lastRow && (len(x.confirms) == 0 || at > slices.Max(x.confirms)) {
					x.confirms = append(x.confirms, at)
				}
			case p < 70:
				c.ReadFailed(i, now)
				x.failures = append(x.failures, now)
				check("fail")
			case p < 72:
				c.ReadWorked(i)
				x.failures = nil
			case p < 74 && !x.finished && !n.sealed && x.held == nil:
				c.FinishSplit(i, now)
				x.finished, x.held = true, nil
				n.left(x)
			case p == 74 && rng.IntN(3) == 0:
				state := c.AppendState(nil)
				c = newCore(s, now)
				if err := c.Restore(state); err != nil {
					t.Fatal(err)
				}
				for k, y := range n.splits {
					c.SetGroup(k, y.group)
					y.confirms, y.failures, y.lastRow, y.held = nil, nil, now, nil
					for b := range y.fetched {
						y.fetched[b].done = true
					}
				}
				n.furthest, n.reached = nobody, nobody
				for _, y := range n.splits {
					if y.finished {
						n.left(y)
					}
				}
				clear(numbers)
				clear(places)
				check("restart")
			case p > 80:
				n.tick(now)
				var out Observed
				before := c.Frontier()
				c.Tick(now, &out)
				if (len(out.Marks) == 1) != (c.Frontier() > before) {
					t.Fatalf("seed %d: frontier %d to %d, marks %v", seed, before, c.Frontier(), out.Marks)
				}
				check("tick")
			}
		}
	}
}

func inNaive(f Frontier) int64 {
	switch f {
	case Unset:
		return noSecond
	case Final:
		return math.MaxInt64
	}
	return int64(f) / second
}
