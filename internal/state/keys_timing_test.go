package state

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// BenchmarkFind looks up keys that are all there already, in random order.
func BenchmarkFind(b *testing.B) {
	const rows = 8192
	for _, kind := range []vector.Kind{vector.Int64, vector.Bytes} {
		for _, n := range []int{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("%v/%d", kind, n), func(b *testing.B) {
				a := (&vector.Pool{}).Get()
				r := rand.New(rand.NewPCG(1, 1))
				keys := NewKeys([]vector.Kind{kind})
				ids := make([]uint32, max(n, rows))
				all := vector.NewBuilder(a, kind, n)
				some := vector.NewBuilder(a, kind, rows)
				add := func(to *vector.Builder, i int) {
					if kind == vector.Int64 {
						to.AppendInt(int64(i) * 31)
					} else {
						to.AppendBytes(fmt.Appendf(nil, "user-%d", i))
					}
				}
				for i := range n {
					add(all, i)
				}
				for range rows {
					add(some, r.IntN(n))
				}
				keys.Find(&Input{Cols: []*vector.Vector{all.Done()}, Rows: vector.All(n)}, ids)
				in := &Input{Cols: []*vector.Vector{some.Done()}, Rows: vector.All(rows)}
				for b.Loop() {
					keys.Find(in, ids)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
