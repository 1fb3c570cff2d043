package operator

import (
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// benchmarked is every aggregate of one BIGINT.
func benchmarked(updates bool) map[string]Aggregate {
	list := map[string]Aggregate{}
	for _, f := range function.Aggregates {
		if o, err := f.Resolve(function.AggregateCall{Args: []types.Type{types.BigIntType}, Updates: updates}); err == nil {
			list[f.Name] = Aggregate{New: o.New, Args: []int{1}, Filter: -1, Kind: vector.KindOf(o.Result)}
		}
	}
	return list
}

// rowsOf makes n rows of a key of so many, a small number, and a time that moves on by a second every 64 rows.
func rowsOf(pool *vector.Pool, r *rand.Rand, n int, keys int64, start int64) *dataflow.Batch {
	a := pool.Get()
	k, v, t := a.Flat(vector.Int64, n), a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)
	for i := range n {
		k.Ints[i], v.Ints[i], t.Ints[i] = r.Int64N(keys), r.Int64N(100), start+int64(i/64)*1_000_000
	}
	return &dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{k, v, t}, N: n, Arena: a}}
}

// BenchmarkGroupAggregates tells each aggregate per key after every row, which is added; then taken back.
func BenchmarkGroupAggregates(b *testing.B) {
	const rows = 4096
	for name, a := range benchmarked(true) {
		b.Run(name, func(b *testing.B) {
			pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
			g := NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, Memory: pool, Retracts: true, Aggregates: []Aggregate{a}})
			for b.Loop() {
				seed := r.Uint64()
				for _, op := range []vector.Op{vector.Insert, vector.Delete} {
					batch := rowsOf(pool, rand.New(rand.NewPCG(seed, 1)), rows, 1000, 0)
					batch.Ops = make([]vector.Op, rows)
					for i := range batch.Ops {
						batch.Ops[i] = op
					}
					if err := g.Process(batch, discard{}); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows/2, "ns/row")
		})
	}
}

// BenchmarkWindowAggregates computes each aggregate per key over HOP windows of two slices.
func BenchmarkWindowAggregates(b *testing.B) {
	const rows, second = 4096, 1_000_000
	for name, a := range benchmarked(false) {
		b.Run(name, func(b *testing.B) {
			pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
			w := NewWindowAggregate(WindowAggregateSpec{Windows: &Aligned{Spec: window.Spec{Kind: window.Hop, Size: 20 * second, Slide: 10 * second}, Time: 2}, Keys: []int{0}, KeyKinds: intKey,
				Aggregates: []Aggregate{a}, Tick: 1000, Memory: pool})
			start := int64(0)
			for b.Loop() {
				if err := w.Process(rowsOf(pool, r, rows, 1000, start), discard{}); err != nil {
					b.Fatal(err)
				}
				start += rows / 64 * second
				if err := w.Advance(dataflow.Progress{Frontier: watermark.Frontier(start), Active: true}, discard{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
