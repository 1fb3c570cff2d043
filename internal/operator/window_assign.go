package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/watermark"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// WindowAssign is a window table function on its own: every row leaves at once, once per window that holds it, with window_start,
// window_end and window_time behind its columns. It drops nothing for being late.
type WindowAssign struct {
	spec   window.Spec
	time   int
	zone   *window.Zone // nil for a TIMESTAMP
	tick   int64
	counts dataflow.Counts

	windows []window.Window
	sources []int32 // by output row
}

// NewWindowAssign makes the operator for an aligned kind of window over the input column time.
func NewWindowAssign(spec window.Spec, time int, zone *window.Zone, tick int64) *WindowAssign {
	return &WindowAssign{spec: spec, time: time, zone: zone, tick: tick}
}

// Counts implements dataflow.Counted.
func (w *WindowAssign) Counts() *dataflow.Counts { return &w.counts }

// Process implements dataflow.Operator.
func (w *WindowAssign) Process(b *dataflow.Batch, out dataflow.Output) error {
	times, rows := b.Cols[w.time], b.Rows()
	w.windows, w.sources = w.windows[:0], w.sources[:0]
	marks := b.Marks
	kept := make([]watermark.Mark, 0, len(marks))
	for k := range rows.Count() {
		row := rows.At(k)
		for len(marks) > 0 && int(marks[0].Row) <= row {
			kept = append(kept, watermark.Mark{Row: int32(len(w.sources)), F: marks[0].F})
			marks = marks[1:]
		}
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
	}
	for _, m := range marks {
		kept = append(kept, watermark.Mark{Row: int32(len(w.sources)), F: m.F})
	}
	w.counts.In.Add(int64(rows.Count()))
	w.counts.Out.Add(int64(len(w.sources)))
	b.Cols = w.columns(b)
	if b.Ops != nil {
		ops := make([]vector.Op, len(w.sources))
		for i, row := range w.sources {
			ops[i] = b.Ops[row]
		}
		b.Ops = ops
	}
	b.N, b.Sel, b.Marks, b.Hashes = len(w.sources), nil, kept, nil
	return out.Emit(b)
}

func (w *WindowAssign) columns(b *dataflow.Batch) []*vector.Vector {
	a, n := b.Arena, len(w.sources)
	cols := a.Columns(len(b.Cols) + 3)
	for i, c := range b.Cols {
		cols[i] = c.Take(a, w.sources)
	}
	start, end, time := a.Flat(vector.Int64, n), a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)
	for i, x := range w.windows {
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
