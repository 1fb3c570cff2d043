package operator

import "github.com/tidemark-sql/tidemark/internal/state"

// setStateVersion is that without times; the next one has them.
const setStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of rows, and for each, as first seen: the row
// in the encoding of keys, how often it is on the left, and on the right; of version 2 when it was last
// written on either.
func (s *SetOperation) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, s.life[0].version(setStateVersion)), int64(s.live))
	for id := range uint32(s.rows.Len()) {
		if s.there(id) {
			dst = appendInt64(appendInt64(s.rows.Encode(dst, id), s.count[0][id]), s.count[1][id])
			dst = s.life[1].append(s.life[0].append(dst, id), id)
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (s *SetOperation) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(s.spec.Kinds)
	into := make([]uint32, 1)
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(setStateVersion)
		for range d.count() {
			one.Reset()
			id, ok := d.key(one)
			if !ok {
				return d.err
			}
			left, right := d.number(0), d.number(0)
			written := [2]int64{d.written(timed), d.written(timed)}
			if left == 0 && right == 0 {
				d.fail("a row is on neither side")
			}
			if d.err != nil || !owns(one.Hash(id)) {
				continue
			}
			before := s.rows.Len()
			s.rows.Merge(one, into)
			d.once(s.rows.Len() > before)
			for side, n := range [...]int64{left, right} {
				s.count[side] = extended(s.count[side], s.rows.Len())
				s.count[side][into[0]] = n
				s.life[side].restore(into[0], s.rows.Len(), written[side])
			}
			s.live++
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}
