package vector

// Take copies the rows of v that rows names, in that order, to a new flat vector in arena a (a constant stays constant).
// Strings are copied too: the result does not point into v.
func (v *Vector) Take(a *Arena, rows []int32) *Vector {
	n := len(rows)
	if v.Const {
		n, rows = 1, zeroRow
	}
	out := a.Flat(v.Kind, n)
	out.Const = v.Const
	if v.Valid != nil {
		out.Valid = a.AllNull(n)
		for i, r := range rows {
			if v.Valid.Get(int(r)) {
				out.Valid.Set(i)
			}
		}
	}
	switch v.Kind {
	case Bool:
		for i, r := range rows {
			out.Bools[i] = v.Bools[r]
		}
	case Int64:
		for i, r := range rows {
			out.Ints[i] = v.Ints[r]
		}
	case Int128:
		for i, r := range rows {
			out.Wides[i] = v.Wides[r]
		}
	case Float64:
		for i, r := range rows {
			out.Floats[i] = v.Floats[r]
		}
	case Bytes:
		v.takeViews(a, rows, out)
	}
	return out
}

var zeroRow = []int32{0}

func (v *Vector) takeViews(a *Arena, rows []int32, out *Vector) {
	total := 0
	for _, r := range rows {
		if v.Valid.Get(int(r)) {
			total += int(v.Views[r].Len)
		}
	}
	buf := a.Bytes(total)
	at := uint32(0)
	for i, r := range rows {
		if !v.Valid.Get(int(r)) {
			out.Views[i] = View{at, 0}
			continue
		}
		w := v.Views[r]
		copy(buf[at:], v.Buf[w.Off:w.Off+w.Len])
		out.Views[i] = View{at, w.Len}
		at += w.Len
	}
	out.Buf = buf
}
