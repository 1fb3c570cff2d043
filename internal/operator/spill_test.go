package operator

import (
	"bytes"
	"fmt"
	"maps"
	"math"
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

// onDisk gives op a limit of bytes and a table, which ends with the test.
func onDisk(t testing.TB, op dataflow.Operator, limit int64) *spill.Table {
	t.Helper()
	space := spill.On(inMemory{})
	table := space.Table()
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	})
	op.(dataflow.Spilling).SpillTo(table, spill.NewBudget(limit).Share())
	return table
}

// inMemory is a disk without files.
type inMemory struct{}

func (inMemory) Create() (spill.File, error) { return &memoryFile{}, nil }
func (inMemory) Close() error                { return nil }
func (inMemory) String() string              { return "memory" }

type memoryFile struct{ b []byte }

func (f *memoryFile) Write(b []byte) (int, error) {
	f.b = append(f.b, b...)
	return len(b), nil
}

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(f.b).ReadAt(b, at)
}
func (f *memoryFile) Close() error { return nil }

func rowTexts(out *checked) []string {
	var got []string
	for _, r := range out.got {
		got = append(got, r.text)
	}
	return got
}

// More sessions end together than leave at once, and some of them are in memory. They leave in the order in which they would without a limit.
func TestSessionsThatEndTogether(t *testing.T) {
	const n = 3*emitRows + 100
	var events []event
	for i := range int64(n) {
		events = append(events, event{key: i * 31, time: 5 * second})
		if i%3 == 0 {
			events = append(events, event{key: i * 31, time: 50*second + i%100*1000})
		}
	}
	events = append(events, event{key: 7, time: 1 * second}, event{key: 9, time: 30 * second}, event{isMark: true, frontier: 6 * second})
	more := []event{{key: -1, time: 5 * second}, {key: 31 * 40, time: 5*second + 1000}, {key: -2, time: 5 * second}, {isMark: true, frontier: 100 * second}}
	var want []string
	for _, limit := range []int64{0, 1, 200_000, 2_000_000} {
		pool := &vector.Pool{}
		op, out := sessions(10*second)(pool), newChecked(t)
		var table *spill.Table
		if limit > 0 {
			table = onDisk(t, op, limit)
		}
		feed(t, op, out, pool, events, []int{1000, 5000, 9000})
		if limit > 0 && table.Len() == 0 {
			t.Fatalf("with a limit of %d bytes no key is cold", limit)
		}
		feed(t, op, out, pool, more, nil)
		s := op.(*SessionAggregate)
		if limit > 0 && table.Len() > 0 || s.live > 0 {
			t.Errorf("with a limit of %d bytes keys are cold or %d sessions hot behind the end of all", limit, s.live)
		}
		got := rowTexts(out)
		if limit == 0 {
			want = got
		}
		if len(got) != n+n/3+1+4 || !slices.Equal(got, want) {
			t.Errorf("with a limit of %d bytes %d rows are not the %d that there are without one", limit, len(got), len(want))
		}
	}
}

// spilling are operators that can do with a limit, over random streams.
var spilling = []struct {
	name string
	make func(*vector.Pool) stateful
}{
	{"session", sessions(2 * second)},
	{"tumble", aligned(window.Spec{Kind: window.Tumble, Size: 3 * second}, "")},
	{"hop", aligned(window.Spec{Kind: window.Hop, Size: 6 * second, Slide: 2 * second}, "")},
	{"cumulate", aligned(window.Spec{Kind: window.Cumulate, Size: 6 * second, Slide: 2 * second}, "")},
}

// Random streams give the same with any limit, also when they are cut by snapshots that others restore, with limits of their own.
func TestLimitsChangeNothing(t *testing.T) {
	for _, c := range spilling {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 9))
			var events []event
			f := int64(0)
			for range 400 {
				if r.IntN(6) == 0 {
					f += r.Int64N(3000) * 1000
					events = append(events, event{isMark: true, frontier: watermark.Frontier(f)})
					continue
				}
				events = append(events, event{key: r.Int64N(40), time: f + (r.Int64N(8000)-4000)*1000})
			}
			events = append(events, event{isMark: true, frontier: watermark.Final})
			cuts, restart := someCuts(r, len(events)), 1+r.IntN(len(events)-1)
			var want []string
			for _, limits := range [][2]int64{{0, 0}, {1, 1}, {400, 2000}, {4000, 400}, {9000, 9000}, {2000, 0}, {0, 2000}} {
				pool, out := &vector.Pool{}, newChecked(t)
				op := c.make(pool)
				var table *spill.Table
				if limits[0] > 0 {
					table = onDisk(t, op, limits[0])
				}
				at, _ := slices.BinarySearch(cuts, restart)
				feed(t, op, out, pool, events[:restart], cuts[:at])
				next := c.make(pool)
				var more *spill.Table
				if limits[1] > 0 {
					more = onDisk(t, next, limits[1])
				}
				restoreFrom(t, next, more, op, table)
				feed(t, next, out, pool, events[restart:], nil)
				got := rowTexts(out)
				if limits[1] == 0 && limits[0] == 0 {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d, limits %d:\n%v\nwithout limits:\n%v", c.name, seed, limits, got, want)
				}
			}
		}
	}
}

