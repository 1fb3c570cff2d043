package vector

// Part copies the selected rows lo to hi-1 of b to an arena of the same pool.
func (b *Batch) Part(lo, hi int) *Batch {
	a := b.Arena.pool.Get()
	rows := b.Rows()
	sel := a.Sel(hi - lo)
	for k := range sel {
		sel[k] = int32(rows.At(lo + k))
	}
	part := &Batch{Cols: a.Columns(len(b.Cols)), N: hi - lo, Arena: a}
	for i, c := range b.Cols {
		part.Cols[i] = c.Take(a, sel)
	}
	if b.Ops != nil {
		part.Ops = make([]Op, len(sel))
		for k, i := range sel {
			part.Ops[k] = b.Ops[i]
		}
	}
	return part
}
