package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const windowStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier,
// the number of slices; for each slice, by end and start: its start, its end, its number of groups; for each group, as first
// seen: the key and each accumulator in their own encodings. Which windows are pending follows from slices and frontier.
func (w *WindowAggregate) Snapshot(dst []byte) []byte {
	dst = append(dst, windowStateVersion)
	dst = appendInt64(dst, int64(w.frontier))
	spans := make([]window.Window, 0, len(w.slices))
	for span := range w.slices {
		spans = append(spans, span)
	}
	slices.SortFunc(spans, func(a, b window.Window) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start))
	})
	dst = appendInt64(dst, int64(len(spans)))
	for _, span := range spans {
		s := w.slices[span]
		dst = appendInt64(dst, span.Start)
		dst = appendInt64(dst, span.End)
		dst = appendInt64(dst, int64(s.keys.Len()))
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
		d.version(windowStateVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < w.frontier {
			w.frontier = f
		}
		for range d.count() {
			span := window.Window{Start: d.int64(), End: d.int64()}
			w.restoreSlice(d, span, d.count(), owns)
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

func (w *WindowAggregate) restoreSlice(d *decoder, span window.Window, groups int64, owns func(uint64) bool) {
	// Every group is read into a slice of its own first: only its key tells whether it belongs here.
	one := w.newSlice()
	for range groups {
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
			s := w.slices[span]
			if s == nil {
				s = w.newSlice()
				s.span = span
				w.slices[span] = s
			}
			w.merge(s, one)
		}
	}
}
