package operator

import (
	"bytes"
	"sort"

	"github.com/tidwall/btree"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// TopNInput says what the rows of a TopN do to those before them.
type TopNInput uint8

// The inputs of a TopN.
const (
	Added     TopNInput = iota // nothing
	TakenBack                  // some take back earlier ones, so that every row may still come into the result
	Replaced                   // each takes the place of the one with the same keys, and does not stand behind it
)

// TopNSpec describes a TopN.
type TopNSpec struct {
	By []state.Ordering
	// Offset rows are left out at the front, and Count is the most that are in the result; it is positive.
	Offset, Count int
	Kinds         []vector.Kind // of the columns
	Input         TopNInput
	// Keys are the columns by which rows replace each other, if they do.
	Keys   []int
	Memory *vector.Pool
}

// TopN is the first rows of an order, of which it tells every change. Flink 2.3: rows that the order does not tell apart keep the order in which they came; without
// an offset the row that falls out leaves before the new one enters, which for a single row is an update, and with an offset every rank that another row takes is
// updated. What can never come into the result is forgotten at once.
type TopN struct {
	spec   TopNSpec
	end    int // ranks from Offset to end-1 are the result
	rows   *btree.BTreeG[*ranked]
	keyed  map[string]*ranked // if rows replace each other
	last   *ranked            // of a result that is full; nil if it is not, or if others are kept too
	came   uint64
	counts dataflow.Counts

	order, key, row []byte // of the row at hand
	before          []*ranked
	told            changes
}

// ranked is a row with its place.
type ranked struct {
	order []byte
	came  uint64
	row   []byte
	key   string
}

func (r *ranked) less(s *ranked) bool {
	if c := bytes.Compare(r.order, s.order); c != 0 {
		return c < 0
	}
	return r.came < s.came
}

// changes is what has been told and not yet sent.
type changes struct {
	rows [][]byte
	ops  []vector.Op
}

// NewTopN makes the operator.
func NewTopN(spec TopNSpec) *TopN {
	return &TopN{spec: spec, end: spec.Offset + spec.Count, keyed: map[string]*ranked{},
		rows: btree.NewBTreeGOptions((*ranked).less, btree.Options{NoLocks: true})}
}

// Counts implements dataflow.Counted.
func (t *TopN) Counts() *dataflow.Counts { return &t.counts }

// Advance implements dataflow.Operator.
func (t *TopN) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (t *TopN) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	t.counts.In.Add(n)
	t.counts.Absorbed.Add(n)
	err := b.Segments(
		func(lo, hi int) error {
			rows := b.Rows()
			for ; lo < hi; lo++ {
				t.take(b, rows.At(lo))
				if len(t.told.rows) >= emitRows {
					if err := t.send(b, out); err != nil {
						return err
					}
				}
			}
			return t.send(b, out)
		},
		func(f watermark.Frontier) error { return out.Advance(dataflow.Progress{Frontier: f, Active: true}) })
	b.Release()
	return err
}

// take works off one row.
func (t *TopN) take(b *dataflow.Batch, row int) {
	t.order = state.AppendOrder(t.order[:0], b.Cols, t.spec.By, row)
	switch t.spec.Input {
	case TakenBack:
		if takesBack(b.Ops, int32(row)) {
			t.remove(b, row)
			return
		}
	case Replaced:
		if t.replace(b, row) {
			return
		}
	}
	if t.last != nil && bytes.Compare(t.order, t.last.order) >= 0 {
		return
	}
	r := t.place(b, row)
	t.note(r)
	t.insert(r)
	t.tellInsert(r)
	if t.spec.Input != TakenBack && t.rows.Len() > t.end {
		last, _ := t.rows.PopMax()
		delete(t.keyed, last.key)
	}
	t.noteLast()
}

// noteLast finds the row that others must come before, when there are as many rows as can be in the result and more are not kept.
func (t *TopN) noteLast() {
	if t.spec.Input != TakenBack && t.rows.Len() >= t.end {
		t.last, _ = t.rows.Max()
	}
}

// place makes a row that comes last among its equals.
func (t *TopN) place(b *dataflow.Batch, row int) *ranked {
	t.came++
	order := bytes.Clone(t.order)
	return &ranked{order: order, came: t.came, row: state.AppendRow(nil, b.Cols, row), key: string(t.key)}
}

func (t *TopN) insert(r *ranked) {
	t.rows.Set(r)
	if t.spec.Input == Replaced {
		t.keyed[r.key] = r
	}
}

// replace deals with a row whose key is there already, and reports whether that was all. Updates come in pairs here, of which the second says everything.
func (t *TopN) replace(b *dataflow.Batch, row int) bool {
	t.key = t.key[:0]
	for _, k := range t.spec.Keys {
		t.key = state.AppendRow(t.key, b.Cols[k:k+1], row)
	}
	if takesBack(b.Ops, int32(row)) {
		return true
	}
	old := t.keyed[string(t.key)]
	if old == nil {
		return false
	}
	r := t.place(b, row)
	if bytes.Equal(r.order, old.order) {
		r.came = old.came
	}
	if t.spec.Offset > 0 {
		t.tellMove(old, r)
	} else {
		t.tell(vector.UpdateBefore, old)
		t.tell(vector.UpdateAfter, r)
	}
	t.rows.Delete(old)
	t.insert(r)
	t.noteLast()
	return true
}

