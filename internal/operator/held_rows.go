package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// heldRows is rows that an operator keeps, by number. Numbers of rows that are gone are given back when the owner moves those that are left into new memory.
type heldRows struct {
	builders []*vector.Builder // by column
	cols     []*vector.Vector  // as they are seen
	arena    *vector.Arena
	n        int // rows, gone ones too
	gone     int
}

// reset makes room for rows in new memory. It does not release the old.
func (h *heldRows) reset(memory *vector.Pool, kinds []vector.Kind, rows int) {
	*h = heldRows{arena: memory.Get()}
	h.arena.ForState()
	for _, k := range kinds {
		h.builders, h.cols = append(h.builders, vector.NewBuilder(h.arena, k, rows)), append(h.cols, &vector.Vector{})
	}
}

// add keeps a copy of a row, and tells its number.
func (h *heldRows) add(cols []*vector.Vector, row int) int32 {
	for i, c := range h.builders {
		c.AppendFrom(cols[i], row)
	}
	h.n++
	return int32(h.n - 1)
}

// columns are the rows, good until the next add.
func (h *heldRows) columns() []*vector.Vector {
	for i, c := range h.builders {
		c.Look(h.cols[i])
	}
	return h.cols
}

// crowded reports whether most rows are gone, and there are not just a few.
func (h *heldRows) crowded() bool { return h.n >= 2*emitRows && 2*h.gone >= h.n }

// keepOnly moves the rows that are alive, in any order, into new memory, in their order, and gives the number that each has there by the one that it had. What is made of the numbers keeps its order.
func (h *heldRows) keepOnly(alive []int32, memory *vector.Pool, kinds []vector.Kind) (number []int32) {
	old := *h
	cols := old.columns()
	slices.Sort(alive)
	h.reset(memory, kinds, max(2*len(alive), 64))
	number = make([]int32, old.n)
	for _, row := range alive {
		number[row] = h.add(cols, int(row))
	}
	old.arena.Release()
	return number
}
