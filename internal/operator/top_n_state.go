package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
)

const topNStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are the version (one byte), the number of rows (eight bytes, little-endian) and the rows in their order, as package
// state writes rows.
func (t *TopN) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, topNStateVersion), int64(t.rows.Len()))
	t.rows.Scan(func(r *ranked) bool {
		dst = append(dst, r.row...)
		return true
	})
	return dst
}

// Restore implements dataflow.Stateful. All rows belong here, for a TopN has one task.
func (t *TopN) Restore(parts [][]byte, _ func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(topNStateVersion)
		for range d.count() {
			row, rest, err := state.CutRow(t.spec.Kinds, d.src)
			if err != nil {
				d.fail(err.Error())
				break
			}
			d.src = rest
			t.restore(row)
		}
		t.noteLast()
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// restore appends a row that stands behind all others.
func (t *TopN) restore(row []byte) {
	a := t.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, t.spec.Kinds, [][]byte{row})
	t.came++
	r := &ranked{order: state.AppendOrder(nil, cols, t.spec.By, 0), came: t.came, row: append([]byte(nil), row...)}
	if t.spec.Input == Replaced {
		var key []byte
		for _, k := range t.spec.Keys {
			key = state.AppendRow(key, cols[k:k+1], 0)
		}
		r.key = string(key)
	}
	t.insert(r)
}
