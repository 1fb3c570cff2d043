package functions

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// textOf writes values of a type as text. YDB: a Timestamp always has six digits of a fraction.
func textOf(from, to yqltype.Type) function.Kernel {
	if vectorBytes(from) {
		if to.Kind == yqltype.Utf8 && from.Kind != yqltype.Utf8 && from.Kind != yqltype.Json && from.Kind != yqltype.Uuid {
			return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
				s := c.Args[0].Bytes(i)
				if !utf8.Valid(s) {
					return nil, errNull
				}
				return append(dst, s...), nil
			})
		}
		return keep
	}
	if from.Kind == yqltype.Decimal {
		t := from.Physical()
		return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return valuefmt.Append(dst, t, c.Args[0], i&c.Args[0].Mask()), nil
		})
	}
	return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		switch v := c.Args[0]; {
		case from.Kind == yqltype.Bool:
			return strconv.AppendBool(dst, v.Bool(i)), nil
		case from.Kind == yqltype.Float:
			return appendFloat(dst, v.Float(i), 32), nil
		case from.Kind == yqltype.Double:
			return appendFloat(dst, v.Float(i), 64), nil
		case from.IsInstant():
			return appendInstant(dst, from.Kind, v.Int(i)), nil
		case from.Kind == yqltype.Interval:
			return appendInterval(dst, v.Int(i)), nil
		default:
			return strconv.AppendInt(dst, v.Int(i), 10), nil
		}
	})
}

// vectorBytes reports whether values of t are held as their text.
func vectorBytes(t yqltype.Type) bool { return t.Kind >= yqltype.String && t.Kind <= yqltype.Uuid }

// appendFloat writes a number as YQL does: the shortest digits that give it again, inf and nan.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, bits)
}

func appendInstant(dst []byte, k yqltype.Kind, n int64) []byte {
	switch k {
	case yqltype.Date:
		return timefmt.AppendDate(dst, n)
	case yqltype.Datetime:
		return timefmt.AppendTimestamp(dst, n, 0, 'T', true)
	}
	return timefmt.AppendTimestamp(dst, n, 6, 'T', true)
}

// appendInterval writes a length of time as ISO 8601 does, in days and less: P1DT2H3M4.5S, PT0S.
func appendInterval(dst []byte, micros int64) []byte {
	const day, second = uint64(timefmt.Day), uint64(timefmt.Second)
	n := uint64(micros)
	if micros < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = append(dst, 'P')
	if days := n / day; days > 0 {
		dst = append(strconv.AppendUint(dst, days, 10), 'D')
		n %= day
		if n == 0 {
			return dst
		}
	}
	dst = append(dst, 'T')
	if n == 0 {
		return append(dst, "0S"...)
	}
	for _, part := range []struct {
		size uint64
		name byte
	}{{3600 * second, 'H'}, {60 * second, 'M'}} {
		if count := n / part.size; count > 0 {
			dst = append(strconv.AppendUint(dst, count, 10), part.name)
			n %= part.size
		}
	}
	if n == 0 {
		return dst
	}
	dst = strconv.AppendUint(dst, n/second, 10)
	if fraction := n % second; fraction != 0 {
		text := strconv.FormatUint(fraction+second, 10)[1:]
		for text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
		dst = append(append(dst, '.'), text...)
	}
	return append(dst, 'S')
}

// ParseInterval reads a length of time as ISO 8601 writes it, in microseconds: [-]P[nW][nD][T[nH][nM][n[.f]S]], in this order and at least one of them; the fraction has up
// to six digits.
func ParseInterval(s string) (micros int64, ok bool) {
	negative := false
	if len(s) > 0 && s[0] == '-' {
		negative, s = true, s[1:]
	}
	if len(s) < 2 || s[0] != 'P' {
		return 0, false
	}
	s = s[1:]
	units := []struct {
		name byte
		size int64
		time bool
	}{{'W', 7 * timefmt.Day, false}, {'D', timefmt.Day, false}, {'H', timefmt.Hour, true}, {'M', timefmt.Minute, true}, {'S', timefmt.Second, true}}
	next, inTime := 0, false
	for len(s) > 0 {
		if s[0] == 'T' {
			if inTime || len(s) == 1 {
				return 0, false
			}
			inTime, s = true, s[1:]
			continue
		}
		end := 0
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, err := strconv.ParseInt(s[:end], 10, 64)
		if err != nil || end == len(s) {
			return 0, false
		}
		s = s[end:]
		fraction := int64(0)
		if s[0] == '.' {
			if fraction, s, ok = parseFraction(s[1:]); !ok {
				return 0, false
			}
		}
		for ; next < len(units) && (units[next].name != s[0] || units[next].time != inTime); next++ {
		}
		if next == len(units) || fraction >= 0 && units[next].name != 'S' && fraction != 0 {
			return 0, false
		}
		if n > (math.MaxInt64-micros-fraction)/units[next].size {
			return 0, false
		}
		micros += n*units[next].size + fraction
		s = s[1:]
		next++
	}
	if next == 0 {
		return 0, false
	}
	if negative {
		micros = -micros
	}
	return micros, true
}

// parseFraction reads up to six digits as microseconds, and wants a unit behind them.
func parseFraction(s string) (micros int64, rest string, ok bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 0 || end > 6 || end == len(s) {
		return 0, s, false
	}
	for i := range 6 {
		micros *= 10
		if i < end {
			micros += int64(s[i] - '0')
		}
	}
	return micros, s[end:], true
}
