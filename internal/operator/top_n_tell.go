package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// tellMove tells that r is about to take the place of old, which is where it was or further in front, and every row in between moves back by one rank. Flink 2.3: the old row
// leaves before the new one enters.
func (t *TopN) tellMove(old, r *ranked) {
	rows := &t.at.rows
	to, from := rows.rank(r, t.end), rows.rank(old, t.end)
	if to >= t.spec.Offset && to < from {
		t.tell(vector.UpdateBefore, rows.at(to), to)
	}
	if from >= t.spec.Offset {
		t.tell(vector.UpdateBefore, old, from)
	}
	if to >= t.spec.Offset {
		t.tell(vector.UpdateAfter, r, to)
	}
	for rank := max(to+1, t.spec.Offset); rank <= from; rank++ {
		if rank < from {
			t.tell(vector.UpdateBefore, rows.at(rank), rank)
		}
		t.tell(vector.UpdateAfter, rows.at(rank-1), rank)
	}
}

// note remembers what stands at the ranks that r will change.
func (t *TopN) note(r *ranked) {
	if t.shifts {
		t.ranks(t.at.rows.rank(r, t.end))
	}
}

// tellInsert tells what r has changed.
func (t *TopN) tellInsert(r *ranked) {
	if t.shifts {
		t.tellShift(t.at.rows.rank(r, t.end))
		return
	}
	if out := t.at.rows.at(t.end); out != nil {
		if !r.less(out) {
			return
		}
		if t.end == 1 && t.spec.Input != TakenBack {
			t.tell(vector.UpdateBefore, out, 0)
			t.tell(vector.UpdateAfter, r, 0)
			return
		}
		t.tell(vector.Delete, out, 0)
	}
	t.tell(vector.Insert, r, 0)
}

// ranks remembers the part of the result that begins at a rank.
func (t *TopN) ranks(from int) { t.before = t.result(t.before[:0], from) }

// result appends the rows of the result from a rank on.
func (t *TopN) result(list []*ranked, from int) []*ranked {
	at := max(from, t.spec.Offset)
	first := t.at.rows.at(at)
	if first == nil {
		return list
	}
	t.at.rows.from(first, func(r *ranked) bool {
		if at < t.end {
			list = append(list, r)
		}
		at++
		return at < t.end
	})
	return list
}

// tellShift tells how the result from a rank on differs from what was remembered.
func (t *TopN) tellShift(from int) {
	n := len(t.before)
	all := t.result(t.before, from)
	before, after := all[:n], all[n:]
	for i := range max(len(before), len(after)) {
		rank := max(from, t.spec.Offset) + i
		switch {
		case i >= len(before):
			t.tell(vector.Insert, after[i], rank)
		case i >= len(after):
			t.tell(vector.Delete, before[i], rank)
		case before[i] != after[i]:
			t.tell(vector.UpdateBefore, before[i], rank)
			t.tell(vector.UpdateAfter, after[i], rank)
		}
	}
	t.before = all
}

// changes is what has been told and not yet sent.
type changes struct {
	row   int32 // of the batch at hand that is being worked off
	rows  [][]byte
	ranks []int64 // if rows are numbered
	ops   []vector.Op
	from  []int32 // rows of the batch at hand that brought it about
}

// tell notes that a row enters or leaves a rank, which matters where rows are numbered.
func (t *TopN) tell(op vector.Op, r *ranked, rank int) {
	t.told.rows, t.told.ops, t.told.from = append(t.told.rows, r.row), append(t.told.ops, op), append(t.told.from, t.told.row)
	if t.spec.Numbered {
		t.told.ranks = append(t.told.ranks, int64(rank)+1)
	}
}

// send emits what has been told; b is the batch that brought it about.
func (t *TopN) send(b *dataflow.Batch, out dataflow.Output) error {
	n := len(t.told.rows)
	if n == 0 {
		return nil
	}
	err := t.chunks.each(t.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		part := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a, Cols: state.RowColumns(a, t.spec.Kinds, t.told.rows[lo:hi])}, Released: b.Released, Rank: b.Rank}
		if t.spec.Numbered {
			part.Cols = append(part.Cols, numbers(a, t.told.ranks[lo:hi]))
		}
		part.Ops = append([]vector.Op(nil), t.told.ops[lo:hi]...)
		if b.Order != nil {
			part.Order = make([]dataflow.Order, hi-lo)
			for i, row := range t.told.from[lo:hi] {
				part.Order[i] = b.Order[row]
				part.Order[i].Sub[t.spec.Level] = uint32(lo + i)
			}
		}
		return part
	}, out.Emit)
	clear(t.told.rows)
	t.told = changes{rows: t.told.rows[:0], ranks: t.told.ranks[:0], ops: t.told.ops[:0], from: t.told.from[:0]}
	t.counts.Out.Add(int64(n))
	return err
}

// numbers is a column of the numbers of rows.
func numbers(a *vector.Arena, ranks []int64) *vector.Vector {
	v := a.Flat(vector.Int64, len(ranks))
	copy(v.Ints, ranks)
	return v
}
