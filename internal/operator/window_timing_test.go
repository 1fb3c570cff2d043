package operator

import (
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// discard releases what it gets.
type discard struct{}

func (discard) Emit(b *dataflow.Batch) error    { b.Release(); return nil }
func (discard) Advance(dataflow.Progress) error { return nil }

// BenchmarkWindowAggregate counts rows per key in windows that hold a hundred batches, firing included.
func BenchmarkWindowAggregate(b *testing.B) {
	const rows = 8192
	for _, spec := range []window.Spec{tumble10, {Kind: window.Hop, Size: 10 * second, Slide: 2 * second}, {Kind: window.Session, Gap: second}} {
		for _, keys := range []int{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("%v/%d keys", spec.Kind, keys), func(b *testing.B) {
				pool := &vector.Pool{}
				op := aligned(spec, "")(pool)
				if spec.Kind == window.Session {
					op = sessions(spec.Gap)(pool)
				}
				now, seed := int64(0), uint64(1)
				for b.Loop() {
					a := pool.Get()
					key, time := a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)
					for i := range rows {
						seed = seed*6364136223846793005 + 1442695040888963407
						now += 10 * second / (100 * rows)
						key.Ints[i], time.Ints[i] = int64(seed>>33)%int64(keys), now
					}
					batch := &dataflow.Batch{Batch: vector.Batch{N: rows, Arena: a, Cols: []*vector.Vector{key, time}}, Released: watermark.Unset}
					batch.Marks = []watermark.Mark{{Row: rows, F: watermark.Frontier(now)}}
					if err := op.Process(batch, discard{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
