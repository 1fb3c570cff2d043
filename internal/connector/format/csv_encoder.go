package format

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// csvEncoder writes rows as csvDecoder reads them with the same options.
type csvEncoder struct {
	csvOptions
	types []types.Type
	parts []byte // scratch: a value that has parts
}

func newCSVEncoder(schema types.Schema, o csvOptions) (Encoder, error) {
	e := &csvEncoder{csvOptions: o}
	for _, f := range schema {
		if err := csvType(f); err != nil {
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
			if !t.IsText() && !t.IsNested() {
				dst = appendText(dst, t, v, row)
				break
			}
			s := v.Bytes(row)
			if t.IsNested() {
				e.parts = e.appendParts(e.parts[:0], t, s)
				s = e.parts
			}
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
	special := len(s) == 0 && e.named && e.quote >= 0 || len(s) > 0 && (s[0] == ' ' || s[len(s)-1] == ' ') || e.null != nil && string(s) == *e.null
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

// appendParts appends the parts of an ARRAY or ROW. Flink 2.3: they have no quotes, so one that holds the delimiter is read back as two.
func (e *csvEncoder) appendParts(dst []byte, t types.Type, b []byte) []byte {
	part := func(i int, t types.Type, v vector.Values, k int) {
		if i > 0 {
			dst = append(dst, e.between...)
		}
		switch {
		case !v.IsNull(k) && t.IsText():
			dst = append(dst, v.Bytes(k)...)
		case !v.IsNull(k):
			dst = appendText(dst, t, v, k)
		case e.null != nil:
			dst = append(dst, *e.null...)
		}
	}
	if t.Kind == types.Array {
		a := nested.ReadArray(b, vector.KindOf(t.Elem()))
		for i := range a.Len() {
			part(i, t.Elem(), a, i)
		}
		return dst
	}
	r := nested.ReadRow(b, len(t.Fields()))
	for i, f := range t.Fields() {
		part(i, f.Type, r, i)
	}
	return dst
}

// appendText appends a value that is not NULL, no string and not nested.
func appendText(dst []byte, t types.Type, v vector.Values, i int) []byte {
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(i))
	case types.Binary, types.VarBinary:
		return base64.StdEncoding.AppendEncode(dst, v.Bytes(i))
	}
	return valuefmt.Append(dst, t, v, i)
}
