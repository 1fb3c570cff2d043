package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JSONDecoder reads JSON lines into batches of the columns it was made for. It belongs to one goroutine and is cheap to
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
	options JSONOptions
	columns []column
	byName  map[string]int32 // key to index in columns
	layout  []member         // the members of the last row, in order
	skipped int64

	buf     []byte // of the running Decode, like arena and room
	arena   *vector.Arena
	room    int       // rows that the columns have memory for
	stamp   int64     // of the row being read; column.stamp equals it once the field was found
	escaped []*column // whose strings in the row being read still have their escapes
	scratch []byte    // a key or a converted string without its escapes
	flaw    flaw      // why the row being read was given up
}

// column is a needed field and where its values go.
type column struct {
	types.Field
	vector *vector.Vector
	stamp  int64 // of the last row that had the field
	length int   // of the last timestamp's text
}

// NewJSONDecoder makes a decoder of the columns in fields, whose names are distinct. It fails if a type has no form in
// JSON or the options contradict each other.
func NewJSONDecoder(fields []types.Field, o JSONOptions) (*JSONDecoder, error) {
	if o.FailOnMissingField && o.IgnoreParseErrors {
		return nil, fault.Errorf(fault.User,
			"'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true")
	}
	d := &JSONDecoder{options: o, columns: make([]column, len(fields)), byName: make(map[string]int32, len(fields))}
	for i, f := range fields {
		if !readsJSON(f.Type) {
			return nil, fault.Errorf(fault.User, "column '%s': format 'json' cannot read %s", f.Name, f.Type)
		}
		d.columns[i].Field = f
		d.byName[f.Name] = int32(i)
	}
	return d, nil
}

// readsJSON reports whether values of t are read.
func readsJSON(t types.Type) bool {
	switch t.Kind {
	case types.Boolean, types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.Float, types.Double, types.Char, types.String, types.Timestamp,
		types.TimestampLTZ:
		return true
	}
	return false
}

// Decode reads up to maxRows rows, at least 1, from buf, which holds less than 4 GB of whole lines; the last may lack its
// line feed. It returns them as a batch of arena a, possibly of 0 rows, and how many bytes of buf they took. Empty lines
// are passed over.
//
// Strings are views into buf, and Decode removes their escapes in place; so buf must live as long as a does and its
// consumed part cannot be read again. An error is always a *RowError. Then the batch holds the rows before the bad
// line and consumed stands behind that line, so that a caller who tolerates it may go on.
func (d *JSONDecoder) Decode(a *vector.Arena, buf []byte, maxRows int) (b *vector.Batch, consumed int, err error) {
	d.begin(a, buf, maxRows)
	n, at := 0, 0
	for at < len(buf) && n < maxRows {
		end, next := len(buf), len(buf)
		if k := bytes.IndexByte(buf[at:], '\n'); k >= 0 {
			end, next = at+k, at+k+1
		}
		start := at
		at = next
		for end > start && isSpace(buf[end-1]) {
			end--
		}
		switch {
		case start == end:
		case d.row(start, end, n):
			d.unescapeRow(n)
			n++
		case d.options.IgnoreParseErrors:
			d.forget(n)
			d.skipped++
		default:
			d.forget(n)
			err = d.explain(start, end)
			return d.finish(n), at, err
		}
	}
	return d.finish(n), at, nil
}

// Skipped tells how many malformed lines were passed over since the decoder was made; it stays 0 without
// IgnoreParseErrors.
func (d *JSONDecoder) Skipped() int64 { return d.skipped }

// shortestLine is the length of "{}\n".
const shortestLine = 3

func (d *JSONDecoder) begin(a *vector.Arena, buf []byte, maxRows int) {
	d.buf, d.arena, d.room = buf, a, min(maxRows, len(buf)/shortestLine+1)
	for i := range d.columns {
		c := &d.columns[i]
		c.vector = a.Flat(vector.KindOf(c.Type), d.room)
		if c.vector.Kind == vector.Bytes {
			c.vector.Buf = buf
		}
	}
}

func (d *JSONDecoder) finish(n int) *vector.Batch {
	b := &vector.Batch{Cols: d.arena.Columns(len(d.columns)), N: n, Arena: d.arena}
	for i := range d.columns {
		c := &d.columns[i]
		v := c.vector
		v.Cut(n)
		b.Cols[i], c.vector = v, nil
	}
	d.buf, d.arena = nil, nil
	return b
}

// setNull makes row n of c NULL. The bitmap comes with the first NULL.
func (d *JSONDecoder) setNull(c *column, n int) {
	v := c.vector
	v.Zero(n)
	if v.Valid == nil {
		v.Valid = d.arena.AllValid(d.room)
	}
	v.Valid.Clear(n)
}

// forget takes back the NULLs of row n, which was given up and whose place the next row takes.
func (d *JSONDecoder) forget(n int) {
	for i := range d.columns {
		if valid := d.columns[i].vector.Valid; valid != nil {
			valid.Set(n)
		}
	}
}
