package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// WindowAggregateSpec describes an aggregation per key and window. Its output columns are the keys, the aggregates, then
// window_start, window_end and window_time.
type WindowAggregateSpec struct {
	Windows    Framing
	Keys       []int // input columns
	KeyKinds   []vector.Kind
	Aggregates []Aggregate
	Tick       int64 // of window_time, microseconds
	Memory     *vector.Pool
}

// Framing says how rows find their windows: *Aligned or *Attached.
type Framing interface {
	// assign gives the rows lo..hi-1 of b's selection to slices of w.
	assign(w *WindowAggregate, b *dataflow.Batch, lo, hi int) error
	// schedule queues the first window not yet complete that holds s.
	schedule(w *WindowAggregate, s *slice)
	// fire emits window x, whose deadline has come, and lets go of the slices that nobody needs any more. The window that follows from x is
	// queued before that: it may have the same deadline.
	fire(w *WindowAggregate, x window.Window) error
	// deadline is the frontier at which x is complete.
	deadline(x window.Window) int64
}

// WindowAggregate aggregates per key and window, and emits a window when the frontier says that it is complete.
//
// State is kept per slice, the part of time between two neighbouring window edges: a row is added once, whatever the number of
// windows that hold it, and a window merges its slices when it fires. Flink 2.3: a row is dropped only if the last window that
// could hold it is complete; one that is late for some windows still counts in the others.
type WindowAggregate struct {
	firings
	spec     WindowAggregateSpec
	slices   map[window.Window]*slice
	touched  []*slice // by the segment at hand
	pending  windowHeap
	queued   map[window.Window]bool // what pending holds
	frontier watermark.Frontier
	counts   dataflow.Counts
	cold     *coldSlices // nil without a limit of memory

	free     []*slice
	scratch  *slice   // where a window of several slices is merged
	occupied []*slice // of the window that fires
	out      dataflow.Output
	ids      []uint32
	order    []uint32
	every    []uint32 // the numbers from 0 on, for snapshots
	chunks   chunks
	filtered filtered
}

// NewWindowAggregate makes the operator.
func NewWindowAggregate(spec WindowAggregateSpec) *WindowAggregate {
	return &WindowAggregate{
		spec:     spec,
		slices:   map[window.Window]*slice{},
		queued:   map[window.Window]bool{},
		frontier: watermark.Unset,
	}
}

// Counts implements dataflow.Counted.
func (w *WindowAggregate) Counts() *dataflow.Counts { return &w.counts }

// Process implements dataflow.Operator.
func (w *WindowAggregate) Process(b *dataflow.Batch, out dataflow.Output) error {
	w.counts.In.Add(int64(b.Rows().Count()))
	err := b.Segments(
		func(lo, hi int) error { return w.absorb(b, lo, hi) },
		func(f watermark.Frontier) error { return w.advance(dataflow.Progress{Frontier: f, Active: true}, out) })
	b.Release()
	if err != nil {
		return err
	}
	return w.makeRoom()
}

// Advance implements dataflow.Operator.
func (w *WindowAggregate) Advance(p dataflow.Progress, out dataflow.Output) error {
	if err := w.advance(p, out); err != nil {
		return err
	}
	return w.makeRoom()
}

func (w *WindowAggregate) advance(p dataflow.Progress, out dataflow.Output) error {
	w.frontier = max(w.frontier, p.Frontier)
	w.out = out
	p.Frontier = w.frontier
	return w.pending.fireDue(p, w.spec.Windows.deadline, func(x window.Window) error {
		delete(w.queued, x)
		return w.spec.Windows.fire(w, x)
	}, out)
}

func (w *WindowAggregate) absorb(b *dataflow.Batch, lo, hi int) error {
	w.touched = w.touched[:0]
	if err := w.spec.Windows.assign(w, b, lo, hi); err != nil {
		return err
	}
	for _, s := range w.touched {
		w.counts.Absorbed.Add(int64(len(s.rows)))
		if err := w.add(s, b); err != nil {
			return err
		}
	}
	return nil
}

// add puts the rows collected for s into its table.
func (w *WindowAggregate) add(s *slice, b *dataflow.Batch) error {
	in := keyInput(b, w.spec.Keys, vector.Rows{Sel: s.rows, N: b.N})
	w.ids = slices.Grow(w.ids[:0], len(s.rows))[:len(s.rows)]
	known := s.keys.Len()
	s.keys.Find(&in, w.ids)
	if w.cold != nil {
		if err := w.meet(s, known, w.ids); err != nil {
			return err
		}
	}
	for i, acc := range s.accs {
		acc.Grow(s.keys.Len())
		w.spec.Aggregates[i].add(acc, b, w.ids, in.Rows, &w.filtered)
	}
	s.rows = s.rows[:0]
	return nil
}

// drop counts a row whose last window, with the given deadline, is complete.
func (w *WindowAggregate) drop(t, deadline int64) {
	w.counts.Drop(dataflow.Dropped{Time: t, Deadline: deadline, Frontier: w.frontier})
}

// queue makes sure that x fires when its deadline comes.
func (w *WindowAggregate) queue(x window.Window) {
	if !w.queued[x] {
		w.queued[x] = true
		w.pending.push(x)
	}
}

func (w *WindowAggregate) complete(x window.Window) bool {
	return w.frontier.Complete(w.spec.Windows.deadline(x))
}

// finish emits window x, which is a single slice, and lets go of that.
func (w *WindowAggregate) finish(x window.Window) error {
	s := w.slices[x]
	var err error
	if allHot(s) {
		err = w.emit(x, s)
	} else {
		err = w.fireCold(x, coldFiring{slices: []*slice{s}, onto: true, takes: func(*slice) bool { return true }})
	}
	if err == nil {
		w.discard(x)
	}
	return err
}

// emit sends the groups of s as the result of window x.
func (w *WindowAggregate) emit(x window.Window, s *slice) error {
	w.order = orderByGroup(s.keys, w.order)
	w.counts.Out.Add(int64(len(w.order)))
	deadline := w.spec.Windows.deadline(x)
	err := w.chunks.each(w.spec.Memory, len(w.order), func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		ids := w.order[lo:hi]
		b := windowRows(a, s.keys, ids, s.accs, ids, x, deadline-w.spec.Tick)
		b.Released, b.Rank = watermark.Frontier(deadline), [2]int64{x.End, x.Start}
		return b
	}, w.out.Emit)
	w.tellWindow(x, w.spec.Windows.deadline, len(w.order))
	return err
}

// windowRows lays out result rows: keys, aggregates, window_start, window_end, window_time. Row k is key ids[k] with group groups[k].
func windowRows(a *vector.Arena, keys state.Keys, ids []uint32, accs []function.Accumulator, groups []uint32, x window.Window, windowTime int64) *dataflow.Batch {
	cols := keys.Columns(a, ids, make([]*vector.Vector, 0, 8))
	for _, acc := range accs {
		cols = append(cols, acc.Result(a, groups))
	}
	for _, t := range [...]int64{x.Start, x.End, windowTime} {
		v := a.Constant(vector.Int64)
		v.Ints[0] = t
		cols = append(cols, v)
	}
	return &dataflow.Batch{Batch: vector.Batch{Cols: cols, N: len(ids), Arena: a}}
}

// errNullTime is what a row without a time gets where a time decides.
var errNullTime = fault.Errorf(fault.Data, "a row has no event time (NULL), so it belongs to no window; "+
	"filter it away before the window with WHERE … IS NOT NULL, or drop such rows at the source with "+
	"SET 'table.exec.source.rowtime-null-handling' = 'DROP'")
