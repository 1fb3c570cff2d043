package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkState writes the state of an operator with a million keys down, and reads it again, by the time of the processors; ns/key is for a key, and for the join for each of two million rows.
// `go test ./internal/operator -bench State/ -benchtime 20x`
func BenchmarkState(b *testing.B) {
	const million = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	order := r.Perm(million)
	countAndSum := []Aggregate{benchmarked(true)["COUNT"], benchmarked(true)["SUM"]}
	day := window.Spec{Kind: window.Tumble, Size: 86_400 * second}
	kinds := [2][]vector.Kind{{vector.Int64, vector.Int64, vector.Int64}, {vector.Int64, vector.Int64, vector.Int64}}
	for _, c := range []struct {
		name  string
		sides int
		make  func(pool *vector.Pool) stateful
	}{
		{"window", 1, func(pool *vector.Pool) stateful {
			return NewWindowAggregate(WindowAggregateSpec{Windows: &Aligned{Spec: day, Time: 2}, Keys: []int{0}, KeyKinds: intKey, Aggregates: countAndSum, Tick: 1000, Memory: pool})
		}},
		{"window, two keys", 1, func(pool *vector.Pool) stateful {
			return NewWindowAggregate(WindowAggregateSpec{Windows: &Aligned{Spec: day, Time: 2}, Keys: []int{0, 1}, KeyKinds: kinds[0][:2], Aggregates: countAndSum, Tick: 1000, Memory: pool})
		}},
		{"group", 1, func(pool *vector.Pool) stateful {
			return NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, Aggregates: countAndSum, Memory: pool})
		}},
		{"session", 1, func(pool *vector.Pool) stateful {
			return NewSessionAggregate(SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: 3600 * second}, Time: 2, Keys: []int{0}, KeyKinds: intKey, Aggregates: countAndSum, Tick: 1000, Memory: pool})
		}},
		{"join", 2, func(pool *vector.Pool) stateful {
			return NewJoin(JoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: kinds, Env: &function.Env{}, Memory: pool})
		}},
		{"interval join", 2, func(pool *vector.Pool) stateful {
			return NewIntervalJoin(IntervalJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: kinds, Times: [2]int{2, 2}, Low: -3600 * second, High: 3600 * second, Hold: 3600 * second, Env: &function.Env{}, Memory: pool})
		}},
	} {
		pool := &vector.Pool{}
		op := c.make(pool)
		for side := range c.sides {
			const rows = 5000
			for from := 0; from < million; from += rows {
				a := pool.Get()
				k, v, t := a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)
				for i := range rows {
					k.Ints[i], v.Ints[i], t.Ints[i] = int64(order[from+i])*31, r.Int64N(100), int64(from/rows)*second
				}
				batch := &dataflow.Batch{Batch: vector.Batch{N: rows, Arena: a, Cols: []*vector.Vector{k, v, t}}, Released: watermark.Unset, Input: side}
				if err := op.Process(batch, discard{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		bytes := op.Snapshot(nil)
		perKey := func(b *testing.B, measured func()) {
			used := cputime.Used()
			for b.Loop() {
				measured()
			}
			b.ReportMetric(float64((cputime.Used()-used).Nanoseconds())/float64(b.N)/million/float64(c.sides), "ns/key")
			b.ReportMetric(float64(len(bytes))/million/float64(c.sides), "bytes/key")
		}
		b.Run(c.name+"/write", func(b *testing.B) { perKey(b, func() { bytes = op.Snapshot(bytes[:0]) }) })
		for _, tasks := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/read by %d", c.name, tasks), func(b *testing.B) {
				perKey(b, func() {
					if err := c.make(pool).Restore([][]byte{bytes}, func(hash uint64) bool { return state.Owner(hash, tasks) == 0 }); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}
