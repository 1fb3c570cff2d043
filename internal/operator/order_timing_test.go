package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

const timedRows = 4096

var twoInts = []vector.Kind{vector.Int64, vector.Int64}

// two is a batch of two columns.
func two(a *vector.Arena, fill func(row int) (int64, int64)) *dataflow.Batch {
	x, y := a.Flat(vector.Int64, timedRows), a.Flat(vector.Int64, timedRows)
	for i := range timedRows {
		x.Ints[i], y.Ints[i] = fill(i)
	}
	return &dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{x, y}, N: timedRows, Arena: a}}
}

// run gives an operator batch after batch.
func run(b *testing.B, op dataflow.Operator, batch func() *dataflow.Batch) {
	b.ReportAllocs()
	for b.Loop() {
		if err := op.Process(batch(), discard{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/timedRows, "ns/row")
}

// The first rows of rows that are only added: few of many come into the result.
func BenchmarkTopN(b *testing.B) {
	for _, n := range []int{1, 10, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
			t := NewTopN(TopNSpec{By: []state.Ordering{{Column: 1}}, Count: n, Kinds: twoInts, Memory: pool})
			run(b, t, func() *dataflow.Batch {
				return two(pool.Get(), func(i int) (int64, int64) { return int64(i), r.Int64() })
			})
		})
	}
}

// The first rows of rows that are taken back: every batch adds rows and takes them back, beside many that stay.
func BenchmarkTopNTakenBack(b *testing.B) {
	pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
	t := NewTopN(TopNSpec{By: []state.Ordering{{Column: 1}}, Count: 10, Kinds: twoInts, Input: TakenBack, Memory: pool})
	for range 25 {
		if err := t.Process(two(pool.Get(), func(i int) (int64, int64) { return int64(i), r.Int64() }), discard{}); err != nil {
			b.Fatal(err)
		}
	}
	run(b, t, func() *dataflow.Batch {
		last := int64(0)
		x := two(pool.Get(), func(i int) (int64, int64) {
			if i%2 == 0 {
				last = r.Int64()
			}
			return 1, last
		})
		x.Ops = make([]vector.Op, timedRows)
		for i := range x.Ops {
			if i%2 == 1 {
				x.Ops[i] = vector.Delete
			}
		}
		return x
	})
}

// Rows that come a little out of order, with a frontier that rises often.
func BenchmarkSort(b *testing.B) {
	pool, r, now := &vector.Pool{}, rand.New(rand.NewPCG(1, 2)), int64(0)
	s := NewSort(SortSpec{Time: 1, Kinds: twoInts, Memory: pool})
	run(b, s, func() *dataflow.Batch {
		x := two(pool.Get(), func(i int) (int64, int64) { now++; return int64(i), now*1000 - r.Int64N(1_000_000) })
		for row := int32(64); row <= timedRows; row += 64 {
			x.Marks = append(x.Marks, watermark.Mark{Row: row, F: watermark.Frontier((now-timedRows+int64(row))*1000 - 1_000_000)})
		}
		return x
	})
}

// The first rows as they come.
func BenchmarkLimit(b *testing.B) {
	pool := &vector.Pool{}
	run(b, NewLimit(10, 1<<60), func() *dataflow.Batch {
		return two(pool.Get(), func(i int) (int64, int64) { return int64(i), int64(i) })
	})
}
