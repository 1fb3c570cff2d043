package operator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// awaiting are operators that hold something back, over the columns key, time, start and end. Those that fire let at least a row go when what they wait for has come.
var awaiting = []struct {
	name  string
	what  dataflow.Waits
	fires bool
	make  func(pool *vector.Pool) dataflow.Operator
}{
	{"tumble", dataflow.WaitsWindow, true, stateless(aligned(window.Spec{Kind: window.Tumble, Size: 3 * second}, ""))},
	{"hop", dataflow.WaitsWindow, true, stateless(aligned(window.Spec{Kind: window.Hop, Size: 6 * second, Slide: 2 * second}, ""))},
	{"cumulate", dataflow.WaitsWindow, true, stateless(aligned(window.Spec{Kind: window.Cumulate, Size: 6 * second, Slide: 2 * second}, ""))},
	{"zone", dataflow.WaitsWindow, true, stateless(aligned(window.Spec{Kind: window.Tumble, Size: 3 * second}, "Asia/Kolkata"))},
	{"attached", dataflow.WaitsWindow, true, stateless(attached)},
	{"session", dataflow.WaitsSession, true, stateless(sessions(2 * second))},
	{"window top-n", dataflow.WaitsWindow, true, func(pool *vector.Pool) dataflow.Operator {
		return NewWindowTopN(WindowTopNSpec{Windows: Attached{Start: 2, End: 3}, Keys: []int{0}, KeyKinds: intKey, Count: 1, Kinds: slices.Repeat(intKey, 4), Tick: 1000, Memory: pool})
	}},
	{"window join", dataflow.WaitsWindow, true, func(pool *vector.Pool) dataflow.Operator {
		edge, kinds := Attached{Start: 2, End: 3}, slices.Repeat(intKey, 4)
		return NewWindowJoin(WindowJoinSpec{Kind: LeftJoin, Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: [2][]vector.Kind{kinds, kinds}, Windows: [2]Attached{edge, edge}, Env: &function.Env{}, Tick: 1000, Memory: pool})
	}},
	{"sort", dataflow.WaitsRows, true, func(pool *vector.Pool) dataflow.Operator {
		return NewSort(SortSpec{Time: 1, Kinds: slices.Repeat(intKey, 4), Memory: pool})
	}},
	{"over", dataflow.WaitsRows, true, func(pool *vector.Pool) dataflow.Operator {
		return NewOver(OverSpec{Time: 1, Keys: []int{0}, KeyKinds: intKey, Kinds: slices.Repeat(intKey, 4), Rows: true, Bounded: true, Preceding: 2, Memory: pool})
	}},
	{"temporal join", dataflow.WaitsRows, true, func(pool *vector.Pool) dataflow.Operator {
		kinds := slices.Repeat(intKey, 4)
		return NewTemporalJoin(TemporalJoinSpec{Outer: true, Sides: []int{0, 1}, Times: [2]int{1, 1}, Keys: [2][]int{{0}, {0}}, Kinds: [2][]vector.Kind{kinds, kinds}, Env: &function.Env{}, Memory: pool})
	}},
	{"interval join", dataflow.WaitsRows, true, func(pool *vector.Pool) dataflow.Operator {
		kinds := slices.Repeat(intKey, 4)
		return NewIntervalJoin(IntervalJoinSpec{Kind: LeftJoin, Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: [2][]vector.Kind{kinds, kinds}, Times: [2]int{1, 1}, Low: -second, High: second, Hold: second, Env: &function.Env{}, Memory: pool})
	}},
	{"match", "", false, func(pool *vector.Pool) dataflow.Operator { return NewMatch(rising(2*second, pool)) }},
}

func stateless(make func(*vector.Pool) stateful) func(*vector.Pool) dataflow.Operator {
	return func(pool *vector.Pool) dataflow.Operator { return make(pool) }
}

// counting counts the rows that leave.
type counting struct{ rows int }

func (c *counting) Emit(b *dataflow.Batch) error {
	c.rows += b.Rows().Count()
	b.Release()
	return nil
}

func (c *counting) Advance(dataflow.Progress) error { return nil }

// TestNext: until the frontier has come as far as an operator says that it must, no row leaves, and then one does, or nothing is waited for any more. Windows that fire say so with all their rows.
func TestNext(t *testing.T) {
	for _, c := range awaiting {
		for seed := range uint64(20) {
			r, pool := rand.New(rand.NewPCG(seed, 4)), &vector.Pool{}
			op, out := c.make(pool), &counting{}
			next := op.(dataflow.Awaiting).Next
			fired := int64(-1)
			if f, ok := op.(dataflow.Firing); ok {
				fired = 0
				f.OnFire(func(start, end, rows int64) {
					if start != watermark.NoTime && start >= end || rows < 1 {
						t.Errorf("%s: %d rows of [%d, %d)", c.name, rows, start, end)
					}
					fired += rows
				})
			}
			f := watermark.Frontier(0)
			rise := func(to watermark.Frontier) (rows int) {
				before := out.rows
				f = to
				if err := op.Advance(dataflow.Progress{Frontier: f, Active: true}, out); err != nil {
					t.Fatal(err)
				}
				return out.rows - before
			}
			rise(0)
			if d, ok := next(); ok {
				t.Fatalf("%s waits for %+v before any row", c.name, d)
			}
			for range 60 {
				var events []event
				for range r.IntN(4) {
					at := max(0, int64(f)+(r.Int64N(12_000)-3000)*1000)
					start := timefmt.Floor(at, 3*second)
					events = append(events, event{key: r.Int64N(3), time: at, start: start, end: start + 3*second})
				}
				if b, _ := batchOf(pool, events); b != nil {
					if err := op.Process(b, out); err != nil {
						t.Fatal(err)
					}
				}
				d, ok := next()
				if !ok {
					continue
				}
				if c.what != "" && d.What != c.what || d.At > d.Deadline || (d.Start != watermark.NoTime) != (c.what == dataflow.WaitsWindow) {
					t.Fatalf("%s waits for %+v", c.name, d)
				}
				if short := watermark.Frontier(timefmt.Floor(d.Deadline-1, 1000)); short > f {
					if left := d.Left(f); left <= 0 {
						t.Fatalf("%s: %d is left to %+v", c.name, left, d)
					}
					if n := rise(short); n > 0 {
						t.Fatalf("%s, seed %d: %d rows leave at %d, before %+v", c.name, seed, n, short, d)
					}
				}
				n := rise(max(f+1000, watermark.Frontier(timefmt.Floor(d.Deadline+999, 1000))))
				if c.fires && n == 0 {
					t.Fatalf("%s, seed %d: nothing leaves at %d, with %+v", c.name, seed, f, d)
				}
				if later, ok := next(); d.Left(f) != 0 || ok && later.Deadline <= int64(f) {
					t.Fatalf("%s: at %d it waits for %+v", c.name, f, later)
				}
			}
			rise(watermark.Final)
			if d, ok := next(); ok {
				t.Errorf("%s waits for %+v at the end", c.name, d)
			}
			if fired >= 0 && fired != int64(out.rows) {
				t.Errorf("%s: %d rows are told of, and %d leave", c.name, fired, out.rows)
			}
		}
	}
}
