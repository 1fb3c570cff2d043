package format

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// value reads the value at buf[i] into row n of c and returns what stands behind it, or -1.
//
// As in Flink, a number or a boolean may also stand in quotes, and a STRING takes any other value as the text that is
// written there.
func (d *JSONDecoder) value(c *column, i, end, n int) int {
	after := -1
	switch c.Type.Kind {
	case types.BigInt, types.Int, types.SmallInt, types.TinyInt:
		after = d.integer(c, i, end, n)
	case types.String, types.Char:
		after = d.string(c, i, end, n)
	case types.TimestampLTZ, types.Timestamp:
		after = d.timestamp(c, i, end, n)
	case types.Double, types.Float:
		after = d.double(c, i, end, n)
	case types.Boolean:
		after = d.boolean(c, i, end, n)
	case types.Decimal:
		after = d.decimal(c, i, end, n)
	case types.Date, types.Time:
		after = d.calendar(c, i, end, n)
	case types.Binary, types.VarBinary:
		at := len(c.data)
		if c.data, after = d.appendBase64(c.data, i, end); after >= 0 {
			c.vector.Views[n] = vector.View{Off: uint32(at), Len: uint32(len(c.data) - at)}
		}
	case types.Array, types.Map, types.Multiset, types.Row:
		after = d.nested(c, i, end, n)
	}
	if after >= 0 {
		return after
	}
	return d.exception(c, i, end, n)
}

// exception deals with a value that was not read: null, or one that becomes NULL because parse errors are ignored. Text that is
// not JSON spoils the whole line.
func (d *JSONDecoder) exception(c *column, i, end, n int) int {
	if after, ok := d.word(i, "null"); ok {
		if c.Type.NotNull {
			d.flaw = flaw{kind: nullInNotNull, at: i, end: after, column: c}
			return -1
		}
		d.setNull(c, n)
		return after
	}
	why := d.flaw
	if why.kind != wrongValue && why.kind != outOfRange {
		return -1
	}
	after := d.skip(i, end)
	if after < 0 {
		return -1
	}
	if why.column == nil { // else it is a part of the value
		why.end, why.column = after, c
	}
	d.flaw = why
	if !d.options.IgnoreParseErrors || c.Type.NotNull {
		return -1
	}
	d.setNull(c, n)
	return after
}

// word reports whether the value at buf[i] is the bare word w, and where it ends.
func (d *JSONDecoder) word(i int, w string) (after int, ok bool) {
	after = i + len(w)
	if after >= len(d.buf) || string(d.buf[i:after]) != w {
		return i, false
	}
	return after, endsScalar(d.buf[after]) || d.buf[after] == ']'
}

func (d *JSONDecoder) integer(c *column, i, end, n int) int {
	v, after := int64(0), -1
	if d.buf[i] == '"' {
		text, closing := d.quoted(i, end)
		if closing < 0 {
			return -1
		}
		var ok bool
		if v, ok = parseInteger(text); !ok {
			return d.failAt(wrongValue, i)
		}
		after = closing + 1
	} else if v, after = scanInteger(d.buf, i); after < 0 {
		return d.failAt(wrongValue, i)
	}
	if least, greatest := c.Type.Range(); v < least || v > greatest || c.unsigned != 0 && !c.fits(v) {
		return d.failAt(outOfRange, i)
	}
	c.vector.Ints[n] = v
	return after
}

func (d *JSONDecoder) double(c *column, i, end, n int) int {
	v, after := float64(0), -1
	if d.buf[i] == '"' {
		text, closing := d.quoted(i, end)
		if closing < 0 {
			return -1
		}
		var ok bool
		if v, ok = parseDouble(text); !ok {
			return d.failAt(wrongValue, i)
		}
		after = closing + 1
	} else if v, after = scanDouble(d.buf, i); after < 0 {
		return d.failAt(wrongValue, i)
	}
	if c.Type.Kind == types.Float {
		v = float64(float32(v))
	}
	if math.IsInf(v, 0) && d.buf[i] != '"' {
		return d.failAt(outOfRange, i)
	}
	c.vector.Floats[n] = v
	return after
}

func (d *JSONDecoder) boolean(c *column, i, end, n int) int {
	if d.buf[i] == '"' {
		text, closing := d.quoted(i, end)
		if closing < 0 {
			return -1
		}
		switch string(text) {
		case "true":
			c.vector.Bools[n] = 1
		case "false":
			c.vector.Bools[n] = 0
		default:
			return d.failAt(wrongValue, i)
		}
		return closing + 1
	}
	if after, ok := d.word(i, "true"); ok {
		c.vector.Bools[n] = 1
		return after
	}
	if after, ok := d.word(i, "false"); ok {
		c.vector.Bools[n] = 0
		return after
	}
	return d.failAt(wrongValue, i)
}

