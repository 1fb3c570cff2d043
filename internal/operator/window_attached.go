package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// Attached takes the window of a row from two columns that an earlier window function or aggregation made. Each window is a slice
// of its own.
type Attached struct {
	Start, End int // input columns
	// Zone is that of the windows' local times, nil for a TIMESTAMP.
	Zone *window.Zone
}

func (a *Attached) deadline(x window.Window) int64 {
	if a.Zone != nil {
		return a.Zone.Deadline(x.End)
	}
	return x.End
}

func (a *Attached) assign(w *WindowAggregate, b *dataflow.Batch, lo, hi int) error {
	starts, ends, rows := b.Cols[a.Start], b.Cols[a.End], b.Rows()
	var s *slice
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if starts.IsNull(row) || ends.IsNull(row) {
			return errNullTime
		}
		x := window.Window{Start: starts.Int(row), End: ends.Int(row)}
		if s == nil || s.span != x {
			if w.complete(x) {
				w.drop(x.End-w.spec.Tick, a.deadline(x))
				s = nil
				continue
			}
			s = w.slice(x)
		}
		s.rows = append(s.rows, int32(row))
	}
	return nil
}

func (a *Attached) schedule(w *WindowAggregate, s *slice) { w.queue(s.span) }

func (a *Attached) fire(w *WindowAggregate, x window.Window) error { return w.finish(x) }
