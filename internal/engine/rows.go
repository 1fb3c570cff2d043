package engine

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Rows are a small table of text: what SHOW, DESCRIBE and SET alone list.
type Rows struct {
	// Schema has STRING NOT NULL columns only.
	Schema types.Schema
	Values [][]string
	// Verbatim says that the one value is a text of several lines, which a person is best shown as it is.
	Verbatim bool
}

func newRows(columns ...string) *Rows {
	r := &Rows{}
	for _, c := range columns {
		r.Schema = append(r.Schema, types.Field{Name: c, Type: types.Type{Kind: types.String, NotNull: true}})
	}
	return r
}

func (r *Rows) add(values ...string) { r.Values = append(r.Values, values) }

// Batch is the rows as an output or a sink takes them.
func (r *Rows) Batch() *vector.Batch {
	arena := (&vector.Pool{}).Get()
	b := &vector.Batch{Cols: arena.Columns(len(r.Schema)), N: len(r.Values), Arena: arena}
	for i, f := range r.Schema {
		column := vector.NewBuilder(arena, vector.KindOf(f.Type), len(r.Values))
		for _, row := range r.Values {
			column.AppendBytes([]byte(row[i]))
		}
		b.Cols[i] = column.Done()
	}
	return b
}
