package expr

import (
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Filter lists the rows where e is TRUE, ascending, in arena memory; the list is never nil. Operands of AND are tested one after the other, each on what
// the ones before left.
func Filter(c *Context, b *vector.Batch, rows vector.Rows, e Expr) ([]int32, error) {
	var sel []int32
	for _, test := range Conjuncts(e) {
		if sel != nil {
			rows = vector.Rows{Sel: sel, N: b.N}
		}
		v, err := test.Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		sel = trueRows(c.Arena, v, rows)
		if len(sel) == 0 {
			break
		}
	}
	return sel, nil
}

// trueRows writes every row number and moves on only past those that are TRUE, so that there is no branch to predict.
func trueRows(a *vector.Arena, v *vector.Vector, rows vector.Rows) []int32 {
	n := rows.Count()
	// One element more: arenas may give nil for none, and nil selections mean all rows.
	sel := a.Sel(n + 1)
	if v.Const {
		if v.Bools[0] == 0 || !v.Valid.Get(0) {
			return sel[:0]
		}
		for k := range n {
			sel[k] = int32(rows.At(k))
		}
		return sel[:n]
	}
	k := 0
	switch {
	case rows.Sel == nil && v.Valid == nil:
		for i, bit := range v.Bools[:n] {
			sel[k] = int32(i)
			k += int(bit & 1)
		}
	case rows.Sel == nil:
		for i, bit := range v.Bools[:n] {
			sel[k] = int32(i)
			k += int(uint64(bit) & (v.Valid[i>>6] >> (uint(i) & 63)) & 1)
		}
	case v.Valid == nil:
		for _, i := range rows.Sel {
			sel[k] = i
			k += int(v.Bools[i] & 1)
		}
	default:
		for _, i := range rows.Sel {
			sel[k] = i
			k += int(uint64(v.Bools[i]) & (v.Valid[i>>6] >> (uint(i) & 63)) & 1)
		}
	}
	return sel[:k]
}
