package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// stretch names the rows lo..hi-1 of b's selection.
func stretch(b *dataflow.Batch, lo, hi int) vector.Rows {
	if b.Sel != nil {
		return vector.Rows{Sel: b.Sel[lo:hi], N: b.N}
	}
	if lo == 0 && hi == b.N {
		return vector.All(b.N)
	}
	sel := b.Arena.Sel(hi - lo)
	for i := range sel {
		sel[i] = int32(lo + i)
	}
	return vector.Rows{Sel: sel, N: b.N}
}

// keyInput is the key columns of rows of b.
func keyInput(b *dataflow.Batch, keys []int, rows vector.Rows) state.Input {
	cols := b.Arena.Columns(len(keys))
	for i, k := range keys {
		cols[i] = b.Cols[k]
	}
	return state.Input{Cols: cols, Rows: rows, Hashes: b.Hashes}
}

// takesBack reports whether a row undoes an earlier one.
func takesBack(ops []vector.Op, row int32) bool {
	return ops != nil && (ops[row] == vector.UpdateBefore || ops[row] == vector.Delete)
}
