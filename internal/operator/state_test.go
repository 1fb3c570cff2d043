package operator

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// columnar is an operator that writes its state by columns.
type columnar struct {
	make  func(pool *vector.Pool) stateful
	sides int
	// before writes a state as the version before did.
	before func(op stateful) []byte
}

// columnars make each of them, over the columns key, value, time and name. Some keys have NULLs, some aggregates states of any width.
func columnars() map[string]columnar {
	var calls []Aggregate
	for _, a := range []struct {
		name string
		call function.AggregateCall
	}{
		{"COUNT", function.AggregateCall{}},
		{"SUM", function.AggregateCall{Args: []types.Type{types.BigIntType}}},
		{"MAX", function.AggregateCall{Args: []types.Type{types.BigIntType}}},
		{"COUNT", function.AggregateCall{Args: []types.Type{types.BigIntType}, Distinct: true}},
		{"ARRAY_AGG", function.AggregateCall{Args: []types.Type{types.BigIntType}}},
	} {
		f, _ := function.LookupAggregate(a.name)
		o, err := f.Resolve(a.call)
		if err != nil {
			panic(err)
		}
		args := []int{1}
		if a.call.Args == nil {
			args = nil
		}
		calls = append(calls, Aggregate{New: o.New, Args: args, Filter: -1, Kind: vector.KindOf(o.Result)})
	}
	kinds := []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Bytes}
	all := map[string]columnar{}
	for name, keys := range map[string][]int{"one key": {0}, "two keys": {3, 0}, "no key": nil} {
		of := pick(kinds, keys)
		all["window, "+name] = columnar{func(pool *vector.Pool) stateful {
			return NewWindowAggregate(WindowAggregateSpec{Windows: &Aligned{Spec: hop12by4, Time: 2}, Keys: keys, KeyKinds: of, Aggregates: calls, Tick: 1000, Memory: pool})
		}, 1, windowsBefore}
		all["session, "+name] = columnar{func(pool *vector.Pool) stateful {
			return NewSessionAggregate(SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: 2 * second}, Time: 2, Keys: keys, KeyKinds: of, Aggregates: calls, Tick: 1000, Memory: pool})
		}, 1, sessionsBefore}
		for _, ttl := range []int64{0, 1000} {
			all[fmt.Sprintf("group, %s, time to live %d", name, ttl)] = columnar{func(pool *vector.Pool) stateful {
				return NewGroupAggregate(GroupAggregateSpec{Keys: keys, KeyKinds: of, Aggregates: calls, TTL: ttl, Memory: pool})
			}, 1, groupsBefore}
			if name != "no key" {
				all[fmt.Sprintf("join, %s, time to live %d", name, ttl)] = columnar{func(pool *vector.Pool) stateful {
					return NewJoin(JoinSpec{Kind: FullJoin, Sides: []int{0, 1}, Keys: [2][]int{keys, keys}, Kinds: [2][]vector.Kind{kinds, kinds}, TTL: [2]int64{ttl, 0}, Updates: true, Env: &function.Env{}, Memory: pool})
				}, 2, joinBefore}
			}
		}
	}
	for name, keys := range map[string][]int{"two keys": {3, 0}, "no key": nil} {
		all["interval join, "+name] = columnar{func(pool *vector.Pool) stateful {
			return NewIntervalJoin(IntervalJoinSpec{Kind: FullJoin, Sides: []int{0, 1}, Keys: [2][]int{keys, keys}, Kinds: [2][]vector.Kind{kinds, kinds}, Times: [2]int{2, 2},
				Low: -9 * second, High: 9 * second, Hold: 9 * second, Env: &function.Env{}, Memory: pool})
		}, 2, intervalJoinBefore}
		all["window join, "+name] = columnar{func(pool *vector.Pool) stateful {
			edge := Attached{Start: 2, End: 2}
			return NewWindowJoin(WindowJoinSpec{Sides: []int{0, 1}, Keys: [2][]int{keys, keys}, Kinds: [2][]vector.Kind{kinds, kinds}, Windows: [2]Attached{edge, edge}, Env: &function.Env{}, Tick: 1000, Memory: pool})
		}, 2, windowJoinBefore}
	}
	return all
}

