package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// OverSpec describes an Over. Its output columns are those of the input and the aggregates.
type OverSpec struct {
	Time       int   // column of event time
	Keys       []int // of the partition
	KeyKinds   []vector.Kind
	Kinds      []vector.Kind // of the columns
	Aggregates []Aggregate
	// Rows counts rows one by one; otherwise rows of one time share their results.
	Rows bool
	// Bounded says that a frame begins Preceding rows, or microseconds, before the row; the accumulators are function.Retractor then. Otherwise it has all rows before it.
	Bounded   bool
	Preceding int64
	// TTL is how long a key is kept whose first row has left, in microseconds; then its next row is the first again. 0 is for ever, as it is for frames that are bounded.
	TTL int64
	// Ordered gives every row a place in dataflow.Order, because there are several tasks.
	Ordered bool
	// Grain is the frontiers that somebody behind looks at.
	Grain  dataflow.Grain
	Memory *vector.Pool
}

// Over aggregates the rows before each row. It holds rows until the frontier has passed them, and lets them go in the order of their times, those of one time by key group and then as
// they came. Flink 2.3: without a bound of the frame a late row is dropped; with one it is dropped only if a row of its key and of its time or a later one has left, otherwise it
// leaves when the frontier rises next.
type Over struct {
	spec     OverSpec
	keys     state.Keys
	accs     []function.Accumulator
	parts    []overPart // by key, if frames are bounded
	held     heldRows
	waiting  []overRow // a heap
	frontier watermark.Frontier
	told     watermark.Frontier // to whoever is behind
	swept    int                // keys that were left when those whose rows are too old were last forgotten
	life     lifetimes          // of keys, from their first row on
	begun    []bool             // by key, if they have a time to live: the first row has left
	counts   dataflow.Counts

	ids      []uint32
	leaving  []overRow
	chunks   chunks
	most     int // rows that leave together, unless their time is the same
	waves    overWaves
	places   placer
	filtered filtered
}

// overPart is what is known of a partition whose frames are bounded.
type overPart struct {
	// frame is the rows that left and may still be in a frame, the oldest first.
	frame []int32
	// fired is the time of the last row that left; NoTime if there is none.
	fired int64
	// expires is the time of which the frontier must be past for all of this to be forgotten; NoTime if nothing is there. Flink 2.3 does so for RANGE, half a frame after the
	// last row could matter.
	expires int64
}

// overRow is a row that is held. Rows leave by place, then by sub, time and row.
type overRow struct {
	place int64  // its time, or the frontier when it came if that was later
	sub   uint32 // how late it was, and its key group
	time  int64
	row   int32
	id    uint32 // of its key
}

func (r overRow) before(s overRow) bool {
	switch {
	case r.place != s.place:
		return r.place < s.place
	case r.sub != s.sub:
		return r.sub < s.sub
	case r.time != s.time:
		return r.time < s.time
	}
	return r.row < s.row
}

// onTime is more than the whole seconds that are told apart among late rows. It leaves room for the key group.
const onTime = 1<<20 - 1

// NewOver makes the operator.
func NewOver(spec OverSpec) *Over {
	o := &Over{spec: spec, keys: state.NewKeys(spec.KeyKinds), frontier: watermark.Unset, told: watermark.Unset, life: lifetimes{ttl: spec.TTL}}
	for _, a := range spec.Aggregates {
		o.accs = append(o.accs, a.New())
	}
	o.held.reset(spec.Memory, spec.Kinds, 64)
	o.most = emitRows
	if slices.ContainsFunc(spec.Aggregates, func(a Aggregate) bool { return a.Kind == vector.Bytes }) {
		o.most = fewLong
	}
	return o
}

// Counts implements dataflow.Counted.
func (o *Over) Counts() *dataflow.Counts { return &o.counts }

// SetNow implements dataflow.Clocked.
func (o *Over) SetNow(now int64) { o.life.now = now }

