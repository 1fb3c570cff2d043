package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const tableJoinStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), 1 if the right side has ended or else 0, the number of right rows and these as they came, the number of left rows that
// wait and these as they came, each behind the change that it stands for. Rows are as package state writes them.
func (j *TableJoin) Snapshot(dst []byte) []byte {
	ended := int64(0)
	if j.ended {
		ended = 1
	}
	dst = appendInt64(appendInt64(append(dst, tableJoinStateVersion), ended), int64(j.rows.n))
	cols := j.rows.columns()
	for row := range j.rows.n {
		dst = state.AppendRow(dst, cols, row)
	}
	dst = appendInt64(dst, int64(j.held.n))
	cols = j.held.columns()
	for row := range j.held.n {
		op := vector.Insert
		if j.spec.Updates {
			op = j.ops[row]
		}
		dst = state.AppendRow(appendInt64(dst, int64(op)), cols, row)
	}
	return dst
}

// Restore implements dataflow.Stateful. There is one task, which owns all.
func (j *TableJoin) Restore(parts [][]byte, _ func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(tableJoinStateVersion)
		j.ended = d.int64() == 1 || j.ended
		for range d.count() {
			j.restoreRight(d)
		}
		for range d.count() {
			op := vector.Op(d.int64())
			if cols, release := j.take(d, 0); cols != nil {
				j.held.add(cols, 0)
				if j.spec.Updates {
					j.ops = append(j.ops, op)
				}
				release()
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	j.known = j.keys.Len()
	return nil
}

func (j *TableJoin) restoreRight(d *decoder) {
	cols, release := j.take(d, 1)
	if cols == nil {
		return
	}
	defer release()
	id := make([]uint32, 1)
	j.keys.Find(&state.Input{Cols: pick(cols, j.spec.Keys[1]), Rows: vector.All(1)}, id)
	j.first, j.last = extended(j.first, j.keys.Len()), extended(j.last, j.keys.Len())
	j.link(id[0], j.rows.add(cols, 0))
}

// take reads a row of a side, whose memory the caller releases; nil if there is none.
func (j *TableJoin) take(d *decoder, side int) (cols []*vector.Vector, release func()) {
	row := d.row(j.spec.Kinds[side])
	if d.err != nil {
		return nil, nil
	}
	a := j.spec.Memory.Get()
	return state.RowColumns(a, j.spec.Kinds[side], [][]byte{row}), a.Release
}
