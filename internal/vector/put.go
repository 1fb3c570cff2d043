package vector

import "math"

// Put copies value k of from to place at[k] of v, which is flat and of the same kind, for all k. Of strings the bytes are copied too, behind those in v.Buf, which
// is in arena a.
func (v *Vector) Put(a *Arena, at []int32, from *Vector) {
	if from.Valid != nil {
		if v.Valid == nil {
			v.Valid = a.AllValid(v.Len())
		}
		for k, i := range at {
			if !from.Valid.Get(k & from.Mask()) {
				v.Valid.Clear(int(i))
			}
		}
	}
	mask := from.Mask()
	switch v.Kind {
	case Bool:
		for k, i := range at {
			v.Bools[i] = from.Bools[k&mask]
		}
	case Int64:
		for k, i := range at {
			v.Ints[i] = from.Ints[k&mask]
		}
	case Int128:
		for k, i := range at {
			v.Wides[i] = from.Wides[k&mask]
		}
	case Float64:
		for k, i := range at {
			v.Floats[i] = from.Floats[k&mask]
		}
	case Bytes:
		v.putBytes(a, at, from)
	}
}

func (v *Vector) putBytes(a *Arena, at []int32, from *Vector) {
	total := 0
	for k := range at {
		if !from.IsNull(k) {
			total += len(from.Bytes(k))
		}
	}
	if used := len(v.Buf); cap(v.Buf)-used < total {
		buf := a.Bytes(2*used + total)
		copy(buf, v.Buf)
		v.Buf = buf[:used]
	}
	for k, i := range at {
		if from.IsNull(k) {
			v.Views[i] = View{}
			continue
		}
		s := from.Bytes(k)
		v.Views[i] = View{uint32(len(v.Buf)), uint32(len(s))}
		v.Buf = append(v.Buf, s...)
	}
}

// Same reports whether value i of v and value j of w, vectors of one kind, are the same: both NULL, or equal. NaN is equal to itself, whatever its bits; 0.0 and -0.0 differ, because whoever
// keeps whole rows, as state.AppendRow writes them, would not find the one that it is told to take away.
func Same(v *Vector, i int, w *Vector, j int) bool {
	if v.IsNull(i) || w.IsNull(j) {
		return v.IsNull(i) && w.IsNull(j)
	}
	switch v.Kind {
	case Bool:
		return v.Bool(i) == w.Bool(j)
	case Int64:
		return v.Int(i) == w.Int(j)
	case Int128:
		return v.Wide(i) == w.Wide(j)
	case Float64:
		x, y := v.Float(i), w.Float(j)
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	return string(v.Bytes(i)) == string(w.Bytes(j))
}