// Process implements dataflow.Operator.
func (o *Over) Process(b *dataflow.Batch, out dataflow.Output) error {
	o.counts.In.Add(int64(b.Rows().Count()))
	if err := takeHeld(o, b, out); err != nil {
		return err
	}
	return out.Advance(dataflow.Progress{Frontier: o.frontier, Active: true})
}

// Advance implements dataflow.Operator.
func (o *Over) Advance(p dataflow.Progress, out dataflow.Output) error {
	if err := advanceHeld(o, p, out); err != nil {
		return err
	}
	return out.Advance(dataflow.Progress{Frontier: o.frontier, Active: p.Active})
}

// absorb holds the rows lo..hi-1 of b's selection.
func (o *Over) absorb(b *dataflow.Batch, lo, hi int, out dataflow.Output) error {
	rows, time := stretch(b, lo, hi), b.Cols[o.spec.Time]
	n := rows.Count()
	o.ids = extended(o.ids[:0], n)
	in := keyInput(b, o.spec.Keys, rows)
	o.keys.Find(&in, o.ids)
	o.grow()
	absorbed := int64(0)
	for k, id := range o.ids {
		row := rows.At(k)
		if time.IsNull(row) {
			return errNoTimeForOver
		}
		t := time.Int(row)
		if o.spec.Bounded && o.expired(id) {
			// Rows that are about to leave still need what is known of the key.
			if err := o.emit(out); err != nil {
				return err
			}
			o.forget(id)
		}
		if limit, late := o.late(id, t); late {
			o.counts.Drop(dataflow.Dropped{Time: t, Deadline: limit, Frontier: o.frontier})
			continue
		}
		o.wait(max(t, int64(o.frontier)), t, id, o.held.add(b.Cols, row))
		absorbed++
	}
	o.counts.Absorbed.Add(absorbed)
	return nil
}

// errNoTimeForOver is what a row without a time gets where rows are ordered by it.
var errNoTimeForOver = fault.Errorf(fault.Data, "a row has no event time (NULL), so it has no place in the order of OVER; filter it away with WHERE … IS NOT NULL, or drop such rows at the "+
	"source with SET 'table.exec.source.rowtime-null-handling' = 'DROP'")

// grow makes room for keys that were just numbered.
func (o *Over) grow() {
	for _, a := range o.accs {
		a.Grow(o.keys.Len())
	}
	if o.life.grow(o.keys.Len()); o.life.ttl > 0 {
		o.begun = extended(o.begun, o.keys.Len())
	}
	if !o.spec.Bounded {
		return
	}
	for len(o.parts) < o.keys.Len() {
		o.parts = append(o.parts, overPart{fired: watermark.NoTime, expires: watermark.NoTime})
	}
}

// late reports whether a row of key id at t is too late, and what it would have had to come before.
func (o *Over) late(id uint32, t int64) (limit int64, late bool) {
	if !o.spec.Bounded {
		return int64(o.frontier.Sub(timefmt.Millisecond)), o.frontier.Late(t)
	}
	p := &o.parts[id]
	if p.fired != watermark.NoTime && t <= p.fired {
		return p.fired, true
	}
	if !o.spec.Rows {
		needed := watermark.Frontier(t).Add(o.spec.Preceding).Add(timefmt.Millisecond)
		if p.expires == watermark.NoTime || p.expires < int64(needed) {
			p.expires = int64(needed.Add(timefmt.Floor(o.spec.Preceding/2, timefmt.Millisecond)))
		}
	}
	return 0, false
}

// expired reports whether what is known of key id is too old to matter.
func (o *Over) expired(id uint32) bool {
	e := o.parts[id].expires
	return e != watermark.NoTime && o.frontier.Late(e)
}

// forget makes key id empty.
func (o *Over) forget(id uint32) {
	p := &o.parts[id]
	for _, a := range o.accs {
		a.Clear(id)
	}
	o.held.gone += len(p.frame)
	*p = overPart{fired: watermark.NoTime, expires: watermark.NoTime}
}

