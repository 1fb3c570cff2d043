package operator

import (
	"encoding/binary"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sessionStateVersion is that in which states are written. The one before had each session for itself: its start, its end, the key and each accumulator.
const sessionStateVersion = 3

// Snapshot implements dataflow.Stateful. The bytes are, numbers little-endian in eight bytes: the version (one byte), the frontier, the
// number of sessions n, and of all of them, as they began: n starts, n ends, the column of the keys and for each accumulator the states, in their own encodings.
func (s *SessionAggregate) Snapshot(dst []byte) []byte {
	dst = append(dst, sessionStateVersion)
	dst = appendInt64(dst, int64(s.frontier))
	dst = appendInt64(dst, int64(s.live))
	s.listed, s.listedKeys = s.listed[:0], s.listedKeys[:0]
	at, n := len(dst), 8*s.live
	dst = slices.Grow(dst, 2*n)[:at+2*n]
	starts, ends := dst[at:at+n], dst[at+n:]
	for id := range s.sessions {
		x := &s.sessions[id]
		if x.dead {
			continue
		}
		binary.LittleEndian.PutUint64(starts[8*len(s.listed):], uint64(x.Start))
		binary.LittleEndian.PutUint64(ends[8*len(s.listed):], uint64(x.End))
		s.listed, s.listedKeys = append(s.listed, uint32(id)), append(s.listedKeys, x.key)
	}
	dst = s.keys.EncodeColumn(dst, s.listedKeys)
	for _, a := range s.accs {
		a.Grow(len(s.sessions))
		dst = function.EncodeGroups(a, dst, s.listed)
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (s *SessionAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(sessionStateVersion-1, sessionStateVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < s.frontier {
			s.frontier = f
		}
		if n := d.count(); version == sessionStateVersion {
			s.restoreSessions(d, int(n), owns)
		} else {
			for ; n > 0 && d.err == nil; n-- {
				s.restoreSession(d, owns)
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

func (s *SessionAggregate) restoreSessions(d *decoder, n int, owns func(uint64) bool) {
	starts, ends := d.int64s(n), d.int64s(n)
	ids, ok := d.keys(s.keys, n, owns)
	if !ok {
		return
	}
	s.index.grow(s.keys.Len())
	s.sessions = slices.Grow(s.sessions, ownedOf(ids))
	for k, key := range ids {
		if key != state.Foreign {
			x := window.Window{Start: starts.at(k), End: ends.at(k)}
			ids[k] = uint32(s.start(key, s.search(s.index.get(key), x.End), x))
		}
	}
	for _, a := range s.accs {
		a.Grow(len(s.sessions))
	}
	d.groups(s.spec.Aggregates, s.accs, ids)
}

// restoreSession reads a session of the version before.
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
