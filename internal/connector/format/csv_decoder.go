package format

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// csvDecoder reads CSV. A record has a value for each column of the schema; those nobody needs are stepped over.
//
// Flink 2.3 differs in two places: it reads any text but "true" as FALSE, which is an error here; and blank lines, which are passed over here,
// are records of one empty value there.
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

func newCSVDecoder(schema types.Schema, needed []int, o csvOptions) (*csvDecoder, error) {
	d := &csvDecoder{csvOptions: o, rows: rows{columns: make([]column, len(needed))}, places: make([]int32, len(schema))}
	for i, f := range schema {
		if err := csvType(f); err != nil {
			return nil, err
		}
		d.places[i] = notNeeded
	}
	for i, k := range needed {
		d.columns[i].Field = schema[k]
		if schema[k].Type.IsNested() {
			d.columns[i].node = newNode(schema[k])
		}
		d.places[k] = int32(i)
	}
	return d, nil
}

// csvType refuses types that have no form in CSV. Flink 2.3: an ARRAY or ROW is a value whose parts have a delimiter of their own, and no quotes; so there is
// nothing nested in them.
func csvType(f types.Field) error {
	good := true
	switch f.Type.Kind {
	case types.Null, types.IntervalDay, types.IntervalMonth, types.Map, types.Multiset:
		good = false
	case types.Array:
		good = !f.Type.Elem().IsNested() && !f.Type.Elem().IsInterval()
	case types.Row:
		for _, inner := range f.Type.Fields() {
			good = good && !inner.Type.IsNested() && !inner.Type.IsInterval()
		}
	}
	if good {
		return nil
	}
	return &connector.OptionError{Message: fmt.Sprintf("column '%s': format 'csv' cannot hold %s", f.Name, f.Type),
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
	if start == end || d.comment(d.buf[start:end]) {
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
			if d.extra || d.trailing && i == d.to {
				return
			}
			if d.named {
				d.fail(i, "", fmt.Sprintf("the line has more values than the header's %d names", len(d.places)), "write a value for each name")
				return
			}
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
	for d.trim && i < d.to && d.buf[i] == ' ' {
		i++
	}
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
	if d.named {
		d.fail(d.to, "", fmt.Sprintf("the line has %d values for the header's %d names", p, len(d.places)), "write a value for each name")
		return
	}
	if !d.ignore || d.wantAll {
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
		d.fail(at, c.Name, c.refusesNull("NULL"), c.advised(types.FoundNothing, nil, "make the column nullable"))
		return false
	}
	d.setNull(c, d.n)
	return true
}

// set gives c the value v.
func (d *csvDecoder) set(c *column, v value) bool {
	if d.named && !v.quoted {
		if raw := d.buf[v.from:v.to]; d.csvOptions.null != nil && string(raw) == *d.csvOptions.null || len(raw) == 0 && !c.Type.NotNull && (d.quote >= 0 || !c.Type.IsText()) {
			return d.null(c, v.from)
		}
	}
	if v.coded {
		v.to = v.from + d.decode(d.buf[v.from:v.to], v.quoted)
	}
	for d.trim && !v.quoted && v.to > v.from && d.buf[v.to-1] == ' ' {
		v.to--
	}
	text := d.buf[v.from:v.to]
	if d.csvOptions.null != nil && string(text) == *d.csvOptions.null || d.emptyIsNull && len(text) == 0 {
		return d.null(c, v.from)
	}
	wrong := c // or the part of it that is
	switch {
	case c.Type.IsText():
		if !isASCII(text) && !utf8.Valid(text) {
			d.fail(v.from, c.Name, lineFaults[notUTF8].message, lineFaults[notUTF8].hint)
			return false
		}
		c.vector.Views[d.n] = vector.View{Off: uint32(v.from), Len: uint32(len(text))}
		return true
	case c.Type.IsBytes():
		at := len(c.data)
		longer, err := base64.StdEncoding.AppendDecode(c.data, text)
		if err == nil {
			c.data = longer
			c.vector.Views[d.n] = vector.View{Off: uint32(at), Len: uint32(len(c.data) - at)}
			return true
		}
	case c.node != nil:
		if wrong, text = d.split(c.node, text); wrong == nil {
			at := len(c.data)
			c.data = c.node.pack(c.data)
			c.vector.Views[d.n] = vector.View{Off: uint32(at), Len: uint32(len(c.data) - at)}
			return true
		}
	default:
		if setText(c, d.n, text) {
			return true
		}
	}
	if d.ignore {
		return d.null(c, v.from)
	}
	d.fail(v.from, wrong.Name, fmt.Sprintf("expected %s, found %q", wrong.written(), clip(text)), wrong.advised(foundCSV(text), text, d.adviseCSV(wrong.Type, text)))
	return false
}
