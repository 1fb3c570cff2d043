package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// GroupAggregateSpec describes an aggregation per key without windows. Its output columns are the keys and the aggregates.
type GroupAggregateSpec struct {
	Keys       []int // input columns
	KeyKinds   []vector.Kind
	Aggregates []Aggregate
	// Retracts says that the input has updates and deletes; the accumulators are function.Retractor then.
	Retracts bool
	// TTL is how long a key is kept that has no more rows, in microseconds; 0 is for ever. Flink 2.3: with one, a row that leaves the result as it was tells it again, so that whoever
	// keeps it is reminded.
	TTL int64
	// Level is the place of the results in dataflow.Order; a single task has no use for it.
	Level  int
	Memory *vector.Pool
}

// GroupAggregate aggregates per key and tells after every row how the result of its key has changed: +I for the first one, then -U and +U, and -D when the
// last row of a key was taken back. Flink 2.3 without mini-batches: a row that leaves the result as it was tells nothing.
//
// Rows are worked on in waves: of a stretch of rows each key has its first row in the first wave, its second in the second. Within a wave no key occurs twice, so
// that accumulators work on whole columns, and results before and after the wave are those before and after each row.
type GroupAggregate struct {
	spec   GroupAggregateSpec
	keys   state.Keys
	accs   []function.Accumulator
	rows   []int64 // by key: how many rows are in it
	live   int     // keys that have rows
	life   lifetimes
	cold   coldKeys
	sizes  groupSizes
	counts dataflow.Counts

	ids      []uint32
	seen     []uint32 // by key: rows of the stretch at hand so far; zero between stretches
	starts   []int32  // where each wave begins in order
	order    []int32  // positions in the stretch, by wave
	waveOf   []uint32
	waveIDs  []uint32
	waveRows []int32
	added    lane
	taken    lane
	places   [2][]int32
	tells    []bool   // by place: it is emitted
	revived  []uint32 // groups that have become hot
	listed   []uint32 // keys in a snapshot
	filtered filtered
}

// lane is the rows of a wave that are added, or taken back.
type lane struct {
	ids  []uint32
	rows []int32
}

// NewGroupAggregate makes the operator.
func NewGroupAggregate(spec GroupAggregateSpec) *GroupAggregate {
	g := &GroupAggregate{spec: spec, life: lifetimes{ttl: spec.TTL, began: unwritten}}
	g.renew()
	return g
}

// renew begins with no groups.
func (g *GroupAggregate) renew() {
	g.keys, g.rows, g.seen, g.live, g.accs = state.NewKeys(g.spec.KeyKinds), nil, nil, 0, nil
	g.life.compact(nil)
	g.sizes = newGroupSizes(&g.spec)
	for _, a := range g.spec.Aggregates {
		g.accs = append(g.accs, a.New())
	}
}

// Counts implements dataflow.Counted.
func (g *GroupAggregate) Counts() *dataflow.Counts { return &g.counts }

// SetNow implements dataflow.Clocked.
func (g *GroupAggregate) SetNow(now int64) {
	if g.life.began == unwritten {
		g.life.began = now
	}
	g.life.now = now
}

// Process implements dataflow.Operator.
func (g *GroupAggregate) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	g.counts.In.Add(n)
	g.counts.Absorbed.Add(n)
	for _, k := range g.spec.Keys {
		oneZero(b.Cols[k : k+1])
	}
	err := b.Segments(
		func(lo, hi int) error {
			for lo < hi {
				n, err := g.absorb(b, lo, min(lo+emitRows/2, hi), out)
				if err != nil {
					return err
				}
				lo += n
			}
			return nil
		},
		onward(out))
	b.Release()
	g.life.sweep(int(n), len(g.rows), g.expire)
	if state.Crowded(g.keys.Len(), g.keys.Len()-g.live) {
		g.compact(func(id uint32) bool { return g.rows[id] > 0 })
	}
	if err != nil || !g.cold.limited() {
		return err
	}
	return g.makeRoom()
}

