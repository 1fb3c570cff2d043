package handover

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// event is a row in the one partition, or a record of the side topic; one that takes another out has no promise.
type event struct {
	writer  Writer
	promise *Promise
	time    int64 // of a row
}

// live is a writer of the simulation.
type live struct {
	name     Writer
	frontier watermark.Frontier
	ends     int64
	before   []Gone // those that it takes out
}

// world is writers that write rows and promise truly, start, take out those that have gone, stop and die at random.
type world struct {
	rows    []event // by offset
	side    []event
	at      []int64 // of side
	now     int64
	writers []*live
	alone   bool // one writer at a time, and none for long
}

const worldTimeout = 300 // after which writers lapse, and are taken out

func (x *world) say(w *live, s State) {
	p := &Promise{State: s, Frontier: w.frontier}
	if w.ends > 0 {
		p.Ends = []End{{0, w.ends}}
	}
	x.append(event{writer: w.name, promise: p})
	w.before = slices.DeleteFunc(w.before, func(g Gone) bool {
		if !g.ReplacedBy(p) {
			return false
		}
		x.append(event{writer: g.Writer})
		return true
	})
}

func (x *world) append(e event) { x.side, x.at = append(x.side, e), append(x.at, x.now) }

// enter lets a writer come, as one of package kafka does.
func (x *world) enter(name Writer, tidies bool) {
	w := &live{name: name, frontier: watermark.Unset}
	x.writers = append(x.writers, w)
	x.say(w, Open)
	if !tidies {
		return
	}
	w.before = slices.DeleteFunc(x.known(x.side, x.at, worldTimeout).Gone(), func(g Gone) bool { return g.Writer == name })
	if len(w.before) > 0 {
		w.ends = int64(len(x.rows))
		x.say(w, Open)
	}
}

func (x *world) known(side []event, at []int64, timeout int64) *Upstream {
	u := NewUpstream(timeout)
	u.SetPartitions(1)
	for k, e := range side {
		u.Tick(at[k])
		if e.promise == nil {
			u.Retire(e.writer)
		} else {
			u.Take(e.writer, *e.promise, at[k])
		}
	}
	return u
}

func (x *world) step(rng *rand.Rand, name Writer) {
	x.now += int64(rng.IntN(10))
	if len(x.writers) == 0 || !x.alone && rng.IntN(20) == 0 {
		x.enter(name, rng.IntN(3) > 0)
	}
	i := rng.IntN(len(x.writers))
	w := x.writers[i]
	p := rng.IntN(30)
	if x.alone && p%5 == 0 {
		p = 28 + rng.IntN(2)
	}
	switch {
	case p < 14:
		x.rows = append(x.rows, event{writer: w.name, time: int64(max(w.frontier, 0)) + int64(rng.IntN(500))})
		w.ends = int64(len(x.rows))
	case p < 28:
		w.frontier = max(w.frontier, 0) + watermark.Frontier(rng.IntN(100))
		x.say(w, Open)
	case p == 28:
		x.say(w, []State{Stopped, Ended}[rng.IntN(2)])
		x.writers = append(x.writers[:i], x.writers[i+1:]...)
	default: // killed
		x.writers = append(x.writers[:i], x.writers[i+1:]...)
	}
	for _, w := range x.writers { // heartbeats, so that nobody lapses who lives
		if rng.IntN(3) == 0 {
			x.say(w, Open)
		}
	}
}

