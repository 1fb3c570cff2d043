package format

import (
	"bytes"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// csvEncoder writes rows as csvDecoder reads them with the same options.
type csvEncoder struct {
	csvOptions
	types []types.Type
}

func newCSVEncoder(schema types.Schema, o csvOptions) (Encoder, error) {
	e := &csvEncoder{csvOptions: o}
	for _, f := range schema {
		if err := flatType(f, "csv"); err != nil {
			return nil, err
		}
		e.types = append(e.types, f.Type)
	}
	return e, nil
}

// Append implements Encoder.
func (e *csvEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	start := len(dst)
	for i, t := range e.types {
		if i > 0 {
			dst = append(dst, e.delimiter)
		}
		from := len(dst)
		v := b.Cols[i]
		switch {
		case !v.IsNull(row):
			if t.Kind != types.String {
				dst = appendText(dst, t, v, row)
				break
			}
			s := v.Bytes(row)
			if e.quote < 0 && e.escape < 0 && (bytes.IndexByte(s, e.delimiter) >= 0 || bytes.IndexByte(s, '\n') >= 0) {
				return dst[:start], fault.Errorf(fault.Data, "a value holds the delimiter or a line feed, which 'csv.disable-quote-character' = 'true' leaves no way to write: %q", clip(s))
			}
			dst = e.appendString(dst, s)
		case e.null != nil:
			dst = append(dst, *e.null...)
		}
		// A record of one empty value would be a blank line, and one that begins with # a comment.
		if i == 0 && e.quote >= 0 && (len(dst) == from && len(e.types) == 1 || e.comments && len(dst) > from && dst[from] == '#') {
			value := bytes.Clone(dst[from:])
			dst = append(append(append(dst[:from], byte(e.quote)), value...), byte(e.quote))
		}
	}
	return dst, nil
}

// appendString appends s, in quotes if something in it has a meaning. Flink 2.3 puts more strings in quotes than need them; all read back alike.
func (e *csvEncoder) appendString(dst, s []byte) []byte {
	special := len(s) > 0 && (s[0] == ' ' || s[len(s)-1] == ' ') || e.null != nil && string(s) == *e.null
	for _, c := range s {
		special = special || c == e.delimiter || int(c) == e.quote || int(c) == e.escape || c == '\n' || c == '\r'
	}
	if !special {
		return append(dst, s...)
	}
	if e.quote >= 0 {
		dst = append(dst, byte(e.quote))
	}
	for _, c := range s {
		switch {
		case int(c) == e.escape || e.quote < 0 && e.escape >= 0 && (c == e.delimiter || c == '\n' || c == '\r'):
			dst = append(dst, byte(e.escape))
			switch c {
			case '\n':
				c = 'n'
			case '\r':
				c = 'r'
			}
		case int(c) == e.quote:
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	if e.quote >= 0 {
		dst = append(dst, byte(e.quote))
	}
	return dst
}

// appendText appends a value that is not NULL and no STRING.
func appendText(dst []byte, t types.Type, v *vector.Vector, row int) []byte {
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(row))
	case types.Int, types.BigInt:
		return strconv.AppendInt(dst, v.Int(row), 10)
	case types.Double:
		return numfmt.AppendDouble(dst, v.Float(row))
	case types.Timestamp, types.TimestampLTZ:
		return timefmt.AppendTimestamp(dst, v.Int(row), int(t.Precision), ' ', t.Kind == types.TimestampLTZ)
	}
	panic("tidemark bug: a value of type " + t.String() + " has no text")
}
