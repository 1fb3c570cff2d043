// Package valuefmt writes SQL values as text: the one form that CAST to STRING, tables, error messages and plans have in common. What a format such as
// JSON asks for, and what a statement's zone makes of an instant, is written elsewhere.
package valuefmt

import (
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Style is how the values are written that a session or a reader sees in different ways.
type Style struct {
	// Instant writes a TIMESTAMP_LTZ.
	Instant func(dst []byte, t types.Type, micros int64) []byte
	// Bytes writes a BINARY or VARBINARY.
	Bytes func(dst, b []byte) []byte
}

var neutral = Style{
	Instant: func(dst []byte, t types.Type, micros int64) []byte {
		return timefmt.AppendTimestamp(dst, micros, int(t.Precision), ' ', true)
	},
	Bytes: AppendBytes,
}

// Append writes value i of v, which is of type t, as CAST to STRING shows it, but that a TIMESTAMP_LTZ is in UTC with a Z, since no session is at hand, and
// bytes are in hexadecimal, x'0aff'. NULL is NULL. Flink 2.3: [1, 2] is an ARRAY, {a=1} a MAP or MULTISET, (1, a) a ROW.
func Append(dst []byte, t types.Type, v vector.Values, i int) []byte {
	return neutral.Append(dst, t, v, i)
}

// Append writes value i of v, which is of type t, in this style, values inside of it too.
func (s *Style) Append(dst []byte, t types.Type, v vector.Values, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "NULL"...)
	}
	switch t.Kind {
	case types.Char, types.String:
		return append(dst, v.Bytes(i)...)
	case types.Float:
		return numfmt.AppendFloat(dst, float32(v.Float(i)))
	case types.Double:
		return numfmt.AppendDouble(dst, v.Float(i))
	case types.Boolean:
		if v.Bool(i) {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case types.Decimal:
		return numfmt.AppendDecimal(dst, Digits(t, v, i), int(t.Scale))
	case types.Binary, types.VarBinary:
		return s.Bytes(dst, v.Bytes(i))
	case types.TimestampLTZ:
		return s.Instant(dst, t, v.Int(i))
	case types.Array:
		return s.array(dst, t.Elem(), v.Bytes(i))
	case types.Map:
		return s.entries(dst, t.Key(), t.Elem(), v.Bytes(i))
	case types.Multiset:
		return s.entries(dst, t.Elem(), types.IntType, v.Bytes(i))
	case types.Row:
		return s.row(dst, t.Fields(), v.Bytes(i))
	}
	return AppendInt(dst, t, v.Int(i))
}

// Digits is the value of a DECIMAL without its point, whatever its layout.
func Digits(t types.Type, v vector.Values, i int) int128.Int {
	if vector.KindOf(t) == vector.Int128 {
		return v.Wide(i)
	}
	return int128.From(v.Int(i))
}

// AppendInt writes a value of a type that is laid out as int64; an instant as a wall clock time.
func AppendInt(dst []byte, t types.Type, n int64) []byte {
	switch t.Kind {
	case types.Date:
		return timefmt.AppendDate(dst, n)
	case types.Time:
		return appendTime(dst, n, int(t.Precision))
	case types.Timestamp, types.TimestampLTZ:
		return timefmt.AppendTimestamp(dst, n, int(t.Precision), ' ', false)
	case types.IntervalDay:
		return timefmt.AppendDayInterval(dst, n)
	case types.IntervalMonth:
		return timefmt.AppendMonthInterval(dst, n)
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendTime writes no zeros at the end of a fraction but the first (Flink 2.3).
func appendTime(dst []byte, micros int64, precision int) []byte {
	dst = timefmt.AppendTime(dst, micros, precision)
	for ; precision > 1 && dst[len(dst)-1] == '0'; precision-- {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// AppendBytes writes x'0aff'.
func AppendBytes(dst, b []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, "x'"...)
	for _, c := range b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return append(dst, '\'')
}

func (s *Style) array(dst []byte, elem types.Type, b []byte) []byte {
	a := nested.ReadArray(b, vector.KindOf(elem))
	dst = append(dst, '[')
	for i := range a.Len() {
		dst = s.Append(separate(dst, i), elem, a, i)
	}
	return append(dst, ']')
}

func (s *Style) entries(dst []byte, key, value types.Type, b []byte) []byte {
	keys, values := nested.ReadMap(b, vector.KindOf(key), vector.KindOf(value))
	dst = append(dst, '{')
	for i := range keys.Len() {
		dst = append(s.Append(separate(dst, i), key, keys, i), '=')
		dst = s.Append(dst, value, values, i)
	}
	return append(dst, '}')
}

func (s *Style) row(dst []byte, fields types.Schema, b []byte) []byte {
	r := nested.ReadRow(b, len(fields))
	dst = append(dst, '(')
	for i, f := range fields {
		dst = s.Append(separate(dst, i), f.Type, r, i)
	}
	return append(dst, ')')
}

func separate(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ", "...)
	}
	return dst
}

// Readable is text for people: b itself if it is UTF-8, else a copy with � for each byte that is not, as JSON has it too. Texts of YQL are any bytes.
func Readable(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	var out []byte
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		out, b = utf8.AppendRune(out, r), b[size:]
	}
	return out
}
