package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The version in which states are written, and that of states with turns. In the one before them each group was for itself: the key and then each accumulator.
const (
	windowStateVersion  = 3
	windowTurnsVersion  = 4
	windowGroupsVersion = 2
)

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier,
// the number of slices; for each slice, by end and start: its start, its end, its number of groups, the column of their keys, as first
// seen, and for each accumulator the states of all groups, in their own encodings. Which windows are pending follows from slices and frontier.
//
// If groups of a slice are on the disk or were there, the version is another one, and each slice has in front of its keys: 1 (one byte), the turn of the group that would be the next to be seen first, and
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
		w.every = upTo(w.every, s.keys.Len())
		dst = s.keys.EncodeColumn(dst, w.every)
		for _, a := range s.accs {
			a.Grow(s.keys.Len())
			dst = function.EncodeGroups(a, dst, w.every)
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (w *WindowAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(windowGroupsVersion, windowStateVersion, windowTurnsVersion)
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
			if version == windowGroupsVersion {
				w.restoreGroups(d, span, groups, owns)
			} else {
				w.restoreSlice(d, span, int(groups), t, owns)
			}
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

func (w *WindowAggregate) restoreSlice(d *decoder, span window.Window, groups int, t *turns, owns func(uint64) bool) {
	s := w.slices[span]
	if s == nil {
		s = w.newSlice()
		s.span = span
	}
	had := s.keys.Len()
	if t != nil {
		s.number()
		s.turns.next = max(s.turns.next, t.next)
	}
	ids, ok := d.keys(s.keys, groups, owns)
	if !ok {
		return
	}
	d.once(s.keys.Len()-had == ownedOf(ids))
	for _, a := range s.accs {
		a.Grow(s.keys.Len())
	}
	d.groups(w.spec.Aggregates, s.accs, ids)
	if s.turns != nil && d.err == nil {
		for i, id := range ids {
			if id != state.Foreign {
				s.turns.add(t.at(i))
			}
		}
	}
	if s.keys.Len() > 0 || s.turns != nil {
		w.slices[span] = s
	}
}

// restoreGroups reads a slice of the version of groups.
func (w *WindowAggregate) restoreGroups(d *decoder, span window.Window, groups int64, owns func(uint64) bool) {
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
			if s.turns != nil && len(s.turns.of) < s.keys.Len() {
				s.turns.add(s.turns.next)
			}
		}
	}
}
