package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// topNStateVersion is that without times; the next one has them.
const topNStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are the version (one byte), the number of rows (eight bytes, little-endian) and the rows, by partition as first seen and then
// in their order, as package state writes rows, of version 2 each behind the time at which its partition was written last.
func (t *TopN) Snapshot(dst []byte) []byte {
	n := 0
	for i := range t.parts {
		n += t.parts[i].rows.len()
	}
	dst = appendInt64(append(dst, t.life.version(topNStateVersion)), int64(n))
	for i := range t.parts {
		t.parts[i].rows.all(func(r *ranked) bool {
			dst = append(t.life.append(dst, uint32(i)), r.row...)
			return true
		})
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (t *TopN) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(topNStateVersion)
		for range d.count() {
			written := d.written(timed)
			row := d.row(t.spec.Kinds)
			if d.err != nil {
				return d.err
			}
			t.restore(row, written, owns)
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restore appends a row that stands behind all others of its partition.
func (t *TopN) restore(row []byte, written int64, owns func(hash uint64) bool) {
	a := t.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, t.spec.Kinds, [][]byte{row})
	id := make([]uint32, 1)
	if len(t.spec.Partition) > 0 {
		if !owns(hashOf(cols, t.spec.Partition)) {
			return
		}
		t.keys.Find(&state.Input{Cols: pick(cols, t.spec.Partition), Rows: vector.All(1)}, id)
	}
	t.parts = extended(t.parts, max(t.keys.Len(), 1))
	t.at, t.id = &t.parts[id[0]], id[0]
	t.life.grow(len(t.parts))
	if t.at.rows.len() == 0 {
		t.live++
	}
	r := &ranked{order: state.AppendOrder(nil, cols, t.spec.By, 0), came: int64(t.at.rows.len() + 1), row: append([]byte(nil), row...)}
	if !t.spec.Latest {
		t.came = max(t.came, r.came)
	}
	if t.spec.Input == Replaced {
		var key []byte
		for _, k := range t.spec.Keys {
			key = state.AppendRow(key, cols[k:k+1], 0)
		}
		r.key = string(key)
	}
	t.insert(r)
	t.life.restore(t.id, len(t.parts), written)
	t.noteLast()
}
