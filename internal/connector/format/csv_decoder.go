package format

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// csvDecoder reads CSV. A record has a value for each column of the schema; those nobody needs are stepped over.
//
// Flink 2.3 differs in two places: it cuts nothing off and reads any text but "true" as FALSE, which is an error here; and blank lines, which
// are passed over here, are records of one empty value there.
type csvDecoder struct {
	rows
	csvOptions
	places  []int32 // by position in the record: index in columns, or notNeeded
	buf     []byte
	skipped int64
	wrong   *RowError
	from    int // of the record at hand
	to      int
}

func newCSVDecoder(schema types.Schema, needed []int, o csvOptions) (Decoder, error) {
	d := &csvDecoder{csvOptions: o, rows: rows{columns: make([]column, len(needed))}, places: make([]int32, len(schema))}
	for i, f := range schema {
		if err := flatType(f, "csv"); err != nil {
			return nil, err
		}
		d.places[i] = notNeeded
	}
	for i, k := range needed {
		d.columns[i].Field = schema[k]
		d.places[k] = int32(i)
	}
	return d, nil
}

// flatType refuses types that have no form as text.
func flatType(f types.Field, format string) error {
	switch f.Type.Kind {
	case types.Boolean, types.Int, types.BigInt, types.Double, types.String, types.Timestamp, types.TimestampLTZ:
		return nil
	}
	return &connector.OptionError{Message: fmt.Sprintf("column '%s': format '%s' cannot read %s", f.Name, format, f.Type),
		Hint: "declare the column with another type, such as STRING"}
}

func (d *csvDecoder) Begin(a *vector.Arena, buf []byte, records int) {
	d.buf = buf
	d.begin(a, buf, records)
}

func (d *csvDecoder) End() *vector.Batch {
	d.buf = nil
	return d.end()
}

func (d *csvDecoder) Skipped() int64 { return d.skipped }

func (d *csvDecoder) Read(start, end int) (int, error) {
	for end > start && (d.buf[end-1] == '\r' || d.buf[end-1] == '\n') {
		end--
	}
	if start == end || d.comments && d.buf[start] == '#' {
		return 0, nil
	}
	if d.n == d.room {
		d.grow()
	}
	d.from, d.to, d.wrong = start, end, nil
	d.record()
	if d.wrong == nil {
		d.n++
		return 1, nil
	}
	d.forget(d.n)
	if d.ignore {
		d.skipped++
		return 0, nil
	}
	return 0, d.wrong
}

// value is one value of a record: its text as it stands in the buffer, whether that has doubled quotes or escapes in it, and whether it was in quotes.
type value struct {
	from, to int
	coded    bool
	quoted   bool
}

// record reads the record at hand into row n, or notes what is wrong with it.
func (d *csvDecoder) record() {
	i := d.from
	for p := 0; ; p++ {
		if p == len(d.places) {
			d.fail(i, "", fmt.Sprintf("the record has more values than the table's %d columns", len(d.places)), "the format takes values by position; declare a column for each")
			return
		}
		v, after := d.next(i)
		if d.wrong != nil {
			return
		}
		if k := d.places[p]; k != notNeeded && !d.set(&d.columns[k], v) {
			return
		}
		if after == d.to {
			d.missing(p + 1)
			return
		}
		i = after + 1
	}
}

// next reads the value at buf[i] and finds the delimiter or the end of the record behind it.
func (d *csvDecoder) next(i int) (v value, after int) {
	if i < d.to && int(d.buf[i]) == d.quote {
		return d.nextQuoted(i)
	}
	after = d.to
	if k := bytes.IndexByte(d.buf[i:d.to], d.delimiter); k >= 0 {
		after = i + k
	}
	if d.escape < 0 || bytes.IndexByte(d.buf[i:after], byte(d.escape)) < 0 {
		return value{from: i, to: after}, after
	}
	for after = i; after < d.to && d.buf[after] != d.delimiter; after++ {
		if int(d.buf[after]) == d.escape {
			after++
		}
	}
	after = min(after, d.to)
	return value{from: i, to: after, coded: true}, after
}

func (d *csvDecoder) nextQuoted(i int) (v value, after int) {
	closing := d.closing(d.buf[:d.to], i+1)
	if closing < 0 {
		d.fail(i, "", "a quote is not closed", "double a quote that is part of a value, or set 'csv.disable-quote-character' = 'true'")
		return v, d.to
	}
	v = value{from: i + 1, to: closing, quoted: true}
	text := d.buf[v.from:v.to]
	v.coded = bytes.IndexByte(text, byte(d.quote)) >= 0 || d.escape >= 0 && bytes.IndexByte(text, byte(d.escape)) >= 0
	for after = closing + 1; after < d.to && d.buf[after] == ' '; after++ {
	}
	if after < d.to && d.buf[after] != d.delimiter {
		d.fail(after, "", "text follows a value in quotes", "double a quote that is part of a value")
	}
	return v, after
}

