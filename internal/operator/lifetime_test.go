package operator

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// mortal is an operator whose state can have a time to live.
type mortal interface {
	dataflow.Operator
	dataflow.Stateful
	dataflow.Sized
	dataflow.Clocked
}

// mortals make each of them with a time to live, over two columns of which the first is the key.
func mortals(pool *vector.Pool) map[string]func(ttl int64) mortal {
	first := []state.Ordering{{Column: 1}}
	return map[string]func(ttl int64) mortal{
		"group": func(ttl int64) mortal {
			return NewGroupAggregate(GroupAggregateSpec{Keys: []int{0}, KeyKinds: intKey, TTL: ttl, Memory: pool,
				Aggregates: []Aggregate{{New: aggregate("COUNT"), Filter: -1, Kind: vector.Int64}, {New: aggregate("SUM"), Args: []int{1}, Filter: -1, Kind: vector.Int64}}})
		},
		"last row": func(ttl int64) mortal {
			return NewNormalize(NormalizeSpec{Keys: []int{0}, KeyKinds: intKey, Kinds: twoInts, TTL: ttl, Memory: pool})
		},
		"first rows": func(ttl int64) mortal {
			return NewTopN(TopNSpec{Partition: []int{0}, PartitionKinds: intKey, By: first, Count: 2, Kinds: twoInts, TTL: ttl, Memory: pool})
		},
		"replaced rows": func(ttl int64) mortal {
			return NewTopN(TopNSpec{Partition: []int{0}, PartitionKinds: intKey, By: first, Count: 2, Kinds: twoInts, Input: Replaced, Keys: []int{0, 1}, TTL: ttl, Memory: pool})
		},
		"join": func(ttl int64) mortal {
			return NewJoin(JoinSpec{Kind: FullJoin, Sides: []int{0, 1}, Keys: [2][]int{{0}, {0}}, Kinds: [2][]vector.Kind{twoInts, twoInts}, TTL: [2]int64{ttl, ttl}, Updates: true, Env: &function.Env{}, Memory: pool})
		},
		"set": func(ttl int64) mortal {
			return NewSetOperation(SetOperationSpec{Times: func(l, r int64) int64 { return min(l, r) }, Sides: []int{0, 1}, Kinds: twoInts, TTL: ttl, Memory: pool})
		},
	}
}

// give gives op rows with keys from key on, at a time.
func give(t *testing.T, op mortal, pool *vector.Pool, now int64, input, key, rows int) {
	t.Helper()
	op.SetNow(now)
	a := pool.Get()
	k, v := a.Flat(vector.Int64, rows), a.Flat(vector.Int64, rows)
	for i := range rows {
		k.Ints[i], v.Ints[i] = int64(key+i), 7
	}
	if err := op.Process(&dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{k, v}, N: rows, Arena: a}, Input: input}, discard{}); err != nil {
		t.Fatal(err)
	}
}

func held(op mortal) int64 { return op.Size().Groups + op.Size().Rows }

// TestForgottenWithoutBeingAsked has keys that come once and never again: what is held stays within a few times what lives.
func TestForgottenWithoutBeingAsked(t *testing.T) {
	const rows, ttl = 500, 10
	pool := &vector.Pool{}
	all := mortals(pool)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		op, without := all[name](ttl), all[name](0)
		most := int64(0)
		for step := range 200 {
			for _, x := range []mortal{op, without} {
				give(t, x, pool, int64(step), step%2, step*rows, rows)
			}
			most = max(most, held(op))
		}
		// A key lives for 10 steps, and the search comes round in half of the rows that are there.
		if limit := held(without) / 4; most > limit {
			t.Errorf("%s holds up to %d, want at most %d of %d", name, most, limit, held(without))
		}
		if size := len(op.Snapshot(nil)); size > len(without.Snapshot(nil))/2 {
			t.Errorf("%s writes %d bytes of state, and %d without a time to live", name, size, len(without.Snapshot(nil)))
		}
	}
}

// TestTimesInState restores state with times and without into operators with a time to live and without: times survive, and what has none begins its time when it is looked at.
func TestTimesInState(t *testing.T) {
	pool := &vector.Pool{}
	all := mortals(pool)
	yes := func(uint64) bool { return true }
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, c := range []struct {
			before, after int64
			// at which of these the state is forgotten; never, if none
			gone []int64
			left []int64
		}{
			{10, 10, []int64{110, 111}, []int64{109}},
			{10, 30, []int64{130}, []int64{129}},
			{0, 10, nil, []int64{110, 5000}}, // the clock is looked at for the first time
			{10, 0, nil, []int64{5000}},
			{0, 0, nil, []int64{5000}},
		} {
			first := all[name](c.before)
			give(t, first, pool, 100, 0, 0, 3)
			bytes := first.Snapshot(nil)
			for i, now := range append(c.gone, c.left...) {
				second := all[name](c.after)
				if err := second.Restore([][]byte{bytes}, yes); err != nil {
					t.Fatalf("%s, %d to %d: %v", name, c.before, c.after, err)
				}
				want := held(first)
				if i < len(c.gone) {
					want = 0
				}
				give(t, second, pool, now, 0, 1000, 0) // looks, without a row
				for range 5 {
					give(t, second, pool, now, 1, 2000, 1)
				}
				had := held(second)
				third := all[name](c.after)
				for range 5 {
					give(t, third, pool, now, 1, 2000, 1)
				}
				if had -= held(third); had != want {
					t.Errorf("%s, %d to %d: at %d it holds %d of what it was restored with, want %d", name, c.before, c.after, now, had, want)
				}
			}
		}
		first := all[name](10)
		give(t, first, pool, 100, 0, 0, 3)
		bytes := first.Snapshot(nil)
		for n := range bytes {
			if err := all[name](10).Restore([][]byte{bytes[:n]}, yes); err == nil {
				t.Errorf("%s: the first %d of %d bytes are restored", name, n, len(bytes))
			}
		}
	}
}

