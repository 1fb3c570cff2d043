package operator

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/watermark"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// decoder reads a snapshot; after the first fault every read gives zero and err says what was wrong.
type decoder struct {
	src []byte
	err error
}

func (d *decoder) int64() int64 {
	if len(d.src) < 8 {
		d.fail("it ends too early")
		return 0
	}
	v := int64(binary.LittleEndian.Uint64(d.src))
	d.src = d.src[8:]
	return v
}

// count reads how many things follow. Each of them takes a byte at least, except for the only group without keys and aggregates.
func (d *decoder) count() int64 {
	n := d.int64()
	if n < 0 || n > int64(len(d.src))+1 {
		d.fail("it counts more than it holds")
		return 0
	}
	return n
}

// end wants nothing to be left.
func (d *decoder) end() error {
	if d.err == nil && len(d.src) > 0 {
		d.fail("something is behind it")
	}
	return d.err
}

func (d *decoder) version(want byte) {
	if len(d.src) == 0 || d.src[0] != want {
		d.fail(fmt.Sprintf("it is not of version %d", want))
		return
	}
	d.src = d.src[1:]
}

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err = fmt.Errorf("read window state: %s", why)
	}
	d.src = nil
}

func appendInt64(dst []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(dst, uint64(v)) }

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
