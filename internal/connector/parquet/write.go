package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// writer writes a file.
type writer struct {
	schema  types.Schema
	block   int64
	columns []shredder     // by field
	leaves  []shreddedLeaf // by column of the file
	file    *file.Writer
	group   file.BufferedRowGroupWriter // nil: the next row begins one
	out     *counter
	rows    int   // of the row group that is not in the file yet
	waiting int64 // bytes in it, before compression
}

// maxGroup is the number of rows at which a row group is ended if it is not large enough before.
const maxGroup = 1 << 20

// counter counts what is in the file.
type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

func newWriter(out io.Writer, table types.Schema, o writeOptions) (*writer, error) {
	as, err := arrowSchema(table)
	if err != nil {
		return nil, err
	}
	in, err := pqarrow.ToParquet(as, nil, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	w := &writer{schema: table, block: o.block, out: &counter{Writer: out}}
	var all shredders
	for _, f := range table {
		w.columns = append(w.columns, all.of(f.Type, !f.Type.NotNull, level{}))
	}
	w.leaves = all.leaves
	w.file, err = file.NewParquetWriterWithError(w.out, in.Root(), file.WithWriterProps(properties(in, o)))
	return w, fault.Wrap(fault.External, err)
}

// properties are how the columns of a file are written. Numbers with digits behind the point, and instants, are seldom the same: a dictionary of
// them costs time and saves nothing.
func properties(in *schema.Schema, o writeOptions) *parquet.WriterProperties {
	options := []parquet.WriterProperty{parquet.WithCompression(o.codec), parquet.WithCreatedBy("tidemark")}
	for i := range in.NumColumns() {
		plain := false
		switch c := in.Column(i); c.LogicalType().(type) {
		case schema.TimestampLogicalType, schema.TimeLogicalType, schema.DecimalLogicalType:
			plain = true
		default:
			plain = c.PhysicalType() == parquet.Types.Double || c.PhysicalType() == parquet.Types.Float
		}
		if plain {
			options = append(options, parquet.WithDictionaryPath(in.Column(i).ColumnPath(), false))
		}
	}
	return parquet.NewWriterProperties(options...)
}

// Write implements filesystem.PieceWriter.
func (w *writer) Write(b *vector.Batch) error {
	rows := b.Rows()
	for c, f := range w.schema {
		if err := addColumn(w.columns[c], b.Cols[c], rows); err != nil {
			return fmt.Errorf("column '%s': %w", f.Name, err)
		}
	}
	if w.group == nil {
		var err error
		if w.group, err = w.file.AppendBufferedRowGroupChecked(); err != nil {
			return fault.Wrap(fault.External, err)
		}
	}
	for i, leaf := range w.leaves {
		w.waiting += leaf.size()
		to, err := w.group.Column(i)
		if err == nil {
			err = leaf.flush(to)
		}
		if err != nil {
			return fault.Wrap(fault.External, err)
		}
	}
	if w.rows += rows.Count(); w.waiting >= w.block || w.rows >= maxGroup {
		return w.endGroup()
	}
	return nil
}

func addColumn(to shredder, v *vector.Vector, rows vector.Rows) error {
	if flat, ok := to.(interface {
		addAll(v *vector.Vector, rows vector.Rows) error
	}); ok {
		return flat.addAll(v, rows)
	}
	for k := range rows.Count() {
		if err := to.add(v, rows.At(k), level{}); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) endGroup() error {
	err := w.group.Close()
	w.group, w.rows, w.waiting = nil, 0, 0
	return fault.Wrap(fault.External, err)
}

// Size implements filesystem.PieceWriter.
func (w *writer) Size() int64 { return w.out.n + w.waiting }

// Close implements filesystem.PieceWriter.
func (w *writer) Close() error { return fault.Wrap(fault.External, w.file.Close()) }