// TestFirstRowsAreForgotten has keys of which one row comes and leaves, and of some one more waits: they are forgotten in time, and which have begun survives a restart.
func TestFirstRowsAreForgotten(t *testing.T) {
	const rows, ttl = 500, 10
	pool := &vector.Pool{}
	open := func(ttl int64) *Over {
		return NewOver(OverSpec{Time: 1, Keys: []int{0}, KeyKinds: intKey, Kinds: twoInts, Rows: true, TTL: ttl, Grain: dataflow.Grain{Every: true}, Memory: pool,
			Aggregates: []Aggregate{{New: aggregate("COUNT"), Filter: -1, Kind: vector.Int64}}})
	}
	// step gives rows of new keys at event time step, which leave, and one of the first of them that waits.
	step := func(o *Over, step int) {
		o.SetNow(int64(step))
		a := pool.Get()
		k, v := a.Flat(vector.Int64, rows+1), a.Flat(vector.Int64, rows+1)
		for i := range rows {
			k.Ints[i], v.Ints[i] = int64(step*rows+i), int64(step)*1000
		}
		k.Ints[rows], v.Ints[rows] = -1, 1<<60
		if err := o.Process(&dataflow.Batch{Batch: vector.Batch{Cols: []*vector.Vector{k, v}, N: rows + 1, Arena: a}}, discard{}); err != nil {
			t.Fatal(err)
		}
		if err := o.Advance(dataflow.Progress{Frontier: watermark.Frontier(step*1000 + 1000), Active: true}, discard{}); err != nil {
			t.Fatal(err)
		}
	}
	o := open(ttl)
	for i := range 200 {
		step(o, i)
		if n := o.keys.Len(); n > 4*ttl*rows {
			t.Fatalf("at step %d there are %d keys, and %d live", i, n, ttl*rows)
		}
	}
	bytes := o.Snapshot(nil)
	yes := func(uint64) bool { return true }
	again := open(ttl)
	if err := again.Restore([][]byte{bytes}, yes); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Snapshot(nil), bytes) {
		t.Error("the state is another one after a restart")
	}
	id := make([]uint32, 1)
	a := pool.Get()
	key := a.Flat(vector.Int64, 1)
	key.Ints[0] = -1
	again.keys.Find(&state.Input{Cols: []*vector.Vector{key}, Rows: vector.All(1)}, id)
	if again.begun[id[0]] {
		t.Error("a key has begun of which no row has left")
	}
	for _, c := range [][2]int64{{0, ttl}, {ttl, 0}} {
		before, after := open(c[0]), open(c[1])
		step(before, 0)
		if err := after.Restore([][]byte{before.Snapshot(nil)}, yes); err != nil {
			t.Errorf("from a time to live of %d to %d: %v", c[0], c[1], err)
		}
	}
	for n := 0; n < len(bytes); n += 1 + n/50 {
		if err := open(ttl).Restore([][]byte{bytes[:n]}, yes); err == nil {
			t.Errorf("the first %d of %d bytes are restored", n, len(bytes))
		}
	}
}

// BenchmarkTTL compares state that lives for ever with state whose time is never over, and state that is forgotten all the time.
func BenchmarkTTL(b *testing.B) {
	pool := &vector.Pool{}
	all := mortals(pool)
	for _, name := range []string{"group", "join", "last row"} {
		for _, c := range []struct {
			name string
			ttl  int64
		}{{"for ever", 0}, {"never over", 1 << 60}, {"over", 100}} {
			b.Run(fmt.Sprintf("%s/%s", name, c.name), func(b *testing.B) {
				op, r, side, now := all[name](c.ttl), rand.New(rand.NewPCG(1, 2)), 0, int64(0)
				run(b, op, func() *dataflow.Batch {
					now++
					op.SetNow(now)
					batch := two(pool.Get(), func(int) (int64, int64) { return r.Int64N(10_000), r.Int64N(4) })
					batch.Input, side = side, 1-side
					return batch
				})
			})
		}
	}
}
