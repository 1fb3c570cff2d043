package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/watermark"
)

const sortStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the time of the last row that left, the
// number of rows that are held, and those as they came, as package state writes rows.
func (s *Sort) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, sortStateVersion), int64(s.frontier))
	dst = appendInt64(appendInt64(dst, s.left), int64(len(s.waiting)))
	rows := make([]int32, len(s.waiting))
	for i, w := range s.waiting {
		rows[i] = w.row
	}
	slices.Sort(rows)
	cols := s.columns()
	for _, row := range rows {
		dst = state.AppendRow(dst, cols, int(row))
	}
	return dst
}

// Restore implements dataflow.Stateful. All rows belong here, for a Sort has one task.
func (s *Sort) Restore(parts [][]byte, _ func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(sortStateVersion)
		s.frontier = watermark.Frontier(d.int64())
		s.left = d.int64()
		for range d.count() {
			row := d.row(s.spec.Kinds)
			if d.err != nil {
				return d.err
			}
			if !s.restore(row) {
				d.fail("a row has no time")
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sort) restore(row []byte) bool {
	a := s.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, s.spec.Kinds, [][]byte{row})
	if cols[s.spec.Time].IsNull(0) {
		return false
	}
	for i, c := range s.held {
		c.AppendFrom(cols[i], 0)
	}
	s.waiting = heap.Push(s.waiting, waits{cols[s.spec.Time].Int(0), int32(s.n)}, leavesBefore)
	s.n++
	return true
}
