package function

import (
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// extremeWide is MIN and MAX of a DECIMAL of more than 18 digits. State of a group: one byte, 1 if there is a value, then its low and its high 64 bits.
type extremeWide struct {
	max    bool
	groups []wideExtreme
}

type wideExtreme struct {
	digits int128.Int
	some   bool
}

func (s *extremeWide) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *extremeWide) Add(ids []uint32, arg *vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.take(id, arg.Wide(i))
		}
	}
}

func (s *extremeWide) take(id uint32, v int128.Int) {
	g := &s.groups[id]
	if order := v.Cmp(g.digits); !g.some || (s.max && order > 0) || (!s.max && order < 0) {
		*g = wideExtreme{v, true}
	}
}

func (s *extremeWide) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*extremeWide).groups
	for k, id := range dst {
		if other := groups[sourceGroup(src, k)]; other.some {
			s.take(id, other.digits)
		}
	}
}

func (s *extremeWide) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(vector.Int128, len(ids))
	for k, id := range ids {
		g := s.groups[id]
		if !g.some {
			setNull(a, out, k)
		}
		out.Wides[k] = g.digits
	}
	return out
}

func (s *extremeWide) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	return appendWide(append(dst, bit(g.some)), g.digits)
}

func (s *extremeWide) Decode(src []byte, id uint32) ([]byte, error) {
	if len(src) == 0 {
		return nil, errTruncated
	}
	digits, rest, err := readWide(src[1:])
	s.groups[id] = wideExtreme{digits, src[0] != 0}
	return rest, err
}

func (s *extremeWide) Clear(id uint32) { s.groups[id] = wideExtreme{} }

func (s *extremeWide) Reset() { s.groups = s.groups[:0] }

func (s *extremeWide) Bytes() int { return 24 * cap(s.groups) }

func appendWide(dst []byte, v int128.Int) []byte {
	return appendInt64(appendInt64(dst, int64(v.Lo)), v.Hi)
}

func readWide(src []byte) (v int128.Int, rest []byte, err error) {
	lo, src, err := readInt64(src)
	if err != nil {
		return v, nil, err
	}
	hi, src, err := readInt64(src)
	return int128.Int{Hi: hi, Lo: uint64(lo)}, src, err
}
