package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// WindowAssign is a window table function on its own: every row leaves at once, once per window that holds it, with window_start,
// window_end and window_time behind its columns. It drops nothing for being late.
type WindowAssign struct {
	spec   window.Spec
	time   int
	zone   *window.Zone // nil for a TIMESTAMP
	tick   int64
	memory *vector.Pool
	counts dataflow.Counts

	// Rows of the batch to be emitted next: their windows, the input rows they come from, and the marks among them.
	windows []window.Window
	sources []int32
	marks   []watermark.Mark
}

// NewWindowAssign makes the operator for an aligned kind of window over the input column time.
func NewWindowAssign(spec window.Spec, time int, zone *window.Zone, tick int64, memory *vector.Pool) *WindowAssign {
	return &WindowAssign{spec: spec, time: time, zone: zone, tick: tick, memory: memory}
}

// Counts implements dataflow.Counted.
func (w *WindowAssign) Counts() *dataflow.Counts { return &w.counts }

// Process implements dataflow.Operator. A row can be in very many windows, so results leave in batches of emitRows.
func (w *WindowAssign) Process(b *dataflow.Batch, out dataflow.Output) error {
	w.windows, w.sources, w.marks = w.windows[:0], w.sources[:0], nil
	w.counts.In.Add(int64(b.Rows().Count()))
	err := b.Segments(
		func(lo, hi int) error { return w.assign(b, lo, hi, out) },
		func(f watermark.Frontier) error {
			w.marks = append(w.marks, watermark.Mark{Row: int32(len(w.sources)), F: f})
			return nil
		})
	if err == nil {
		err = w.flush(b, len(w.sources), out)
	}
	b.Release()
	return err
}

func (w *WindowAssign) assign(b *dataflow.Batch, lo, hi int, out dataflow.Output) error {
	times, rows := b.Cols[w.time], b.Rows()
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if times.IsNull(row) {
			return errNullTime
		}
		t := times.Int(row)
		if w.zone != nil {
			t = w.zone.ToLocal(t)
		}
		before := len(w.windows)
		w.windows = w.spec.Assign(t, w.windows)
		for range len(w.windows) - before {
			w.sources = append(w.sources, int32(row))
		}
		if len(w.windows) == before {
			w.counts.Filtered.Add(1)
		}
		for len(w.sources) >= emitRows {
			if err := w.flush(b, emitRows, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush emits the first n rows and the marks so far, which are all among them.
func (w *WindowAssign) flush(b *dataflow.Batch, n int, out dataflow.Output) error {
	marks := w.marks
	w.marks = nil
	if n == 0 {
		for _, m := range marks {
			if err := out.Advance(dataflow.Progress{Frontier: m.F, Active: true}); err != nil {
				return err
			}
		}
		return nil
	}
	a := w.memory.Get()
	var cols []*vector.Vector
	if n == 1 {
		cols = w.columns(a, b, n)
	} else if !a.Within(emitBytes, func() { cols = w.columns(a, b, n) }) {
		a.Release()
		return w.halves(b, n, marks, out)
	}
	part := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: cols}, Marks: marks, Released: b.Released, Rank: b.Rank}
	if b.Ops != nil {
		part.Ops = make([]vector.Op, n)
		for i, row := range w.sources[:n] {
			part.Ops[i] = b.Ops[row]
		}
	}
	if b.Order != nil {
		part.Order = make([]dataflow.Order, n)
		for i, row := range w.sources[:n] {
			part.Order[i] = b.Order[row]
		}
	}
	w.counts.Out.Add(int64(n))
	w.windows = w.windows[:copy(w.windows, w.windows[n:])]
	w.sources = w.sources[:copy(w.sources, w.sources[n:])]
	return out.Emit(part)
}

// halves emits the first n rows in two batches.
func (w *WindowAssign) halves(b *dataflow.Batch, n int, marks []watermark.Mark, out dataflow.Output) error {
	half := n / 2
	later := slices.IndexFunc(marks, func(m watermark.Mark) bool { return int(m.Row) > half })
	if later < 0 {
		later = len(marks)
	}
	w.marks = marks[:later:later]
	if err := w.flush(b, half, out); err != nil {
		return err
	}
	w.marks = marks[later:]
	for i := range w.marks {
		w.marks[i].Row -= int32(half)
	}
	return w.flush(b, n-half, out)
}

func (w *WindowAssign) columns(a *vector.Arena, b *dataflow.Batch, n int) []*vector.Vector {
	cols := a.Columns(len(b.Cols) + 3)
	for i, c := range b.Cols {
		cols[i] = c.Take(a, w.sources[:n])
	}
	start, end, time := a.Flat(vector.Int64, n), a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)
	for i, x := range w.windows[:n] {
		start.Ints[i], end.Ints[i] = x.Start, x.End
		time.Ints[i] = x.End - w.tick
		if w.zone != nil {
			time.Ints[i] = w.zone.Deadline(x.End) - w.tick
		}
	}
	cols[len(b.Cols)], cols[len(b.Cols)+1], cols[len(b.Cols)+2] = start, end, time
	return cols
}

// Advance implements dataflow.Operator.
func (w *WindowAssign) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}