// tellMove tells that r is about to take the place of old, which is where it was or further in front, and every row in between moves back by one rank. Flink 2.3: the old row
// leaves before the new one enters.
func (t *TopN) tellMove(old, r *ranked) {
	to, from := t.rank(r), t.rank(old)
	at := func(rank int) *ranked {
		x, _ := t.rows.GetAt(rank)
		return x
	}
	if to >= t.spec.Offset && to < from {
		t.tell(vector.UpdateBefore, at(to))
	}
	if from >= t.spec.Offset {
		t.tell(vector.UpdateBefore, old)
	}
	if to >= t.spec.Offset {
		t.tell(vector.UpdateAfter, r)
	}
	for rank := max(to+1, t.spec.Offset); rank <= from; rank++ {
		if rank < from {
			t.tell(vector.UpdateBefore, at(rank))
		}
		t.tell(vector.UpdateAfter, at(rank-1))
	}
}

// remove takes back a row: the first of those that are equal.
func (t *TopN) remove(b *dataflow.Batch, row int) {
	t.row = state.AppendRow(t.row[:0], b.Cols, row)
	var found *ranked
	t.rows.Ascend(&ranked{order: t.order}, func(r *ranked) bool {
		if !bytes.Equal(r.order, t.order) {
			return false
		}
		if bytes.Equal(r.row, t.row) {
			found = r
		}
		return found == nil
	})
	if found == nil {
		return // There was nothing to take back.
	}
	at := t.rank(found)
	if at >= t.end {
		t.rows.Delete(found)
		return
	}
	if t.spec.Offset > 0 {
		t.ranks(at)
		t.rows.Delete(found)
		t.tellShift(at)
		return
	}
	t.rows.Delete(found)
	t.tell(vector.Delete, found)
	if next, ok := t.rows.GetAt(t.end - 1); ok {
		t.tell(vector.Insert, next)
	}
}

// rank is how many rows stand before r, or t.end if they are as many or more.
func (t *TopN) rank(r *ranked) int {
	return sort.Search(min(t.rows.Len(), t.end), func(i int) bool {
		x, _ := t.rows.GetAt(i)
		return !x.less(r)
	})
}

// note remembers what stands at the ranks that r will change.
func (t *TopN) note(r *ranked) {
	if t.spec.Offset > 0 {
		t.ranks(t.rank(r))
	}
}

// tellInsert tells what r has changed.
func (t *TopN) tellInsert(r *ranked) {
	if t.spec.Offset > 0 {
		t.tellShift(t.rank(r))
		return
	}
	if out, ok := t.rows.GetAt(t.end); ok {
		if !r.less(out) {
			return
		}
		if t.end == 1 && t.spec.Input != TakenBack {
			t.tell(vector.UpdateBefore, out)
			t.tell(vector.UpdateAfter, r)
			return
		}
		t.tell(vector.Delete, out)
	}
	t.tell(vector.Insert, r)
}

// ranks remembers the part of the result that begins at a rank.
func (t *TopN) ranks(from int) { t.before = t.result(t.before[:0], from) }

// result appends the rows of the result from a rank on.
func (t *TopN) result(list []*ranked, from int) []*ranked {
	at := max(from, t.spec.Offset)
	first, ok := t.rows.GetAt(at)
	if !ok {
		return list
	}
	t.rows.Ascend(first, func(r *ranked) bool {
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
		switch {
		case i >= len(before):
			t.tell(vector.Insert, after[i])
		case i >= len(after):
			t.tell(vector.Delete, before[i])
		case before[i] != after[i]:
			t.tell(vector.UpdateBefore, before[i])
			t.tell(vector.UpdateAfter, after[i])
		}
	}
	t.before = all
}

func (t *TopN) tell(op vector.Op, r *ranked) {
	t.told.rows, t.told.ops = append(t.told.rows, r.row), append(t.told.ops, op)
}

// send emits what has been told; b is the batch that brought it about.
func (t *TopN) send(b *dataflow.Batch, out dataflow.Output) error {
	n := len(t.told.rows)
	if n == 0 {
		return nil
	}
	a := t.spec.Memory.Get()
	part := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: state.RowColumns(a, t.spec.Kinds, t.told.rows)}, Released: b.Released, Rank: b.Rank}
	part.Ops = append([]vector.Op(nil), t.told.ops...)
	clear(t.told.rows)
	t.told.rows, t.told.ops = t.told.rows[:0], t.told.ops[:0]
	t.counts.Out.Add(int64(n))
	return out.Emit(part)
}