// expire forgets a key whose time is over, as if it had never had a row.
func (g *GroupAggregate) expire(id uint32) {
	if g.rows[id] == 0 || !g.life.expired(id) {
		return
	}
	for _, acc := range g.accs {
		acc.Clear(id)
	}
	g.sizes.forget(id)
	g.rows[id] = 0
	g.live--
}

// compact keeps some of the keys that have rows.
func (g *GroupAggregate) compact(keep func(id uint32) bool) {
	keys, old := state.Compact(g.keys, keep)
	rows := make([]int64, len(old))
	for id, was := range old {
		rows[id] = g.rows[was]
	}
	g.sizes.compact(old)
	g.life.compact(old)
	for i, acc := range g.accs {
		g.accs[i] = moved(acc, g.spec.Aggregates[i].New(), old)
	}
	g.keys, g.rows, g.seen, g.live = keys, rows, nil, len(old)
	g.cold.untouch()
}

// Advance implements dataflow.Operator.
func (g *GroupAggregate) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}

// absorb takes the first of the rows lo..hi-1 of b's selection and emits what they change; it tells how many they were. Place 2k of the result is how things were before row k,
// 2k+1 how they are after it.
func (g *GroupAggregate) absorb(b *dataflow.Batch, lo, hi int, out dataflow.Output) (n int, err error) {
	rows := stretch(b, lo, hi)
	in := keyInput(b, g.spec.Keys, rows)
	g.ids = slices.Grow(g.ids[:0], hi-lo)[:hi-lo]
	known := g.keys.Len()
	g.keys.Find(&in, g.ids)
	if g.cold.limited() {
		if err := g.bring(known); err != nil {
			return 0, err
		}
		g.cold.touch(g.ids, g.keys.Len())
	}
	n = g.sizes.fitting(b, rows, g.ids, g.keys.Len())
	g.ids = g.ids[:n]
	g.rows = extended(g.rows, g.keys.Len())
	g.seen = extended(g.seen, g.keys.Len())
	for _, a := range g.accs {
		a.Grow(g.keys.Len())
	}
	if g.life.grow(g.keys.Len()); g.life.ttl > 0 {
		for _, id := range g.ids {
			g.expire(id)
			g.life.write(id)
		}
	}
	waves := g.divide(n)

	a := g.spec.Memory.Get()
	change := &dataflow.Batch{Batch: vector.Batch{N: 2 * n, Arena: a}, Released: b.Released, Rank: b.Rank}
	change.Cols = a.Columns(len(g.spec.Keys) + len(g.accs))
	results := change.Cols[len(g.spec.Keys):]
	for i := range g.accs {
		results[i] = a.Flat(g.spec.Aggregates[i].Kind, 2*n)
	}
	change.Ops = make([]vector.Op, 2*n)
	sel := a.Sel(2 * n)[:0]
	g.tells = extended(g.tells[:0], 2*n)
	tells := g.tells
	for w := range waves {
		g.wave(b, rows, g.order[g.starts[w]:g.starts[w+1]], a, results, change.Ops, tells)
	}
	for i, tell := range tells {
		if tell {
			sel = append(sel, int32(i))
		}
	}
	if len(sel) == 0 {
		a.Release()
		return n, nil
	}
	twice := a.Sel(2 * n)
	for k := range n {
		twice[2*k], twice[2*k+1] = int32(rows.At(k)), int32(rows.At(k))
	}
	for i, k := range g.spec.Keys {
		change.Cols[i] = b.Cols[k].Take(a, twice)
	}
	if b.Order != nil {
		change.Order = make([]dataflow.Order, 2*n)
		for i, row := range twice {
			change.Order[i] = b.Order[row]
			change.Order[i].Sub[g.spec.Level] = uint32(i & 1)
		}
	}
	change.Sel = sel
	g.counts.Out.Add(int64(len(sel)))
	return n, out.Emit(change)
}

