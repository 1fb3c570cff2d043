package operator

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkTableJoin is rows of a stream that look for their row in a table of 8192.
func BenchmarkTableJoin(b *testing.B) {
	const rows, keys = 4096, 8192
	kinds := []vector.Kind{vector.Int64, vector.Int64}
	pool := &vector.Pool{}
	j := NewTableJoin(TableJoinSpec{Kind: LeftJoin, Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: [2][]vector.Kind{kinds, kinds}, Memory: pool})
	batch := func(n, input int, key func(i int) int64) *dataflow.Batch {
		a := pool.Get()
		batch := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: watermark.Unset, Input: input}
		for range kinds {
			batch.Cols = append(batch.Cols, a.Flat(vector.Int64, n))
		}
		for i := range n {
			batch.Cols[0].Ints[i], batch.Cols[1].Ints[i] = key(i), int64(i)
		}
		return batch
	}
	if err := j.Process(batch(keys, 1, func(i int) int64 { return int64(i) }), releasing{}); err != nil {
		b.Fatal(err)
	}
	if err := j.AdvanceInput(1, dataflow.Progress{Frontier: watermark.Final, Active: true}, releasing{}); err != nil {
		b.Fatal(err)
	}
	seed := uint64(1)
	for b.Loop() {
		err := j.Process(batch(rows, 0, func(int) int64 {
			seed = seed*6364136223846793005 + 1442695040888963407
			return int64(seed>>33) % (2 * keys)
		}), releasing{})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

// releasing throws results away.
type releasing struct{}

// Emit implements dataflow.Output.
func (releasing) Emit(b *dataflow.Batch) error { b.Release(); return nil }

// Advance implements dataflow.Output.
func (releasing) Advance(dataflow.Progress) error { return nil }
