package operator

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
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
	// Partition are the columns whose values make a partition, with an order of its own; none if all rows are one.
	Partition      []int
	PartitionKinds []vector.Kind
	By             []state.Ordering
	// Offset rows are left out at the front, and Count is the most that are in the result; it is positive.
	Offset, Count int
	// Numbered puts the number of a row in its partition, from 1 on, behind its columns.
	Numbered bool
	// Latest puts a row before those that the order does not tell it apart from, of rows that are only added.
	Latest bool
	Kinds  []vector.Kind // of the columns
	Input  TopNInput
	// Keys are the columns by which rows replace each other, if they do; those of Partition are among them.
	Keys []int
	// TTL is how long a partition is kept to which no row is added and from which none is taken, in microseconds; 0 is for ever.
	TTL int64
	// Level is the place of the results in dataflow.Order; a single task has no use for it.
	Level  int
	Memory *vector.Pool
}

// TopN is the first rows of an order in each partition, of which it tells every change. Flink 2.3: rows that the order does not tell apart keep the order in which they
// came; without an offset or numbers the row that falls out leaves before the new one enters, which for a single row is an update, and otherwise every rank that another
// row takes is updated. What can never come into the result is forgotten at once.
type TopN struct {
	spec   TopNSpec
	end    int  // ranks from Offset to end-1 are the result
	shifts bool // every rank that another row takes is told
	keys   state.Keys
	parts  []partition        // by key
	live   int                // partitions that have rows
	keyed  map[string]*ranked // if rows replace each other
	life   lifetimes          // of partitions
	came   int64
	counts dataflow.Counts

	at              *partition // of the row at hand
	id              uint32     // its number
	ids             []uint32
	order, key, row []byte // of the row at hand
	before          []*ranked
	told            changes
	chunks          chunks
}

// partition is the rows with the same values of the partition's columns.
type partition struct {
	rows rankedRows
	last *ranked // of a result that is full; nil if it is not, or if others are kept too
}

// NewTopN makes the operator.
func NewTopN(spec TopNSpec) *TopN {
	return &TopN{spec: spec, end: spec.Offset + spec.Count, shifts: spec.Offset > 0 || spec.Numbered, keys: state.NewKeys(spec.PartitionKinds), keyed: map[string]*ranked{}, life: lifetimes{ttl: spec.TTL}}
}

// SetNow implements dataflow.Clocked.
func (t *TopN) SetNow(now int64) { t.life.now = now }

// Counts implements dataflow.Counted.
func (t *TopN) Counts() *dataflow.Counts { return &t.counts }

// Advance implements dataflow.Operator.
func (t *TopN) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (t *TopN) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	t.counts.In.Add(n)
	t.counts.Absorbed.Add(n)
	t.find(b)
	err := b.Segments(
		func(lo, hi int) error {
			rows := b.Rows()
			for ; lo < hi; lo++ {
				t.id = t.ids[lo]
				t.at = &t.parts[t.id]
				t.expire(t.id)
				was := t.at.rows.len() > 0
				t.take(b, rows.At(lo))
				t.live += int(oneIf(t.at.rows.len() > 0) - oneIf(was))
				if len(t.told.rows) >= emitRows {
					if err := t.send(b, out); err != nil {
						return err
					}
				}
			}
			return t.send(b, out)
		},
		onward(out))
	b.Release()
	t.life.sweep(int(n), len(t.parts), t.expire)
	t.compact()
	return err
}

// expire forgets the rows of a partition whose time is over.
func (t *TopN) expire(id uint32) {
	p := &t.parts[id]
	if t.life.ttl == 0 || p.rows.len() == 0 || !t.life.expired(id) {
		return
	}
	p.rows.all(func(r *ranked) bool {
		delete(t.keyed, r.key)
		return true
	})
	*p = partition{}
	t.live--
}

// find numbers the partitions of the rows of b.
func (t *TopN) find(b *dataflow.Batch) {
	rows := b.Rows()
	t.ids = extended(t.ids[:0], rows.Count())
	if len(t.spec.Partition) == 0 {
		t.parts = extended(t.parts, 1)
		t.life.grow(1)
		return
	}
	in := keyInput(b, t.spec.Partition, rows)
	t.keys.Find(&in, t.ids)
	t.parts = extended(t.parts, t.keys.Len())
	t.life.grow(len(t.parts))
}

func oneIf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// compact forgets the partitions without rows.
func (t *TopN) compact() {
	if !state.Crowded(t.keys.Len(), t.keys.Len()-t.live) {
		return
	}
	keys, old := state.Compact(t.keys, func(id uint32) bool { return t.parts[id].rows.len() > 0 })
	parts := make([]partition, len(old))
	for id, was := range old {
		parts[id] = t.parts[was]
	}
	t.life.compact(old)
	t.keys, t.parts = keys, parts
}

// take works off one row.
func (t *TopN) take(b *dataflow.Batch, row int) {
	t.told.row = int32(row)
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
	if last := t.at.last; last != nil {
		if c := bytes.Compare(t.order, last.order); c > 0 || c == 0 && !t.spec.Latest {
			return
		}
	}
	r := t.place(b, row)
	t.note(r)
	t.insert(r)
	t.tellInsert(r)
	if t.spec.Input != TakenBack && t.at.rows.len() > t.end {
		last := t.at.rows.last()
		t.at.rows.remove(last)
		delete(t.keyed, last.key)
	}
	t.noteLast()
}

// noteLast finds the row that others must come before, when there are as many rows as can be in the result and more are not kept.
func (t *TopN) noteLast() {
	if t.spec.Input != TakenBack && t.at.rows.len() >= t.end {
		t.at.last = t.at.rows.last()
	}
}

// place makes a row that comes last among its equals, or first.
func (t *TopN) place(b *dataflow.Batch, row int) *ranked {
	t.row = state.AppendRow(t.row[:0], b.Cols, row)
	r := newRanked(t.order, t.row, t.next())
	r.key = string(t.key)
	return r
}

// next decides between a row and those that came before it, where their order does not.
func (t *TopN) next() int64 {
	if t.spec.Latest {
		t.came--
	} else {
		t.came++
	}
	return t.came
}

func (t *TopN) insert(r *ranked) {
	t.life.write(t.id)
	t.at.rows.add(r)
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
	if t.shifts {
		t.tellMove(old, r)
	} else {
		t.tell(vector.UpdateBefore, old, 0)
		t.tell(vector.UpdateAfter, r, 0)
	}
	t.at.rows.remove(old)
	t.insert(r)
	t.noteLast()
	return true
}

// remove takes back a row: the first of those that are equal.
func (t *TopN) remove(b *dataflow.Batch, row int) {
	t.row = state.AppendRow(t.row[:0], b.Cols, row)
	var found *ranked
	rows := &t.at.rows
	rows.from(&ranked{order: t.order}, func(r *ranked) bool {
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
	t.life.write(t.id)
	at := rows.rank(found, t.end)
	if at >= t.end {
		rows.remove(found)
		return
	}
	if t.shifts {
		t.ranks(at)
		rows.remove(found)
		t.tellShift(at)
		return
	}
	rows.remove(found)
	t.tell(vector.Delete, found, 0)
	if next := rows.at(t.end - 1); next != nil {
		t.tell(vector.Insert, next, 0)
	}
}
