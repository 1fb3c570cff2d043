package runtime

import (
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkAlignment is what a read costs a group of which most splits are paused: one is behind and catches up, read by read, and once it has come near, all go on.
func BenchmarkAlignment(b *testing.B) {
	const drift = 10 * second
	for _, splits := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprintf("splits=%d", splits), func(b *testing.B) {
			m := &memory{splits: make([][]chunk, splits), live: true}
			g := windowed(1, nothing{}, m)
			g.Sources[0].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Never{},
				Alignment: watermark.Alignment{Drift: drift}}
			j, err := New(g, Options{Workers: 1, Clock: &fixedClock{}})
			if err != nil {
				b.Fatal(err)
			}
			s := j.sources[0]
			var seen watermark.Observed
			read := func(x *split, t int64) {
				seen.Reset()
				s.core.Observe(x.number, []int64{t}, []int64{t}, 0, &seen)
				s.aligned.read(s, x, 0)
			}
			at := int64(0)
			for _, x := range s.splits {
				read(x, at)
			}
			reads := 0
			before := cputime.Used()
			for b.Loop() {
				at += 2 * drift
				for _, x := range s.splits[1:] {
					read(x, at)
				}
				for k := range splits {
					read(s.splits[0], at-2*drift+int64(k)*1000)
				}
				if s.aligned.paused == 0 {
					b.Fatal("nobody waits")
				}
				read(s.splits[0], at)
				if s.aligned.paused > 0 {
					b.Fatal("somebody still waits")
				}
				reads += 2 * splits
			}
			b.ReportMetric(float64((cputime.Used()-before).Nanoseconds())/float64(reads), "ns/read")
		})
	}
}
