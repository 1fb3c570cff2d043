package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// reader reads row groups.
type reader struct{ fields types.Schema }

// Read implements filesystem.PieceReader.
func (r *reader) Read(path string, group int, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	var given error // of each, which is not about the file
	err := guarded(path, func() error {
		f, err := file.OpenParquetFile(path, false)
		if err != nil {
			return err
		}
		defer f.Close()
		if group >= f.NumRowGroups() {
			return fault.Errorf(fault.External, "read %s: the file has only %d row groups; it was replaced since it was found", path, f.NumRowGroups())
		}
		files, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: int64(maxRows)}, memory.DefaultAllocator)
		if err != nil {
			return err
		}
		leaves := r.leaves(files.Manifest)
		if len(leaves) == 0 {
			given, err = r.empty(path, f.RowGroup(group).NumRows(), pool, maxRows, each)
			return err
		}
		records, err := files.GetRecordReader(context.Background(), leaves, []int{group})
		if err != nil {
			return err
		}
		defer records.Release()
		for records.Next() {
			b, err := r.batch(path, records.RecordBatch(), pool.Get())
			if err != nil {
				return err
			}
			if given = each(b); given != nil {
				return nil
			}
		}
		if err := records.Err(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	})
	if given != nil {
		return given
	}
	return err
}

// leaves are the columns of the file that hold what is needed, in its order.
func (r *reader) leaves(m *pqarrow.SchemaManifest) (leaves []int) {
	for i := range m.Fields {
		if f := &m.Fields[i]; r.fields.Index(f.Field.Name) >= 0 {
			leaves = appendLeaves(leaves, f)
		}
	}
	slices.Sort(leaves)
	return leaves
}

func appendLeaves(leaves []int, f *pqarrow.SchemaField) []int {
	if len(f.Children) == 0 {
		return append(leaves, f.ColIndex)
	}
	for i := range f.Children {
		leaves = appendLeaves(leaves, &f.Children[i])
	}
	return leaves
}

// empty gives rows of which nothing is needed that the file has.
func (r *reader) empty(path string, rows int64, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) (given, err error) {
	for ; rows > 0; rows -= int64(maxRows) {
		a := pool.Get()
		b := &vector.Batch{Cols: a.Columns(len(r.fields)), N: int(min(rows, int64(maxRows))), Arena: a}
		for i, f := range r.fields {
			if b.Cols[i], err = absent(path, f, a); err != nil {
				return nil, err
			}
		}
		if err := each(b); err != nil {
			return err, nil
		}
	}
	return nil, nil
}

// absent is a column that the file does not have.
func absent(path string, f types.Field, a *vector.Arena) (*vector.Vector, error) {
	if f.Type.NotNull {
		return nil, fault.Errorf(fault.Data, "read %s: the file has no column '%s', which is NOT NULL", path, f.Name)
	}
	return a.NullConstant(vector.KindOf(f.Type)), nil
}

func (r *reader) batch(path string, record arrow.RecordBatch, a *vector.Arena) (*vector.Batch, error) {
	b := &vector.Batch{Cols: a.Columns(len(r.fields)), N: int(record.NumRows()), Arena: a}
	for i, f := range r.fields {
		at := record.Schema().FieldIndices(f.Name)
		var err error
		if len(at) == 0 {
			b.Cols[i], err = absent(path, f, a)
		} else {
			b.Cols[i], err = convert(a, record.Column(at[0]), f.Type)
			if err == nil && f.Type.NotNull && b.Cols[i].Valid != nil {
				err = fmt.Errorf("there is a NULL, and the column is NOT NULL")
			}
			if err != nil {
				err = fault.Errorf(fault.Data, "read %s: column '%s': %w", path, f.Name, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
