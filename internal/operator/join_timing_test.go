package operator

import (
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkJoins compares an interval join, whose rows are near each other, a window join and a temporal join, whose right rows are versions, with the ordinary join of as many rows, which keeps all. Each row meets about two others.
func BenchmarkJoins(b *testing.B) {
	const rows, keys, step = 4096, 8192, 100 // a row of each side in step microseconds
	kinds := []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Int64}
	both := [2][]vector.Kind{kinds, kinds}
	near := int64(keys * step)
	for _, c := range []struct {
		name string
		make func(pool *vector.Pool) dataflow.Operator
	}{
		{"interval", func(pool *vector.Pool) dataflow.Operator {
			return NewIntervalJoin(IntervalJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: both, Times: [2]int{1, 1}, Low: -near, High: near, Hold: near, Env: &function.Env{}, Memory: pool})
		}},
		{"window", func(pool *vector.Pool) dataflow.Operator {
			return NewWindowJoin(WindowJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: both, Windows: [2]Attached{{Start: 2, End: 3}, {Start: 2, End: 3}}, Env: &function.Env{}, Tick: 1000, Memory: pool})
		}},
		{"temporal", func(pool *vector.Pool) dataflow.Operator {
			return NewTemporalJoin(TemporalJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: both, Times: [2]int{1, 1}, Grain: dataflow.Grain{Every: true}, Env: &function.Env{}, Memory: pool})
		}},
		{"temporal, last rows", func(pool *vector.Pool) dataflow.Operator {
			return NewTemporalJoin(TemporalJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: both, Times: [2]int{1, 1}, Rising: true, Grain: dataflow.Grain{Every: true}, Env: &function.Env{}, Memory: pool})
		}},
		{"ordinary", func(pool *vector.Pool) dataflow.Operator {
			return NewJoin(JoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: both, Env: &function.Env{}, Memory: pool})
		}},
	} {
		for _, marks := range []int{1, rows} {
			b.Run(fmt.Sprintf("%s/%d marks", c.name, marks), func(b *testing.B) {
				pool := &vector.Pool{}
				op := c.make(pool)
				now, seed, side := int64(0), uint64(1), 0
				for b.Loop() {
					a := pool.Get()
					batch := &dataflow.Batch{Batch: vector.Batch{N: rows, Arena: a}, Released: watermark.Unset, Input: side}
					for range kinds {
						batch.Cols = append(batch.Cols, a.Flat(vector.Int64, rows))
					}
					for i := range rows {
						seed = seed*6364136223846793005 + 1442695040888963407
						at := now + int64(i)*step
						window := at / (2 * near) * 2 * near
						for k, v := range []int64{int64(seed>>33) % keys, at, window, window + 2*near} {
							batch.Cols[k].Ints[i] = v
						}
						if side == 1 && (marks > 1 || i == rows-1) {
							batch.Marks = append(batch.Marks, watermark.Mark{Row: int32(i + 1), F: watermark.Frontier(at)})
						}
					}
					if side == 1 {
						now += rows * step
					}
					side = 1 - side
					if err := op.Process(batch, discard{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
