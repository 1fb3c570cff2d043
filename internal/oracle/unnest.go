package oracle

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// unnest makes the rows of a row's elements.
func (r *run) unnest(n *plan.Unnest, row Row) ([]Row, error) {
	v, err := r.eval(n.Collection, row, columnTypes(n.Input))
	if err != nil {
		return nil, err
	}
	width := len(n.Cols) - len(row)
	var rows []Row
	for i, element := range elementsOf(n.Collection.Type(), v) {
		out := append(slices.Clone(row), element...)
		if n.Ordinality {
			out = append(out, Value{Int: int64(i + 1)})
		}
		rows = append(rows, out)
	}
	if rows == nil && n.Outer {
		out := slices.Clone(row)
		for range width {
			out = append(out, Value{Null: true})
		}
		rows = []Row{out}
	}
	return rows, nil
}

// elementsOf lists the elements of a collection as rows of their columns.
func elementsOf(t types.Type, v Value) []Row {
	if v.Null {
		return nil
	}
	var rows []Row
	switch b := []byte(v.Text); t.Kind {
	case types.Map:
		keys, values := nested.ReadMap(b, vector.KindOf(t.Key()), vector.KindOf(t.Elem()))
		for i := range keys.Len() {
			rows = append(rows, Row{inside(t.Key(), keys, i), inside(t.Elem(), values, i)})
		}
	case types.Multiset:
		keys, counts := nested.ReadMap(b, vector.KindOf(t.Elem()), vector.Int64)
		for i := range keys.Len() {
			for range counts.Int(i) {
				rows = append(rows, columnsOf(t.Elem(), inside(t.Elem(), keys, i)))
			}
		}
	case types.Array:
		a := nested.ReadArray(b, vector.KindOf(t.Elem()))
		for i := range a.Len() {
			rows = append(rows, columnsOf(t.Elem(), inside(t.Elem(), a, i)))
		}
	}
	return rows
}

// columnsOf takes an element apart if it is a row.
func columnsOf(t types.Type, v Value) Row {
	if t.Kind != types.Row {
		return Row{v}
	}
	row := make(Row, len(t.Fields()))
	for i, f := range t.Fields() {
		row[i] = Value{Null: true}
		if !v.Null {
			row[i] = inside(f.Type, nested.ReadRow([]byte(v.Text), len(t.Fields())), i)
		}
	}
	return row
}

// inside is value i of what holds values of type t.
func inside(t types.Type, v vector.Values, i int) Value {
	b := vector.NewBuilder((&vector.Pool{}).Get(), vector.KindOf(t), 1)
	b.AppendFrom(v, i)
	return ValueAt(b.Done(), 0)
}
