package output

import (
	"bytes"
	"io"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

type csv struct {
	buffer
	schema types.Schema
	ops    bool
}

// NewCSV makes a Writer of CSV after RFC 4180, except that a line ends in a line feed alone: a header, then a line a
// row, its op first. NULL is an empty field, the empty string is "".
func NewCSV(w io.Writer, schema types.Schema) Writer {
	c := &csv{buffer: buffer{w: w}, schema: schema, ops: true}
	c.text = appendField(c.text, []byte(opName(schema)))
	return c.header()
}

// NewPlainCSV is NewCSV for rows that are no changelog: they have no op.
func NewPlainCSV(w io.Writer, schema types.Schema) Writer {
	return (&csv{buffer: buffer{w: w}, schema: schema}).header()
}

func (c *csv) header() *csv {
	for i, f := range c.schema {
		c.text = appendField(c.separate(i), []byte(f.Name))
	}
	c.text = append(c.text, '\n')
	return c
}

// separate is the text with a comma if something stands before column i.
func (c *csv) separate(i int) []byte {
	if i > 0 || c.ops {
		return append(c.text, ',')
	}
	return c.text
}

func (c *csv) WriteBatch(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		if c.ops {
			c.text = append(c.text, opOf(b, i).String()...)
		}
		for col, f := range c.schema {
			c.text = c.separate(col)
			v := b.Cols[col]
			switch {
			case v.IsNull(i):
			case f.Type.IsText():
				c.text = appendField(c.text, valuefmt.Readable(v.Bytes(i)))
			case f.Type.IsNested():
				c.text = appendField(c.text, valuefmt.Readable(appendCell(nil, f.Type, v, i)))
			default:
				c.text = appendCell(c.text, f.Type, v, i)
			}
		}
		c.text = append(c.text, '\n')
		if err := c.flushIfFull(); err != nil {
			return err
		}
	}
	return c.err
}

func (c *csv) Close() error { return c.Flush() }

// appendField appends s, in quotes if it is empty or has a character in it that means something to CSV.
func appendField(dst, s []byte) []byte {
	if len(s) > 0 && !bytes.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for _, c := range s {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}
