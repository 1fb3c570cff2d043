package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// normalizeStateVersion is that without times; the next one has them.
const normalizeStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of keys, and the last row of each, by
// key as first seen, in the encoding of keys, of version 2 behind the time at which the key was written last.
func (z *Normalize) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, z.life.version(normalizeStateVersion)), int64(z.live))
	for key, row := range z.last {
		if row != 0 {
			dst = z.rows.Encode(z.life.append(dst, uint32(key)), row-1)
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (z *Normalize) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := state.NewKeys(z.spec.Kinds)
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(normalizeStateVersion)
		for range d.count() {
			z.restoreRow(d, d.written(timed), one, owns)
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

func (z *Normalize) restoreRow(d *decoder, written int64, one state.Keys, owns func(hash uint64) bool) {
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
	d.once(z.last[key[0]] == 0)
	z.last[key[0]], z.uses[number[0]] = number[0]+1, 1
	z.life.restore(key[0], z.keys.Len(), written)
	z.live++
}
