package runtime

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkGenerator is what it costs a row that a panic of its generator would be blamed on the program.
func BenchmarkGenerator(b *testing.B) {
	const rows = 4096
	plain := watermark.BoundedOutOfOrderness(second)
	plain.Tick, plain.Emission, plain.Idleness = 1000, watermark.OnEvent{Gap: 1}, watermark.Never{}
	for _, c := range []struct {
		name string
		by   watermark.Strategy
	}{{"plain", plain}, {"blamed", blaming(plain, "t")}} {
		b.Run(c.name, func(b *testing.B) {
			core, err := watermark.New(c.by, 0)
			if err != nil {
				b.Fatal(err)
			}
			core.AddSplit(0)
			times, now := make([]int64, rows), int64(0)
			var out watermark.Observed
			for b.Loop() {
				for i := range times {
					now += 1000
					times[i] = now
				}
				out.Reset()
				core.Observe(0, times, times, now, &out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