// spoken writes every row down, with its operation.
type spoken struct{ rows []string }

func (s *spoken) Emit(b *dataflow.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		row := rows.At(k)
		text := "+I"
		if b.Ops != nil {
			text = fmt.Sprint(b.Ops[row])
		}
		for _, v := range b.Cols {
			switch {
			case v.IsNull(row):
				text += " NULL"
			case v.Kind == vector.Bytes:
				text += fmt.Sprintf(" %q", v.Bytes(row))
			case v.Kind == vector.Float64:
				text += fmt.Sprint(" ", v.Float(row))
			default:
				text += fmt.Sprint(" ", v.Int(row))
			}
		}
		s.rows = append(s.rows, text)
	}
	b.Release()
	return nil
}

func (s *spoken) Advance(dataflow.Progress) error { return nil }

// Groups tell the same of random rows with any limit, whatever they aggregate, with and without a time to live, also when they are cut by a snapshot that others restore.
func TestLimitsChangeNoGroup(t *testing.T) {
	for _, updates := range []bool{false, true} {
		all := benchmarked(updates)
		var aggregates []Aggregate
		for _, name := range slices.Sorted(maps.Keys(all)) {
			aggregates = append(aggregates, all[name])
		}
		for seed := range uint64(12) {
			var want []string
			for _, limits := range [][2]int64{{0, 0}, {1, 1}, {4000, 20000}, {40000, 4000}, {20000, 0}, {0, 20000}} {
				r := rand.New(rand.NewPCG(seed, 9))
				pool, out := &vector.Pool{}, &spoken{}
				spec := GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, Aggregates: aggregates, Retracts: updates, TTL: int64(seed%3) * 10, Memory: pool}
				op := NewGroupAggregate(spec)
				var table *spill.Table
				if limits[0] > 0 {
					table = onDisk(t, op, limits[0])
				}
				most := 0
				for now := range int64(60) {
					if now == 30 {
						next := NewGroupAggregate(spec)
						var more *spill.Table
						if limits[1] > 0 {
							more = onDisk(t, next, limits[1])
						}
						restoreFrom(t, next, more, op, table)
						op, table = next, more
					}
					op.SetNow(now)
					b := rowsOf(pool, r, 1+r.IntN(20), 40, 0)
					if updates {
						b.Ops = make([]vector.Op, b.N)
						for i := range b.Ops {
							b.Ops[i] = []vector.Op{vector.Insert, vector.Insert, vector.Delete}[r.IntN(3)]
						}
					}
					if err := op.Process(b, out); err != nil {
						t.Fatal(err)
					}
					if table != nil {
						most = max(most, table.Len())
					}
				}
				if limits[1] > 0 && most == 0 {
					t.Errorf("with a limit of %d bytes no key is ever cold", limits)
				}
				if limits == [2]int64{} {
					want = out.rows
				}
				if !slices.Equal(out.rows, want) {
					t.Fatalf("seed %d, updates %t, limits %d:\n%v\nwithout limits:\n%v", seed, updates, limits, out.rows, want)
				}
			}
		}
	}
}

