package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The version in which states are written, and that of states with turns.
const (
	windowStateVersion = 2
	windowTurnsVersion = 4
)

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier,
// the number of slices; for each slice, by end and start: its start, its end, its number of groups; for each group, as first
// seen: the key and each accumulator in their own encodings. Which windows are pending follows from slices and frontier.
//
// If groups of a slice are on the disk or were there, the version is another one, and each slice has in front of its groups: 1 (one byte), the turn of the group that would be the next to be seen first, and
// the turn of each group, or 0 (one byte) if the turns are 0, 1, 2 and so on. Groups that are on the disk are not among them.
func (w *WindowAggregate) Snapshot(dst []byte) []byte {
	version := byte(windowStateVersion)
	spans := make([]window.Window, 0, len(w.slices))
	for span, s := range w.slices {
		spans = append(spans, span)
		if s.turns != nil {
			version = windowTurnsVersion
		}
	}
	dst = append(dst, version)
	dst = appendInt64(dst, int64(w.frontier))
	slices.SortFunc(spans, func(a, b window.Window) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start))
	})
	dst = appendInt64(dst, int64(len(spans)))
	for _, span := range spans {
		s := w.slices[span]
		dst = appendInt64(dst, span.Start)
		dst = appendInt64(dst, span.End)
		dst = appendInt64(dst, int64(s.keys.Len()))
		if version == windowTurnsVersion {
			dst = s.turns.append(dst)
		}
		for id := range uint32(s.keys.Len()) {
			dst = s.keys.Encode(dst, id)
			for _, a := range s.accs {
				dst = a.Encode(dst, id)
			}
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (w *WindowAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(windowStateVersion, windowTurnsVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < w.frontier {
			w.frontier = f
		}
		for range d.count() {
			span := window.Window{Start: d.int64(), End: d.int64()}
			groups := d.count()
			var t *turns
			if version == windowTurnsVersion {
				t = d.turns(groups)
			}
			if d.err != nil {
				return d.err
			}
			if t != nil {
				w.restored(span).number()
				w.slices[span].turns.next = max(w.slices[span].turns.next, t.next)
			}
			w.restoreSlice(d, span, groups, t, owns)
			if d.err != nil {
				return d.err
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	for _, s := range w.slices {
		w.spec.Windows.schedule(w, s)
	}
	return nil
}

// restored is the slice for span, which is made if it is not there.
func (w *WindowAggregate) restored(span window.Window) *slice {
	s := w.slices[span]
	if s == nil {
		s = w.newSlice()
		s.span = span
		w.slices[span] = s
	}
	return s
}

func (w *WindowAggregate) restoreSlice(d *decoder, span window.Window, groups int64, t *turns, owns func(uint64) bool) {
	// Every group is read into a slice of its own first: only its key tells whether it belongs here.
	one := w.newSlice()
	for i := range groups {
		one.reset()
		id, rest, err := one.keys.Decode(d.src)
		for _, a := range one.accs {
			a.Grow(1)
			if err == nil {
				rest, err = a.Decode(rest, id)
			}
		}
		if err != nil {
			d.fail(err.Error())
			return
		}
		d.src = rest
		if owns(one.keys.Hash(id)) {
			s := w.restored(span)
			w.merge(s, one)
			if s.turns != nil {
				s.turns.add(t.at(i), s.keys.Len())
			}
		}
	}
}
