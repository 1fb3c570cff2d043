package handover

import (
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// event is a row in the one partition, or a record of the side topic.
type event struct {
	writer  Writer
	promise *Promise
	time    int64 // of a row
}

// TestUpstreamKeepsItsPromise runs writers that write rows and promise truly, start, stop and die at random. A reader that knows the side topic up to some place, as it is or compacted, must never hold a
// frontier that a row of one of the writers that it knows breaks.
func TestUpstreamKeepsItsPromise(t *testing.T) {
	moved := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var rows []event // by offset
		var side []event
		var at []int64 // of side
		var ends []int64
		now := int64(0)
		type live struct {
			name     Writer
			frontier watermark.Frontier
			ends     int64
		}
		var writers []*live
		say := func(w *live, s State) {
			p := &Promise{State: s, Frontier: w.frontier}
			if w.ends > 0 {
				p.Ends = []End{{0, w.ends}}
			}
			side, at, ends = append(side, event{writer: w.name, promise: p}), append(at, now), append(ends, int64(len(rows)))
		}
		for step := range 120 {
			now += int64(rng.IntN(10))
			if len(writers) == 0 || rng.IntN(25) == 0 {
				w := &live{name: Writer{byte(step)}, frontier: watermark.Unset}
				writers = append(writers, w)
				say(w, Open)
			}
			i := rng.IntN(len(writers))
			w := writers[i]
			switch p := rng.IntN(30); {
			case p < 14:
				rows = append(rows, event{writer: w.name, time: int64(max(w.frontier, 0)) + int64(rng.IntN(500))})
				w.ends = int64(len(rows))
			case p < 28:
				w.frontier = max(w.frontier, 0) + watermark.Frontier(rng.IntN(100))
				say(w, Open)
			case p == 28:
				say(w, []State{Stopped, Ended}[rng.IntN(2)])
				writers = append(writers[:i], writers[i+1:]...)
			default: // killed
				writers = append(writers[:i], writers[i+1:]...)
			}
			for _, w := range writers { // heartbeats, so that nobody lapses who lives
				if rng.IntN(3) == 0 {
					say(w, Open)
				}
			}
		}
		for range 6 {
			known := rng.IntN(len(side) + 1)
			compacted := rng.IntN(2) == 0
			last := map[Writer]int{}
			for k, e := range side[:known] {
				last[e.writer] = k
			}
			u := NewUpstream(1000)
			u.SetPartitions(1)
			for k, e := range side[:known] {
				if compacted && last[e.writer] != k {
					continue
				}
				u.Take(e.writer, *e.promise, at[k])
			}
			if u.Lapse() {
				u.Fence(map[int32]int64{0: int64(len(rows))})
			}
			if rng.IntN(3) == 0 {
				u.Prune(map[int32]int64{0: 0})
			}
			for offset := range len(rows) + 1 {
				h := u.At(0, int64(offset))
				if h.Frontier != watermark.Unset {
					moved++
				}
				for _, r := range rows[offset:] {
					if _, heard := last[r.writer]; heard && h.Active && h.Frontier.Late(r.time) && known > 0 && h.Frontier > leastOf(side[:known], r.writer) {
						t.Fatalf("seed %d: frontier %d at offset %d, and writer %s is at %d", seed, h.Frontier, offset, r.writer, leastOf(side[:known], r.writer))
					}
				}
			}
		}
	}
	if moved == 0 {
		t.Error("the frontier never moved")
	}
}

// leastOf is the greatest frontier that a writer has promised.
func leastOf(side []event, w Writer) watermark.Frontier {
	f := watermark.Unset
	for _, e := range side {
		if e.writer == w {
			f = e.promise.Frontier
		}
	}
	return f
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
	t.Run("forgotten", func(t *testing.T) {
		u := fresh()
		take(u, a, Open, 10, 0)
		u.Forget(a)
		check(t, u, 0, 0, watermark.Unset, true)
	})
}
