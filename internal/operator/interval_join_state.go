package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// compact moves what is left into new memory, when it is the lesser part of what is held. No result may wait.
func (j *IntervalJoin) compact() {
	if !j.sides[0].held.crowded() && !j.sides[1].held.crowded() {
		return
	}
	kept := j.kept()
	alive := make([]bool, j.keys.Len())
	for s := range kept {
		for _, row := range kept[s] {
			if key := j.sides[s].key[row]; key != noKey {
				alive[key] = true
			}
		}
	}
	keys, old := state.Compact(j.keys, func(id uint32) bool { return alive[id] })
	number := make([]uint32, j.keys.Len())
	for id, was := range old {
		number[was] = uint32(id)
	}
	var moved [2]map[int32]int32
	for s := range j.sides {
		moved[s] = j.sides[s].move(j.spec.Memory, j.spec.Kinds[s], kept[s], number, len(old))
	}
	j.keys = keys
	for i := range j.due {
		d := &j.due[i] // in the same order, so that the heap stays one
		d.row = moved[d.side][d.row]
	}
}

// kept is the rows of the sides that are kept, as they came.
func (j *IntervalJoin) kept() (rows [2][]int32) {
	for _, d := range j.due {
		rows[d.side] = append(rows[d.side], d.row)
	}
	slices.Sort(rows[0])
	slices.Sort(rows[1])
	return rows
}

// move makes the side anew with some of its rows, whose new numbers it returns; number is those of their keys.
func (s *intervalSide) move(memory *vector.Pool, kinds []vector.Kind, rows []int32, number []uint32, keys int) map[int32]int32 {
	old := *s
	*s = intervalSide{}
	s.held.reset(memory, kinds, max(2*len(rows), 64))
	s.grow(keys)
	cols, moved := old.held.columns(), make(map[int32]int32, len(rows))
	for _, row := range rows {
		at := s.held.add(cols, int(row))
		moved[row] = at
		key := old.key[row]
		if key == noKey {
			s.note(old.time[row], 0, true)
		} else {
			s.note(old.time[row], number[key], false)
			s.chain(at)
		}
		s.matched[at] = old.matched[row]
	}
	old.held.arena.Release()
	return moved
}

const intervalJoinStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier; for the left side and then the right the number of
// rows that are kept, and as they came for each 1 if it had a match and 0 if not, and the row as package state writes it.
func (j *IntervalJoin) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, intervalJoinStateVersion), int64(j.frontier))
	for s, rows := range j.kept() {
		side := &j.sides[s]
		cols := side.held.columns()
		dst = appendInt64(dst, int64(len(rows)))
		for _, row := range rows {
			matched := int64(0)
			if side.matched[row] {
				matched = 1
			}
			dst = state.AppendRow(appendInt64(dst, matched), cols, int(row))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (j *IntervalJoin) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		d.version(intervalJoinStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < j.frontier {
			j.frontier = f
		}
		for s := range j.sides {
			for range d.count() {
				j.restoreRow(d, s, owns)
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
		j.sides[s].grow(j.keys.Len())
	}
	return nil
}

func (j *IntervalJoin) restoreRow(d *decoder, s int, owns func(hash uint64) bool) {
	matched, row := d.int64(), d.row(j.spec.Kinds[s])
	if d.err != nil {
		return
	}
	a := j.spec.Memory.Get()
	defer a.Release()
	cols := state.RowColumns(a, j.spec.Kinds[s], [][]byte{row})
	if len(j.spec.Keys[s]) > 0 && !owns(hashOf(cols, j.spec.Keys[s])) {
		return
	}
	if cols[j.spec.Times[s]].IsNull(0) {
		d.fail("a row without a time is kept for its time")
		return
	}
	id := make([]uint32, 1)
	j.keys.Find(&state.Input{Cols: pick(cols, j.spec.Keys[s]), Rows: vector.All(1)}, id)
	side := &j.sides[s]
	side.grow(j.keys.Len())
	at := side.held.add(cols, 0)
	t, keyless := cols[j.spec.Times[s]].Int(0), nullAmong(cols, j.spec.Keys[s], 0)
	side.note(t, id[0], keyless)
	side.matched[at] = matched == 1
	if !keyless {
		side.chain(at)
	}
	j.due = heap.Push(j.due, intervalDue{j.until(s, t), int8(s), at}, intervalDue.before)
}
