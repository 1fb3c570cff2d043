package format

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// AvroDecoder is the Decoder of Avro's binary encoding. Who wrote the records is said by a schema, which may change from record to record: see Use.
//
// Columns are found by name; one that the writer does not have is NULL. A number is taken by a column that can hold it.
type AvroDecoder struct {
	rows
	plan *AvroPlan

	buf   []byte
	end   int // of the record being read
	wrong string
	at    *column // whose value is wrong
}

// AvroPlan is how an AvroDecoder reads what one writer wrote.
type AvroPlan struct {
	fields []avroOp
	absent []*column // columns that the writer does not have
}

// avroStep reads or skips the value at buf[at], as value n of where it goes, and returns what stands behind it, or -1.
type avroStep func(d *AvroDecoder, at, n int) int

// NewAvroDecoder makes a decoder of the columns needed of schema. Before the first record it is told by Use who wrote them.
func NewAvroDecoder(schema types.Schema, needed []int) *AvroDecoder {
	d := &AvroDecoder{rows: rows{columns: make([]column, len(needed))}}
	for i, k := range needed {
		c := &d.columns[i]
		c.Field = schema[k]
		if c.Type.IsNested() {
			c.node = newNode(c.Field)
		}
	}
	return d
}

// Plan works out how to read what the writer of a schema, a record in JSON, wrote. The error says what cannot be read.
func (d *AvroDecoder) Plan(schema string) (*AvroPlan, error) {
	w, err := parseAvro(schema)
	if err != nil {
		return nil, err
	}
	return d.planOf(w)
}

func (d *AvroDecoder) planOf(w *avroType) (*AvroPlan, error) {
	if w.kind != "record" {
		return nil, fmt.Errorf("the Avro schema is a %s, and rows are records", w.kind)
	}
	p, planner := &AvroPlan{}, avroPlanner{skips: map[*avroType]avroStep{}}
	found := map[string]bool{}
	for _, f := range w.fields {
		var c *column
		if at := slices.IndexFunc(d.columns, func(c column) bool { return c.Name == f.name }); at >= 0 {
			c = &d.columns[at]
			found[f.name] = true
		}
		op, err := planner.op(f.of, c)
		if err != nil {
			return nil, err
		}
		p.fields = append(p.fields, op)
	}
	for i := range d.columns {
		if c := &d.columns[i]; !found[c.Name] {
			if c.Type.NotNull {
				return nil, fmt.Errorf("column '%s' is NOT NULL, and the writer's schema has no such field", c.Name)
			}
			p.absent = append(p.absent, c)
		}
	}
	return p, nil
}

// Use says who wrote the records to come.
func (d *AvroDecoder) Use(p *AvroPlan) { d.plan = p }

// Begin implements Decoder.
func (d *AvroDecoder) Begin(a *vector.Arena, buf []byte, records int) {
	d.buf = buf
	d.begin(a, buf, records)
}

// Read implements Decoder.
func (d *AvroDecoder) Read(start, end int) (int, error) {
	after, err := d.Next(start, end)
	if err != nil {
		return 0, err
	}
	if after != end {
		d.n--
		d.forget(d.n)
		d.wrong = fmt.Sprintf("%d bytes stand behind the record", end-after)
		return 0, d.refused(start, end)
	}
	return 1, nil
}

// Next reads the record that begins at start and ends at end or before it, and tells what stands behind it. The error is a *RowError, as of Read.
func (d *AvroDecoder) Next(start, end int) (after int, err error) {
	if d.n == d.room {
		d.grow()
	}
	d.end, d.wrong, d.at = end, "", nil
	if after = d.record(d.plan.fields, start, d.n); after < 0 {
		d.forget(d.n)
		return 0, d.refused(start, end)
	}
	for _, c := range d.plan.absent {
		d.setNull(c, d.n)
	}
	d.n++
	return after, nil
}

func (d *AvroDecoder) refused(start, end int) error {
	e := &RowError{Offset: start, Line: bytes.Clone(d.buf[start:min(end, start+maxErrorLine)]), Message: d.wrong, Hint: "the schema may not be that of the writer"}
	if d.at != nil {
		e.Field = d.at.Name
	}
	return e
}

// End implements Decoder.
func (d *AvroDecoder) End() *vector.Batch {
	d.buf = nil
	return d.rows.end()
}

// Skipped implements Decoder.
func (d *AvroDecoder) Skipped() int64 { return 0 }

// fail notes what is wrong and returns -1.
func (d *AvroDecoder) fail(c *column, format string, args ...any) int {
	if d.wrong == "" {
		d.wrong, d.at = fmt.Sprintf(format, args...), c
	}
	return -1
}

// bytes reads a length and so many bytes.
func (d *AvroDecoder) bytes(at int) (from, to int) {
	n, at := d.long(at)
	if at < 0 {
		return 0, -1
	}
	if n < 0 || n > int64(d.end-at) {
		return 0, d.fail(nil, "the record is cut off or its bytes are not Avro")
	}
	return at, at + int(n)
}

// fixed makes sure of n bytes.
func (d *AvroDecoder) fixed(at, n int) int {
	if d.end-at < n {
		return d.fail(nil, "the record is cut off or its bytes are not Avro")
	}
	return at + n
}

// items calls each for every item of an array or map: blocks of a count and so many items, the last of which has none. A negative count is followed by
// the size of the block in bytes.
func (d *AvroDecoder) items(at int, each func(at int) int) int {
	for {
		count, next := d.long(at)
		if next < 0 {
			return -1
		}
		if at = next; count < 0 {
			count = -count
			if _, at = d.long(at); at < 0 {
				return -1
			}
		}
		if count == 0 {
			return at
		}
		// An item may take no bytes, so that a count alone could keep a reader busy for ever.
		if count < 0 || count > int64(d.end-at)+maxEmptyItems {
			return d.fail(nil, "an array or map of %d items does not fit in the record", count)
		}
		for range count {
			if at = each(at); at < 0 {
				return -1
			}
		}
	}
}

// maxEmptyItems is how many items without bytes an array may have.
const maxEmptyItems = 1000
