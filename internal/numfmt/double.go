// Package numfmt writes numbers as Flink shows them to people. Of reading it has only the rounding of decimal digits to a DECIMAL: where a number
// comes from decides how strict its reader is.
package numfmt

import (
	"bytes"
	"math"
	"strconv"
)

// AppendDouble writes v as Java's Double.toString does, in the shortest digits that read back as v: 1.0, 0.001, 1.0E10,
// NaN, Infinity. Everything but NaN and the infinities is also a number in JSON and in SQL.
func AppendDouble(dst []byte, v float64) []byte { return appendFloat(dst, v, 64) }

// AppendFloat writes v as Java's Float.toString does, in the shortest digits that read back as v.
func AppendFloat(dst []byte, v float32) []byte { return appendFloat(dst, float64(v), 32) }

func appendFloat(dst []byte, v float64, bits int) []byte {
	magnitude := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case magnitude > math.MaxFloat64 && v > 0:
		return append(dst, "Infinity"...)
	case magnitude > math.MaxFloat64:
		return append(dst, "-Infinity"...)
	case magnitude == 0, least(bits) <= magnitude && magnitude < 1e7:
		start := len(dst)
		dst = strconv.AppendFloat(dst, v, 'f', -1, bits)
		if bytes.IndexByte(dst[start:], '.') < 0 {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	var room [32]byte
	text := strconv.AppendFloat(room[:0], v, 'e', -1, bits) // -1.25e-07, 1e+21
	e := bytes.IndexByte(text, 'e')
	if bytes.IndexByte(text[:e], '.') < 0 {
		// Of the numbers of two digits that read back as v, Java takes the nearest; only the least numbers have several.
		text = strconv.AppendFloat(room[:0], v, 'e', 1, bits)
		e = bytes.IndexByte(text, 'e')
	}
	dst = append(dst, text[:e]...)
	dst = append(dst, 'E')
	if text[e+1] == '-' {
		dst = append(dst, '-')
	}
	exponent := text[e+2:]
	if exponent[0] == '0' {
		exponent = exponent[1:]
	}
	return append(dst, exponent...)
}

// least is the smallest number that is written without an exponent: 0.001 as a float32 is a little more than that.
func least(bits int) float64 {
	if bits == 32 {
		return float64(float32(1e-3))
	}
	return 1e-3
}
