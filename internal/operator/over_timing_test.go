package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The first rows of each of many keys, of rows that are only added.
func BenchmarkTopNPartitioned(b *testing.B) {
	for _, c := range []struct {
		name string
		keys int64
		spec TopNSpec
	}{
		{"row 1 of a million keys", 1_000_000, TopNSpec{Count: 1}},
		{"last row of a million keys", 1_000_000, TopNSpec{Count: 1, Latest: true}},
		{"3 rows of a million keys", 1_000_000, TopNSpec{Count: 3}},
		{"3 numbered rows of a million keys", 1_000_000, TopNSpec{Count: 3, Numbered: true}},
		{"3 rows of a thousand keys", 1_000, TopNSpec{Count: 3}},
	} {
		b.Run(c.name, func(b *testing.B) {
			pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
			c.spec.Partition, c.spec.PartitionKinds, c.spec.Kinds = []int{0}, intKey, twoInts
			c.spec.By, c.spec.Memory = []state.Ordering{{Column: 1, Desc: true}}, pool
			t := NewTopN(c.spec)
			run(b, t, func() *dataflow.Batch {
				return two(pool.Get(), func(int) (int64, int64) { return r.Int64N(c.keys), r.Int64() })
			})
		})
	}
}

// The first rows of each window and key, a hundred batches a window.
func BenchmarkWindowTopN(b *testing.B) {
	for _, keys := range []int64{1, 1_000, 100_000} {
		b.Run(fmt.Sprintf("%d keys", keys), func(b *testing.B) {
			pool, r, batches := &vector.Pool{}, rand.New(rand.NewPCG(1, 2)), int64(0)
			t := NewWindowTopN(WindowTopNSpec{Windows: Attached{Start: 2, End: 3}, Keys: []int{0}, KeyKinds: intKey, By: []state.Ordering{{Column: 1}}, Count: 3,
				Kinds: []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Int64}, Tick: 1000, Memory: pool})
			run(b, t, func() *dataflow.Batch {
				x := two(pool.Get(), func(int) (int64, int64) { return r.Int64N(keys), r.Int64() })
				span := window.Window{Start: batches / 100 * second, End: (batches/100 + 1) * second}
				batches++
				for _, edge := range []int64{span.Start, span.End} {
					v := x.Arena.Constant(vector.Int64)
					v.Ints[0] = edge
					x.Cols = append(x.Cols, v)
				}
				x.Marks = []watermark.Mark{{Row: timedRows, F: watermark.Frontier(batches / 100 * second)}}
				return x
			})
		})
	}
}

// Sums over the rows before, of a thousand keys whose rows come a little out of order.
func BenchmarkOver(b *testing.B) {
	for _, c := range []struct {
		name string
		keys int64
		spec OverSpec
	}{
		{"all rows", 1_000, OverSpec{}},
		{"all rows one by one", 1_000, OverSpec{Rows: true}},
		{"ten rows", 1_000, OverSpec{Rows: true, Bounded: true, Preceding: 10}},
		{"a second", 1_000, OverSpec{Bounded: true, Preceding: second}},
		{"all rows, one key", 1, OverSpec{}},
		{"all rows, a million keys", 1_000_000, OverSpec{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			pool, r, now := &vector.Pool{}, rand.New(rand.NewPCG(1, 2)), int64(0)
			c.spec.Time, c.spec.Keys, c.spec.KeyKinds, c.spec.Kinds, c.spec.Memory = 1, []int{0}, intKey, twoInts, pool
			c.spec.Aggregates = []Aggregate{{New: aggregate("SUM"), Args: []int{0}, Filter: -1, Kind: vector.Int64}}
			o := NewOver(c.spec)
			run(b, o, func() *dataflow.Batch {
				x := two(pool.Get(), func(int) (int64, int64) { now++; return r.Int64N(c.keys), now*1000 - r.Int64N(1_000_000) })
				for row := int32(64); row <= timedRows; row += 64 {
					x.Marks = append(x.Marks, watermark.Mark{Row: row, F: watermark.Frontier((now-timedRows+int64(row))*1000 - 1_000_000)})
				}
				return x
			})
		})
	}
}
