package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const windowJoinStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of windows; for each window, by end and
// start: its start, its end, the number of keys and those, as first seen, in their own encoding; for the left side and then the right the number of rows and those, as they came, as package
// state writes rows.
func (w *WindowJoin) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, windowJoinStateVersion), int64(w.frontier))
	spans := slices.SortedFunc(slices.Values(w.pending), func(a, b window.Window) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start))
	})
	dst = appendInt64(dst, int64(len(spans)))
	for _, x := range spans {
		dst = appendInt64(appendInt64(dst, x.Start), x.End)
		at := w.windows[x]
		dst = appendInt64(dst, int64(at.keys.Len()))
		for id := range uint32(at.keys.Len()) {
			dst = at.keys.Encode(dst, id)
		}
		for s := range at.sides {
			held := &at.sides[s].held
			cols := held.columns()
			dst = appendInt64(dst, int64(held.n))
			for row := range held.n {
				dst = state.AppendRow(dst, cols, row)
			}
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (w *WindowJoin) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(windowJoinStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < w.frontier {
			w.frontier = f
		}
		for range d.count() {
			x := window.Window{Start: d.int64(), End: d.int64()}
			w.restoreKeys(x, d, owns)
			for s := range w.spec.Kinds {
				for range d.count() {
					row := d.row(w.spec.Kinds[s])
					if d.err != nil {
						return d.err
					}
					w.restore(x, s, row, owns)
				}
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restoreKeys numbers the keys of a window as they were, for results leave in that order.
func (w *WindowJoin) restoreKeys(x window.Window, d *decoder, owns func(hash uint64) bool) {
	one, into := state.NewKeys(w.kinds), make([]uint32, 1)
	for range d.count() {
		one.Reset()
		if id, ok := d.key(one); ok && (len(w.kinds) == 0 || owns(one.Hash(id))) {
			w.window(x).keys.Merge(one, into)
		}
	}
}

func (w *WindowJoin) restore(x window.Window, side int, row []byte, owns func(hash uint64) bool) {
	a := w.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, w.spec.Kinds[side], [][]byte{row})
	if len(w.spec.Keys[side]) > 0 && !owns(hashOf(cols, w.spec.Keys[side])) {
		return
	}
	at, id := w.window(x), make([]uint32, 1)
	at.keys.Find(&state.Input{Cols: pick(cols, w.spec.Keys[side]), Rows: vector.All(1)}, id)
	s := &at.sides[side]
	s.grow(at.keys.Len())
	s.add(cols, 0, id[0])
}
