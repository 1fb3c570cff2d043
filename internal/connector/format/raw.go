package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var charsets = []string{"UTF-8", "US-ASCII", "ISO-8859-1", "UTF-16", "UTF-16BE", "UTF-16LE"}

var rawFormat = Format{
	Name:  "raw",
	Doc:   "the bytes of one value, whose table has one column; in files a value is a line",
	Nulls: true,
	Specs: []connector.Spec{
		{Key: "charset", Values: charsets, Doc: "how a STRING is written", Default: "UTF-8"},
		{Key: "endianness", Values: []string{"big-endian", "little-endian"}, Doc: "the order of the bytes of a number", Default: "big-endian"},
	},
	NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
		r, err := newRaw(schema, o)
		if err != nil {
			return nil, err
		}
		return &rawDecoder{raw: r, rows: rows{columns: make([]column, len(needed))}}, nil
	},
	NewEncoder: func(schema types.Schema, o connector.Options) (Encoder, error) {
		r, err := newRaw(schema, o)
		if err != nil {
			return nil, err
		}
		return &rawEncoder{r}, nil
	},
}

// raw is what both directions know.
type raw struct {
	types.Field
	charset string
	order   binary.AppendByteOrder
	width   int // bytes of a value, 0 for strings and bytes
}

func newRaw(schema types.Schema, o connector.Options) (r raw, err error) {
	if len(schema) != 1 {
		return r, &connector.OptionError{Message: fmt.Sprintf("format 'raw' has one column, and the table has %d", len(schema)), Hint: "declare one column, and take it apart in a view"}
	}
	r = raw{Field: schema[0], charset: "UTF-8", order: binary.BigEndian}
	if v, ok := o["charset"]; ok {
		r.charset = v
	}
	if o["endianness"] == "little-endian" {
		r.order = binary.LittleEndian
	}
	switch r.Type.Kind {
	case types.Char, types.String, types.Binary, types.VarBinary:
	case types.Boolean, types.TinyInt:
		r.width = 1
	case types.SmallInt:
		r.width = 2
	case types.Int, types.Float:
		r.width = 4
	case types.BigInt, types.Double:
		r.width = 8
	default:
		return r, &connector.OptionError{Message: fmt.Sprintf("column '%s': format 'raw' has no bytes for %s", r.Name, r.Type), Hint: "declare the column STRING or BIGINT and convert it"}
	}
	return r, nil
}

type rawDecoder struct {
	rows
	raw
	buf  []byte
	text []byte // strings that were converted; columns point here instead of to buf unless the charset is UTF-8
}

func (d *rawDecoder) Begin(a *vector.Arena, buf []byte, records int) {
	d.buf = buf
	for i := range d.columns {
		d.columns[i].Field = d.Field
	}
	d.text = nil
	if d.charset != "UTF-8" && d.Type.IsText() {
		// A byte becomes at most U+FFFD, which takes three.
		d.text = a.Bytes(3 * len(buf))[:0]
		buf = d.text[:cap(d.text)]
	}
	d.begin(a, buf, records)
	for i := range d.columns {
		if d.Type.IsBytes() {
			d.columns[i].data = buf // the values are where they are
		}
	}
}

func (d *rawDecoder) End() *vector.Batch {
	d.buf, d.text = nil, nil
	return d.end()
}

func (d *rawDecoder) Skipped() int64 { return 0 }

func (d *rawDecoder) Read(start, end int) (int, error) {
	if d.n == d.room {
		d.grow()
	}
	record := d.buf[start:end]
	if d.width > 0 && len(record) != d.width {
		return 0, d.wrong(start, end, fmt.Sprintf("expected the %d bytes of %s, found %d", d.width, d.Type.Nullable(), len(record)))
	}
	for i := range d.columns {
		v := d.columns[i].vector
		switch d.Type.Kind {
		case types.Boolean:
			v.Bools[d.n] = 0
			if record[0] != 0 {
				v.Bools[d.n] = 1
			}
		case types.TinyInt:
			v.Ints[d.n] = int64(int8(record[0]))
		case types.SmallInt:
			v.Ints[d.n] = int64(int16(d.order.(binary.ByteOrder).Uint16(record)))
		case types.Int:
			v.Ints[d.n] = int64(int32(d.uint32(record)))
		case types.Float:
			v.Floats[d.n] = float64(math.Float32frombits(d.uint32(record)))
		case types.BigInt:
			v.Ints[d.n] = int64(d.uint64(record))
		case types.Double:
			v.Floats[d.n] = math.Float64frombits(d.uint64(record))
		default:
			from, to := start, end
			if d.text != nil {
				from = len(d.text)
				d.text = appendDecoded(d.text, d.charset, record)
				to = len(d.text)
			} else if d.Type.IsText() && !isASCII(record) && !utf8.Valid(record) {
				return 0, d.wrong(start, end, "the value is not valid UTF-8")
			}
			v.Views[d.n] = vector.View{Off: uint32(from), Len: uint32(to - from)}
		}
	}
	d.n++
	return 1, nil
}

