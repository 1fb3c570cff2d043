package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JSONDecoder is the Decoder of JSON, for the columns it was made for. It belongs to one goroutine and is cheap to
// make. From row to row it only remembers in which order the keys came, which makes the next row faster and never
// changes what is read.
//
// What it accepts is RFC 8259 for everything it has to look at. It looks at no more than that:
//   - once every needed field has been found, the rest of the line is only required to end in '}';
//   - a value of a field nobody needs is stepped over, not checked;
//   - of a key that occurs twice the first counts.
//
// So what a row means does not depend on which columns were asked for, but whether a malformed one is noticed may.
//
// Flink 2.3 differs in three places: of equal keys it takes the last, it cuts 1.5 down to 1 for a BIGINT, and it reads
// any text but "true" as FALSE; the latter two are errors here.
type JSONDecoder struct {
	rows
	options JSONOptions
	layout  layout // of rows; its indexes are those of columns
	skipped int64

	buf     []byte    // of the running batch
	stamp   int64     // of the row being read; column.stamp equals it once the field was found
	escaped []*column // whose strings in the row being read still have their escapes
	scratch []byte    // a key or a converted string without its escapes
	flaw    flaw      // why the row being read was given up
	depth   int       // of the nested value being read
	partial bool      // fields that the row being read lacks stay as they are
}

// NewJSONDecoder makes a decoder of the columns in fields, whose names are distinct. It fails if a type has no form in
// JSON or the options contradict each other.
func NewJSONDecoder(fields []types.Field, o JSONOptions) (*JSONDecoder, error) {
	if o.FailOnMissingField && o.IgnoreParseErrors {
		return nil, fault.Errorf(fault.User,
			"'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true")
	}
	d := &JSONDecoder{options: o, rows: rows{columns: make([]column, len(fields))}, layout: layout{byName: make(map[string]int32, len(fields))}}
	for i, f := range fields {
		if unread := unreadable(f.Type); unread != nil && unread.IsNested() {
			return nil, fault.Errorf(fault.User, "column '%s': format 'json' reads %s only if its keys are strings", f.Name, unread)
		} else if unread != nil {
			return nil, fault.Errorf(fault.User, "column '%s': format 'json' cannot read %s", f.Name, f.Type)
		}
		d.columns[i].Field = f
		if f.Type.IsNested() {
			d.columns[i].node = newNode(f)
		}
		d.layout.byName[f.Name] = int32(i)
	}
	return d, nil
}

// unreadable is the type in t whose values cannot be read, nil if all can.
func unreadable(t types.Type) *types.Type {
	var inner []types.Type
	switch t.Kind {
	case types.Null, types.IntervalDay, types.IntervalMonth:
		return &t
	case types.Array:
		inner = []types.Type{t.Elem()}
	case types.Multiset:
		if !t.Elem().IsText() {
			return &t
		}
	case types.Map:
		if !t.Key().IsText() {
			return &t
		}
		inner = []types.Type{t.Elem()}
	case types.Row:
		for _, f := range t.Fields() {
			inner = append(inner, f.Type)
		}
	}
	for _, i := range inner {
		if u := unreadable(i); u != nil {
			return u
		}
	}
	return nil
}

// Begin implements Decoder.
func (d *JSONDecoder) Begin(a *vector.Arena, buf []byte, records int) {
	d.buf = buf
	d.begin(a, buf, records)
}

// Read implements Decoder. A record is an object, or (Flink 2.3) an array of objects, each of which is a row.
func (d *JSONDecoder) Read(start, end int) (rows int, err error) {
	for end > start && isSpace(d.buf[end-1]) {
		end--
	}
	for start < end && isSpace(d.buf[start]) {
		start++
	}
	if start == end {
		return 0, nil
	}
	switch d.options.shape {
	case anyShape:
		if d.buf[start] == '[' {
			return d.several(start, end)
		}
	case objects:
		if d.buf[start] == '[' || bytes.IndexByte(d.buf[start:end], '\n') >= 0 {
			return d.several(start, end)
		}
	case list, unparsed:
		return d.several(start, end)
	}
	if d.n == d.room {
		d.grow()
	}
	if d.row(start, end, d.n) {
		d.unescapeRow(d.n)
		d.n++
		return 1, nil
	}
	d.forget(d.n)
	if d.options.IgnoreParseErrors {
		d.skipped++
		return 0, nil
	}
	return 0, d.explain(start, end)
}

// readLines implements lineDecoder.
func (d *JSONDecoder) readLines(from, maxRows int) (to int, err error) {
	buf, at := d.buf, from
	for line := 0; at < len(buf) && d.n < maxRows; line++ {
		start, end := at, len(buf)
		if k := bytes.IndexByte(buf[at:], '\n'); k >= 0 {
			end = at + k
		}
		at = min(end+1, len(buf))
		if _, err := d.Read(start, end); err != nil {
			return at, numbered(err, line)
		}
	}
	return at, nil
}

// Skipped implements Decoder; it stays 0 without IgnoreParseErrors.
func (d *JSONDecoder) Skipped() int64 { return d.skipped }

// End implements Decoder.
func (d *JSONDecoder) End() *vector.Batch {
	d.buf = nil
	return d.end()
}