// filled makes one that has absorbed n rows of each side.
func (c columnar) filled(t testing.TB, n int) stateful {
	pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 1))
	op := c.make(pool)
	if c, ok := op.(dataflow.Clocked); ok {
		c.SetNow(100)
	}
	for side := range c.sides {
		a := pool.Get()
		kinds := []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Bytes}
		cols := make([]*vector.Vector, len(kinds))
		for i, k := range kinds {
			b := vector.NewBuilder(a, k, n)
			for row := range n {
				switch {
				case i != 2 && r.IntN(8) == 0:
					b.AppendNull()
				case k == vector.Bytes:
					b.AppendBytes([]byte("tidemark"[:r.IntN(9)]))
				case i == 2:
					b.AppendInt(int64(row) * second / 4)
				default:
					b.AppendInt(r.Int64N(10))
				}
			}
			cols[i] = b.Done()
		}
		batch := &dataflow.Batch{Batch: vector.Batch{N: n, Cols: cols, Arena: a}, Released: watermark.Unset, Input: side}
		if _, updates := op.(*Join); updates {
			batch.Ops = make([]vector.Op, n)
			for row := range n {
				if row%5 == 4 { // what came four rows ago goes
					batch.Ops[row] = vector.Delete
				}
			}
		}
		if err := op.Process(batch, discard{}); err != nil {
			t.Fatal(err)
		}
	}
	return op
}

// restored makes n of them of parts, as tasks do, and tells what each of them writes.
func (c columnar) restored(t *testing.T, n int, parts ...[]byte) (again [][]byte) {
	t.Helper()
	for task := range n {
		op := c.make(&vector.Pool{})
		if err := op.Restore(parts, func(hash uint64) bool { return state.Owner(hash, n) == task }); err != nil {
			t.Fatal(err)
		}
		again = append(again, op.Snapshot(nil))
	}
	return again
}

// TestStateOfTasks: one task goes on with just what it wrote; three that share it, and one that gets it back from them, hold the same.
func TestStateOfTasks(t *testing.T) {
	all := columnars()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c, tasks := all[name], 3
		if strings.Contains(name, "no key") {
			tasks = 1
		}
		for _, n := range []int{0, 1, 100} {
			op := c.filled(t, n)
			written := op.Snapshot(nil)
			if _, joins := op.(*Join); joins { // join keys without rows are not written, and those that stay have other numbers, by which rows are written
				was := len(written)
				if written = c.restored(t, 1, written)[0]; len(written) != was {
					t.Errorf("%s, %d rows: one task goes on with %d bytes, and wrote %d", name, n, len(written), was)
				}
			}
			if again := c.restored(t, 1, written)[0]; !bytes.Equal(again, written) {
				t.Errorf("%s, %d rows: one task goes on with\n%x, and wrote\n%x", name, n, again, written)
			}
			shares := c.restored(t, tasks, written)
			if n == 100 && tasks > 1 && len(shares[0]) >= len(written) {
				t.Errorf("%s: a task of three has %d of %d bytes", name, len(shares[0]), len(written))
			}
			if again := c.restored(t, tasks, c.restored(t, 1, shares...)...); !slices.EqualFunc(again, shares, bytes.Equal) {
				t.Errorf("%s, %d rows: three tasks hold\n%x, and after one had it all\n%x", name, n, shares, again)
			}
			before := c.before(op)
			if bytes.Equal(before, written) {
				t.Fatalf("%s: the version before is the present one", name)
			}
			if again := c.restored(t, 1, before)[0]; !bytes.Equal(again, written) {
				t.Errorf("%s, %d rows: of the version before one task goes on with\n%x, of this one with\n%x", name, n, again, written)
			}
			if again := c.restored(t, tasks, before); !slices.EqualFunc(again, shares, bytes.Equal) {
				t.Errorf("%s, %d rows: of the version before three tasks hold\n%x, of this one\n%x", name, n, again, shares)
			}
		}
	}
}

// TestBrokenStates: bytes that no state consists of are refused with a reason.
func TestBrokenStates(t *testing.T) {
	all := columnars()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		op := c.filled(t, 5)
		restore := func(b []byte) error {
			return c.make(&vector.Pool{}).Restore([][]byte{b}, func(hash uint64) bool { return hash&1 == 0 })
		}
		for _, good := range [][]byte{op.Snapshot(nil), c.before(op)} {
			if err := restore(good); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for n := range good {
				if err := restore(good[:n]); err == nil {
					t.Errorf("%s: %d of %d bytes are taken for a state", name, n, len(good))
				}
			}
			if err := restore(append(slices.Clone(good), 0)); err == nil {
				t.Errorf("%s: one byte too many is taken for a state", name)
			}
			for i := range good {
				for _, x := range []byte{0, 1, 0xFF} {
					bad := slices.Clone(good)
					bad[i] = x
					_ = restore(bad) // any answer but a panic
				}
			}
		}
	}
}

// A key that is there twice is refused: which of the two would count?
func TestKeysAreInAStateOnce(t *testing.T) {
	all := columnars()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		written := c.filled(t, 12).Snapshot(nil)
		err := c.make(&vector.Pool{}).Restore([][]byte{written, written}, func(uint64) bool { return true })
		switch c.make(&vector.Pool{}).(type) {
		case *SessionAggregate, *IntervalJoin, *WindowJoin: // a key has any number of sessions, or rows
			continue
		}
		if err == nil {
			t.Errorf("%s: a state is taken twice", name)
		}
	}
}

