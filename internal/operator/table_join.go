package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TableJoinSpec describes a TableJoin. Its output columns are those of the left side, then those of the right; of a SemiJoin or AntiJoin those of the left.
type TableJoinSpec struct {
	Kind JoinKind // InnerJoin, LeftJoin, SemiJoin or AntiJoin
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	// Keys and Kinds are, of either side, the columns that must be equal, in pairs, and the layouts of the columns.
	Keys  [2][]int
	Kinds [2][]vector.Kind
	// First says that a left row meets the first right row of its key alone.
	First bool
	// Updates says that left rows may take back earlier ones.
	Updates bool
	Memory  *vector.Pool
}

// TableJoin meets left rows with the right rows of their key. It holds left rows until the right side has ended; from then on they leave at once, among the marks that they came with. Right rows are only added.
type TableJoin struct {
	spec  TableJoinSpec
	keys  state.Keys
	known int         // keys of right rows, once the right side has ended: those behind are only looked for
	rows  heldRows    // of the right side
	first []int32     // by key: its first right row and one, 0 for none
	last  []int32     // by key
	next  []int32     // by right row, likewise
	held  heldRows    // left rows that wait, in the order in which they came
	ops   []vector.Op // of these, if there are updates
	ended bool        // the right side has

	merges  [2]*watermark.Merge
	streams []int // by input of the fragment: its place in the merge of its side
	counts  dataflow.Counts

	ids        []uint32
	mine, them []int32
}

// NewTableJoin makes the operator.
func NewTableJoin(spec TableJoinSpec) *TableJoin {
	j := &TableJoin{spec: spec, keys: state.NewKeys(pick(spec.Kinds[1], spec.Keys[1]))}
	j.rows.reset(spec.Memory, spec.Kinds[1], 64)
	j.held.reset(spec.Memory, spec.Kinds[0], 64)
	var sizes [2]int
	for _, side := range spec.Sides {
		j.streams = append(j.streams, sizes[side])
		sizes[side]++
	}
	for side, n := range sizes {
		j.merges[side] = watermark.NewMerge(n)
	}
	return j
}

// Counts implements dataflow.Counted.
func (j *TableJoin) Counts() *dataflow.Counts { return &j.counts }

// Process implements dataflow.Operator.
func (j *TableJoin) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	j.counts.In.Add(n)
	j.counts.Absorbed.Add(n)
	input, side := b.Input, j.spec.Sides[b.Input]
	err := b.Segments(
		func(lo, hi int) error {
			rows := stretch(b, lo, hi)
			switch {
			case side == 1:
				j.keep(b, rows)
			case !j.ended:
				j.wait(b, rows)
			default:
				return j.join(b, rows, out)
			}
			return nil
		},
		func(f watermark.Frontier) error {
			return j.AdvanceInput(input, dataflow.Progress{Frontier: f, Active: true}, out)
		})
	b.Release()
	return err
}

// AdvanceInput implements dataflow.Apart.
func (j *TableJoin) AdvanceInput(input int, p dataflow.Progress, out dataflow.Output) error {
	side := j.spec.Sides[input]
	f, active, _ := j.merges[side].Update(j.streams[input], p.Frontier, p.Active)
	if side == 1 && !j.ended && f == watermark.Final {
		if err := j.end(out); err != nil {
			return err
		}
	}
	if !j.ended {
		return nil
	}
	if side == 1 {
		f, active = j.merges[0].Frontier(), j.merges[0].Active()
	}
	return out.Advance(dataflow.Progress{Frontier: f, Active: active})
}