// TestUpstreamKeepsItsPromise: a reader that knows the side topic up to some place, as it is or compacted, must never hold a frontier that a row breaks which it has not read, of a writer that was there by then.
func TestUpstreamKeepsItsPromise(t *testing.T) {
	moved, taken := 0, 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		x := world{alone: seed%2 == 0}
		for step := range 200 {
			x.step(rng, Writer{byte(step)})
		}
		for range 10 {
			known := rng.IntN(len(x.side) + 1)
			for rng.IntN(20) > 0 && known > 0 && x.side[known-1].promise != nil {
				known-- // to where somebody has just been taken out
			}
			known = min(known+rng.IntN(2)*rng.IntN(8), len(x.side))
			compacted, forgotten := rng.IntN(3) > 0, rng.IntN(2) == 0
			last := map[Writer]int{}
			for k, e := range x.side[:known] {
				last[e.writer] = k
			}
			var side []event
			var at []int64
			for k, e := range x.side[:known] {
				if compacted && (last[e.writer] != k || forgotten && e.promise == nil) {
					taken++
					continue
				}
				side, at = append(side, e), append(at, x.at[k])
			}
			u := x.known(side, at, worldTimeout)
			if u.Lapse() {
				u.Fence(map[int32]int64{0: int64(len(x.rows))})
			}
			read := int64(0)
			for offset := range len(x.rows) + 1 {
				if rng.IntN(20) == 0 {
					u.Prune(map[int32]int64{0: read})
				}
				read = int64(offset)
				h := u.At(0, read)
				if h.Frontier != watermark.Unset {
					moved++
				}
				for k, r := range x.rows[offset:] {
					if _, heard := last[r.writer]; heard && h.Frontier.Late(r.time) {
						t.Fatalf("seed %d: frontier %d at offset %d of %s, and row %d of writer %s is of %d", seed, h.Frontier, offset, h.Writer, offset+k, r.writer, r.time)
					}
				}
			}
		}
	}
	if moved == 0 || taken == 0 {
		t.Errorf("the frontier moved %d times, and %d records were taken out", moved, taken)
	}
}

// TestNothingIsLostByTakingOut: to whoever has read all rows it makes no difference whether those that have gone were taken out.
func TestNothingIsLostByTakingOut(t *testing.T) {
	taken := 0
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		x := world{alone: seed%2 == 0}
		for step := range 150 {
			x.step(rng, Writer{byte(step)})
		}
		for known := range x.side {
			frontiers := map[bool]watermark.Handover{}
			for _, kept := range []bool{false, true} {
				u := NewUpstream(worldTimeout)
				u.SetPartitions(1)
				for k, e := range x.side[:known+1] {
					u.Tick(x.at[k])
					if e.promise != nil {
						u.Take(e.writer, *e.promise, x.at[k])
					} else if !kept {
						u.Retire(e.writer)
					}
				}
				if u.Lapse() {
					u.Fence(map[int32]int64{0: int64(len(x.rows))})
				}
				before := len(u.writers)
				u.Prune(map[int32]int64{0: int64(len(x.rows))})
				taken += before - len(u.writers)
				frontiers[kept] = u.At(0, int64(len(x.rows)))
			}
			if frontiers[false] != frontiers[true] {
				t.Fatalf("seed %d, record %d: %+v, and with all there %+v", seed, known, frontiers[false], frontiers[true])
			}
		}
	}
	if taken == 0 {
		t.Error("nobody was taken out")
	}
}

