package vector

// Place is a row of one of several columns.
type Place struct {
	From uint32 // which column
	Row  int32
}

// Collect makes a flat column of n values of kind k: value i is what from[places[i].From] has in row places[i].Row. Strings are copied.
func Collect(a *Arena, k Kind, from []*Vector, places []Place) *Vector {
	out := a.Flat(k, len(places))
	collectValidity(a, out, from, places)
	switch k {
	case Bool:
		for i, p := range places {
			v := from[p.From]
			out.Bools[i] = v.Bools[int(p.Row)&v.Mask()]
		}
	case Int64:
		for i, p := range places {
			v := from[p.From]
			out.Ints[i] = v.Ints[int(p.Row)&v.Mask()]
		}
	case Int128:
		for i, p := range places {
			v := from[p.From]
			out.Wides[i] = v.Wides[int(p.Row)&v.Mask()]
		}
	case Float64:
		for i, p := range places {
			v := from[p.From]
			out.Floats[i] = v.Floats[int(p.Row)&v.Mask()]
		}
	case Bytes:
		collectBytes(a, out, from, places)
	}
	return out
}

func collectValidity(a *Arena, out *Vector, from []*Vector, places []Place) {
	for _, v := range from {
		if v.Valid != nil {
			out.Valid = a.AllValid(len(places))
			break
		}
	}
	if out.Valid == nil {
		return
	}
	for i, p := range places {
		if from[p.From].IsNull(int(p.Row)) {
			out.Valid.Clear(i)
		}
	}
}

func collectBytes(a *Arena, out *Vector, from []*Vector, places []Place) {
	total := 0
	for i, p := range places {
		if out.Valid.Get(i) {
			total += len(from[p.From].Bytes(int(p.Row)))
		}
	}
	buf := a.Bytes(total)[:0]
	for i, p := range places {
		if !out.Valid.Get(i) {
			out.Views[i] = View{}
			continue
		}
		s := from[p.From].Bytes(int(p.Row))
		out.Views[i] = View{uint32(len(buf)), uint32(len(s))}
		buf = append(buf, s...)
	}
	out.Buf = buf
}
