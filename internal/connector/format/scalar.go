package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var zeroWide int128.Int

// setDecimal reads a number, which may have a fraction and an exponent, into row n of c, halves rounded away from zero. known is false if text is no
// number, fits is false if it has too many digits for the type.
func setDecimal(c *column, n int, text []byte) (known, fits bool) {
	v, known, fits := parseDecimal(text, int(c.Type.Precision), int(c.Type.Scale))
	if !known || !fits {
		return known, fits
	}
	if c.vector.Kind == vector.Int128 {
		c.vector.Wides[n] = v
	} else {
		c.vector.Ints[n], _ = v.Int64()
	}
	return true, true
}

// parseDecimal reads the digits of a DECIMAL(precision, scale).
func parseDecimal(text []byte, precision, scale int) (v int128.Int, known, fits bool) {
	negative := len(text) > 0 && text[0] == '-'
	if len(text) > 0 && (negative || text[0] == '+') {
		text = text[1:]
	}
	var room [types.MaxDigits + 2]byte
	digits, some := room[:0], false
	// exponent counts what stands behind digits. More digits than are kept cannot turn a half down, and up it goes with the first of them.
	exponent, point, i := 0, false, 0
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c -= '0'; c > 9 {
			break
		}
		some = true
		switch {
		case len(digits) == cap(room[:]):
			if !point {
				exponent++
			}
			continue
		case c == 0 && len(digits) == 0: // leading
		default:
			digits = append(digits, c+'0')
		}
		if point {
			exponent--
		}
	}
	if !some {
		return v, false, false
	}
	if i < len(text) {
		if text[i]|0x20 != 'e' {
			return v, false, false
		}
		// Something that is no digit follows what scanExponent reads.
		var behind [24]byte
		if len(text)-i > len(behind)-1 {
			return v, false, false
		}
		end := copy(behind[:], text[i+1:])
		e, after := scanExponent(behind[:], 0)
		if after != end {
			return v, false, false
		}
		exponent += e
	}
	// The value is digits with exponent zeroes behind them, and its digits are wanted with scale zeroes behind the point.
	shift := exponent + scale
	switch {
	case len(digits) == 0:
		return v, true, true
	case shift >= 0:
		if len(digits)+shift > types.MaxDigits {
			return v, true, false
		}
		for range shift {
			digits = append(digits, '0')
		}
		v, _ = int128.Parse(digits)
	case len(digits)+shift < 0:
		return v, true, true
	default:
		kept := len(digits) + shift
		if kept > types.MaxDigits {
			return v, true, false
		}
		if kept > 0 {
			v, _ = int128.Parse(digits[:kept])
		}
		if digits[kept] >= '5' {
			v = v.Add(int128.From(1))
		}
	}
	if !v.Fits(precision) {
		return v, true, false
	}
	if negative {
		v = v.Neg()
	}
	return v, true, true
}

// parseDate reads yyyy-MM-dd as days since the epoch.
func parseDate(text []byte) (days int64, ok bool) {
	if len(text) != len("2026-01-01") {
		return 0, false
	}
	var full [19]byte
	copy(full[copy(full[:], text):], " 00:00:00")
	micros, _, ok := timefmt.ParseTimestamp(full[:])
	return timefmt.FloorDiv(micros, timefmt.Day), ok
}

// parseTime reads HH:mm:ss with up to nine digits of a fraction as microseconds since midnight, cut to the precision of t.
func parseTime(text []byte, t types.Type) (micros int64, ok bool) {
	const date = "1970-01-01 "
	var full [len(date) + 18]byte
	if len(text) > 18 || bytes.ContainsAny(text, "Z+-") {
		return 0, false
	}
	copy(full[:], date)
	n := len(date) + copy(full[len(date):], text)
	micros, zoned, ok := timefmt.ParseTimestamp(full[:n])
	for step, p := int64(1), 6; p >= int(t.Precision); step, p = step*10, p-1 {
		if p == int(t.Precision) {
			micros = timefmt.Floor(micros, step)
		}
	}
	return micros, ok && !zoned
}
