package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// CurrentWatermark puts behind the columns of every row the watermark that its stream had when the row came, as CURRENT_WATERMARK shows it. Its stream must have all
// frontiers among the rows: dataflow.Grain{Every: true}.
type CurrentWatermark struct {
	frontier watermark.Frontier
	counts   dataflow.Counts
}

// NewCurrentWatermark makes the operator.
func NewCurrentWatermark() *CurrentWatermark { return &CurrentWatermark{frontier: watermark.Unset} }

// Counts implements dataflow.Counted.
func (w *CurrentWatermark) Counts() *dataflow.Counts { return &w.counts }

// SetFrontier implements dataflow.Fronted.
func (w *CurrentWatermark) SetFrontier(f watermark.Frontier) { w.frontier = f }

// Process implements dataflow.Operator.
func (w *CurrentWatermark) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	w.counts.In.Add(n)
	w.counts.Out.Add(n)
	v := b.Arena.Flat(vector.Int64, b.N)
	v.Valid = b.Arena.AllValid(b.N)
	rows := b.Rows()
	err := b.Segments(
		func(lo, hi int) error {
			shown, ok := shownWatermark(w.frontier)
			for k := lo; k < hi; k++ {
				i := rows.At(k)
				v.Ints[i] = shown
				if !ok {
					v.Valid.Clear(i)
				}
			}
			return nil
		},
		func(f watermark.Frontier) error { w.frontier = f; return nil })
	if err != nil {
		return err
	}
	cols := b.Arena.Columns(len(b.Cols) + 1)
	copy(cols, b.Cols)
	cols[len(b.Cols)] = v
	b.Cols = cols
	return out.Emit(b)
}

// shownWatermark is the watermark of Flink, the greatest millisecond of which no row is to come; ok is false before the first.
func shownWatermark(f watermark.Frontier) (micros int64, ok bool) {
	if f == watermark.Unset {
		return 0, false
	}
	return timefmt.Floor(int64(f), timefmt.Millisecond) - timefmt.Millisecond, true
}

// Advance implements dataflow.Operator.
func (w *CurrentWatermark) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}
