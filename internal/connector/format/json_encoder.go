package format

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JSONEncoder writes rows as JSON objects, the columns in schema order: what JSONDecoder reads with the same options.
// NaN and the infinities become strings; so do intervals, which the decoder does not read. It is immutable and safe to
// share.
type JSONEncoder struct {
	columns   []encodedColumn
	separator byte
}

type encodedColumn struct {
	types.Type
	lead []byte // `,"name":`
}

// NewJSONEncoder makes an encoder of rows of schema, of whose options only the timestamp format matters.
func NewJSONEncoder(schema types.Schema, o JSONOptions) *JSONEncoder {
	e := &JSONEncoder{columns: make([]encodedColumn, len(schema)), separator: o.TimestampFormat.separator()}
	for i, f := range schema {
		lead := AppendJSONString([]byte{','}, []byte(f.Name))
		e.columns[i] = encodedColumn{f.Type, append(lead, ':')}
	}
	return e
}

// AppendRow appends row number row of b as one object, without a line feed.
func (e *JSONEncoder) AppendRow(dst []byte, b *vector.Batch, row int) []byte {
	if len(e.columns) == 0 {
		return append(dst, "{}"...)
	}
	start := len(dst)
	dst = e.AppendMembers(dst, b, row)
	dst[start] = '{'
	return append(dst, '}')
}

// AppendMembers appends the members of a row, each with a comma before it, for a caller who opened the object and wrote
// members of its own.
func (e *JSONEncoder) AppendMembers(dst []byte, b *vector.Batch, row int) []byte {
	for i := range e.columns {
		c := &e.columns[i]
		dst = append(dst, c.lead...)
		dst = e.appendValue(dst, c.Type, b.Cols[i], row)
	}
	return dst
}

func (e *JSONEncoder) appendValue(dst []byte, t types.Type, v *vector.Vector, row int) []byte {
	if v.IsNull(row) {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(row))
	case types.Int, types.BigInt:
		return strconv.AppendInt(dst, v.Int(row), 10)
	case types.Double:
		f := v.Float(row)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return append(numfmt.AppendDouble(append(dst, '"'), f), '"')
		}
		return numfmt.AppendDouble(dst, f)
	case types.String:
		return AppendJSONString(dst, v.Bytes(row))
	case types.Timestamp, types.TimestampLTZ:
		dst = timefmt.AppendTimestamp(append(dst, '"'), v.Int(row), int(t.Precision), e.separator, t.Kind == types.TimestampLTZ)
		return append(dst, '"')
	case types.IntervalDay:
		return append(timefmt.AppendDayInterval(append(dst, '"'), v.Int(row)), '"')
	case types.IntervalMonth:
		return append(timefmt.AppendMonthInterval(append(dst, '"'), v.Int(row)), '"')
	}
	panic("tidemark bug: a value of type " + t.String() + " is not NULL")
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
