package watermark

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
)

// BenchmarkObserve reports processor time per row: runs of 1,000 rows of one split, and runs of one row over many splits in shuffled order, which
// is the worst case of a log with as many partitions. The runtime looks at what a split may be ahead of others after every run, and so does this.
// without-ns/row is the same without Observe: what the benchmark, the call and that look take. B/split is what a split takes, its share of the tree included.
func BenchmarkObserve(b *testing.B) {
	const rows = 1 << 16
	for _, e := range []Emission{Periodic{DefaultInterval, 0}, OnEvent{1}, OnEvent{10}} {
		for _, shape := range []struct{ splits, run int }{{1, 1000}, {1000, 1}, {1000, 10}, {1000, 100}, {1000, 1000}, {10_000, 1}, {10_000, 10}, {10_000, 100}, {10_000, 1000}} {
			b.Run(fmt.Sprintf("%s/splits=%d/run=%d", e, shape.splits, shape.run), func(b *testing.B) {
				const drift = 300_000_000
				used := allocated()
				c := newCore(Strategy{Tick: 1000, Emission: e, Idleness: Progressive{ProgressiveFrom, ProgressiveTo, true}, Alignment: Alignment{Drift: drift}}, 0)
				for range shape.splits {
					c.AddSplit(0)
				}
				used = allocated() - used
				rng := rand.New(rand.NewPCG(1, 1))
				splits, times, candidates := make([]int, rows), make([]int64, rows), make([]int64, rows)
				for i := range rows {
					splits[i] = rng.IntN(shape.splits)
				}
				var out Observed
				now := int64(1_700_000_000_000_000)
				limit, beyond := Frontier(now).Add(drift), 0
				var spent, without time.Duration
				for b.Loop() {
					b.StopTimer()
					for i := range rows {
						now += 500
						times[i] = now + int64(rng.IntN(20_000))
						candidates[i] = times[i] - 50_000
					}
					b.StartTimer()
					from := cputime.Used()
					for i := 0; i+shape.run <= rows; i += shape.run {
						out.Reset()
						c.Observe(splits[i], times[i:i+shape.run], candidates[i:i+shape.run], now, &out)
						if f, counts := c.Stands(splits[i]); counts && f > limit {
							beyond++
						}
					}
					spent += cputime.Used() - from
					b.StopTimer()
					from = cputime.Used()
					for i := 0; i+shape.run <= rows; i += shape.run {
						out.Reset()
						passOver(c, splits[i], times[i:i+shape.run], candidates[i:i+shape.run], now, &out)
						if f, counts := c.Stands(splits[i]); counts && f > limit {
							beyond++
						}
					}
					without += cputime.Used() - from
					b.StartTimer()
				}
				b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N*rows), "cpu-ns/row")
				b.ReportMetric(float64(without.Nanoseconds())/float64(b.N*rows), "without-ns/row")
				if shape.splits > 1 {
					b.ReportMetric(float64(used)/float64(shape.splits), "B/split")
				}
				runtime.KeepAlive(c)
			})
		}
	}
}

// passOver is called as Observe is.
//
//go:noinline
func passOver(*Core, int, []int64, []int64, int64, *Observed) {}

// BenchmarkTick reports what a tick takes for each split while all of them are looked at for idleness and none is silent for long enough.
func BenchmarkTick(b *testing.B) {
	for _, splits := range []int{1, 1000, 10_000} {
		b.Run(fmt.Sprintf("splits=%d", splits), func(b *testing.B) {
			c := newCore(Strategy{Tick: 1000, Emission: Periodic{DefaultInterval, 0}, Idleness: Progressive{ProgressiveFrom, ProgressiveTo, true}}, 0)
			for range splits {
				c.AddSplit(0)
			}
			var out Observed
			for b.Loop() {
				out.Reset()
				c.Tick(ProgressiveFrom/2, &out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*splits), "ns/split")
		})
	}
}

func allocated() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkObserveValues reports ns/row of runs of 1,000 rows of one split, over values in shuffled order.
func BenchmarkObserveValues(b *testing.B) {
	const rows, run = 1 << 16, 1000
	for _, e := range []Emission{Periodic{DefaultInterval, 0}, OnEvent{1}} {
		for _, n := range []int{1, 10, 1000} {
			b.Run(fmt.Sprintf("%s/values=%d", e, n), func(b *testing.B) {
				c := newCore(Strategy{Tick: 1000, Emission: e, Idleness: Never{}, Dimension: &Dimension{Timeout: 60_000_000}}, 0)
				c.AddSplit(0)
				rng := rand.New(rand.NewPCG(1, 1))
				times, candidates, values := make([]int64, rows), make([]int64, rows), make([]int32, rows)
				for i := range rows {
					values[i], _ = c.Value(fmt.Sprint(rng.IntN(n)))
				}
				benchmarkRuns(b, times, candidates, func(from int, now int64, out *Observed) {
					c.ObserveValues(0, times[from:from+run], candidates[from:from+run], values[from:from+run], now, out)
				}, run)
			})
		}
	}
}

// BenchmarkObserveLastRows reports ns/row of runs of 1,000 rows of one split.
func BenchmarkObserveLastRows(b *testing.B) {
	const rows, run = 1 << 16, 1000
	for _, n := range []int64{10, 10_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			c := newCore(Strategy{Tick: 1000, Emission: OnEvent{1}, Idleness: Never{}, LastRows: n}, 0)
			c.AddSplit(0)
			times, candidates := make([]int64, rows), make([]int64, rows)
			benchmarkRuns(b, times, candidates, func(from int, now int64, out *Observed) {
				c.Observe(0, times[from:from+run], candidates[from:from+run], now, out)
			}, run)
		})
	}
}

// benchmarkRuns has runs observed again and again, with times up to 20 ms out of order.
func benchmarkRuns(b *testing.B, times, candidates []int64, observe func(from int, now int64, out *Observed), run int) {
	rng := rand.New(rand.NewPCG(1, 1))
	var out Observed
	now := int64(1_700_000_000_000_000)
	for b.Loop() {
		b.StopTimer()
		for i := range times {
			now += 500
			times[i] = now + int64(rng.IntN(20_000))
			candidates[i] = times[i] - 50_000
		}
		b.StartTimer()
		for from := 0; from+run <= len(times); from += run {
			out.Reset()
			observe(from, now, &out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(times)), "ns/row")
}

// BenchmarkMerge is what an operator with several inputs does when one of them moves, without a system frontier and with one, which stands still.
func BenchmarkMerge(b *testing.B) {
	for _, inputs := range []int{1, 4, 64} {
		for _, system := range []Frontier{Unset, 7} {
			b.Run(fmt.Sprintf("inputs=%d/system=%t", inputs, system != Unset), func(b *testing.B) {
				m := NewMerge(inputs)
				for i := range inputs {
					m.UpdateSystem(i, system)
				}
				at, f := 0, Frontier(0)
				for b.Loop() {
					f++
					m.Update(at, f, true)
					m.UpdateSystem(at, system)
					if at++; at == inputs {
						at = 0
					}
				}
			})
		}
	}
}
