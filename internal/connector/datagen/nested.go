package datagen

import (
	"bytes"
	"math/big"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// fillNested makes values that have parts. Element k of the collection of value i is value i * length + k of its part.
func (c *column) fillNested(a *vector.Arena, v *vector.Vector, row int64, n int, clock *Clock) {
	all := vector.All(n)
	if c.of.Kind == types.Row {
		cols := make([]*vector.Vector, len(c.parts))
		for i := range c.parts {
			cols[i] = c.parts[i].fill(a, row, n, clock)
		}
		nested.PackRows(a, cols, all, v)
		return
	}
	total := n * int(c.length)
	clock = clock.inside(c.length)
	elems := c.parts[0].fill(a, row*c.length, total, clock)
	ends := a.Sel(n)
	for i := range ends {
		ends[i] = int32(i+1) * int32(c.length)
	}
	if c.of.Kind == types.Array {
		nested.Pack(a, elems, ends, all, v)
		return
	}
	var values *vector.Vector
	if c.of.Kind == types.Map {
		values = c.parts[1].fill(a, row*c.length, total, clock)
	} else {
		values = a.Flat(vector.Int64, total)
		for i := range values.Ints {
			values.Ints[i] = 1
		}
	}
	// A key is there once: of equal ones the first counts, and in a MULTISET as often as it came.
	keep := a.Sel(total)[:0]
	for i := range ends {
		first := len(keep)
		for k := i * int(c.length); k < (i+1)*int(c.length); k++ {
			twice := false
			for _, before := range keep[first:] {
				if same(elems, int(before), k) {
					twice = true
					if c.of.Kind == types.Multiset {
						values.Ints[before]++
					}
					break
				}
			}
			if !twice {
				keep = append(keep, int32(k))
			}
		}
		ends[i] = int32(len(keep))
	}
	nested.PackMap(a, elems.Take(a, keep), values.Take(a, keep), ends, all, v)
}

// same reports whether two values of v are equal, NULLs too.
func same(v *vector.Vector, i, j int) bool {
	if v.IsNull(i) || v.IsNull(j) {
		return v.IsNull(i) && v.IsNull(j)
	}
	switch v.Kind {
	case vector.Bool:
		return v.Bools[i] == v.Bools[j]
	case vector.Int64:
		return v.Ints[i] == v.Ints[j]
	case vector.Int128:
		return v.Wides[i] == v.Wides[j]
	case vector.Float64:
		return v.Floats[i] == v.Floats[j]
	}
	return bytes.Equal(v.Bytes(i), v.Bytes(j))
}

// fillDecimals makes numbers as DOUBLE has them, with the digits of the type.
func (c *column) fillDecimals(v *vector.Vector, row int64) {
	for i := range v.Len() {
		var digits int128.Int
		if c.sequence {
			digits, _ = int128.From(c.first+row+int64(i)).Rescale(0, int(c.of.Scale))
		} else {
			digits = c.decimal(c.fraction(row + int64(i)))
		}
		if v.Kind == vector.Int128 {
			v.Wides[i] = digits
		} else {
			v.Ints[i], _ = digits.Int64()
		}
	}
}

// decimal is f in digits of the type, its greatest if f is beyond.
func (c *column) decimal(f float64) int128.Int {
	x := big.NewFloat(f)
	whole, _ := x.Mul(x, new(big.Float).SetInt(int128.Pow10(int(c.of.Scale)).Big())).Int(nil)
	digits, ok := int128.FromBig(whole)
	if ok && digits.Fits(int(c.of.Precision)) {
		return digits
	}
	greatest := greatestOf(int(c.of.Precision))
	if f < 0 {
		return greatest.Neg()
	}
	return greatest
}

func greatestOf(precision int) int128.Int { return int128.Pow10(precision).Sub(int128.From(1)) }