// timestamp reads only the one shape that the options and the type name, as Flink does. Digits beyond the precision of
// the type are cut off.
//
// Timestamps of a column are mostly equally long, so it tries the length of the last one before it looks for the quote:
// text that parses cannot have a quote or an escape in it.
func (d *JSONDecoder) timestamp(c *column, i, end, n int) int {
	if d.buf[i] != '"' {
		return d.failAt(wrongValue, i)
	}
	closing := i + 1 + c.length
	if closing >= end || d.buf[closing] != '"' || !d.setTimestamp(c, d.buf[i+1:closing], n) {
		var text []byte
		if text, closing = d.quoted(i, end); closing < 0 {
			return -1
		}
		if !d.setTimestamp(c, text, n) {
			return d.failAt(wrongValue, i)
		}
		c.length = closing - i - 1
	}
	return closing + 1
}

func (d *JSONDecoder) setTimestamp(c *column, text []byte, n int) bool {
	micros, zoned, ok := timefmt.ParseTimestamp(text)
	if !ok || text[10] != d.options.TimestampFormat.separator() || zoned != (c.Type.Kind == types.TimestampLTZ) ||
		zoned && text[len(text)-1] != 'Z' {
		return false
	}
	if c.Type.Precision <= 3 {
		micros = timefmt.Floor(micros, timefmt.Millisecond)
	}
	c.vector.Ints[n] = micros
	return true
}

func (d *JSONDecoder) decimal(c *column, i, end, n int) int {
	var text []byte
	after := -1
	if d.buf[i] == '"' {
		var closing int
		if text, closing = d.quoted(i, end); closing < 0 {
			return -1
		}
		text, after = bytes.TrimSpace(text), closing+1
	} else {
		if _, after = scanDouble(d.buf, i); after < 0 { // which knows what a number of JSON is
			return d.failAt(wrongValue, i)
		}
		text = d.buf[i:after]
	}
	switch known, fits := setDecimal(c, n, text); {
	case !known:
		return d.failAt(wrongValue, i)
	case !fits:
		return d.failAt(outOfRange, i)
	}
	return after
}

// calendar reads a DATE or TIME.
func (d *JSONDecoder) calendar(c *column, i, end, n int) int {
	if d.buf[i] != '"' {
		return d.failAt(wrongValue, i)
	}
	text, closing := d.quoted(i, end)
	if closing < 0 {
		return -1
	}
	var ok bool
	if c.Type.Kind == types.Date {
		c.vector.Ints[n], ok = parseDate(text)
	} else {
		c.vector.Ints[n], ok = parseTime(text, c.Type)
	}
	if !ok {
		return d.failAt(wrongValue, i)
	}
	return closing + 1
}

// appendBase64 appends the bytes that the string at buf[i] stands for.
func (d *JSONDecoder) appendBase64(dst []byte, i, end int) (longer []byte, after int) {
	if d.buf[i] != '"' {
		return dst, d.failAt(wrongValue, i)
	}
	text, closing := d.quoted(i, end)
	if closing < 0 {
		return dst, -1
	}
	longer, err := base64.StdEncoding.AppendDecode(dst, text)
	if err != nil {
		return dst, d.failAt(wrongValue, i)
	}
	return longer, closing + 1
}

// quoted is the text of the string at buf[i], without escapes, and the index of its closing quote, or -1.
func (d *JSONDecoder) quoted(i, end int) (text []byte, closing int) {
	closing, escapes := d.text(i, end)
	if closing < 0 {
		return nil, -1
	}
	text = d.buf[i+1 : closing]
	if escapes {
		text = d.unescaped(text)
	}
	return text, closing
}

func (d *JSONDecoder) string(c *column, i, end, n int) int {
	if d.buf[i] != '"' || c.verbatim {
		if d.options.texts && !c.verbatim {
			return d.failAt(wrongValue, i)
		}
		return d.verbatim(c, i, end, n)
	}
	closing, escapes := d.text(i, end)
	if closing < 0 {
		return -1
	}
	if escapes {
		d.escaped = append(d.escaped, c)
	}
	c.vector.Views[n] = vector.View{Off: uint32(i + 1), Len: uint32(closing - i - 1)}
	return closing + 1
}

// verbatim gives a STRING column the text of a value as it stands there.
func (d *JSONDecoder) verbatim(c *column, i, end, n int) int {
	after := d.skip(i, end)
	if after < 0 {
		return -1
	}
	text := d.buf[i:after]
	if string(text) == "null" || !json.Valid(text) || !utf8.Valid(text) {
		return d.failAt(wrongValue, i)
	}
	c.vector.Views[n] = vector.View{Off: uint32(i), Len: uint32(len(text))}
	return after
}
