package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// DeduplicateSpec describes a Deduplicate.
type DeduplicateSpec struct {
	ID      []int // columns
	IDKinds []vector.Kind
	// System is the column that says when a row came to exist.
	System int
}

// Deduplicate passes the first row of each id. YTsaurus Flow: a message has been processed if its id is known, or if its system time is less than the system watermark; so what is below that is
// forgotten, and the table holds no more than is on its way. Here an id is known until the system watermark has passed the last row that had it. While nobody knows a system watermark, nothing is
// forgotten.
type Deduplicate struct {
	spec   DeduplicateSpec
	keys   state.Keys
	seen   []int64   // by key: the system time of the last row, forgotten if there is none
	due    []knownID // a heap of those that are known
	live   int       // ids that are known
	system watermark.Frontier
	passed watermark.Frontier
	counts dataflow.Counts
	ids    []uint32
}

// forgotten is the time of a row whose id is not known.
const forgotten = watermark.NoTime

// knownID is when an id can be forgotten: it may have been seen again since that was noted.
type knownID struct {
	time int64
	id   uint32
}

func (k knownID) before(l knownID) bool {
	if k.time != l.time {
		return k.time < l.time
	}
	return k.id < l.id
}

// NewDeduplicate makes the operator.
func NewDeduplicate(spec DeduplicateSpec) *Deduplicate {
	return &Deduplicate{spec: spec, keys: state.NewKeys(spec.IDKinds), system: watermark.Unset, passed: watermark.Unset}
}

// Counts implements dataflow.Counted.
func (d *Deduplicate) Counts() *dataflow.Counts { return &d.counts }

// Process implements dataflow.Operator.
func (d *Deduplicate) Process(b *dataflow.Batch, out dataflow.Output) error {
	rows := b.Rows()
	n := rows.Count()
	d.counts.In.Add(int64(n))
	oneZero(b.Cols)
	d.ids = extended(d.ids[:0], n)
	in := keyInput(b, d.spec.ID, rows)
	d.keys.Find(&in, d.ids)
	for len(d.seen) < d.keys.Len() {
		d.seen = append(d.seen, forgotten)
	}
	sel, filtered := b.Arena.Sel(n)[:0], int64(0)
	for k, id := range d.ids {
		row := rows.At(k)
		t := int64(watermark.Final) - 1 // never to be forgotten
		if c := b.Cols[d.spec.System]; !c.IsNull(row) {
			t = c.Int(row)
		}
		switch was := d.seen[id]; {
		case was != forgotten:
			d.seen[id] = max(was, t)
			filtered++
			continue
		case d.system.Late(t):
			d.counts.Drop(dataflow.Dropped{Time: t, Deadline: t, Frontier: d.system})
			continue
		}
		d.know(id, t)
		sel = append(sel, int32(row))
	}
	d.counts.Filtered.Add(filtered)
	d.counts.Out.Add(int64(len(sel)))
	b.Sel, b.Hashes = sel, nil
	if state.Crowded(d.keys.Len(), d.keys.Len()-d.live) {
		d.compact()
	}
	return d.emit(b, out)
}

// emit sends b. Rows of one of several tasks leave one stretch after the other, so that their place among the marks is known behind all of them.
func (d *Deduplicate) emit(b *dataflow.Batch, out dataflow.Output) error {
	if b.Order == nil {
		return out.Emit(b)
	}
	if len(b.Marks) == 0 {
		b.Released = causesOf(b, d.passed).released
		return out.Emit(b)
	}
	err := b.Segments(
		func(lo, hi int) error {
			part := b.Part(lo, hi)
			part.Marks, part.Released = nil, causesOf(b, d.passed).released
			return out.Emit(part)
		},
		func(f watermark.Frontier) error {
			return d.Advance(dataflow.Progress{Frontier: f, Active: true}, out)
		})
	b.Release()
	return err
}

func (d *Deduplicate) know(id uint32, t int64) {
	d.seen[id] = t
	d.live++
	d.due = heap.Push(d.due, knownID{t, id}, knownID.before)
}

// Advance implements dataflow.Operator.
func (d *Deduplicate) Advance(p dataflow.Progress, out dataflow.Output) error {
	d.passed = max(d.passed, p.Frontier)
	return out.Advance(p)
}

// SetSystem implements dataflow.SystemFronted.
func (d *Deduplicate) SetSystem(f watermark.Frontier) {
	d.system = max(d.system, f)
	for len(d.due) > 0 && d.system.Late(d.due[0].time) {
		var k knownID
		k, d.due = heap.Pop(d.due, knownID.before)
		if t := d.seen[k.id]; t > k.time {
			d.due = heap.Push(d.due, knownID{t, k.id}, knownID.before)
			continue
		}
		d.seen[k.id] = forgotten
		d.live--
	}
	if state.Crowded(d.keys.Len(), d.keys.Len()-d.live) {
		d.compact()
	}
}

// compact makes room where ids were that are not known any more.
func (d *Deduplicate) compact() {
	keys, old := state.Compact(d.keys, func(id uint32) bool { return d.seen[id] != forgotten })
	number, seen := make([]uint32, d.keys.Len()), make([]int64, len(old))
	for id, was := range old {
		number[was], seen[id] = uint32(id), d.seen[was]
	}
	due := make([]knownID, len(d.due))
	for i, k := range d.due {
		due[i] = knownID{k.time, number[k.id]} // in the same order, so that the heap stays one
	}
	d.keys, d.seen, d.due = keys, seen, due
}

const deduplicateStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, numbers little-endian in eight bytes: the version (one byte), the system frontier, the number of ids that are known, and each of them as package
// state writes keys, behind the time of its last row.
func (d *Deduplicate) Snapshot(dst []byte) []byte {
	dst = appendInt64(appendInt64(append(dst, deduplicateStateVersion), int64(d.system)), int64(d.live))
	for id, t := range d.seen {
		if t != forgotten {
			dst = d.keys.Encode(appendInt64(dst, t), uint32(id))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful. Every id is read into a table of its own first: only the id tells whether it belongs here.
func (d *Deduplicate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one, into := state.NewKeys(d.spec.IDKinds), make([]uint32, 1)
	for i, part := range parts {
		r := &decoder{src: part}
		r.version(deduplicateStateVersion)
		if f := watermark.Frontier(r.int64()); i == 0 || f < d.system {
			d.system = f
		}
		for range r.count() {
			t := r.int64()
			one.Reset()
			if _, ok := r.key(one); !ok {
				return r.err
			}
			if !owns(one.Hash(0)) {
				continue
			}
			d.keys.Merge(one, into)
			for len(d.seen) < d.keys.Len() {
				d.seen = append(d.seen, forgotten)
			}
			r.once(d.seen[into[0]] == forgotten && t != forgotten)
			d.know(into[0], t)
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}

// Size implements dataflow.Sized. Ids are groups.
func (d *Deduplicate) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(d.live), Bytes: d.keys.Bytes() + 8*int64(len(d.seen)) + 16*int64(len(d.due))}
}