func TestUpstream(t *testing.T) {
	a, b := Writer{1}, Writer{2}
	take := func(u *Upstream, w Writer, s State, f watermark.Frontier, at int64, ends ...End) {
		u.Take(w, Promise{State: s, Frontier: f, Ends: ends}, at)
	}
	check := func(t *testing.T, u *Upstream, partition int32, offset int64, f watermark.Frontier, active bool) {
		t.Helper()
		if h := u.At(partition, offset); h.Frontier != f || h.Active != active {
			t.Errorf("partition %d from %d: %+v, want %d, active %t", partition, offset, h, f, active)
		}
	}
	fresh := func() *Upstream {
		u := NewUpstream(100)
		u.SetPartitions(2)
		return u
	}
	t.Run("nobody", func(t *testing.T) { check(t, fresh(), 0, 9, watermark.Unset, true) })
	t.Run("offsets first", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 10, 0, End{0, 5})
		take(u, a, Open, 20, 0, End{0, 8}, End{1, 1})
		check(t, u, 0, 4, watermark.Unset, true)
		check(t, u, 0, 5, 10, true)
		check(t, u, 0, 8, 20, true)
		check(t, u, 1, 0, 10, true)
		check(t, u, 1, 1, 20, true)
	})
	t.Run("the least of those that are open", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 20, 0)
		take(u, b, Open, watermark.Unset, 0)
		check(t, u, 0, 0, watermark.Unset, true)
		take(u, b, Open, 5, 0)
		check(t, u, 0, 0, 5, true)
		take(u, b, Idle, 5, 0)
		check(t, u, 0, 0, 20, true)
		take(u, a, Ended, 30, 0)
		check(t, u, 0, 0, 30, false)
	})
	t.Run("stopped", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 20, 0)
		take(u, b, Stopped, 5, 0, End{0, 3})
		check(t, u, 0, 2, watermark.Unset, true)
		check(t, u, 0, 3, 20, true)
		take(u, a, Stopped, 25, 0)
		check(t, u, 0, 3, 25, true)
	})
	t.Run("lapsed", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 5, 0, End{0, 3})
		take(u, b, Open, 20, 99)
		if u.Lapse() {
			t.Error("lapsed before its time")
		}
		u.Tick(100)
		if !u.Lapse() {
			t.Fatal("not lapsed")
		}
		check(t, u, 0, 9, 5, true)
		u.Fence(map[int32]int64{0: 7, 1: 0})
		check(t, u, 0, 6, 5, true)
		check(t, u, 0, 7, 20, true)
		check(t, u, 1, 0, 20, true)
		take(u, a, Open, 8, 101)
		check(t, u, 1, 0, 8, true)
	})
	t.Run("a partition that is not read", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 10, 0)
		take(u, a, Open, 20, 0, End{2, 1})
		check(t, u, 0, 9, 10, true)
		if !u.Unread() {
			t.Error("nobody notices partition 2")
		}
		u.SetPartitions(3)
		check(t, u, 0, 9, 20, true)
	})
	t.Run("few promises are kept", func(t *testing.T) {
		u := fresh()
		for i := range int64(5000) {
			take(u, a, Open, watermark.Frontier(i), 0, End{0, i + 1})
			u.Prune(map[int32]int64{0: 0})
		}
		if n := len(u.writers[0].promises); n > maxPromises {
			t.Errorf("%d promises", n)
		}
		check(t, u, 0, 5000, 4999, true)
		u.Prune(map[int32]int64{0: 5000})
		if n := len(u.writers[0].promises); n != 1 {
			t.Errorf("%d promises when all is read", n)
		}
	})
	t.Run("taken out", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 10, 0)
		u.Retire(a)
		u.Prune(map[int32]int64{0: 5})
		check(t, u, 0, 5, 10, true) // it has not gone
		take(u, a, Ended, 20, 0, End{0, 5}, End{1, 2})
		u.Prune(map[int32]int64{0: 5, 1: 2})
		check(t, u, 0, 5, 20, false) // it is there again
		u.Retire(a)
		u.Prune(map[int32]int64{0: 5, 1: 1})
		check(t, u, 1, 2, 20, false)
		u.Prune(map[int32]int64{0: 5})
		check(t, u, 1, 2, 20, false)
		u.Prune(map[int32]int64{0: 5, 1: 2})
		check(t, u, 1, 2, watermark.Unset, true)
		take(u, a, Open, 10, 0, End{0, 5})
		u.Retire(a)
		u.Tick(100)
		u.Lapse()
		u.Fence(map[int32]int64{0: 7, 1: 3})
		u.Prune(map[int32]int64{0: 7, 1: 2})
		check(t, u, 0, 7, 10, true)
		u.Prune(map[int32]int64{0: 7, 1: 3})
		check(t, u, 0, 7, watermark.Unset, true)
	})
}
