package operator

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
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
			for seed := range uint64(4) {
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

// limited is a CUMULATE of which some groups of each slice are cold and others hot, its spec, and its table.
func limited(t testing.TB) (*WindowAggregate, WindowAggregateSpec, *spill.Table) {
	pool := &vector.Pool{}
	spec := WindowAggregateSpec{Windows: &Aligned{Spec: window.Spec{Kind: window.Cumulate, Size: 8 * second, Slide: 2 * second}, Time: 2}, Keys: []int{0}, KeyKinds: intKey,
		Aggregates: ofDoubles(5), Tick: 1000, Memory: pool}
	op := NewWindowAggregate(spec)
	table := onDisk(t, op, 40_000)
	r := rand.New(rand.NewPCG(1, 9))
	for now := range int64(10) {
		if err := op.Process(windowRowsOf(pool, r, 60, crowdedKeys(40), 100*second+now*second/4), discard{}); err != nil {
			t.Fatal(err)
		}
		if err := op.Advance(dataflow.Progress{Frontier: watermark.Frontier(98*second + now*second/4), Active: true}, discard{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := op.Process(windowRowsOf(pool, r, 5, crowdedKeys(40), 102*second), discard{}); err != nil {
		t.Fatal(err)
	}
	if hot := int(op.Size().Groups) - table.Len(); hot == 0 || table.Len() == 0 {
		t.Fatalf("%d groups are hot and %d cold", hot, table.Len())
	}
	return op, spec, table
}

// State that is cut off is refused wherever that is, and other bytes never make a panic: of a snapshot, and of records.
func TestWindowsOnDiskThatMakeNoSense(t *testing.T) {
	op, spec, table := limited(t)
	everything := func(uint64) bool { return true }
	good := op.Snapshot(nil)
	if good[0] != windowTurnsVersion {
		t.Fatalf("the version is %d", good[0])
	}
	for n := range good {
		if err := NewWindowAggregate(spec).Restore([][]byte{good[:n]}, everything); err == nil {
			t.Errorf("%d of %d bytes are restored", n, len(good))
		}
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		bad := slices.Clone(good)
		for range 1 + r.IntN(3) {
			bad[r.IntN(len(bad))] = byte(r.Uint32())
		}
		next := NewWindowAggregate(spec)
		if next.Restore([][]byte{bad}, everything) == nil {
			_ = next.Restored() // any answer but a panic
		}
	}
	var records []spill.Record
	if err := table.Ascend(0, spill.Never, func(rec spill.Record) error {
		rec.Key, rec.Value = slices.Clone(rec.Key), slices.Clone(rec.Value)
		records = append(records, rec)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	restored := func(bend func(rec *spill.Record)) error {
		next := NewWindowAggregate(spec)
		if err := next.Restore([][]byte{good}, everything); err != nil {
			t.Fatal(err)
		}
		rec := records[r.IntN(len(records))]
		rec.Key, rec.Value = slices.Clone(rec.Key), slices.Clone(rec.Value)
		bend(&rec)
		return next.RestoreRecord(rec)
	}
	if err := restored(func(*spill.Record) {}); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if err := restored(func(rec *spill.Record) { rec.Key = rec.Key[:r.IntN(len(rec.Key))] }); err == nil {
			t.Error("a record is restored whose key is cut off")
		}
		if err := restored(func(rec *spill.Record) { rec.Value = rec.Value[:r.IntN(len(rec.Value))] }); err == nil {
			t.Error("a record is restored whose value is cut off")
		}
		_ = restored(func(rec *spill.Record) { rec.Key[r.IntN(len(rec.Key))] = byte(r.Uint32()) })
		_ = restored(func(rec *spill.Record) { rec.Value[r.IntN(len(rec.Value))] = byte(r.Uint32()) })
	}
	next := NewWindowAggregate(spec)
	if err := next.Restore([][]byte{good}, everything); err != nil {
		t.Fatal(err)
	}
	if err := next.RestoreRecord(records[0]); err != nil {
		t.Fatal(err)
	}
	if next.RestoreRecord(records[0]) == nil {
		t.Error("a record is restored twice")
	}
}

// BenchmarkColdWindows counts rows of keys of which nearly none is in memory; then all of them leave at once.
func BenchmarkColdWindows(b *testing.B) {
	const rows, keys = 8192, 2_000_000
	for _, spec := range []window.Spec{{Kind: window.Tumble, Size: 3600 * second}, {Kind: window.Hop, Size: 3600 * second, Slide: 1800 * second}, {Kind: window.Cumulate, Size: 7200 * second, Slide: 3600 * second}} {
		b.Run(spec.Kind.String(), func(b *testing.B) {
			pool := &vector.Pool{}
			op := aligned(spec, "")(pool)
			space := spill.In(b.TempDir())
			table := space.Table()
			defer func() {
				table.Close()
				space.Close()
			}()
			op.(dataflow.Spilling).SpillTo(table, spill.NewBudget(keys*16).Share())
			r := rand.New(rand.NewPCG(1, 1))
			process := func(at int64) {
				a := pool.Get()
				key, times := a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)
				for i := range rows {
					key.Ints[i], times.Ints[i] = r.Int64N(keys), at
				}
				if err := op.Process(&dataflow.Batch{Batch: vector.Batch{N: rows, Arena: a, Cols: []*vector.Vector{key, times}}, Released: watermark.Unset}, discard{}); err != nil {
					b.Fatal(err)
				}
			}
			for range 2 * keys / rows {
				process(second)
			}
			from, n, longest := cputime.Used(), 0, time.Duration(0)
			for b.Loop() {
				before := cputime.Used()
				process(second)
				longest = max(longest, cputime.Used()-before)
				n++
			}
			b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(n)/rows, "cpu-ns/row")
			from = cputime.Used()
			groups := op.(dataflow.Sized).Size().Groups
			if err := op.Advance(dataflow.Progress{Frontier: 3600 * second, Active: true}, discard{}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(groups), "cpu-ns/result")
			b.ReportMetric(float64(longest.Milliseconds()), "longest-cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
