package operator

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// WindowTopNSpec describes a WindowTopN.
type WindowTopNSpec struct {
	Windows Attached // of the rows
	// Keys are the columns of the partition, without those of the window.
	Keys     []int
	KeyKinds []vector.Kind
	By       []state.Ordering
	// Offset rows are left out at the front, and Count is the most that leave; it is positive.
	Offset, Count int
	// Numbered puts the number of a row in its partition, from 1 on, behind its columns.
	Numbered bool
	// Latest puts a row before those that the order does not tell it apart from.
	Latest bool
	Kinds  []vector.Kind // of the columns
	Tick   int64         // of window_time, microseconds
	Memory *vector.Pool
}

// WindowTopN keeps the first rows of each partition of a window, and emits them when the frontier says that the window is complete. What can never be among them is forgotten at
// once. Flink 2.3: a row whose window is complete is dropped.
type WindowTopN struct {
	firings
	spec     WindowTopNSpec
	windows  map[window.Window]*rankedWindow
	pending  windowHeap
	frontier watermark.Frontier
	came     int64
	counts   dataflow.Counts

	ids        []uint32
	order, row []byte // of the row at hand
	group      []uint32
	rows       [][]byte
	ranks      []int64
	chunks     chunks
}

// rankedWindow is the partitions of one window.
type rankedWindow struct {
	keys  state.Keys
	parts []rankedRows // by key
	batch []int32      // rows of the batch at hand, not yet added
}

// NewWindowTopN makes the operator.
func NewWindowTopN(spec WindowTopNSpec) *WindowTopN {
	return &WindowTopN{spec: spec, windows: map[window.Window]*rankedWindow{}, frontier: watermark.Unset}
}

// Counts implements dataflow.Counted.
func (w *WindowTopN) Counts() *dataflow.Counts { return &w.counts }

// Process implements dataflow.Operator.
func (w *WindowTopN) Process(b *dataflow.Batch, out dataflow.Output) error {
	w.counts.In.Add(int64(b.Rows().Count()))
	err := b.Segments(
		func(lo, hi int) error { return w.absorb(b, lo, hi) },
		func(f watermark.Frontier) error { return w.Advance(dataflow.Progress{Frontier: f, Active: true}, out) })
	b.Release()
	return err
}

// Advance implements dataflow.Operator.
func (w *WindowTopN) Advance(p dataflow.Progress, out dataflow.Output) error {
	w.frontier = max(w.frontier, p.Frontier)
	p.Frontier = w.frontier
	return w.pending.fireDue(p, w.spec.Windows.deadline, func(x window.Window) error { return w.fire(x, out) }, out)
}

func (w *WindowTopN) complete(x window.Window) bool {
	return w.frontier.Complete(w.spec.Windows.deadline(x))
}

// absorb sorts the rows lo..hi-1 of b's selection by window, and adds them.
func (w *WindowTopN) absorb(b *dataflow.Batch, lo, hi int) error {
	starts, ends, rows := b.Cols[w.spec.Windows.Start], b.Cols[w.spec.Windows.End], b.Rows()
	var touched []*rankedWindow
	var at *rankedWindow
	var last window.Window
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if starts.IsNull(row) || ends.IsNull(row) {
			return errNullTime
		}
		x := window.Window{Start: starts.Int(row), End: ends.Int(row)}
		if at == nil || x != last {
			if w.complete(x) {
				w.counts.Drop(dataflow.Dropped{Time: x.End - w.spec.Tick, Deadline: w.spec.Windows.deadline(x), Frontier: w.frontier})
				at = nil
				continue
			}
			at, last = w.window(x), x
			if len(at.batch) == 0 {
				touched = append(touched, at)
			}
		}
		at.batch = append(at.batch, int32(row))
	}
	for _, x := range touched {
		w.counts.Absorbed.Add(int64(len(x.batch)))
		in := keyInput(b, w.spec.Keys, vector.Rows{Sel: x.batch, N: b.N})
		w.ids = extended(w.ids[:0], len(x.batch))
		x.keys.Find(&in, w.ids)
		x.parts = extended(x.parts, x.keys.Len())
		for k, row := range x.batch {
			w.add(&x.parts[w.ids[k]], b, int(row))
		}
		x.batch = x.batch[:0]
	}
	return nil
}

// window finds or makes a window.
func (w *WindowTopN) window(x window.Window) *rankedWindow {
	at := w.windows[x]
	if at == nil {
		at = &rankedWindow{keys: state.NewKeys(w.spec.KeyKinds)}
		w.windows[x] = at
		w.pending.push(x)
	}
	return at
}

// add puts a row into its partition, if it may be among those that leave.
func (w *WindowTopN) add(to *rankedRows, b *dataflow.Batch, row int) {
	w.order = state.AppendOrder(w.order[:0], b.Cols, w.spec.By, row)
	full := to.len() >= w.spec.Offset+w.spec.Count
	if full {
		if c := bytes.Compare(w.order, to.last().order); c > 0 || c == 0 && !w.spec.Latest {
			return
		}
	}
	w.came++
	w.row = state.AppendRow(w.row[:0], b.Cols, row)
	r := newRanked(w.order, w.row, w.came)
	if w.spec.Latest {
		r.came = -r.came
	}
	if full {
		to.remove(to.last())
	}
	to.add(r)
}

// fire emits a window.
func (w *WindowTopN) fire(x window.Window, out dataflow.Output) error {
	at := w.windows[x]
	delete(w.windows, x)
	w.group = orderByGroup(at.keys, w.group)
	w.rows, w.ranks = w.rows[:0], w.ranks[:0]
	for _, id := range w.group {
		rank := 0
		at.parts[id].all(func(r *ranked) bool {
			if rank++; rank > w.spec.Offset {
				w.rows, w.ranks = append(w.rows, r.row), append(w.ranks, int64(rank))
			}
			return true
		})
		if len(w.rows) >= emitRows {
			if err := w.send(x, out); err != nil {
				return err
			}
		}
	}
	return w.send(x, out)
}

// send emits the rows that have been gathered of a window.
func (w *WindowTopN) send(x window.Window, out dataflow.Output) error {
	err := w.chunks.each(w.spec.Memory, len(w.rows), func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a, Cols: state.RowColumns(a, w.spec.Kinds, w.rows[lo:hi])},
			Released: watermark.Frontier(w.spec.Windows.deadline(x)), Rank: [2]int64{x.End, x.Start}}
		if w.spec.Numbered {
			b.Cols = append(b.Cols, numbers(a, w.ranks[lo:hi]))
		}
		return b
	}, out.Emit)
	w.counts.Out.Add(int64(len(w.rows)))
	w.tellWindow(x, w.spec.Windows.deadline, len(w.rows))
	clear(w.rows)
	w.rows, w.ranks = w.rows[:0], w.ranks[:0]
	return err
}
