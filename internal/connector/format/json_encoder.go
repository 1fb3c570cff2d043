package format

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JSONEncoder writes rows as JSON objects, the columns in schema order: what JSONDecoder reads with the same options.
// NaN and the infinities become strings; so do intervals, which the decoder does not read. It is immutable and safe to
// share.
type JSONEncoder struct {
	columns   []encodedColumn
	separator byte
	options   JSONOptions
	maps      bool // there may be keys that are NULL
}

type encodedColumn struct {
	types.Type
	lead []byte // `,"name":`
}

// NewJSONEncoder makes an encoder of rows of schema.
func NewJSONEncoder(schema types.Schema, o JSONOptions) *JSONEncoder {
	e := &JSONEncoder{columns: make([]encodedColumn, len(schema)), separator: o.TimestampFormat.separator(), options: o}
	for i, f := range schema {
		lead := AppendJSONString([]byte{','}, []byte(f.Name))
		e.columns[i] = encodedColumn{f.Type, append(lead, ':')}
		e.maps = e.maps || hasMap(f.Type)
	}
	return e
}

// AppendRow appends row number row of b as one object, without a line feed.
func (e *JSONEncoder) AppendRow(dst []byte, b *vector.Batch, row int) []byte {
	if len(e.columns) == 0 {
		return append(dst, "{}"...)
	}
	start := len(dst)
	if dst = e.AppendMembers(dst, b, row); len(dst) == start {
		return append(dst, "{}"...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

// Append implements Encoder. Unlike AppendRow it minds 'json.map-null-key.mode' = 'FAIL'.
func (e *JSONEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	if e.maps && e.options.NullKeys == FailOnNullKey {
		for i := range e.columns {
			if hasNullKey(e.columns[i].Type, b.Cols[i], row) {
				return dst, fault.Errorf(fault.Data, "a MAP has a key that is NULL, which JSON cannot hold; '%s' = 'DROP' leaves the entry out, 'LITERAL' gives it a name", e.options.key("map-null-key.mode"))
			}
		}
	}
	return e.AppendRow(dst, b, row), nil
}

// AppendMembers appends the members of a row, each with a comma before it, for a caller who opened the object and wrote
// members of its own.
func (e *JSONEncoder) AppendMembers(dst []byte, b *vector.Batch, row int) []byte {
	for i := range e.columns {
		c := &e.columns[i]
		if e.options.OmitNulls && b.Cols[i].IsNull(row) {
			continue
		}
		dst = append(dst, c.lead...)
		dst = e.appendValue(dst, c.Type, b.Cols[i], row)
	}
	return dst
}

func (e *JSONEncoder) appendValue(dst []byte, t types.Type, v vector.Values, row int) []byte {
	if v.IsNull(row) {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(row))
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		return strconv.AppendInt(dst, v.Int(row), 10)
	case types.Decimal:
		return numfmt.AppendDecimal(dst, valuefmt.Digits(t, v, row), int(t.Scale))
	case types.Float, types.Double:
		f := v.Float(row)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return append(valuefmt.Append(append(dst, '"'), t, v, row), '"')
		}
		return valuefmt.Append(dst, t, v, row)
	case types.Char, types.String:
		return AppendJSONString(dst, v.Bytes(row))
	case types.Binary, types.VarBinary:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes(row)), '"')
	case types.Timestamp, types.TimestampLTZ:
		dst = timefmt.AppendTimestamp(append(dst, '"'), v.Int(row), int(t.Precision), e.separator, t.Kind == types.TimestampLTZ)
		return append(dst, '"')
	case types.Date, types.Time, types.IntervalDay, types.IntervalMonth:
		return append(valuefmt.AppendInt(append(dst, '"'), t, v.Int(row)), '"')
	case types.Array, types.Map, types.Multiset, types.Row:
		return e.appendNested(dst, t, v.Bytes(row))
	}
	panic("tidemark bug: a value of type " + t.String() + " is not NULL")
}

// appendNested writes an ARRAY as an array, a ROW as an object, and a MAP or MULTISET as an object whose keys are text.
func (e *JSONEncoder) appendNested(dst []byte, t types.Type, b []byte) []byte {
	switch t.Kind {
	case types.Array:
		a := nested.ReadArray(b, vector.KindOf(t.Elem()))
		dst = append(dst, '[')
		for i := range a.Len() {
			dst = e.appendValue(appendComma(dst, i), t.Elem(), a, i)
		}
		return append(dst, ']')
	case types.Row:
		r := nested.ReadRow(b, len(t.Fields()))
		dst = append(dst, '{')
		first := len(dst)
		for i, f := range t.Fields() {
			if e.options.OmitNulls && r.IsNull(i) {
				continue
			}
			dst = append(AppendJSONString(appendComma(dst, len(dst)-first), []byte(f.Name)), ':')
			dst = e.appendValue(dst, f.Type, r, i)
		}
		return append(dst, '}')
	}
	key, value := t.Elem(), types.IntType
	if t.Kind == types.Map {
		key, value = t.Key(), t.Elem()
	}
	keys, values := nested.ReadMap(b, vector.KindOf(key), vector.KindOf(value))
	dst = append(dst, '{')
	first := len(dst)
	for i := range keys.Len() {
		name := []byte("null")
		switch {
		case !keys.IsNull(i):
			name = valuefmt.Append(nil, key, keys, i)
		case e.options.NullKeys == DropNullKey:
			continue
		case e.options.NullKeys == LiteralNullKey:
			name = []byte(e.options.NullKey)
		}
		dst = append(AppendJSONString(appendComma(dst, len(dst)-first), name), ':')
		dst = e.appendValue(dst, value, values, i)
	}
	return append(dst, '}')
}

func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// AppendJSONString appends s as a JSON string. What is not valid UTF-8 becomes U+FFFD.
func AppendJSONString(dst, s []byte) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = utf8.AppendRune(append(dst, s[done:i]...), utf8.RuneError)
				done = i + 1
			}
			i += size
			continue
		}
		if c < 0x20 || c == '"' || c == '\\' {
			dst = appendEscape(append(dst, s[done:i]...), c)
			done = i + 1
		}
		i++
	}
	return append(append(dst, s[done:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
