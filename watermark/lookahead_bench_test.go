package watermark

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkLookahead reports ns/row for batches of 1,000 rows of one of 100 splits, with all that the generator does for them and a tick after every hundredth batch.
func BenchmarkLookahead(b *testing.B) {
	const rows, splits = 1000, 100
	for name, inFlight := range map[string]Percentile{"all": All, "percentile": {90, 5 * second}} {
		b.Run(name, func(b *testing.B) {
			c := newCore(Strategy{Tick: 1000, Emission: Periodic{}, Idleness: Lift{DefaultLiftAfter, DefaultLiftRatio},
				Candidates: Lookahead{Bound: DefaultBound, InFlight: inFlight, LateData: Percentile{80, 5 * second}, Outages: DefaultOutages}}, 0)
			for range splits {
				c.AddSplit(0)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			times := make([]int64, rows)
			now := int64(1_700_000_000_000_000)
			var out Observed
			n := 0
			for b.Loop() {
				b.StopTimer()
				for i := range times {
					now += 500
					times[i] = now + int64(rng.IntN(20_000_000))
				}
				b.StartTimer()
				out.Reset()
				i := n % splits
				c.Observe(i, times, times, now, &out)
				number, _ := c.Fetched(i, now, now)
				if n > 0 && n%splits == 0 {
					c.Tick(now, &out)
				}
				c.Complete(i, number)
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}
