package datagen

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// column says which values a column takes.
type column struct {
	kind     types.Kind
	seed     random
	sequence bool

	first, last   int64   // whole numbers and sequences, both included
	least, most   float64 // DOUBLE
	length        int64   // of a STRING, in bytes and characters
	maxPast, tick int64   // of an instant, microseconds
	nullRate      float64 // 0 to 1
}

// rows is how long a sequence is.
func (c *column) rows() int64 {
	n := uint64(c.last) - uint64(c.first) + 1
	if n == 0 || n > unbounded {
		return unbounded
	}
	return int64(n)
}

// fill makes a vector of the values of n rows from row number row on; now is what time it is, in microseconds.
func (c *column) fill(a *vector.Arena, row int64, n int, now int64) *vector.Vector {
	v := a.Flat(vector.KindOf(types.Type{Kind: c.kind}), n)
	switch {
	case c.kind == types.String && c.sequence:
		c.fillDigits(a, v, row)
	case c.kind == types.String:
		c.fillStrings(a, v, row)
	case c.kind == types.Boolean:
		for i := range v.Bools {
			v.Bools[i] = uint8(c.seed.at(row+int64(i)) >> 63)
		}
	case c.kind == types.Double && c.sequence:
		for i := range v.Floats {
			v.Floats[i] = float64(c.first + row + int64(i))
		}
	case c.kind == types.Double:
		for i := range v.Floats {
			u := unit(c.seed.at(row + int64(i)))
			v.Floats[i] = c.least*(1-u) + c.most*u
		}
	case c.sequence:
		for i := range v.Ints {
			v.Ints[i] = c.first + row + int64(i)
		}
	case c.kind == types.Int || c.kind == types.BigInt:
		for i := range v.Ints {
			v.Ints[i] = between(c.seed.at(row+int64(i)), c.first, c.last)
		}
	default:
		for i := range v.Ints {
			v.Ints[i] = timefmt.Floor(now-between(c.seed.at(row+int64(i)), 0, c.maxPast), c.tick)
		}
	}
	if c.nullRate > 0 {
		c.fillNulls(a, v, row, n)
	}
	return v
}

// fillStrings writes hexadecimal digits (Flink 2.3: random strings are hexadecimal).
func (c *column) fillStrings(a *vector.Arena, v *vector.Vector, row int64) {
	v.Buf = a.Bytes(len(v.Views) * int(c.length))
	at := 0
	for i := range v.Views {
		v.Views[i] = vector.View{Off: uint32(at), Len: uint32(c.length)}
		digits := random(c.seed.at(row + int64(i)))
		for word := int64(0); word*16 < c.length; word++ {
			r := digits.at(word)
			for range min(16, c.length-word*16) {
				v.Buf[at] = "0123456789abcdef"[r&15]
				r >>= 4
				at++
			}
		}
	}
}

func (c *column) fillDigits(a *vector.Arena, v *vector.Vector, row int64) {
	const most = len("-9223372036854775808")
	text := a.Bytes(len(v.Views) * most)[:0]
	for i := range v.Views {
		from := len(text)
		text = strconv.AppendInt(text, c.first+row+int64(i), 10)
		v.Views[i] = vector.View{Off: uint32(from), Len: uint32(len(text) - from)}
	}
	v.Buf = text
}

// fillNulls draws from a sequence of its own, so that the values do not change with the rate.
func (c *column) fillNulls(a *vector.Arena, v *vector.Vector, row int64, n int) {
	nulls := random(c.seed.at(-1))
	v.Valid = a.AllValid(n)
	for i := range n {
		if unit(nulls.at(row+int64(i))) < c.nullRate {
			v.Valid.Clear(i)
		}
	}
}