// FuzzRestore: whatever bytes say, they are a state, which is then written and read as it is, or an error.
func FuzzRestore(f *testing.F) {
	all := columnars()
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		op := all[name].filled(f, 6)
		f.Add(op.Snapshot(nil), uint8(i))
		f.Add(all[name].before(op), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, kind uint8) {
		c := all[names[int(kind)%len(names)]]
		op := c.make(&vector.Pool{})
		if err := op.Restore([][]byte{src}, func(hash uint64) bool { return hash&1 == 0 }); err != nil {
			return
		}
		written := op.Snapshot(nil)
		if again := c.restored(t, 1, written)[0]; !bytes.Equal(again, written) {
			t.Errorf("it goes on with\n%x, and wrote\n%x", again, written)
		}
	})
}

// What the versions before wrote, a group, session or row at a time.

func windowsBefore(op stateful) []byte {
	w := op.(*WindowAggregate)
	dst := appendInt64(appendInt64([]byte{windowStateVersion - 1}, int64(w.frontier)), int64(len(w.slices)))
	spans := slices.SortedFunc(maps.Keys(w.slices), func(a, b window.Window) int { return int(a.End - b.End) })
	for _, span := range spans {
		s := w.slices[span]
		dst = appendInt64(appendInt64(appendInt64(dst, span.Start), span.End), int64(s.keys.Len()))
		for id := range uint32(s.keys.Len()) {
			dst = appendGroup(s.keys.Encode(dst, id), s.accs, id)
		}
	}
	return dst
}

func appendGroup(dst []byte, accs []function.Accumulator, id uint32) []byte {
	for _, a := range accs {
		dst = a.Encode(dst, id)
	}
	return dst
}

func sessionsBefore(op stateful) []byte {
	s := op.(*SessionAggregate)
	dst := appendInt64(appendInt64([]byte{sessionStateVersion - 1}, int64(s.frontier)), int64(s.live))
	for id, x := range s.sessions {
		if !x.dead {
			dst = appendGroup(s.keys.Encode(appendInt64(appendInt64(dst, x.Start), x.End), x.key), s.accs, uint32(id))
		}
	}
	return dst
}

func groupsBefore(op stateful) []byte {
	g := op.(*GroupAggregate)
	dst := appendInt64([]byte{g.life.version(groupStateVersion - 2)}, int64(g.live))
	for id, n := range g.rows {
		if n > 0 {
			dst = appendInt64(g.keys.Encode(dst, uint32(id)), n)
			if g.life.ttl > 0 {
				dst = appendInt64(dst, g.life.written[id])
			}
			dst = appendGroup(dst, g.accs, uint32(id))
		}
	}
	return dst
}

func joinBefore(op stateful) []byte {
	j := op.(*Join)
	timed := j.sides[0].life.ttl > 0
	dst := []byte{joinStateVersion - 2}
	if timed {
		dst[0]++
	}
	for s := range j.sides {
		side := &j.sides[s]
		dst = appendInt64(dst, int64(side.live))
		for key := range uint32(len(side.first)) {
			side.each(key, func(id uint32) {
				dst = appendInt64(appendInt64(dst, side.count[id]), side.matched[id])
				switch {
				case side.life.ttl > 0:
					dst = appendInt64(dst, side.life.written[id])
				case timed:
					dst = appendInt64(dst, unwritten)
				}
				dst = side.rows.Encode(dst, id)
			})
		}
	}
	return dst
}

func intervalJoinBefore(op stateful) []byte {
	j := op.(*IntervalJoin)
	dst := appendInt64([]byte{intervalJoinStateVersion - 1}, int64(j.frontier))
	for s, rows := range j.kept() {
		dst = appendInt64(dst, int64(len(rows)))
		for _, row := range rows {
			dst = state.AppendRow(appendInt64(dst, int64(flag(j.sides[s].matched[row]))), j.sides[s].held.columns(), int(row))
		}
	}
	return dst
}

func windowJoinBefore(op stateful) []byte {
	w := op.(*WindowJoin)
	dst := appendInt64(appendInt64([]byte{windowJoinStateVersion - 1}, int64(w.frontier)), int64(len(w.windows)))
	for _, x := range slices.SortedFunc(maps.Keys(w.windows), func(a, b window.Window) int { return int(a.End - b.End) }) {
		at := w.windows[x]
		dst = appendInt64(appendInt64(appendInt64(dst, x.Start), x.End), int64(at.keys.Len()))
		for id := range uint32(at.keys.Len()) {
			dst = at.keys.Encode(dst, id)
		}
		for s := range at.sides {
			held := &at.sides[s].held
			dst = appendInt64(dst, int64(held.n))
			for row := range held.n {
				dst = state.AppendRow(dst, held.columns(), row)
			}
		}
	}
	return dst
}
