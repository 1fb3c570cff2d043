package plan

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Unnest makes a row of every element of a collection of a row: the columns of Input, then those of the element, then its position if Ordinality.
type Unnest struct {
	Input Node
	// Collection is an ARRAY, MAP or MULTISET over Input.
	Collection expr.Expr
	// Outer keeps a row whose collection is empty or NULL, with NULL in the columns of the element.
	Outer      bool
	Ordinality bool
	Cols       []Column
}

// Columns implements Node.
func (n *Unnest) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Unnest) Children() []Node { return []Node{n.Input} }

func (n *Unnest) describe() string {
	text := "Unnest " + n.Collection.String()
	if n.Ordinality {
		text += " with ordinality"
	}
	if n.Outer {
		text += ", keeping rows without elements"
	}
	return text
}

// ElementsOf are the columns of an element of a collection of type t, as UNNEST makes them: key and value of a MAP, the fields of a ROW, or else one. Outer says that
// they may be NULL because there is no element. ok is false if t is no collection.
func ElementsOf(t types.Type, outer bool) (columns types.Schema, ok bool) {
	switch t.Kind {
	case types.Map:
		columns = types.Schema{{Name: "KEY", Type: t.Key()}, {Name: "VALUE", Type: t.Elem()}}
	case types.Array, types.Multiset:
		if elem := t.Elem(); elem.Kind == types.Row {
			for _, f := range elem.Fields() {
				f.Type.NotNull = f.Type.NotNull && elem.NotNull
				columns = append(columns, f)
			}
		} else {
			columns = types.Schema{{Name: types.FieldName(0), Type: elem}}
		}
	default:
		return nil, false
	}
	for i := range columns {
		columns[i].Type.NotNull = columns[i].Type.NotNull && !outer
	}
	return columns, true
}
