package output

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Writer writes the selected rows of batches in order, each with its op. It belongs to one goroutine and copies what it
// keeps: a batch stays its caller's. After an error of the underlying writer every further call returns that error.
type Writer interface {
	// WriteBatch takes rows; they may wait in a buffer until it is full or Flush is called.
	WriteBatch(b *vector.Batch) error
	// Flush hands everything on to the underlying writer. It is to be called when there is nothing to write for now.
	Flush() error
	// Close flushes and ends the text. It does not close the underlying writer.
	Close() error
}

// flushSize is how many bytes are collected before they are handed on unasked.
const flushSize = 64 << 10

// buffer collects text for w.
type buffer struct {
	w    io.Writer
	text []byte
	err  error // the first error of w
}

// Flush hands the collected text to w.
func (b *buffer) Flush() error {
	if b.err == nil && len(b.text) > 0 {
		_, b.err = b.w.Write(b.text)
	}
	b.text = b.text[:0]
	return b.err
}

// flushIfFull is called after every row.
func (b *buffer) flushIfFull() error {
	if len(b.text) < flushSize {
		return b.err
	}
	return b.Flush()
}

// opName is the name of the column of ops: "op", or with a dollar sign before it if the schema has such a column itself.
func opName(schema types.Schema) string {
	name := "op"
	for schema.Index(name) >= 0 {
		name = "$" + name
	}
	return name
}

// opOf is the op of row i of b.
func opOf(b *vector.Batch, i int) vector.Op {
	if b.Ops == nil {
		return vector.Insert
	}
	return b.Ops[i]
}
