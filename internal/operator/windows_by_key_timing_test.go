package operator

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkKeyWindows counts rows of 1000 keys in windows of four panes, each of which holds about ten rows of a key.
func BenchmarkKeyWindows(b *testing.B) {
	const rows, keys, step = 4096, 1000, 100
	count, ok := function.LookupAggregate("COUNT")
	if !ok {
		b.Fatal("no COUNT")
	}
	o, err := count.Resolve(function.AggregateCall{Args: []types.Type{types.BigIntType}, Constants: make([]*vector.Vector, 1)})
	if err != nil {
		b.Fatal(err)
	}
	pool := &vector.Pool{}
	w := NewKeyWindows(KeyWindowsSpec{Spec: window.Spec{Kind: window.Hop, Slide: 10 * keys * step, Size: 40 * keys * step}, Time: 1, Keys: []int{0}, KeyKinds: []vector.Kind{vector.Int64},
		Aggregates: []Aggregate{{New: o.New, Args: []int{1}, Filter: -1, Kind: vector.Int64}}, Memory: pool})
	now, seed := int64(0), uint64(1)
	for b.Loop() {
		a := pool.Get()
		batch := &dataflow.Batch{Batch: vector.Batch{N: rows, Arena: a, Cols: []*vector.Vector{a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)}}, Released: watermark.Unset}
		for i := range rows {
			seed = seed*6364136223846793005 + 1442695040888963407
			now += step
			batch.Cols[0].Ints[i], batch.Cols[1].Ints[i] = int64(seed>>33)%keys, now
		}
		if err := w.Process(batch, releasing{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
