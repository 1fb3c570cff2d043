package parquet

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// reader reads row groups.
type reader struct{ fields types.Schema }

// Read implements filesystem.PieceReader.
func (r *reader) Read(path string, number int, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	var given error // of each, which is not about the file
	err := guarded(path, func() error {
		f, err := open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if number >= f.NumRowGroups() {
			return fault.Errorf(fault.External, "read %s: the file has only %d row groups; it was replaced since it was found", path, f.NumRowGroups())
		}
		g, err := r.group(path, f, number, maxRows)
		if err != nil {
			return err
		}
		defer g.close()
		rows := min(firstRows, maxRows)
		for g.rows > 0 {
			if g.records != nil {
				rows = maxRows // as their reader was told
			}
			a := pool.Get()
			var b *vector.Batch
			a.Unbounded(func() { b, err = g.next(a, rows) })
			if err != nil {
				return err
			}
			rows = min(nextRows(b.N, a.Charged()), maxRows)
			if given = inStretches(b, pool, each); given != nil {
				return nil
			}
		}
		return nil
	})
	if given != nil {
		return given
	}
	return err
}

// How much is read at once. A page of a few bytes can hold very many long values, which shows when they are there.
const (
	firstRows  = 256
	batchBytes = 4 << 20 // of strings
)

// nextRows is how many rows to read after n rows with so many bytes.
func nextRows(n, bytes int) int {
	if bytes <= batchBytes/2 {
		return 2 * max(n, firstRows/2)
	}
	return max(int(int64(n)*batchBytes/int64(bytes)), 1)
}

// inStretches gives b away, in several batches if it has too many bytes.
func inStretches(b *vector.Batch, pool *vector.Pool, each func(*vector.Batch) error) error {
	if b.Arena.Charged() <= 2*batchBytes {
		return each(b)
	}
	defer b.Release()
	for lo, hi := range vector.Stretches(b.N, b.N, batchBytes, func(row int) int { return vector.StringBytes(b.Cols, row) }) {
		part := &vector.Batch{N: hi - lo, Arena: pool.Get()}
		rows := part.Arena.Sel(part.N)
		for i := range rows {
			rows[i] = int32(lo + i)
		}
		part.Cols = part.Arena.Columns(len(b.Cols))
		for i, c := range b.Cols {
			part.Cols[i] = c.Take(part.Arena, rows)
		}
		if err := each(part); err != nil {
			return err
		}
	}
	return nil
}

// pageBuffer is how much of a column is read at once.
const pageBuffer = 256 << 10

func open(path string) (*file.Reader, error) {
	props := parquet.NewReaderProperties(memory.DefaultAllocator)
	props.BufferedStreamEnabled, props.BufferSize = true, pageBuffer
	return file.OpenParquetFile(path, false, file.WithReadProps(props))
}

// group is a row group being read.
type group struct {
	path    string
	fields  types.Schema
	rows    int64
	leaves  []leaf               // by field; nil: in records, or nowhere
	records pqarrow.RecordReader // nested columns, and those whose type is not that of the table; nil if there are none
}

func (r *reader) group(path string, f *file.Reader, number, maxRows int) (*group, error) {
	groups := f.RowGroup(number)
	g := &group{path: path, fields: r.fields, rows: groups.NumRows(), leaves: make([]leaf, len(r.fields))}
	// Without rows nothing would tell that their number is wrong.
	if groups.NumColumns() > 0 {
		first, err := groups.MetaData().ColumnChunk(0)
		if err != nil {
			return nil, err
		}
		if first.NumValues() < g.rows {
			return nil, errShort
		}
	}
	files, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: int64(maxRows)}, memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	var others []int
	for i := range files.Manifest.Fields {
		column := &files.Manifest.Fields[i]
		at := r.fields.Index(column.Field.Name)
		if at < 0 {
			continue
		}
		if len(column.Children) == 0 && g.leaves[at] == nil {
			chunk, err := groups.Column(column.ColIndex)
			if err != nil {
				return nil, err
			}
			if g.leaves[at] = newLeaf(r.fields[at].Type, f.MetaData().Schema.Column(column.ColIndex), chunk); g.leaves[at] != nil {
				continue
			}
			if err := chunk.Close(); err != nil {
				return nil, err
			}
		}
		others = appendLeaves(others, column)
	}
	if len(others) > 0 {
		slices.Sort(others)
		g.records, err = files.GetRecordReader(context.Background(), others, []int{number})
	}
	return g, err
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

func (g *group) close() {
	if g.records != nil {
		g.records.Release()
	}
	for _, l := range g.leaves {
		if l != nil {
			_ = l.close() // of what was only read
		}
	}
}

// next gives the next rows, at most maxRows.
func (g *group) next(a *vector.Arena, maxRows int) (*vector.Batch, error) {
	n := min(g.rows, int64(maxRows))
	var record arrow.RecordBatch
	if g.records != nil {
		if !g.records.Next() {
			if err := g.records.Err(); err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			return nil, errShort
		}
		record = g.records.RecordBatch()
		if n = record.NumRows(); n > g.rows || n > int64(maxRows) {
			return nil, errLevels
		}
	}
	g.rows -= n
	b := &vector.Batch{Cols: a.Columns(len(g.fields)), N: int(n), Arena: a}
	for i, f := range g.fields {
		v, err := g.column(a, i, int(n), record)
		if err == nil && f.Type.NotNull && v.Valid != nil {
			err = errNull
		}
		if err != nil {
			return nil, fault.Errorf(fault.Data, "read %s: column '%s': %w", g.path, f.Name, err)
		}
		b.Cols[i] = v
	}
	return b, nil
}

var (
	errNull   = errors.New("there is a NULL, and the column is NOT NULL")
	errAbsent = errors.New("the file has no such column, and it is NOT NULL")
)

// column gives the next n values of field i.
func (g *group) column(a *vector.Arena, i, n int, record arrow.RecordBatch) (*vector.Vector, error) {
	f := g.fields[i]
	if l := g.leaves[i]; l != nil {
		return l.read(a, n)
	}
	if record != nil {
		if at := record.Schema().FieldIndices(f.Name); len(at) > 0 {
			return convert(a, record.Column(at[0]), f.Type)
		}
	}
	if f.Type.NotNull {
		return nil, errAbsent
	}
	return a.NullConstant(vector.KindOf(f.Type)), nil
}
