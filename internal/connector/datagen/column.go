package datagen

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// column says which values a column, or a part of one, takes.
type column struct {
	of       types.Type
	seed     random
	sequence bool
	parts    []column // of a nested type

	first, last   int64   // whole numbers and sequences, both included
	least, most   float64 // FLOAT, DOUBLE and DECIMAL
	length        int64   // of a string in characters, of bytes, of a collection in elements
	varies        bool    // length is the greatest one
	maxPast, tick int64   // of an instant, microseconds
	nullRate      float64 // 0 to 1
}

// bytes is about how many a value takes at most.
func (c *column) bytes() int64 {
	const number, end = 16, 4
	switch {
	case c.of.IsText(), c.of.IsBytes():
		return c.length + end
	case !c.of.IsNested():
		return number
	}
	total := int64(0)
	for i := range c.parts {
		total += c.parts[i].bytes()
	}
	if c.of.Kind == types.Row {
		return total
	}
	return total * c.length // parts are no larger than vector.MaxValue
}

// rows is how long a sequence is.
func (c *column) rows() int64 {
	n := uint64(c.last) - uint64(c.first) + 1
	if n == 0 || n > Unbounded {
		return Unbounded
	}
	return int64(n)
}

// fill makes a vector of n values from value number row on.
func (c *column) fill(a *vector.Arena, row int64, n int, clock *Clock) *vector.Vector {
	v := a.Flat(vector.KindOf(c.of), n)
	switch {
	case c.of.IsNested():
		c.fillNested(a, v, row, n, clock)
	case c.sequence && c.of.IsText():
		c.fillDigits(a, v, row)
	case c.of.IsText():
		c.fillText(a, v, row)
	case c.of.IsBytes():
		c.fillBytes(a, v, row)
	case c.of.Kind == types.Boolean:
		for i := range v.Bools {
			v.Bools[i] = uint8(c.seed.at(row+int64(i)) >> 63)
		}
	case c.of.Kind == types.Decimal:
		c.fillDecimals(v, row)
	case c.of.IsApproximate() && c.sequence:
		for i := range v.Floats {
			v.Floats[i] = c.round(float64(c.first + row + int64(i)))
		}
	case c.of.IsApproximate():
		for i := range v.Floats {
			v.Floats[i] = c.round(c.fraction(row + int64(i)))
		}
	case c.sequence:
		for i := range v.Ints {
			v.Ints[i] = c.first + row + int64(i)
		}
	case c.of.IsInteger():
		for i := range v.Ints {
			v.Ints[i] = between(c.seed.at(row+int64(i)), c.first, c.last)
		}
	// Flink 2.3: dates and times of day are the present ones.
	case c.of.Kind == types.Date:
		for i := range v.Ints {
			v.Ints[i] = timefmt.FloorDiv(clock.At(row+int64(i)), timefmt.Day)
		}
	case c.of.Kind == types.Time:
		for i := range v.Ints {
			now := clock.At(row + int64(i))
			v.Ints[i] = timefmt.Floor(now-timefmt.Floor(now, timefmt.Day), timefmt.Second)
		}
	default:
		for i := range v.Ints {
			v.Ints[i] = timefmt.Floor(clock.At(row+int64(i))-between(c.seed.at(row+int64(i)), 0, c.maxPast), c.tick)
		}
	}
	if c.nullRate > 0 {
		c.fillNulls(a, v, row, n)
	}
	return v
}

// fraction is random value number i of a FLOAT, DOUBLE or DECIMAL.
func (c *column) fraction(i int64) float64 {
	u := unit(c.seed.at(i))
	return c.least*(1-u) + c.most*u
}

// round brings a number to the type.
func (c *column) round(f float64) float64 {
	if c.of.Kind == types.Float {
		return float64(float32(f))
	}
	return f
}

// fillText writes hexadecimal digits (Flink 2.3: random strings are hexadecimal).
func (c *column) fillText(a *vector.Arena, v *vector.Vector, row int64) {
	c.fillBuffer(a, v, row, func(text []byte, digits random) {
		for word := 0; word*16 < len(text); word++ {
			r := digits.at(int64(word))
			for i := range text[word*16 : min(len(text), word*16+16)] {
				text[word*16+i] = "0123456789abcdef"[r&15]
				r >>= 4
			}
		}
	})
}

func (c *column) fillBytes(a *vector.Arena, v *vector.Vector, row int64) {
	c.fillBuffer(a, v, row, func(bytes []byte, digits random) {
		for word := 0; word*8 < len(bytes); word++ {
			r := digits.at(int64(word))
			for i := range bytes[word*8 : min(len(bytes), word*8+8)] {
				bytes[word*8+i] = byte(r)
				r >>= 8
			}
		}
	})
}

// fillBuffer gives every value its length and lets write fill it.
func (c *column) fillBuffer(a *vector.Arena, v *vector.Vector, row int64, write func(dst []byte, digits random)) {
	v.Buf = a.Bytes(len(v.Views) * int(c.length))
	lengths := random(c.seed.at(-2))
	at := 0
	for i := range v.Views {
		n := int(c.length)
		if c.varies {
			n = int(between(lengths.at(row+int64(i)), 1, c.length))
		}
		v.Views[i] = vector.View{Off: uint32(at), Len: uint32(n)}
		write(v.Buf[at:at+n], random(c.seed.at(row+int64(i))))
		at += n
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
