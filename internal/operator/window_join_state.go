package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// windowJoinStateVersion is that in which states are written. The one before had each key and each row for itself.
const windowJoinStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of windows; for each window, by end and
// start: its start, its end, the number of keys and the column of those, as first seen; for the left side and then the right the number of rows and those, as they came, in blocks as appendBlocks writes them.
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
		dst = at.keys.EncodeColumn(dst, upTo(nil, at.keys.Len()))
		for s := range at.sides {
			held := &at.sides[s].held
			rows := make([]int32, held.n)
			for row := range rows {
				rows[row] = int32(row)
			}
			dst = appendBlocks(dst, held.columns(), rows, func(dst []byte, _ []int32) []byte { return dst })
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (w *WindowJoin) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	if len(w.kinds) == 0 {
		owns = func(uint64) bool { return true } // there is one task
	}
	for i, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(windowJoinStateVersion-1, windowJoinStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < w.frontier {
			w.frontier = f
		}
		for range d.count() {
			x := window.Window{Start: d.int64(), End: d.int64()}
			if version < windowJoinStateVersion {
				w.restoreOneByOne(x, d, owns)
			} else {
				w.restoreWindow(x, d, owns)
			}
			if d.err != nil {
				return d.err
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restoreWindow reads the keys of a window first, which are numbered as they were, for results leave in that order.
func (w *WindowJoin) restoreWindow(x window.Window, d *decoder, owns func(hash uint64) bool) {
	found := state.NewKeys(w.kinds)
	if _, ok := d.keys(found, int(d.count()), owns); ok && found.Len() > 0 {
		w.merge(x, found)
	}
	for s, kinds := range w.spec.Kinds {
		d.blocks(w.spec.Memory, kinds, func(int) {}, func(cols []*vector.Vector, n int) { w.keep(x, s, cols, n, owns) })
	}
}

func (w *WindowJoin) merge(x window.Window, found state.Keys) {
	w.window(x).keys.Merge(found, make([]uint32, found.Len()))
}

// restoreOneByOne reads a window of the version before.
func (w *WindowJoin) restoreOneByOne(x window.Window, d *decoder, owns func(hash uint64) bool) {
	one := state.NewKeys(w.kinds)
	for range d.count() {
		one.Reset()
		if id, ok := d.key(one); ok && owns(one.Hash(id)) {
			w.merge(x, one)
		}
	}
	for s, kinds := range w.spec.Kinds {
		for range d.count() {
			row := d.row(kinds)
			if d.err != nil {
				return
			}
			a := w.spec.Memory.Get()
			w.keep(x, s, state.RowColumns(a, kinds, [][]byte{row}), 1, owns)
			a.Release()
		}
	}
}

// keep takes those of n rows of a side that belong here.
func (w *WindowJoin) keep(x window.Window, side int, cols []*vector.Vector, n int, owns func(hash uint64) bool) {
	mine := ownedRows(cols, w.spec.Keys[side], n, owns)
	if mine.Count() == 0 {
		return
	}
	at, ids := w.window(x), make([]uint32, mine.Count())
	at.keys.Find(&state.Input{Cols: pick(cols, w.spec.Keys[side]), Rows: mine}, ids)
	s := &at.sides[side]
	s.grow(at.keys.Len())
	for i, id := range ids {
		s.add(cols, mine.At(i), id)
	}
}