// wait puts a row that is held in line, at a place that is not before its time.
func (o *Over) wait(place, t int64, id uint32, row int32) {
	seconds := int64(onTime)
	if t < place {
		seconds = max(onTime-1-int64(watermark.Frontier(place).Sub(t))/1_000_000, 0)
	}
	r := overRow{place: place, sub: uint32(seconds)<<12 | uint32(state.Group(o.keys.Hash(id))), time: t, row: row, id: id}
	o.waiting = heap.Push(o.waiting, r, overRow.before)
}

// rise lets the rows go that f has passed.
func (o *Over) rise(f watermark.Frontier, active bool, out dataflow.Output) error {
	if f <= o.frontier {
		return nil
	}
	o.frontier = f
	for len(o.waiting) > 0 && f.Late(o.waiting[0].place) {
		var r overRow
		r, o.waiting = heap.Pop(o.waiting, overRow.before)
		if n := len(o.leaving); n >= o.most && o.leaving[n-1].place != r.place {
			if err := o.emit(out); err != nil {
				return err
			}
		}
		o.leaving = append(o.leaving, r)
		if o.spec.Bounded {
			o.parts[r.id].fired = r.time
		}
	}
	if !o.spec.Grain.Crosses(o.told, f) {
		return nil
	}
	if err := o.emit(out); err != nil {
		return err
	}
	o.told = f
	return out.Advance(dataflow.Progress{Frontier: f, Active: active})
}

// emit sends the rows that leave, with their results.
func (o *Over) emit(out dataflow.Output) error {
	n := len(o.leaving)
	if n == 0 {
		return nil
	}
	scratch := o.spec.Memory.Get()
	held := &dataflow.Batch{Batch: vector.Batch{Cols: o.held.columns(), N: o.held.n, Arena: scratch}}
	if o.life.ttl > 0 {
		o.begin()
	}
	results := o.results(held, scratch)
	o.foresee(n, results)
	var places []dataflow.Order
	if o.spec.Ordered {
		for _, r := range o.leaving {
			places = append(places, o.places.next(r.place, r.sub))
		}
	}
	rows, positions := scratch.Sel(n), scratch.Sel(n)
	for k, r := range o.leaving {
		rows[k], positions[k] = r.row, int32(k)
	}
	err := o.chunks.each(o.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		// A late row must not overtake the frontier that it was too late for, whichever task sends it.
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a, Cols: a.Columns(len(held.Cols) + len(results))}, Released: o.told.Add(1)}
		for i, c := range held.Cols {
			b.Cols[i] = c.Take(a, rows[lo:hi])
		}
		for i, c := range results {
			b.Cols[len(held.Cols)+i] = c.Take(a, positions[lo:hi])
		}
		if places != nil {
			b.Order = places[lo:hi:hi]
		}
		return b
	}, out.Emit)
	scratch.Release()
	if !o.spec.Bounded {
		o.held.gone += n
	}
	o.leaving = o.leaving[:0]
	o.counts.Out.Add(int64(n))
	return err
}

// begin notes the first rows among those that leave, also of keys whose time was over.
func (o *Over) begin() {
	for _, r := range o.leaving {
		if o.begun[r.id] && o.life.expired(r.id) {
			for _, a := range o.accs {
				a.Clear(r.id)
			}
			o.begun[r.id] = false
		}
		if !o.begun[r.id] {
			o.begun[r.id] = true
			o.life.write(r.id)
		}
	}
}

// fewLong is how many rows leave together first if their results are strings or collections.
const fewLong = 64

// foresee sets how many rows are to leave together, after n rows with these results.
func (o *Over) foresee(n int, results []*vector.Vector) {
	size := 0
	for _, r := range results {
		size += len(r.Buf)
	}
	if size > 0 {
		o.most = min(max(n*emitBytes/size, 1), 2*n, emitRows)
	}
}
