package operator

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// ofDoubles is SUM and AVG of a DOUBLE in a column, of which the order of the additions shows.
func ofDoubles(column int) []Aggregate {
	var list []Aggregate
	for _, name := range []string{"SUM", "AVG", "VAR_POP"} {
		f, _ := function.LookupAggregate(name)
		o, err := f.Resolve(function.AggregateCall{Args: []types.Type{types.DoubleType}})
		if err != nil {
			panic(err)
		}
		list = append(list, Aggregate{New: o.New, Args: []int{column}, Filter: -1, Kind: vector.KindOf(o.Result)})
	}
	return list
}

// crowdedKeys are n keys of a few key groups, so that the order within a group matters.
func crowdedKeys(n int) []int64 {
	var keys []int64
	for k := int64(0); len(keys) < n; k++ {
		if state.Group(state.HashInt(k))%512 == 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

// windowRowsOf makes rows with the columns key, number, time, start and end of a window, and a double of any size. Keys may be NULL.
func windowRowsOf(pool *vector.Pool, r *rand.Rand, n int, keys []int64, now int64) *dataflow.Batch {
	a := pool.Get()
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: a.Columns(6)}, Released: watermark.Unset}
	for i := range 5 {
		b.Cols[i] = a.Flat(vector.Int64, n)
	}
	b.Cols[0].Valid = a.AllValid(n)
	b.Cols[5] = a.Flat(vector.Float64, n)
	for i := range n {
		if r.IntN(40) == 0 {
			b.Cols[0].Valid.Clear(i)
		}
		b.Cols[0].Ints[i] = keys[r.IntN(len(keys))]
		b.Cols[1].Ints[i] = r.Int64N(100)
		t := now + r.Int64N(8*second) - 4*second
		b.Cols[2].Ints[i] = t
		end := (t/(2*second) + 1) * 2 * second
		b.Cols[3].Ints[i], b.Cols[4].Ints[i] = end-2*second*(1+r.Int64N(3)), end // several with one end
		b.Cols[5].Floats[i] = r.NormFloat64() * float64(int64(1)<<r.IntN(60))
	}
	return b
}

// Windows have the same results in the same order with any limit, also when they are cut by a snapshot that others restore.
func TestLimitsChangeNoWindow(t *testing.T) {
	all := benchmarked(false)
	var aggregates []Aggregate
	for _, name := range slices.Sorted(maps.Keys(all)) {
		aggregates = append(aggregates, all[name])
	}
	aggregates = append(aggregates, ofDoubles(5)...)
	keys := crowdedKeys(120)
	for _, c := range []struct {
		name    string
		framing Framing
	}{
		{"tumble", &Aligned{Spec: window.Spec{Kind: window.Tumble, Size: 3 * second}, Time: 2}},
		{"hop", &Aligned{Spec: window.Spec{Kind: window.Hop, Size: 6 * second, Slide: 2 * second}, Time: 2}},
		{"hop over a part", &Aligned{Spec: window.Spec{Kind: window.Hop, Size: 5 * second, Slide: 2 * second}, Time: 2}},
		{"cumulate", &Aligned{Spec: window.Spec{Kind: window.Cumulate, Size: 8 * second, Slide: 2 * second}, Time: 2}},
		{"adjust", &Aligned{Spec: window.Spec{Kind: window.Tumble, Size: 3 * second}, Time: 2, Adjusts: true}},
		{"attached", &Attached{Start: 3, End: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(10) {
				var want []string
				for _, limits := range [][2]int64{{0, 0}, {1, 1}, {40_000, 100_000}, {400_000, 40_000}, {100_000, 0}, {0, 100_000}, {1, 0}} {
					r := rand.New(rand.NewPCG(seed, 9))
					pool, out := &vector.Pool{}, &spoken{}
					spec := WindowAggregateSpec{Windows: c.framing, Keys: []int{0}, KeyKinds: intKey, Aggregates: aggregates, Tick: 1000, Memory: pool}
					op := NewWindowAggregate(spec)
					var table *spill.Table
					if limits[0] > 0 {
						table = onDisk(t, op, limits[0])
						op.cold.atOnce = 10 << (seed % 8)
					}
					most, now := 0, int64(0)
					restart := 5 + r.IntN(50)
					for i := range 60 {
						if i == restart {
							next := NewWindowAggregate(spec)
							var more *spill.Table
							if limits[1] > 0 {
								more = onDisk(t, next, limits[1])
								next.cold.atOnce = 10 << (seed % 8)
							}
							restoreFrom(t, next, more, op, table)
							op, table = next, more
						}
						if err := op.Process(windowRowsOf(pool, r, 1+r.IntN(60), keys, now), out); err != nil {
							t.Fatal(err)
						}
						if table != nil {
							most = max(most, table.Len())
						}
						if r.IntN(2) == 0 {
							now += r.Int64N(2 * second)
							if r.IntN(20) == 0 {
								now += 20 * second
							}
							if err := op.Advance(dataflow.Progress{Frontier: watermark.Frontier(now), Active: true}, out); err != nil {
								t.Fatal(err)
							}
						}
					}
					if err := op.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, out); err != nil {
						t.Fatal(err)
					}
					if limits[1] > 0 && most == 0 {
						t.Errorf("with a limit of %d bytes no group is ever cold", limits)
					}
					if n := op.Size().Groups; n != 0 {
						t.Errorf("with a limit of %d bytes %d groups are left", limits, n)
					}
					if limits == [2]int64{} {
						want = out.rows
					}
					if len(want) < 500 || !slices.Equal(out.rows, want) {
						t.Fatalf("seed %d, limits %d: %d rows, want %d; the first of them that differs is %s", seed, limits, len(out.rows), len(want), firstDifference(out.rows, want))
					}
				}
			}
		})
	}
}

// firstDifference shows where two lists part.
func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + ", want " + want[i]
		}
	}
	return "missing"
}
