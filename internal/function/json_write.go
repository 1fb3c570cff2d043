package function

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// HasJSON reports whether values of t can be written as JSON. Flink 2.3: not dates, times of day and intervals, nor maps whose keys are not text.
func HasJSON(t types.Type) bool {
	switch t.Kind {
	case types.Date, types.Time, types.IntervalDay, types.IntervalMonth, types.Multiset:
		return false
	case types.Array:
		return HasJSON(t.Elem())
	case types.Map:
		return t.Key().IsText() && HasJSON(t.Elem())
	case types.Row:
		for _, f := range t.Fields() {
			if !HasJSON(f.Type) {
				return false
			}
		}
	}
	return true
}

// appendJSON writes value i of v, which is of type t.
func appendJSON(dst []byte, t types.Type, v vector.Values, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(i))
	case types.Float, types.Double:
		return appendJSONDouble(dst, v.Float(i))
	case types.Decimal:
		return jsontext.AppendNumber(dst, numfmt.AppendDecimal(make([]byte, 0, 48), valuefmt.Digits(t, v, i), int(t.Scale)))
	case types.Char, types.String:
		return jsontext.AppendQuoted(dst, v.Bytes(i))
	case types.Binary, types.VarBinary:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes(i)), '"')
	case types.Timestamp, types.TimestampLTZ:
		return appendJSONInstant(dst, v.Int(i), t.Kind == types.TimestampLTZ)
	case types.Array:
		return appendJSONArray(dst, t.Elem(), v.Bytes(i))
	case types.Map:
		return appendJSONMap(dst, t, v.Bytes(i))
	case types.Row:
		return appendJSONRow(dst, t.Fields(), v.Bytes(i))
	}
	return strconv.AppendInt(dst, v.Int(i), 10)
}

// appendJSONDouble writes a number as Java's BigDecimal does, and what is none as a string.
func appendJSONDouble(dst []byte, f float64) []byte {
	text := numfmt.AppendDouble(make([]byte, 0, 32), f)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return jsontext.AppendQuoted(dst, text)
	}
	return jsontext.AppendNumber(dst, text)
}

// appendJSONInstant writes ISO 8601 with as many digits of a second as there are.
func appendJSONInstant(dst []byte, micros int64, utc bool) []byte {
	precision := 6
	for step := int64(10); precision > 0 && micros%step == 0; step *= 10 {
		precision--
	}
	return append(timefmt.AppendTimestamp(append(dst, '"'), micros, precision, 'T', utc), '"')
}

func appendJSONArray(dst []byte, elem types.Type, b []byte) []byte {
	a := nested.ReadArray(b, vector.KindOf(elem))
	dst = append(dst, '[')
	for i := range a.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, elem, a, i)
	}
	return append(dst, ']')
}

func appendJSONMap(dst []byte, t types.Type, b []byte) []byte {
	keys, values := nested.ReadMap(b, vector.KindOf(t.Key()), vector.KindOf(t.Elem()))
	dst = append(dst, '{')
	for i := range keys.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		name := []byte("null")
		if !keys.IsNull(i) {
			name = keys.Bytes(i)
		}
		dst = append(jsontext.AppendQuoted(dst, name), ':')
		dst = appendJSON(dst, t.Elem(), values, i)
	}
	return append(dst, '}')
}

func appendJSONRow(dst []byte, fields types.Schema, b []byte) []byte {
	r := nested.ReadRow(b, len(fields))
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.AppendQuoted(dst, []byte(f.Name)), ':')
		dst = appendJSON(dst, f.Type, r, i)
	}
	return append(dst, '}')
}

// sorted reports whether JSON of type t is in its one form as it is written: objects of maps and rows have yet to be put in order.
func sorted(t types.Type) bool {
	switch t.Kind {
	case types.Array:
		return sorted(t.Elem())
	case types.Map, types.Row:
		return false
	}
	return true
}

// jsonQuote escapes what is not ASCII too, and slashes, as Flink 2.3 does.
func jsonQuote(dst []byte, c *Call, i int) ([]byte, bool) {
	dst = append(dst, '"')
	for _, r := range string(c.Args[0].Bytes(i)) {
		switch {
		case r == '/':
			dst = append(dst, '\\', '/')
		case r < utf8.RuneSelf:
			dst = jsontext.AppendEscaped(dst, byte(r))
		default:
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				dst = appendUnicodeEscape(dst, high)
				r = low
			}
			dst = appendUnicodeEscape(dst, r)
		}
	}
	return append(dst, '"'), true
}

func appendUnicodeEscape(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

func jsonUnquote(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return append(dst, s...), true
	}
	start := len(dst)
	dst, ok := jsontext.Unquote(dst, s)
	if !ok {
		dst = append(dst[:start], s...)
	}
	return dst, true
}
