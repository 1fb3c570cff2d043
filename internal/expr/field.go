package expr

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Field is a field of a row.
type Field struct {
	row Expr
	// Index is the position of the field.
	Index int
	typ   types.Type
}

// NewField takes field number index of a row. It is NULL if the row is.
func NewField(row Expr, index int) Expr {
	t := row.Type().Fields()[index].Type
	t.NotNull = t.NotNull && row.Type().NotNull
	e := &Field{row, index, t}
	if _, ok := row.(*Literal); ok {
		return evaluateConstant(e)
	}
	return e
}

// Type is the type of the field.
func (e *Field) Type() types.Type { return e.typ }

// Eval looks into each row; text and bytes are not copied.
func (e *Field) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	v, err := e.row.Eval(c, b, rows)
	if err != nil {
		return nil, err
	}
	n := b.N
	if v.Const {
		n, rows = 1, vector.All(1)
	}
	out := nested.Field(c.Arena, v, e.Index, len(e.row.Type().Fields()), vector.KindOf(e.typ), rows, n)
	out.Const = v.Const
	return out, nil
}

// String is row.field.
func (e *Field) String() string {
	return e.row.String() + "." + fieldName(e.row.Type().Fields()[e.Index].Name)
}

// fieldName writes the name of a field, in backticks unless it is a plain word.
func fieldName(name string) string {
	for i, c := range name {
		if c != '_' && c != '$' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return "`" + strings.ReplaceAll(name, "`", "``") + "`"
		}
	}
	return name
}

// Children is the row.
func (e *Field) Children() []Expr { return []Expr{e.row} }

func (e *Field) withChildren(children []Expr) Expr { return &Field{children[0], e.Index, e.typ} }

func (e *Field) same(other Expr) bool { return e.Index == other.(*Field).Index }
