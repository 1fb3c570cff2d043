package function

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// BenchmarkAdd adds 4,096 rows to each aggregate, for each layout that it takes, with few groups and with many.
func BenchmarkAdd(b *testing.B) {
	const n = 4096
	for _, c := range aggregateCases() {
		for _, groups := range []int{1000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/groups=%d", c.name, groups), func(b *testing.B) {
				o := c.overload(b)
				random := rand.New(rand.NewPCG(3, 3))
				a := (&vector.Pool{}).Get()
				var args []*vector.Vector
				for _, t := range o.Params {
					args = append(args, randomColumn(random, a, t, n))
				}
				ids := make([]uint32, n)
				for k := range ids {
					ids[k] = uint32(random.IntN(groups))
				}
				acc := o.New()
				acc.Grow(groups)
				rounds := 0
				for b.Loop() {
					// What collects values would fill the memory.
					if rounds++; rounds%64 == 0 {
						b.StopTimer()
						acc.Reset()
						acc.Grow(groups)
						b.StartTimer()
					}
					acc.Add(ids, args, vector.All(n))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
			})
		}
	}
}