// restoreFrom has next go on where op is; the tables are theirs, nil without a limit.
func restoreFrom(t *testing.T, next stateful, into *spill.Table, op stateful, from *spill.Table) {
	t.Helper()
	all := func(uint64) bool { return true }
	if err := next.Restore([][]byte{op.Snapshot(nil)}, all); err != nil {
		t.Fatal(err)
	}
	if from != nil {
		frozen, err := from.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		for i := range frozen.Runs {
			r := &frozen.Runs[i]
			if into != nil {
				err = into.Restore(r.Open(), r.Alive(), all)
			} else {
				err = spill.Records(r.Open(), r.Alive(), next.(dataflow.Spilling).RestoreRecord)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := frozen.Release(); err != nil {
			t.Error(err)
		}
	}
	if err := next.(dataflow.Spilling).Restored(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkCold is sessions of keys of which nearly none is in memory.
func BenchmarkCold(b *testing.B) {
	for _, keys := range []int64{200_000, 2_000_000} {
		b.Run(fmt.Sprintf("sessions/%d keys", keys), func(b *testing.B) {
			pool := &vector.Pool{}
			const rows = 8192
			op := sessions(1000 * second)(pool)
			op.(dataflow.Spilling).SpillTo(spill.In(b.TempDir()).Table(), spill.NewBudget(keys*16).Share())
			r := rand.New(rand.NewPCG(1, 1))
			out := discard{}
			batch := func() *dataflow.Batch {
				events := make([]event, rows)
				for i := range events {
					events[i] = event{key: r.Int64N(keys), time: second}
				}
				x, _ := batchOf(pool, events)
				return x
			}
			for range 4 * keys / rows {
				if err := op.Process(batch(), out); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if err := op.Process(batch(), out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

// FuzzRecords restores records that make no sense, into memory and by way of a table: that is an error, or state that works.
func FuzzRecords(f *testing.F) {
	makers := []func(*vector.Pool) stateful{sessions(2 * second), func(pool *vector.Pool) stateful {
		return NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, TTL: 10, Memory: pool, Aggregates: []Aggregate{{New: aggregate("COUNT"), Filter: -1, Kind: vector.Int64}}})
	}}
	for i, make := range makers {
		pool := &vector.Pool{}
		op := make(pool)
		table := onDisk(f, op, 1)
		events := []event{{key: 1, time: 1}, {key: 2, time: 2}, {key: 1, time: 9 * second}}
		b, _ := batchOf(pool, events)
		if err := op.Process(b, discard{}); err != nil {
			f.Fatal(err)
		}
		if err := table.Ascend(math.MinInt64, spill.Never, func(r spill.Record) error {
			f.Add(i == 1, r.Due, r.Key, r.Value)
			return nil
		}); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, group bool, due int64, key, value []byte) {
		for _, limited := range []bool{false, true} {
			pool := &vector.Pool{}
			op := makers[0](pool)
			if group {
				op = makers[1](pool)
			}
			var err error
			r := spill.Record{Due: due, Key: key, Value: value}
			if keys := state.NewKeys(intKey); len(key) > 0 {
				if id, _, err := keys.Decode(key); err == nil {
					r.Hash = keys.Hash(id)
				}
			}
			if limited {
				err = onDisk(t, op, 1).Write(1, func(int) spill.Record { return r })
			} else {
				err = op.(dataflow.Spilling).RestoreRecord(r)
			}
			if err != nil {
				continue
			}
			b, _ := batchOf(pool, []event{{key: 1, time: second}, {key: 2, time: 3 * second}})
			if op.Process(b, discard{}) == nil {
				op.Snapshot(nil)
				op.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, discard{})
			}
		}
	})
}

// large is an accumulator whose results may take a quarter of a batch each.
type large struct {
	function.Accumulator
	now *bool
}

func (l large) Result(a *vector.Arena, groups []uint32) *vector.Vector {
	if *l.now {
		a.Charge(len(groups) * vector.MaxBatch / 4)
	}
	return l.Accumulator.Result(a, groups)
}

func (l large) Merge(dst []uint32, from function.Accumulator, src []uint32) {
	l.Accumulator.Merge(dst, from.(large).Accumulator, src)
}

// Groups whose results take more than a batch together come back at once: how large each of them is says how many rows then leave together.
func TestLargeGroupsComeBack(t *testing.T) {
	f, _ := function.LookupAggregate("LISTAGG")
	o, err := f.Resolve(function.AggregateCall{Args: []types.Type{types.StringType}})
	if err != nil {
		t.Fatal(err)
	}
	const groups = 100
	pool, now := &vector.Pool{}, false
	g := NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, Memory: pool,
		Aggregates: []Aggregate{{New: func() function.Accumulator { return large{o.New(), &now} }, Args: []int{1}, Filter: -1, Kind: vector.Bytes}}})
	table := onDisk(t, g, 1)
	a := pool.Get()
	keys, texts := a.Flat(vector.Int64, groups), vector.NewBuilder(a, vector.Bytes, groups)
	for i := range groups {
		keys.Ints[i] = int64(i)
		texts.AppendBytes(bytes.Repeat([]byte{'x'}, i))
	}
	if err := g.Process(&dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{keys, texts.Done()}, N: groups, Arena: a}}, discard{}); err != nil {
		t.Fatal(err)
	}
	if table.Len() != groups {
		t.Fatalf("%d groups are cold", table.Len())
	}
	again := pool.Get()
	keys = again.Flat(vector.Int64, groups)
	for i := range groups {
		keys.Ints[i] = int64(i)
	}
	g.keys.Find(&state.Input{Cols: []*vector.Vector{keys}, Rows: vector.All(groups)}, make([]uint32, groups))
	now = true
	if err := g.bring(0); err != nil {
		t.Fatal(err)
	}
	for i := range groups {
		if g.sizes.last[i] != i {
			t.Fatalf("the result of group %d is said to have %d bytes", i, g.sizes.last[i])
		}
	}
}
