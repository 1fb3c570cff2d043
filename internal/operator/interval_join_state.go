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
	var alive [2][]bool
	for s := range alive {
		alive[s] = make([]bool, j.sides[s].held.n)
	}
	for _, d := range j.due {
		alive[d.side][d.row] = true
	}
	for s := range alive {
		rows[s] = make([]int32, 0, j.sides[s].held.n-j.sides[s].held.gone)
		for row, is := range alive[s] {
			if is {
				rows[s] = append(rows[s], int32(row))
			}
		}
	}
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

// intervalJoinStateVersion is that in which states are written. The one before had each row for itself: 1 if it had a match and 0 if not, and the row.
const intervalJoinStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier; for the left side and then the right the number of
// rows that are kept, and as they came blocks of rows as appendBlocks writes them, with a byte for each row in front, 1 if it had a match and 0 if not.
func (j *IntervalJoin) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, intervalJoinStateVersion), int64(j.frontier))
	for s, rows := range j.kept() {
		side := &j.sides[s]
		dst = appendBlocks(dst, side.held.columns(), rows, func(dst []byte, rows []int32) []byte {
			for _, row := range rows {
				dst = append(dst, flag(side.matched[row]))
			}
			return dst
		})
	}
	return dst
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// Restore implements dataflow.Stateful.
func (j *IntervalJoin) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(intervalJoinStateVersion-1, intervalJoinStateVersion)
		if f := watermark.Frontier(d.int64()); i == 0 || f < j.frontier {
			j.frontier = f
		}
		for s, kinds := range j.spec.Kinds {
			if version < intervalJoinStateVersion {
				for range d.count() {
					j.restoreRow(d, s, owns)
				}
				continue
			}
			var matched []byte
			d.blocks(j.spec.Memory, kinds, func(n int) {
				if matched = d.take(n); slices.ContainsFunc(matched, func(b byte) bool { return b > 1 }) {
					d.fail("a row has had a match or not")
				}
			}, func(cols []*vector.Vector, n int) {
				j.rekeep(d, s, cols, n, func(k int) bool { return matched[k] == 1 }, owns)
			})
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

// restoreRow reads a row of the version before.
func (j *IntervalJoin) restoreRow(d *decoder, s int, owns func(hash uint64) bool) {
	matched, row := d.int64(), d.row(j.spec.Kinds[s])
	if d.err != nil {
		return
	}
	a := j.spec.Memory.Get()
	defer a.Release()
	j.rekeep(d, s, state.RowColumns(a, j.spec.Kinds[s], [][]byte{row}), 1, func(int) bool { return matched == 1 }, owns)
}

// rekeep takes those of n rows of a side that belong here; matched tells whether the k-th had a match.
func (j *IntervalJoin) rekeep(d *decoder, s int, cols []*vector.Vector, n int, matched func(k int) bool, owns func(hash uint64) bool) {
	mine := ownedRows(cols, j.spec.Keys[s], n, owns)
	ids := make([]uint32, mine.Count())
	j.keys.Find(&state.Input{Cols: pick(cols, j.spec.Keys[s]), Rows: mine}, ids)
	side, times := &j.sides[s], cols[j.spec.Times[s]]
	side.grow(j.keys.Len())
	for i, id := range ids {
		k := mine.At(i)
		if times.IsNull(k) {
			d.fail("a row without a time is kept for its time")
			return
		}
		at := side.held.add(cols, k)
		t, keyless := times.Int(k), nullAmong(cols, j.spec.Keys[s], k)
		side.note(t, id, keyless)
		side.matched[at] = matched(k)
		if !keyless {
			side.chain(at)
		}
		j.due = heap.Push(j.due, intervalDue{j.until(s, t), int8(s), at}, intervalDue.before)
	}
}