// missing deals with a record of only p values. Flink 2.3: they are NULL if parse errors are ignored.
func (d *csvDecoder) missing(p int) {
	if p == len(d.places) {
		return
	}
	if !d.ignore {
		d.fail(d.to, "", fmt.Sprintf("the record has %d of the table's %d values", p, len(d.places)), "the format takes values by position; 'csv.ignore-parse-errors' = 'true' reads the others as NULL")
		return
	}
	for _, k := range d.places[p:] {
		if k != notNeeded && !d.null(&d.columns[k], d.to) {
			return
		}
	}
}

// fail notes the first thing that is wrong with the record. In text that is shown, line feeds within quotes stay.
func (d *csvDecoder) fail(at int, field, message, hint string) {
	if d.wrong == nil {
		d.wrong = &RowError{Offset: d.from, Line: bytes.Clone(d.buf[d.from:min(d.to, d.from+maxErrorLine)]), Column: at - d.from, Field: field, Message: message, Hint: hint}
	}
}

// null makes c NULL, if it may be.
func (d *csvDecoder) null(c *column, at int) bool {
	if c.Type.NotNull {
		d.fail(at, c.Name, "NULL in a column of type "+c.Type.String(), "make the column nullable")
		return false
	}
	d.setNull(c, d.n)
	return true
}

// set gives c the value v.
func (d *csvDecoder) set(c *column, v value) bool {
	if v.coded {
		v.to = v.from + d.decode(d.buf[v.from:v.to], v.quoted)
	}
	text := d.buf[v.from:v.to]
	if d.csvOptions.null != nil && string(text) == *d.csvOptions.null {
		return d.null(c, v.from)
	}
	if c.Type.Kind == types.String {
		if !isASCII(text) && !utf8.Valid(text) {
			d.fail(v.from, c.Name, lineFaults[notUTF8].message, lineFaults[notUTF8].hint)
			return false
		}
		c.vector.Views[d.n] = vector.View{Off: uint32(v.from), Len: uint32(len(text))}
		return true
	}
	if setText(c, d.n, text, SQL) {
		return true
	}
	if d.ignore {
		return d.null(c, v.from)
	}
	message, hint := fmt.Sprintf("expected %s, found %q", c.Type.Nullable(), clip(text)), "declare the column STRING to read any value as text"
	switch {
	case len(text) == 0:
		hint = "'csv.null-literal' = '' reads it as NULL"
	case c.Type.IsTime():
		hint = "write it as " + string(timefmt.AppendTimestamp(nil, 0, 3, ' ', c.Type.Kind == types.TimestampLTZ)) + ", or declare the column STRING and convert it"
	}
	d.fail(v.from, c.Name, message, hint)
	return false
}

// decode removes doubled quotes and escapes from text in place and returns what length is left.
func (d *csvDecoder) decode(text []byte, quoted bool) int {
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case int(c) == d.escape && i+1 < len(text):
			i++
			c = text[i]
			// As the library that Flink reads CSV with has it.
			if k := strings.IndexByte("nrt0", c); k >= 0 {
				c = "\n\r\t\x00"[k]
			}
		case quoted && int(c) == d.quote:
			i++ // the second of the two
		}
		text[n] = c
		n++
	}
	return n
}

// setText reads text, which is not of a STRING, into row n of c. Blanks around it do not matter.
func setText(c *column, n int, text []byte, f TimestampFormat) (ok bool) {
	switch c.Type.Kind {
	case types.Int, types.BigInt:
		v, ok := int64(0), false
		if v, ok = digits(text); !ok {
			v, ok = parseInteger(text)
		}
		if c.Type.Kind == types.Int && int64(int32(v)) != v {
			return false
		}
		c.vector.Ints[n] = v
		return ok
	case types.Double:
		v, ok := parseDouble(text)
		c.vector.Floats[n] = v
		return ok
	case types.Boolean:
		switch strings.ToLower(string(bytes.TrimSpace(text))) {
		case "true":
			c.vector.Bools[n] = 1
		case "false":
			c.vector.Bools[n] = 0
		default:
			return false
		}
		return true
	}
	text = bytes.TrimSpace(text)
	micros, zoned, ok := timefmt.ParseTimestamp(text)
	if !ok || text[10] != f.separator() || zoned != (c.Type.Kind == types.TimestampLTZ) || zoned && text[len(text)-1] != 'Z' {
		return false
	}
	if c.Type.Precision <= 3 {
		micros = timefmt.Floor(micros, timefmt.Millisecond)
	}
	c.vector.Ints[n] = micros
	return true
}

// digits reads a number of at most 18 plain digits.
func digits(text []byte) (v int64, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	if negative {
		v = -v
	}
	return v, true
}

func isASCII(text []byte) bool {
	var seen byte
	for _, c := range text {
		seen |= c
	}
	return seen < utf8.RuneSelf
}

// clip is text as a message shows it.
func clip(text []byte) string {
	if len(text) <= maxExcerpt {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:maxExcerpt], nil)) + "…"
}
