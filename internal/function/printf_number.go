package function

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
)

// value writes a value that is not NULL.
func (d *directive) value(dst []byte, t types.Type, c *Call, i int) []byte {
	v := c.Args[d.arg]
	switch d.verb {
	case 'd':
		n := v.Int(i)
		digits := strconv.AppendUint(nil, withoutSign(n), 10)
		return d.signed(dst, n < 0, digits, true)
	case 'x', 'o':
		return d.unsigned(dst, v.Int(i), t)
	case 'c':
		return utf8.AppendRune(dst, rune(min(max(v.Int(i), -1), utf8.MaxRune+1)))
	case 's':
		if t.Kind == types.Boolean {
			return strconv.AppendBool(dst, v.Bool(i))
		}
		return valuefmt.Append(dst, t, v, i)
	}
	if t.Kind == types.Decimal {
		return d.fraction(dst, numfmt.AppendDecimal(nil, valuefmt.Digits(t, v, i), int(t.Scale)))
	}
	f := v.Float(i)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return d.signed(dst, f < 0, numfmt.AppendDouble(nil, math.Abs(f)), false)
	}
	bits := 64
	if t.Kind == types.Float {
		bits = 32
	}
	return d.fraction(dst, strconv.AppendFloat(nil, f, 'e', -1, bits))
}

func withoutSign(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// unsigned writes the bits of a whole number of its type.
func (d *directive) unsigned(dst []byte, n int64, t types.Type) []byte {
	bits := map[types.Kind]int{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32, types.BigInt: 64}[t.Kind]
	u := uint64(n) << (64 - bits) >> (64 - bits)
	base, prefix := 16, "0x"
	if d.verb == 'o' {
		base, prefix = 8, "0"
	}
	if !d.flags.alternate {
		prefix = ""
	}
	digits := strconv.AppendUint(nil, u, base)
	dst = append(dst, prefix...)
	if d.flags.zero {
		for range d.width - len(prefix) - len(digits) {
			dst = append(dst, '0')
		}
	}
	return append(dst, digits...)
}

// signed writes a number whose digits (and point) are given; finite is false for what is no number.
func (d *directive) signed(dst []byte, negative bool, digits []byte, finite bool) []byte {
	before, behind := "", ""
	switch {
	case negative && d.flags.parens:
		before, behind = "(", ")"
	case negative:
		before = "-"
	case d.flags.plus:
		before = "+"
	case d.flags.space:
		before = " "
	}
	if finite && d.flags.comma {
		digits = grouped(digits)
	}
	dst = append(dst, before...)
	if finite && d.flags.zero {
		for range d.width - len(before) - len(digits) - len(behind) {
			dst = append(dst, '0')
		}
	}
	return append(append(dst, digits...), behind...)
}

// grouped puts commas between the thousands.
func grouped(digits []byte) []byte {
	whole := 0
	for whole < len(digits) && '0' <= digits[whole] && digits[whole] <= '9' {
		whole++
	}
	var out []byte
	for i, b := range digits {
		if i > 0 && i < whole && (whole-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, b)
	}
	return out
}

// fraction writes a number, given in digits, as f, e or g ask for.
func (d *directive) fraction(dst, number []byte) []byte {
	negative, digits, point := readDecimal(number)
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	verb := d.verb
	if verb == 'g' {
		precision = max(precision, 1)
		rounded, at := roundDigits(digits, point, precision)
		switch zero := len(rounded) == 0; {
		case zero:
			verb, precision = 'f', precision-1
		case at > -4 && at <= precision:
			verb, precision = 'f', precision-at
		default:
			verb, precision = 'e', precision-1
		}
	}
	if verb == 'e' {
		return d.signed(dst, negative, exponential(digits, point, precision, d.flags.alternate), true)
	}
	return d.signed(dst, negative, fixed(digits, point, precision, d.flags.alternate), true)
}

// readDecimal reads number as 0.digits times ten to the power of point; zero has no digits.
func readDecimal(number []byte) (negative bool, digits []byte, point int) {
	whole, seen := true, false
	for i, b := range number {
		switch {
		case b == '-':
			negative = true
		case b == '.':
			whole = false
		case b == 'e':
			exponent, _ := strconv.Atoi(string(number[i+1:])) // strconv wrote it
			if seen {
				point += exponent
			}
			return negative, digits, point
		default:
			if seen = seen || b != '0'; seen {
				digits = append(digits, b)
			}
			if whole && seen {
				point++
			} else if !whole && !seen {
				point--
			}
		}
	}
	if !seen {
		point = 0
	}
	return negative, digits, point
}

// roundDigits keeps n digits, half up as Java does; n may be 0 or negative.
func roundDigits(digits []byte, point, n int) ([]byte, int) {
	if n >= len(digits) {
		return digits, point
	}
	if n < 0 {
		return nil, point
	}
	up := digits[n] >= '5'
	kept := append(make([]byte, 0, n+1), digits[:n]...)
	if !up {
		return kept, point
	}
	for i := n - 1; i >= 0; i-- {
		if kept[i]++; kept[i] <= '9' {
			return kept, point
		}
		kept[i] = '0'
	}
	return append([]byte{'1'}, kept...), point + 1
}

func fixed(digits []byte, point, precision int, alwaysPoint bool) []byte {
	digits, point = roundDigits(digits, point, point+precision)
	digit := func(at int) byte {
		if at < 0 || at >= len(digits) {
			return '0'
		}
		return digits[at]
	}
	var out []byte
	for at := range max(point, 0) {
		out = append(out, digit(at))
	}
	if len(out) == 0 {
		out = append(out, '0')
	}
	if precision > 0 || alwaysPoint {
		out = append(out, '.')
	}
	for at := range precision {
		out = append(out, digit(point+at))
	}
	return out
}

func exponential(digits []byte, point, precision int, alwaysPoint bool) []byte {
	digits, point = roundDigits(digits, point, precision+1)
	exponent := point - 1
	if len(digits) == 0 {
		exponent = 0
	}
	out := fixed(digits, 1, precision, alwaysPoint)
	sign := byte('+')
	if exponent < 0 {
		sign, exponent = '-', -exponent
	}
	out = append(out, 'e', sign)
	if exponent < 10 {
		out = append(out, '0')
	}
	return strconv.AppendInt(out, int64(exponent), 10)
}
