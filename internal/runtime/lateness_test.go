package runtime

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// judged is a reading of n rows that a core has looked at, and the lateness of those that were late.
func judged(rng *rand.Rand, n int) (*reading, *lateness) {
	core, err := watermark.New(watermark.Replay(1000), 0)
	if err != nil {
		panic(err)
	}
	core.AddSplit(0)
	core.Observe(0, []int64{500_000}, []int64{400_000}, 0, &watermark.Observed{})
	r := &reading{times: make([]int64, n), candidates: make([]int64, n)}
	for i := range n {
		r.times[i] = 1000 * (500 + int64(i) - rng.Int64N(200))
		r.candidates[i] = r.times[i] - 100_000
	}
	var seen watermark.Observed
	first := core.SplitRead(0)
	core.Observe(0, r.times, r.candidates, 0, &seen)
	r.late = seen.Late
	r.lateness = &lateness{"s", first, seen.Behind}
	return r, r.lateness
}

// TestLateness: what is told of a late row is what a core that reads row by row knows when the row comes, in the rows of a reading and in a copy of some of them.
func TestLateness(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		n := 1 + rng.IntN(300)
		r, l := judged(rng, n)
		want := map[int32]string{}
		frontier := int64(401_000) // behind the first row
		for i, t := range r.times {
			if t < frontier {
				want[int32(i)] = fmt.Sprintf("%d %d s %d", frontier-1000, (frontier-1000-t)/1000, i+1)
			}
			frontier = max(frontier, r.candidates[i]+1000)
		}
		if len(want) != len(r.late) {
			t.Fatalf("%d rows are late, want %d", len(r.late), len(want))
		}
		var pool vector.Pool
		check := func(cols []*vector.Vector, at int, row int32) {
			t.Helper()
			if got := fmt.Sprintf("%d %d %s %d", cols[0].Int(at), cols[1].Int(at), cols[2].Bytes(at), cols[3].Int(at)); got != want[row] {
				t.Fatalf("row %d of %d: got %s, want %s", row, n, got, want[row])
			}
		}
		whole := l.columns(nil, pool.Get(), r, n, nil)
		for _, row := range r.late {
			check(whole, int(row), row)
		}
		var some []int32
		for _, row := range r.late {
			if rng.IntN(2) == 0 {
				some = append(some, row)
			}
		}
		if some != nil {
			copied := l.columns(nil, pool.Get(), r, len(some), some)
			for at, row := range some {
				check(copied, at, row)
			}
		}
	}
}

// BenchmarkLateness tells what is known of the late rows of a reading, of which about a third are late; one operation is one row of the reading.
func BenchmarkLateness(b *testing.B) {
	const n = 8192
	r, l := judged(rand.New(rand.NewPCG(5, 6)), n)
	var pool vector.Pool
	b.ReportAllocs()
	for done := 0; done < b.N; done += n {
		a := pool.Get()
		l.columns(nil, a, r, n, nil)
		a.Release()
	}
}