// divide sorts the n rows of ids into waves, keeping their order within each, and tells how many waves there are.
func (g *GroupAggregate) divide(n int) int {
	g.waveOf = slices.Grow(g.waveOf[:0], n)[:n]
	g.starts = append(g.starts[:0], 0)
	for k, id := range g.ids {
		w := g.seen[id]
		g.seen[id]++
		g.waveOf[k] = w
		if int(w)+1 == len(g.starts) {
			g.starts = append(g.starts, 0)
		}
		g.starts[w+1]++
	}
	waves := len(g.starts) - 1
	for w := range waves {
		g.starts[w+1] += g.starts[w]
	}
	g.order = slices.Grow(g.order[:0], n)[:n]
	next := slices.Clone(g.starts[:waves])
	for k, w := range g.waveOf {
		g.order[next[w]] = int32(k)
		next[w]++
	}
	for _, id := range g.ids {
		g.seen[id] = 0
	}
	return waves
}

// wave works off the rows at the positions in members, whose keys all differ.
func (g *GroupAggregate) wave(b *dataflow.Batch, rows vector.Rows, members []int32, a *vector.Arena, results []*vector.Vector, ops []vector.Op, tells []bool) {
	n := len(members)
	g.waveIDs, g.waveRows = g.waveIDs[:0], g.waveRows[:0]
	g.added.ids, g.added.rows, g.taken.ids, g.taken.rows = g.added.ids[:0], g.added.rows[:0], g.taken.ids[:0], g.taken.rows[:0]
	for i := range g.places {
		g.places[i] = slices.Grow(g.places[i][:0], n)[:n]
	}
	for j, k := range members {
		id, row := g.ids[k], int32(rows.At(int(k)))
		g.waveIDs = append(g.waveIDs, id)
		g.places[0][j], g.places[1][j] = 2*k, 2*k+1
		if g.spec.Retracts && takesBack(b.Ops, row) {
			if g.rows[id] > 0 {
				g.taken.ids, g.taken.rows = append(g.taken.ids, id), append(g.taken.rows, row)
			}
			continue
		}
		g.added.ids, g.added.rows = append(g.added.ids, id), append(g.added.rows, row)
	}
	before := make([]*vector.Vector, len(g.accs))
	for i, acc := range g.accs {
		before[i] = acc.Result(a, g.waveIDs)
		results[i].Put(a, g.places[0], before[i])
	}
	for i, acc := range g.accs {
		if len(g.added.ids) > 0 {
			g.spec.Aggregates[i].add(acc, b, g.added.ids, vector.Rows{Sel: g.added.rows, N: b.N}, &g.filtered)
		}
		if len(g.taken.ids) > 0 {
			g.spec.Aggregates[i].retract(acc, b, g.taken.ids, vector.Rows{Sel: g.taken.rows, N: b.N}, &g.filtered)
		}
	}
	after := make([]*vector.Vector, len(g.accs))
	for i, acc := range g.accs {
		after[i] = acc.Result(a, g.waveIDs)
		results[i].Put(a, g.places[1], after[i])
	}
	for j, k := range members {
		id, row := g.waveIDs[j], int32(rows.At(int(k)))
		was := g.rows[id]
		now := was + 1
		if g.spec.Retracts && takesBack(b.Ops, row) {
			now = max(was-1, 0)
		}
		g.rows[id] = now
		g.sizes.note(id, after, j)
		old, young := 2*k, 2*k+1
		switch {
		case was == 0 && now == 0:
			// There was nothing to take back.
		case was == 0:
			g.live++
			ops[young], tells[young] = vector.Insert, true
		case now == 0:
			ops[old], tells[old] = vector.Delete, true
			for _, acc := range g.accs {
				acc.Clear(id)
			}
			g.sizes.forget(id)
			g.live--
		case g.life.ttl > 0 || !unchanged(before, after, j):
			ops[old], tells[old] = vector.UpdateBefore, true
			ops[young], tells[young] = vector.UpdateAfter, true
		}
	}
}

func unchanged(before, after []*vector.Vector, j int) bool {
	for i := range before {
		if !vector.Same(before[i], j, after[i], j) {
			return false
		}
	}
	return true
}
