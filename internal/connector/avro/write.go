package avro

import (
	"crypto/rand"
	"encoding/binary"
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// writer writes a file.
type writer struct {
	out     io.Writer
	encoder format.Encoder
	codec   *codec
	marker  [markerBytes]byte
	records []byte // of the block that is not in the file yet
	count   int64  // of them
	packed  []byte // scratch: a block compressed
	written int64  // bytes
}

// blockBytes is the size of a block, before compression, at which it is written: that of Avro's own writers.
const blockBytes = 64_000

func newWriter(out io.Writer, schema types.Schema, o connector.Options) (*writer, error) {
	legacy, err := o.Bool(legacyKey, true)
	if err != nil {
		return nil, err
	}
	name := o[codecKey]
	if name == "" {
		name = "snappy" // Flink 2.3
	}
	w := &writer{out: out, codec: codecNamed(name)}
	if w.encoder, err = format.NewAvroEncoder(schema, legacy); err != nil {
		return nil, err
	}
	text, err := format.AvroSchema(schema, legacy, format.AvroRecord)
	if err != nil {
		return nil, err
	}
	_, _ = rand.Read(w.marker[:]) // never fails
	head := binary.AppendVarint([]byte(magic), 2)
	for _, s := range []string{schemaKey, text, codecField, name} {
		head = append(binary.AppendVarint(head, int64(len(s))), s...)
	}
	head = append(head, 0)
	return w, w.put(append(head, w.marker[:]...))
}

func (w *writer) put(b []byte) error {
	n, err := w.out.Write(b)
	w.written += int64(n)
	return err
}

// Write implements filesystem.PieceWriter.
func (w *writer) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		var err error
		if w.records, err = w.encoder.Append(w.records, b, rows.At(k)); err != nil {
			return err
		}
		if w.count++; len(w.records) >= blockBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the block.
func (w *writer) flush() (err error) {
	if w.count == 0 {
		return nil
	}
	if w.packed, err = w.codec.pack(w.packed[:0], w.records); err != nil {
		return fault.Wrap(fault.Internal, err)
	}
	head := binary.AppendVarint(binary.AppendVarint(nil, w.count), int64(len(w.packed)))
	w.records, w.count = w.records[:0], 0
	for _, part := range [][]byte{head, w.packed, w.marker[:]} {
		if err := w.put(part); err != nil {
			return err
		}
	}
	return nil
}

// Size implements filesystem.PieceWriter.
func (w *writer) Size() int64 { return w.written + int64(len(w.records)) }

// Close implements filesystem.PieceWriter.
func (w *writer) Close() error { return w.flush() }
