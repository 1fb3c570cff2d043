package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
)

// joinStateVersion is that in which states without times are written; the next one has them. The two before had each row for itself: how often it is there, how many rows of the other side
// match it, in the second of them when it was written last, and the row.
const joinStateVersion = 3

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte); for the left side and then the right its number of
// different rows, and blocks of these, by join key and then as they came: the number of rows n of the block, n times how often a row is there, n numbers of rows of the other side that match it, of version 4
// n times when it was written last, and the column of the rows, in the encoding of keys.
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
		j.listed = j.listed[:0]
		for key := range side.first {
			for id := side.first[key]; id != 0; id = side.next[id-1] {
				j.listed = append(j.listed, id-1)
			}
		}
		for ids := range slices.Chunk(j.listed, stateBlock) {
			dst = appendInt64(dst, int64(len(ids)))
			dst = appendInt64s(dst, side.count, ids)
			dst = appendInt64s(dst, side.matched, ids)
			if side.life.ttl > 0 {
				dst = appendInt64s(dst, side.life.written, ids)
			} else if timed {
				for range ids {
					dst = appendInt64(dst, unwritten)
				}
			}
			dst = side.rows.EncodeColumn(dst, ids)
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (j *Join) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(joinStateVersion-2, joinStateVersion-1, joinStateVersion, joinStateVersion+1)
		r := joinRestore{join: j, decoder: d, timed: version == joinStateVersion-1 || version == joinStateVersion+1, owns: owns}
		for s := range j.sides {
			r.side, r.one = s, state.NewKeys(j.spec.Kinds[s])
			for n := d.count(); n > 0 && d.err == nil; {
				if version >= joinStateVersion {
					n -= r.rows(n)
				} else {
					r.row()
					n--
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

// joinRestore reads rows of one side.
type joinRestore struct {
	*decoder
	join  *Join
	side  int
	timed bool
	owns  func(hash uint64) bool
	one   state.Keys // where rows are read first: only their join keys tell whether they belong here
}

// rows reads a block of those that are left, and tells how many it read.
func (r *joinRestore) rows(left int64) int64 {
	n := int64(r.block(left))
	counts, matched := r.int64s(int(n)), r.int64s(int(n))
	var written int64s
	if r.timed {
		written = r.int64s(int(n))
	}
	r.one.Reset()
	ids, ok := r.keys(r.one, int(n), func(uint64) bool { return true })
	if !ok {
		return 0
	}
	r.once(r.one.Len() == len(ids))
	r.keep(ids, func(k int) (count, matches, at int64) {
		at = unwritten
		if r.timed {
			at = written.at(k)
		}
		return counts.at(k), matched.at(k), at
	})
	return n
}

// row reads a row of the versions before.
func (r *joinRestore) row() {
	count, matched, written := r.int64(), r.int64(), r.written(r.timed)
	r.one.Reset()
	if id, ok := r.key(r.one); ok {
		r.keep([]uint32{id}, func(int) (int64, int64, int64) { return count, matched, written })
	}
}

// keep puts the rows ids of r.one into the side, those that belong here; of tells how often the k-th of them is there, how many rows match it and when it was written.
func (r *joinRestore) keep(ids []uint32, of func(k int) (count, matched, written int64)) {
	if r.err != nil {
		return
	}
	j, side := r.join, &r.join.sides[r.side]
	a := j.spec.Memory.Get()
	a.ForState() // rows can have any size
	defer a.Release()
	row := r.one.Columns(a, ids, nil)
	rows := ownedRows(row, j.spec.Keys[r.side], len(ids), r.owns)
	keys, numbers := make([]uint32, rows.Count()), make([]uint32, rows.Count())
	j.keys.Find(&state.Input{Cols: pick(row, j.spec.Keys[r.side]), Rows: rows}, keys)
	side.growKeys(j.keys.Len())
	side.rows.Find(&state.Input{Cols: row, Rows: rows}, numbers)
	side.growRows(keys, numbers)
	for i, id := range numbers {
		count, matched, written := of(rows.At(i))
		if r.once(side.count[id] == 0); count < 1 {
			r.fail("it counts less than it can")
		}
		if r.err != nil {
			return
		}
		side.add(keys[i], id)
		side.count[id], side.matched[id] = count, matched
		side.life.restore(id, len(side.count), written)
	}
}
