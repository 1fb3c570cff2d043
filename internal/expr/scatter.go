package expr

import "github.com/tidemark-sql/tidemark/internal/vector"

// scatter collects a column whose rows come from several vectors. Strings are copied into one buffer; the other kinds need no memory of their own.
type scatter struct {
	arena *vector.Arena
	out   *vector.Vector
}

func newScatter(a *vector.Arena, k vector.Kind, n int) scatter { return scatter{a, a.Flat(k, n)} }

// put takes the rows sel of v.
func (s *scatter) put(v *vector.Vector, sel []int32) {
	if v.Valid != nil {
		s.putValidity(v, sel)
	}
	mask := int32(v.Mask())
	switch v.Kind {
	case vector.Bool:
		for _, i := range sel {
			s.out.Bools[i] = v.Bools[i&mask]
		}
	case vector.Int64:
		for _, i := range sel {
			s.out.Ints[i] = v.Ints[i&mask]
		}
	case vector.Int128:
		for _, i := range sel {
			s.out.Wides[i] = v.Wides[i&mask]
		}
	case vector.Float64:
		for _, i := range sel {
			s.out.Floats[i] = v.Floats[i&mask]
		}
	case vector.Bytes:
		s.putBytes(v, sel)
	}
}

// putNull makes the rows sel NULL.
func (s *scatter) putNull(sel []int32) {
	if len(sel) > 0 {
		s.put(s.arena.NullConstant(s.out.Kind), sel)
	}
}

func (s *scatter) putValidity(v *vector.Vector, sel []int32) {
	if s.out.Valid == nil {
		s.out.Valid = s.arena.AllValid(s.out.Len())
	}
	mask := v.Mask()
	for _, i := range sel {
		if !v.Valid.Get(int(i) & mask) {
			s.out.Valid.Clear(int(i))
		}
	}
}

func (s *scatter) putBytes(v *vector.Vector, sel []int32) {
	if v.Const {
		s.putBytesOnce(v, sel)
		return
	}
	total := 0
	for _, i := range sel {
		if v.Valid.Get(int(i)) {
			total += int(v.Views[i].Len)
		}
	}
	s.reserve(total)
	for _, i := range sel {
		if !v.Valid.Get(int(i)) {
			s.out.Views[i] = vector.View{}
			continue
		}
		w := v.Views[i]
		s.out.Views[i] = vector.View{Off: uint32(len(s.out.Buf)), Len: w.Len}
		s.out.Buf = append(s.out.Buf, v.Buf[w.Off:w.Off+w.Len]...)
	}
}

// putBytesOnce lets every row see one copy of a constant.
func (s *scatter) putBytesOnce(v *vector.Vector, sel []int32) {
	view := vector.View{}
	if v.Valid.Get(0) {
		value := v.Bytes(0)
		s.reserve(len(value))
		view = vector.View{Off: uint32(len(s.out.Buf)), Len: uint32(len(value))}
		s.out.Buf = append(s.out.Buf, value...)
	}
	for _, i := range sel {
		s.out.Views[i] = view
	}
}

// reserve makes room for n more bytes in the arena.
func (s *scatter) reserve(n int) {
	if cap(s.out.Buf)-len(s.out.Buf) >= n {
		return
	}
	used := len(s.out.Buf)
	buf := s.arena.Bytes(2*used + n)
	copy(buf, s.out.Buf)
	s.out.Buf = buf[:used]
}