func (d *rawDecoder) wrong(start, end int, message string) *RowError {
	return &RowError{Offset: start, Line: slices.Clone(d.buf[start:min(end, start+maxErrorLine)]), Field: d.Name, Message: message,
		Hint: "set 'raw.charset', or declare the column with the type that was written"}
}

func (r *raw) uint32(b []byte) uint32 { return r.order.(binary.ByteOrder).Uint32(b) }
func (r *raw) uint64(b []byte) uint64 { return r.order.(binary.ByteOrder).Uint64(b) }

// appendDecoded appends s, which is text in a charset, as UTF-8. What is no character becomes U+FFFD.
func appendDecoded(dst []byte, charset string, s []byte) []byte {
	switch charset {
	case "ISO-8859-1":
		for _, c := range s {
			dst = utf8.AppendRune(dst, rune(c))
		}
		return dst
	case "US-ASCII":
		for _, c := range s {
			if c >= utf8.RuneSelf {
				dst = utf8.AppendRune(dst, utf8.RuneError)
			} else {
				dst = append(dst, c)
			}
		}
		return dst
	}
	order := binary.ByteOrder(binary.BigEndian)
	switch {
	case charset == "UTF-16LE":
		order = binary.LittleEndian
	case charset == "UTF-16" && len(s) >= 2 && s[0] == 0xff && s[1] == 0xfe:
		order, s = binary.LittleEndian, s[2:]
	case charset == "UTF-16" && len(s) >= 2 && s[0] == 0xfe && s[1] == 0xff:
		s = s[2:]
	}
	for len(s) >= 2 {
		r := rune(order.Uint16(s))
		s = s[2:]
		if utf16.IsSurrogate(r) {
			if len(s) >= 2 {
				if pair := utf16.DecodeRune(r, rune(order.Uint16(s))); pair != utf8.RuneError {
					dst, s = utf8.AppendRune(dst, pair), s[2:]
					continue
				}
			}
			r = utf8.RuneError
		}
		dst = utf8.AppendRune(dst, r)
	}
	if len(s) > 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst
}

// appendEncoded appends s, which is UTF-8, in a charset. What the charset lacks becomes '?', as in Java.
func appendEncoded(dst []byte, charset string, s []byte) []byte {
	if charset == "UTF-8" {
		return append(dst, s...)
	}
	order := binary.AppendByteOrder(binary.BigEndian)
	if charset == "UTF-16LE" {
		order = binary.LittleEndian
	}
	limit := rune(0xff)
	switch charset {
	case "US-ASCII":
		limit = 0x7f
	case "UTF-16":
		dst = append(dst, 0xfe, 0xff)
	}
	for _, r := range string(s) {
		switch {
		case charset == "US-ASCII" || charset == "ISO-8859-1":
			if r > limit {
				r = '?'
			}
			dst = append(dst, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			dst = order.AppendUint16(order.AppendUint16(dst, uint16(high)), uint16(low))
		default:
			dst = order.AppendUint16(dst, uint16(r))
		}
	}
	return dst
}

type rawEncoder struct{ raw }

// Append implements Encoder. NULL is written as no bytes: in messages the connector writes it, see Format.Nulls.
func (e *rawEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	v := b.Cols[0]
	if v.IsNull(row) {
		return dst, nil
	}
	switch e.Type.Kind {
	case types.Boolean:
		if v.Bool(row) {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case types.TinyInt:
		return append(dst, byte(v.Int(row))), nil
	case types.SmallInt:
		return e.order.AppendUint16(dst, uint16(v.Int(row))), nil
	case types.Int:
		return e.order.AppendUint32(dst, uint32(v.Int(row))), nil
	case types.Float:
		return e.order.AppendUint32(dst, math.Float32bits(float32(v.Float(row)))), nil
	case types.Binary, types.VarBinary:
		return append(dst, v.Bytes(row)...), nil
	case types.BigInt:
		return e.order.AppendUint64(dst, uint64(v.Int(row))), nil
	case types.Double:
		return e.order.AppendUint64(dst, math.Float64bits(v.Float(row))), nil
	}
	return appendEncoded(dst, e.charset, v.Bytes(row)), nil
}
