package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const windowTopNStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of windows; for each
// window, by end and start: its start, its end, its number of rows, and the rows, by partition as first seen and then in their order, as package state writes rows.
func (w *WindowTopN) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, windowTopNStateVersion), int64(w.frontier))
	spans := slices.SortedFunc(slices.Values(w.pending), func(a, b window.Window) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start))
	})
	dst = appendInt64(dst, int64(len(spans)))
	for _, x := range spans {
		at, n := w.windows[x], 0
		for i := range at.parts {
			n += at.parts[i].len()
		}
		dst = appendInt64(appendInt64(appendInt64(dst, x.Start), x.End), int64(n))
		for i := range at.parts {
			at.parts[i].all(func(r *ranked) bool {
				dst = append(dst, r.row...)
				return true
			})
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (w *WindowTopN) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(windowTopNStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < w.frontier {
			w.frontier = f
		}
		for range d.count() {
			x := window.Window{Start: d.int64(), End: d.int64()}
			for range d.count() {
				row := d.row(w.spec.Kinds)
				if d.err != nil {
					return d.err
				}
				w.restore(x, row, owns)
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restore puts a row behind all others of its partition; of the latest rows, which count down, that is what came first.
func (w *WindowTopN) restore(x window.Window, row []byte, owns func(hash uint64) bool) {
	a := w.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, w.spec.Kinds, [][]byte{row})
	if len(w.spec.Keys) > 0 && !owns(hashOf(cols, w.spec.Keys)) {
		return
	}
	at, id := w.window(x), make([]uint32, 1)
	at.keys.Find(&state.Input{Cols: pick(cols, w.spec.Keys), Rows: vector.All(1)}, id)
	at.parts = extended(at.parts, at.keys.Len())
	to := &at.parts[id[0]]
	r := &ranked{order: state.AppendOrder(nil, cols, w.spec.By, 0), came: int64(to.len() + 1), row: slices.Clone(row)}
	if !w.spec.Latest {
		w.came = max(w.came, r.came)
	}
	to.add(r)
}