// Advance implements dataflow.Operator.
func (j *TableJoin) Advance(p dataflow.Progress, out dataflow.Output) error {
	for _, side := range []int{1, 0} {
		for input, of := range j.spec.Sides {
			if of == side {
				if err := j.AdvanceInput(input, p, out); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keep takes right rows in. One whose key is NULL meets nobody.
func (j *TableJoin) keep(b *dataflow.Batch, rows vector.Rows) {
	in := keyInput(b, j.spec.Keys[1], rows)
	j.ids = extended(j.ids[:0], rows.Count())
	j.keys.Find(&in, j.ids)
	j.first, j.last = extended(j.first, j.keys.Len()), extended(j.last, j.keys.Len())
	for k, id := range j.ids {
		row := rows.At(k)
		if anyNull(in.Cols, row) || j.spec.First && j.first[id] != 0 {
			continue
		}
		j.link(id, j.rows.add(b.Cols, row))
	}
}

// link puts a right row behind those of its key.
func (j *TableJoin) link(id uint32, row int32) {
	j.next = append(j.next, 0)
	if j.first[id] == 0 {
		j.first[id] = row + 1
	} else {
		j.next[j.last[id]-1] = row + 1
	}
	j.last[id] = row + 1
}

func anyNull(cols []*vector.Vector, row int) bool {
	for _, c := range cols {
		if c.IsNull(row) {
			return true
		}
	}
	return false
}

// wait holds left rows.
func (j *TableJoin) wait(b *dataflow.Batch, rows vector.Rows) {
	for k := range rows.Count() {
		row := rows.At(k)
		j.held.add(b.Cols, row)
		if j.spec.Updates {
			op := vector.Insert
			if b.Ops != nil {
				op = b.Ops[row]
			}
			j.ops = append(j.ops, op)
		}
	}
}

// end lets the left rows go that have waited for the end of the right side.
func (j *TableJoin) end(out dataflow.Output) error {
	j.ended, j.known = true, j.keys.Len()
	waited, ops := j.held, j.ops
	j.held.reset(j.spec.Memory, j.spec.Kinds[0], 1)
	j.ops = nil
	defer waited.arena.Release()
	for lo := 0; lo < waited.n; lo += emitRows {
		hi := min(lo+emitRows, waited.n)
		a := j.spec.Memory.Get()
		b := &dataflow.Batch{Batch: vector.Batch{Cols: waited.columns(), N: waited.n, Arena: a}, Released: watermark.Unset}
		if ops != nil {
			b.Ops = ops
		}
		err := j.join(b, stretch(b, lo, hi), out)
		a.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// join sends the left rows with what they meet.
func (j *TableJoin) join(b *dataflow.Batch, rows vector.Rows, out dataflow.Output) error {
	in := keyInput(b, j.spec.Keys[0], rows)
	j.ids = extended(j.ids[:0], rows.Count())
	j.keys.Find(&in, j.ids)
	j.mine, j.them = j.mine[:0], j.them[:0]
	for k, id := range j.ids {
		row := rows.At(k)
		at := int32(0)
		if int(id) < j.known && !anyNull(in.Cols, row) {
			at = j.first[id]
		}
		switch j.spec.Kind {
		case SemiJoin, AntiJoin:
			if (at != 0) == (j.spec.Kind == SemiJoin) {
				j.put(int32(row), -1)
			}
			continue
		case LeftJoin:
			if at == 0 {
				j.put(int32(row), -1)
			}
		}
		for ; at != 0; at = j.next[at-1] {
			j.put(int32(row), at-1)
			if len(j.mine) >= emitRows {
				if err := j.flush(b, out); err != nil {
					return err
				}
			}
		}
	}
	if j.keys.Len() > 2*j.known+emitRows {
		j.keys, _ = state.Compact(j.keys, func(id uint32) bool { return int(id) < j.known })
	}
	return j.flush(b, out)
}

func (j *TableJoin) put(mine, them int32) {
	j.mine, j.them = append(j.mine, mine), append(j.them, them)
}

// flush sends the results that were collected; b has the left rows.
func (j *TableJoin) flush(b *dataflow.Batch, out dataflow.Output) error {
	n := len(j.mine)
	if n == 0 {
		return nil
	}
	a := j.spec.Memory.Get()
	result := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: b.Released, Rank: b.Rank}
	result.Cols = takeOrNull(a, b.Cols, j.mine)
	if j.spec.Kind != SemiJoin && j.spec.Kind != AntiJoin {
		result.Cols = append(result.Cols, takeOrNull(a, j.rows.columns(), j.them)...)
	}
	if j.spec.Updates {
		result.Ops = make([]vector.Op, n)
		for k, row := range j.mine {
			if b.Ops != nil {
				result.Ops[k] = b.Ops[row]
			}
		}
	}
	j.counts.Out.Add(int64(n))
	j.mine, j.them = j.mine[:0], j.them[:0]
	return out.Emit(result)
}

// Size implements dataflow.Sized.
func (j *TableJoin) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(j.keys.Len()), Rows: int64(j.rows.n + j.held.n), Bytes: j.keys.Bytes() + j.rows.bytes() + j.held.bytes() + 4*int64(len(j.first)+len(j.last)+len(j.next)) + 8*int64(j.held.n)}
}
