package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const normalizeStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of keys, and the last row of each, by
// key as first seen, in the encoding of keys.
func (z *Normalize) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, normalizeStateVersion), int64(z.live))
	for _, row := range z.last {
		if row != 0 {
			dst = z.rows.Encode(dst, row-1)
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (z *Normalize) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(z.spec.Kinds)
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(normalizeStateVersion)
		for range d.count() {
			z.restoreRow(d, one, owns)
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

func (z *Normalize) restoreRow(d *decoder, one state.Keys, owns func(hash uint64) bool) {
	one.Reset()
	id, ok := d.key(one)
	if !ok {
		return
	}
	a := z.spec.Memory.Get()
	defer a.Release()
	row := one.Columns(a, []uint32{id}, nil)
	cols := pick(row, z.spec.Keys)
	if !owns(hashOf(row, z.spec.Keys)) {
		return
	}
	key, number := make([]uint32, 1), make([]uint32, 1)
	z.keys.Find(&state.Input{Cols: cols, Rows: vector.All(1)}, key)
	z.rows.Find(&state.Input{Cols: row, Rows: vector.All(1)}, number)
	z.last, z.uses = extended(z.last, z.keys.Len()), extended(z.uses, z.rows.Len())
	z.last[key[0]], z.uses[number[0]] = number[0]+1, 1
	z.live++
}
