package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// place gives the results that have no place yet those from at on, and returns the next one.
func (w *KeyWindows) place(at dataflow.Order) dataflow.Order {
	for len(w.places) < len(w.ended) {
		w.places = append(w.places, at)
		at.Sub[w.spec.Level]++
	}
	return at
}

// close notes the result of a window.
func (w *KeyWindows) close(id uint32, x window.Window, panes []pane) {
	to := w.group()
	w.src, w.dst = w.src[:0], w.dst[:0]
	for _, p := range panes {
		w.src, w.dst = append(w.src, p.group), append(w.dst, to)
	}
	for _, acc := range w.accs {
		acc.Grow(w.groups)
		acc.Merge(w.dst, acc, w.src)
	}
	w.ended = append(w.ended, endedWindow{x, id, to})
}

func (w *KeyWindows) sendFull(out dataflow.Output) error {
	if len(w.ended) < emitRows {
		return nil
	}
	return w.send(out)
}

// send sends the results that are noted.
func (w *KeyWindows) send(out dataflow.Output) error {
	ended, places := w.ended, w.places
	w.ended, w.places = w.ended[:0], w.places[:0]
	for n := 0; len(ended) > 0; ended = ended[n:] {
		n = min(len(ended), emitRows)
		a := w.spec.Memory.Get()
		ids, groups := make([]uint32, n), make([]uint32, n)
		start, end := a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)
		for k, x := range ended[:n] {
			ids[k], groups[k] = x.key, x.group
			start.Ints[k], end.Ints[k] = x.Start, x.End
		}
		cols := w.keys.Columns(a, ids, make([]*vector.Vector, 0, len(w.spec.Keys)+len(w.accs)+2))
		for _, acc := range w.accs {
			cols = append(cols, acc.Result(a, groups))
		}
		b := &dataflow.Batch{Batch: vector.Batch{Cols: append(cols, start, end), N: n, Arena: a}, Released: w.by.released, Rank: w.by.rank}
		if len(places) > 0 {
			b.Order, places = slices.Clone(places[:n]), places[n:]
		}
		w.counts.Out.Add(int64(n))
		for _, g := range groups {
			w.drop(g)
		}
		if err := out.Emit(b); err != nil {
			return err
		}
	}
	return nil
}
