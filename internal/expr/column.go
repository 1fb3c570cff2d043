package expr

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Column is a column of the batch.
type Column struct {
	Index int
	Name  string
	typ   types.Type
}

// NewColumn refers to column index of the batch; name is what people call it.
func NewColumn(index int, name string, t types.Type) *Column { return &Column{index, name, t} }

// Type is the type of the column.
func (e *Column) Type() types.Type { return e.typ }

// Eval returns the batch's own vector.
func (e *Column) Eval(_ *Context, b *vector.Batch, _ vector.Rows) (*vector.Vector, error) {
	return b.Cols[e.Index], nil
}

// String is the column's name, or its number if it has none.
func (e *Column) String() string {
	if e.Name == "" {
		return "$" + strconv.Itoa(e.Index)
	}
	return e.Name
}

// Children is empty.
func (e *Column) Children() []Expr { return nil }

func (e *Column) withChildren([]Expr) Expr { return e }

func (e *Column) same(other Expr) bool { return e.Index == other.(*Column).Index }
