package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// writer writes a file.
type writer struct {
	schema  types.Schema
	block   int64
	columns *array.RecordBuilder
	file    *pqarrow.FileWriter
	out     *counter
	waiting int64 // bytes in the row group that is not in the file yet, before compression
}

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

func newWriter(out io.Writer, schema types.Schema, o writeOptions) (*writer, error) {
	as, err := arrowSchema(schema)
	if err != nil {
		return nil, err
	}
	w := &writer{schema: schema, block: o.block, out: &counter{Writer: out}, columns: array.NewRecordBuilder(memory.DefaultAllocator, as)}
	w.file, err = pqarrow.NewFileWriter(as, w.out, parquet.NewWriterProperties(parquet.WithCompression(o.codec), parquet.WithCreatedBy("tidemark")), pqarrow.DefaultWriterProps())
	return w, fault.Wrap(fault.External, err)
}

// Write implements filesystem.PieceWriter.
func (w *writer) Write(b *vector.Batch) error {
	rows := b.Rows()
	n := rows.Count()
	for c, f := range w.schema {
		to, v := w.columns.Field(c), b.Cols[c]
		to.Reserve(n)
		for k := range n {
			if err := appendValue(to, f.Type, v, rows.At(k)); err != nil {
				return fmt.Errorf("column '%s': %w", f.Name, err)
			}
		}
	}
	record := w.columns.NewRecordBatch()
	defer record.Release()
	if err := w.file.WriteBuffered(record); err != nil {
		return fault.Wrap(fault.External, err)
	}
	for _, c := range record.Columns() {
		w.waiting += int64(c.Data().SizeInBytes())
	}
	if w.waiting >= w.block {
		w.waiting = 0
		return fault.Wrap(fault.External, w.file.NewBufferedRowGroupChecked())
	}
	return nil
}

// Size implements filesystem.PieceWriter.
func (w *writer) Size() int64 { return w.out.n + w.waiting }

// Close implements filesystem.PieceWriter.
func (w *writer) Close() error {
	w.columns.Release()
	return fault.Wrap(fault.External, w.file.Close())
}

// appendValue appends value i of v, of type t.
func appendValue(to array.Builder, t types.Type, v vector.Values, i int) error {
	if v.IsNull(i) {
		to.AppendNull()
		return nil
	}
	switch to := to.(type) {
	case *array.BooleanBuilder:
		to.Append(v.Bool(i))
	case *array.Int8Builder:
		to.Append(int8(v.Int(i)))
	case *array.Int16Builder:
		to.Append(int16(v.Int(i)))
	case *array.Int32Builder:
		to.Append(int32(v.Int(i)))
	case *array.Int64Builder:
		to.Append(v.Int(i))
	case *array.Float32Builder:
		to.Append(float32(v.Float(i)))
	case *array.Float64Builder:
		to.Append(v.Float(i))
	case *array.StringBuilder:
		to.BinaryBuilder.Append(v.Bytes(i))
	case *array.BinaryBuilder:
		to.Append(v.Bytes(i))
	case *array.Decimal128Builder:
		d := valuefmt.Digits(t, v, i)
		to.Append(decimal128.New(d.Hi, d.Lo))
	case *array.Date32Builder:
		to.Append(arrow.Date32(v.Int(i)))
	case *array.Time32Builder:
		to.Append(arrow.Time32(timefmt.FloorDiv(v.Int(i), timefmt.Millisecond)))
	case *array.Time64Builder:
		to.Append(arrow.Time64(v.Int(i)))
	case *array.TimestampBuilder:
		n := v.Int(i)
		if t.Precision <= 3 {
			n = timefmt.FloorDiv(n, timefmt.Millisecond)
		}
		to.Append(arrow.Timestamp(n))
	case *array.MapBuilder: // which is a list, too
		return appendMap(to, t, v.Bytes(i))
	case *array.ListBuilder:
		to.Append(true)
		elems := nested.ReadArray(v.Bytes(i), vector.KindOf(t.Elem()))
		for k := range elems.Len() {
			if err := appendValue(to.ValueBuilder(), t.Elem(), elems, k); err != nil {
				return err
			}
		}
	case *array.StructBuilder:
		to.Append(true)
		row := nested.ReadRow(v.Bytes(i), len(t.Fields()))
		for k, f := range t.Fields() {
			if err := appendValue(to.FieldBuilder(k), f.Type, row, k); err != nil {
				return err
			}
		}
	default:
		panic(fmt.Sprintf("tidemark bug: nothing is appended to a %T", to))
	}
	return nil
}

func appendMap(to *array.MapBuilder, t types.Type, b []byte) error {
	key, value := entryTypes(t)
	keys, values := nested.ReadMap(b, vector.KindOf(key), vector.KindOf(value))
	to.Append(true)
	for k := range keys.Len() {
		if keys.IsNull(k) {
			return fault.Errorf(fault.Data, "a %s has a key that is NULL, which Parquet cannot hold", t.Nullable())
		}
		if err := appendValue(to.KeyBuilder(), key, keys, k); err != nil {
			return err
		}
		if err := appendValue(to.ItemBuilder(), value, values, k); err != nil {
			return err
		}
	}
	return nil
}
