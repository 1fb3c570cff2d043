package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// joinStateVersion is that without times; the next one has them.
const joinStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte); for the left side and then the right its number of
// different rows; for each row, by join key and then as they came: how often it is there, how many rows of the other side match it, of version 2 when it was written last, and the row in the
// encoding of keys.
func (j *Join) Snapshot(dst []byte) []byte {
	// A side without a time to live says that its rows were never written, which begins when it gets one.
	timed := j.sides[0].life.ttl > 0 || j.sides[1].life.ttl > 0
	version := byte(joinStateVersion)
	if timed {
		version++
	}
	dst = append(dst, version)
	for s := range j.sides {
		side := &j.sides[s]
		side.expireAll()
		dst = appendInt64(dst, int64(side.live))
		for key := range uint32(len(side.first)) {
			side.each(key, func(id uint32) {
				dst = appendInt64(appendInt64(dst, side.count[id]), side.matched[id])
				if side.life.ttl > 0 {
					dst = side.life.append(dst, id)
				} else if timed {
					dst = appendInt64(dst, unwritten)
				}
				dst = side.rows.Encode(dst, id)
			})
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (j *Join) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(joinStateVersion)
		for s := range j.sides {
			// Every row is read into a table of its own first: only its join key tells whether it belongs here.
			one := state.NewKeys(j.spec.Kinds[s])
			for range d.count() {
				j.restoreRow(d, s, timed, one, owns)
				if d.err != nil {
					return d.err
				}
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	for s := range j.sides {
		j.sides[s].growKeys(j.keys.Len())
	}
	return nil
}

func (j *Join) restoreRow(d *decoder, s int, timed bool, one state.Keys, owns func(hash uint64) bool) {
	count, matched, written := d.int64(), d.int64(), d.written(timed)
	one.Reset()
	id, ok := d.key(one)
	if !ok {
		return
	}
	a := j.spec.Memory.Get()
	defer a.Release()
	row := one.Columns(a, []uint32{id}, nil)
	cols := pick(row, j.spec.Keys[s])
	if !owns(hashOf(row, j.spec.Keys[s])) {
		return
	}
	key := make([]uint32, 1)
	j.keys.Find(&state.Input{Cols: cols, Rows: vector.All(1)}, key)
	side, number := &j.sides[s], make([]uint32, 1)
	side.growKeys(j.keys.Len())
	side.rows.Find(&state.Input{Cols: row, Rows: vector.All(1)}, number)
	side.growRows(key, number)
	side.add(key[0], number[0])
	side.count[number[0]], side.matched[number[0]] = count, matched
	side.life.restore(number[0], len(side.count), written)
}
