package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// COUNT(*) and SUM per key, told after every row.
func BenchmarkGroupAggregate(b *testing.B) {
	for _, keys := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
			pool := &vector.Pool{}
			g := NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, Memory: pool,
				Aggregates: []Aggregate{{New: aggregate("COUNT"), Filter: -1, Kind: vector.Int64}, {New: aggregate("SUM"), Args: []int{1}, Filter: -1, Kind: vector.Int64}}})
			r := rand.New(rand.NewPCG(1, 2))
			const rows = 4096
			for b.Loop() {
				a := pool.Get()
				k, v := a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)
				for i := range rows {
					k.Ints[i], v.Ints[i] = r.Int64N(int64(keys)), 1
				}
				if err := g.Process(&dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{k, v}, N: rows, Arena: a}}, discard{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
