package format

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
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
	d.fail(v.from, wrong.Name, fmt.Sprintf("expected %s, found %q", wrong.Type.Nullable(), clip(text)), adviseCSV(wrong.Type, text))
	return false
}

// split reads the parts of an ARRAY or ROW. It returns the column of what is wrong, and its text.
func (d *csvDecoder) split(n *node, text []byte) (wrong *column, bad []byte) {
	n.reset()
	whole := text
	if n.Type.Kind == types.Row {
		for _, f := range n.fields {
			f.setNull(f.push())
		}
	}
	more := n.Type.Kind == types.Row || len(text) > 0
	for i := 0; more; i++ {
		var part []byte
		part, text, more = bytes.Cut(text, []byte(d.between))
		into, at := n.elem, 0
		switch {
		case n.Type.Kind == types.Array:
			at = n.elem.push()
		case i == len(n.fields):
			return &n.column, whole
		default:
			into = n.fields[i]
			into.vector.Valid.Set(0)
		}
		if !d.part(into, at, part) {
			return &into.column, part
		}
	}
	for _, f := range n.fields {
		if f.vector.Valid != nil && !f.vector.Valid.Get(0) && f.Type.NotNull {
			return &n.column, whole
		}
	}
	return nil, nil
}

// part reads text as value i of n.
func (d *csvDecoder) part(n *node, i int, text []byte) bool {
	switch {
	case d.csvOptions.null != nil && string(text) == *d.csvOptions.null:
		n.setNull(i)
		return !n.Type.NotNull
	case n.Type.IsText():
		n.setBytes(i, text)
		return utf8.Valid(text)
	case n.Type.IsBytes():
		at := len(n.data)
		longer, err := base64.StdEncoding.AppendDecode(n.data, text)
		if err != nil {
			return false
		}
		n.data = longer
		n.seal(i, at)
		return true
	}
	return setText(&n.column, i, text)
}

// adviseCSV says how a value that its column does not take can be read.
func adviseCSV(t types.Type, text []byte) string {
	switch {
	case len(text) == 0:
		return "'csv.null-literal' = '' reads it as NULL"
	case t.IsTime():
		return "write it as " + string(timefmt.AppendTimestamp(nil, 0, 3, ' ', t.Kind == types.TimestampLTZ)) + ", or declare the column STRING and convert it"
	case t.Kind == types.Date:
		return "write it as 1970-01-01, or declare the column STRING and convert it"
	case t.Kind == types.Time:
		return "write it as 00:00:00, or declare the column STRING and convert it"
	case t.IsBytes():
		return "write bytes in Base64"
	}
	return "declare the column STRING to read any value as text"
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

// setText reads text, which is of no string, bytes or nested type, into row n of c. Blanks around it do not matter.
func setText(c *column, n int, text []byte) (ok bool) {
	switch c.Type.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		v, ok := digits(text)
		if !ok {
			v, ok = parseInteger(text)
		}
		least, greatest := c.Type.Range()
		c.vector.Ints[n] = v
		return ok && least <= v && v <= greatest
	case types.Float, types.Double:
		v, ok := parseDouble(text)
		if c.Type.Kind == types.Float {
			infinite := math.IsInf(v, 0)
			v = float64(float32(v))
			ok = ok && infinite == math.IsInf(v, 0)
		}
		c.vector.Floats[n] = v
		return ok
	case types.Decimal:
		known, fits := setDecimal(c, n, bytes.TrimSpace(text))
		return known && fits
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
	case types.Date:
		c.vector.Ints[n], ok = parseDate(bytes.TrimSpace(text))
		return ok
	case types.Time:
		c.vector.Ints[n], ok = parseTime(bytes.TrimSpace(text), c.Type)
		return ok
	}
	text = bytes.TrimSpace(text)
	micros, zoned, ok := timefmt.ParseTimestamp(text)
	if !ok || text[10] != ' ' || zoned != (c.Type.Kind == types.TimestampLTZ) || zoned && text[len(text)-1] != 'Z' {
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
