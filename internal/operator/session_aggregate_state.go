package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const sessionStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, numbers little-endian in eight bytes: the version (one byte), the frontier, the
// number of sessions; for each session: its start, its end, the key and each accumulator in their own encodings.
func (s *SessionAggregate) Snapshot(dst []byte) []byte {
	dst = append(dst, sessionStateVersion)
	dst = appendInt64(dst, int64(s.frontier))
	dst = appendInt64(dst, int64(s.live))
	for _, a := range s.accs {
		a.Grow(len(s.sessions))
	}
	for id := range s.sessions {
		x := &s.sessions[id]
		if x.dead {
			continue
		}
		dst = appendInt64(dst, x.Start)
		dst = appendInt64(dst, x.End)
		dst = s.keys.Encode(dst, x.key)
		for _, a := range s.accs {
			dst = a.Encode(dst, uint32(id))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (s *SessionAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(sessionStateVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < s.frontier {
			s.frontier = f
		}
		for range d.count() {
			s.restoreSession(d, owns)
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

func (s *SessionAggregate) restoreSession(d *decoder, owns func(uint64) bool) {
	x := window.Window{Start: d.int64(), End: d.int64()}
	one := state.NewKeys(s.spec.KeyKinds)
	src := d.src
	id, ok := d.key(one)
	if !ok {
		return
	}
	key := src[:len(src)-len(d.src)]
	mine := owns(one.Hash(id))
	if mine {
		s.adopt(x, key)
	}
	for i, a := range s.spec.Aggregates {
		// Foreign sessions are read too, to find where they end.
		acc, at := a.New(), uint32(0)
		if mine {
			acc, at = s.accs[i], uint32(len(s.sessions)-1)
		}
		acc.Grow(int(at) + 1)
		rest, err := acc.Decode(d.src, at)
		if err != nil {
			d.fail(err.Error())
			return
		}
		d.src = rest
	}
}
