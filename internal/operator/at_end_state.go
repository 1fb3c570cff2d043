package operator

import "github.com/tidemark-sql/tidemark/internal/state"

const atEndStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of rows, and for each, as first seen: the row
// in the encoding of keys, and how often it is there, less than 0 if it was taken back more often than it came.
func (e *AtEnd) Snapshot(dst []byte) []byte {
	known := int64(0)
	for _, times := range e.times {
		if times != 0 {
			known++
		}
	}
	dst = appendInt64(append(dst, atEndStateVersion), known)
	for id := range uint32(e.rows.Len()) {
		if e.times[id] != 0 {
			dst = appendInt64(e.rows.Encode(dst, id), e.times[id])
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (e *AtEnd) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(e.spec.Kinds)
	into := make([]uint32, 1)
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(atEndStateVersion)
		for range d.count() {
			one.Reset()
			id, ok := d.key(one)
			if !ok {
				return d.err
			}
			times := d.int64()
			if times == 0 {
				d.fail("a row is not there")
			}
			if d.err != nil || !owns(one.Hash(id)) {
				continue
			}
			before := e.rows.Len()
			e.rows.Merge(one, into)
			d.once(e.rows.Len() > before)
			e.times = extended(e.times, e.rows.Len())
			e.times[into[0]] = times
			if times > 0 {
				e.live++
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}
