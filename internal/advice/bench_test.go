package advice

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkRead is what a row costs that a study is shown, without the table's own core: in order or not, one split or eight in turn, with counts that follow from one core or with a core for each delay.
func BenchmarkRead(b *testing.B) {
	const run, runs = 1000, 64
	for _, disordered := range []float64{0, 0.1, 0.99} {
		for _, splits := range []int{1, 8} {
			for _, idle := range []watermark.Idleness{watermark.Never{}, watermark.Progressive{From: 10 * second, To: 300 * second, Flush: true}} {
				b.Run(fmt.Sprintf("out of order %v/splits %d/%v", disordered, splits, idle), func(b *testing.B) {
					rnd := rand.New(rand.NewPCG(1, 1))
					table := Table{Name: "t", Column: "ts", Delay: NoDelay, Strategy: watermark.Strategy{Idleness: idle}}
					core, err := watermark.New(table.Strategy, 0)
					if err != nil {
						b.Fatal(err)
					}
					s := NewStudy(table, core, 0)
					for i := range splits {
						s.Turned(i, "", watermark.Active, 0)
					}
					times := make([]int64, run*runs)
					for i := range times {
						times[i] = int64(i) * milli
						if rnd.Float64() < disordered {
							times[i] -= rnd.Int64N(2 * second)
						}
					}
					var found watermark.Observed
					b.ResetTimer()
					for i := 0; b.Loop(); i++ {
						at := i % runs * run
						if at == 0 { // time goes on
							for k := range times {
								times[k] += run * runs * milli
							}
						}
						s.Read(i%splits, times[at:at+run], nil, &found, 0)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/run, "ns/row")
				})
			}
		}
	}
}
