package vector

// sampled is of how many rows the strings are looked at to tell how large those of a batch are.
const sampled = 64

// Footprint is about how many bytes the selected rows of b take: values have that of their kind, and of the strings of many rows a part is looked at.
func (b *Batch) Footprint() int64 {
	rows := b.Rows()
	n := rows.Count()
	if n == 0 {
		return 0
	}
	total := int64(0)
	for _, c := range b.Cols {
		if c.Const {
			continue // it takes as much for all rows as for one
		}
		switch c.Kind {
		case Bool:
			total += int64(n)
		case Int64, Float64:
			total += 8 * int64(n)
		case Int128:
			total += 16 * int64(n)
		case Bytes:
			step := (n + sampled - 1) / sampled
			strings, looked := int64(0), int64(0)
			for k := 0; k < n; k += step {
				if row := rows.At(k); !c.IsNull(row) {
					strings += int64(c.Views[row].Len)
				}
				looked++
			}
			total += strings * int64(n) / looked
		}
	}
	return total
}
