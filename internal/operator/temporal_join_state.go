package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// compact forgets what no row still to come can meet, when it is most of what is held.
func (j *TemporalJoin) compact() {
	if j.held[1].n-j.held[1].gone > 2*j.trimmed+1024 {
		j.trimAll()
	}
	if j.keys.Len() > 2*j.swept+1024 {
		j.sweep()
	}
	if j.held[0].crowded() {
		j.packWaiting()
	}
	if j.held[1].crowded() {
		j.packVersions()
	}
}

// packWaiting moves the left rows that wait together.
func (j *TemporalJoin) packWaiting() {
	alive := make([]int32, len(j.waiting))
	for i, r := range j.waiting {
		alive[i] = r.row
	}
	number := j.held[0].keepOnly(alive, j.spec.Memory, j.spec.Kinds[0])
	for i := range j.waiting {
		j.waiting[i].row = number[j.waiting[i].row] // in the same order, so that the heap stays one
	}
}

// packVersions moves the rows of versions together.
func (j *TemporalJoin) packVersions() {
	var alive []int32
	for _, all := range j.versions {
		for _, v := range all {
			if v.row >= 0 {
				alive = append(alive, v.row)
			}
		}
	}
	number := j.held[1].keepOnly(alive, j.spec.Memory, j.spec.Kinds[1])
	for _, all := range j.versions {
		for i, v := range all {
			if v.row >= 0 {
				all[i].row = number[v.row]
			}
		}
	}
}

func (j *TemporalJoin) trimAll() {
	for id := range j.versions {
		j.trim(uint32(id))
	}
	j.trimmed = j.held[1].n - j.held[1].gone
}

// sweep forgets keys without versions of which no row waits.
func (j *TemporalJoin) sweep() {
	waits := make([]bool, j.keys.Len())
	for _, r := range j.waiting {
		waits[r.id] = true
	}
	keys, old := state.Compact(j.keys, func(id uint32) bool { return waits[id] || len(j.versions[id]) > 0 })
	number, versions := make([]uint32, j.keys.Len()), make([][]version, len(old))
	for id, was := range old {
		number[was], versions[id] = uint32(id), j.versions[was]
	}
	for i := range j.waiting {
		j.waiting[i].id = number[j.waiting[i].id]
	}
	j.keys, j.versions, j.swept = keys, versions, len(old)
}

const temporalJoinStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of keys with versions; for each, as first
// seen: the key in its own encoding, the number of its versions, and for each, by time: its time, 1 and its row, or 0 if there is none from then on; then the number of left rows that
// wait, and as they came for each its change and the row. Rows are as package state writes them.
func (j *TemporalJoin) Snapshot(dst []byte) []byte {
	j.trimAll()
	dst = appendInt64(append(dst, temporalJoinStateVersion), int64(j.frontier))
	known := 0
	for _, all := range j.versions {
		known += min(len(all), 1)
	}
	dst = appendInt64(dst, int64(known))
	cols := j.held[1].columns()
	for id, all := range j.versions {
		if len(all) == 0 {
			continue
		}
		dst = appendInt64(j.keys.Encode(dst, uint32(id)), int64(len(all)))
		for _, v := range all {
			dst = appendInt64(dst, v.time)
			if v.row < 0 {
				dst = appendInt64(dst, 0)
				continue
			}
			dst = state.AppendRow(appendInt64(dst, 1), cols, int(v.row))
		}
	}
	waiting := slices.Clone(j.waiting)
	slices.SortFunc(waiting, func(a, b temporalRow) int { return int(a.row) - int(b.row) })
	dst = appendInt64(dst, int64(len(waiting)))
	for _, r := range waiting {
		dst = state.AppendRow(appendInt64(dst, int64(r.op)), j.held[0].columns(), int(r.row))
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (j *TemporalJoin) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := NewTemporalJoin(j.spec).keys
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(temporalJoinStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < j.frontier {
			j.frontier = f
		}
		for range d.count() {
			j.restoreKey(d, one, owns)
		}
		for range d.count() {
			j.restoreRow(d, owns)
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restoreKey reads the versions of a key, and the key into one first: only the key tells whether it belongs here.
func (j *TemporalJoin) restoreKey(d *decoder, one state.Keys, owns func(hash uint64) bool) {
	one.Reset()
	id, ok := d.key(one)
	if !ok {
		return
	}
	mine, into := owns(one.Hash(id)), make([]uint32, 1)
	if mine {
		j.keys.Merge(one, into)
		j.versions = extended(j.versions, j.keys.Len())
	}
	for range d.count() {
		v := version{d.int64(), -1}
		if d.int64() == 1 {
			row := d.row(j.spec.Kinds[1])
			if d.err != nil {
				return
			}
			if mine {
				a := j.spec.Memory.Get()
				v.row = j.held[1].add(state.RowColumns(a, j.spec.Kinds[1], [][]byte{row}), 0)
				a.Release()
			}
		}
		if mine {
			j.versions[into[0]] = append(j.versions[into[0]], v)
		}
	}
}

// restoreRow reads a left row that waits.
func (j *TemporalJoin) restoreRow(d *decoder, owns func(hash uint64) bool) {
	op := vector.Op(d.int64())
	row := d.row(j.spec.Kinds[0])
	if d.err != nil {
		return
	}
	a := j.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, j.spec.Kinds[0], [][]byte{row})
	if !owns(hashOf(cols, j.spec.Keys[0])) {
		return
	}
	time := cols[j.spec.Times[0]]
	if time.IsNull(0) {
		d.fail("a row has no time")
		return
	}
	id := make([]uint32, 1)
	j.keys.Find(&state.Input{Cols: pick(cols, j.spec.Keys[0]), Rows: vector.All(1)}, id)
	j.versions = extended(j.versions, j.keys.Len())
	j.push(time.Int(0), id[0], j.held[0].add(cols, 0), op)
}
