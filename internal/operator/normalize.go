package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// NormalizeSpec describes a Normalize.
type NormalizeSpec struct {
	Keys     []int // the primary key
	KeyKinds []vector.Kind
	Kinds    []vector.Kind // of all columns
	// TTL is how long a key is kept that has no more rows, in microseconds; 0 is for ever. Flink 2.3: with one, a row that is equal to the last one is told again.
	TTL int64
	// Level is the place of the results in dataflow.Order; a single task has no use for it.
	Level  int
	Memory *vector.Pool
}

// Normalize makes a changelog with whole rows of upserts. Flink 2.3, ChangelogNormalize: a row that is equal to the last one of its key tells nothing, and so does the
// deletion of a key that is not there.
type Normalize struct {
	spec   NormalizeSpec
	keys   state.Keys
	rows   state.Keys // different rows, dead ones among them
	last   []uint32   // by key: number of its row plus one, 0 for none
	uses   []int32    // by row: 1 if it is the last one of its key
	live   int        // keys that have a row
	life   lifetimes  // of keys
	counts dataflow.Counts

	ids, rowIDs []uint32
	out         []uint32 // rows that leave
	from        []int32  // rows of the batch that they leave for
	ops         []vector.Op
	chunks      chunks
}

// NewNormalize makes the operator.
func NewNormalize(spec NormalizeSpec) *Normalize {
	return &Normalize{spec: spec, keys: state.NewKeys(spec.KeyKinds), rows: state.NewKeys(spec.Kinds), life: lifetimes{ttl: spec.TTL}}
}

// SetNow implements dataflow.Clocked.
func (z *Normalize) SetNow(now int64) { z.life.now = now }

// Counts implements dataflow.Counted.
func (z *Normalize) Counts() *dataflow.Counts { return &z.counts }

// Advance implements dataflow.Operator.
func (z *Normalize) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (z *Normalize) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	z.counts.In.Add(n)
	z.counts.Absorbed.Add(n)
	oneZero(b.Cols)
	err := b.Segments(
		func(lo, hi int) error {
			for ; lo < hi; lo += emitRows / 2 {
				if err := z.absorb(b, stretch(b, lo, min(lo+emitRows/2, hi)), out); err != nil {
					return err
				}
			}
			return nil
		},
		onward(out))
	b.Release()
	z.life.sweep(int(n), len(z.last), z.expire)
	if state.Crowded(z.rows.Len(), z.rows.Len()-z.live) {
		z.compact()
	}
	return err
}

func (z *Normalize) absorb(b *dataflow.Batch, rows vector.Rows, out dataflow.Output) error {
	n := rows.Count()
	z.ids, z.rowIDs = extended(z.ids[:0], n), extended(z.rowIDs[:0], n)
	in := keyInput(b, z.spec.Keys, rows)
	z.keys.Find(&in, z.ids)
	z.rows.Find(&state.Input{Cols: b.Cols, Rows: rows}, z.rowIDs)
	z.last, z.uses = extended(z.last, z.keys.Len()), extended(z.uses, z.rows.Len())
	z.life.grow(z.keys.Len())
	z.out, z.from, z.ops = z.out[:0], z.from[:0], z.ops[:0]
	for k, id := range z.ids {
		z.expire(id)
		row := int32(rows.At(k))
		if takesBack(b.Ops, row) {
			z.remove(id, row)
		} else {
			z.replace(id, z.rowIDs[k], row)
		}
	}
	z.counts.Out.Add(int64(len(z.out)))
	return z.chunks.each(z.spec.Memory, len(z.out), func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		part := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a}, Released: b.Released, Rank: b.Rank}
		part.Cols = z.rows.Columns(a, z.out[lo:hi], nil)
		part.Ops = slices.Clone(z.ops[lo:hi])
		if b.Order != nil {
			part.Order = make([]dataflow.Order, hi-lo)
			for i, row := range z.from[lo:hi] {
				part.Order[i] = b.Order[row]
				part.Order[i].Sub[z.spec.Level] = uint32(lo + i)
			}
		}
		return part
	}, out.Emit)
}

func (z *Normalize) tell(id uint32, row int32, op vector.Op) {
	z.out, z.from, z.ops = append(z.out, id), append(z.from, row), append(z.ops, op)
}

// replace makes the row with number id the last one of a key; row is where it stands in the batch.
func (z *Normalize) replace(key, id uint32, row int32) {
	old := z.last[key]
	z.life.write(key)
	switch {
	case old == id+1 && z.life.ttl == 0:
		return
	case old == 0:
		z.live++
		z.tell(id, row, vector.Insert)
	default:
		z.uses[old-1] = 0
		z.tell(old-1, row, vector.UpdateBefore)
		z.tell(id, row, vector.UpdateAfter)
	}
	z.last[key], z.uses[id] = id+1, 1
}

// expire forgets a key whose time is over.
func (z *Normalize) expire(key uint32) {
	if old := z.last[key]; old != 0 && z.life.expired(key) {
		z.last[key], z.uses[old-1] = 0, 0
		z.live--
	}
}

func (z *Normalize) remove(key uint32, row int32) {
	old := z.last[key]
	if old == 0 {
		return
	}
	z.last[key], z.uses[old-1] = 0, 0
	z.live--
	z.tell(old-1, row, vector.Delete)
}

// compact forgets the rows that are not the last ones of their keys, and keys without a row.
func (z *Normalize) compact() {
	rows, oldRows := state.Compact(z.rows, func(id uint32) bool { return z.uses[id] > 0 })
	number := make([]uint32, z.rows.Len())
	for id, was := range oldRows {
		number[was] = uint32(id)
	}
	keys, oldKeys := state.Compact(z.keys, func(id uint32) bool { return z.last[id] != 0 })
	last := make([]uint32, len(oldKeys))
	for id, was := range oldKeys {
		last[id] = number[z.last[was]-1] + 1
	}
	z.life.compact(oldKeys)
	z.rows, z.keys, z.last, z.uses = rows, keys, last, slices.Repeat([]int32{1}, len(oldRows))
}
