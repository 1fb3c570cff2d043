package expr

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Present is its operand where that must have a value; a NULL is an error of its row, in words of the one who asks for it.
type Present struct {
	operand       Expr
	message, hint string
}

// NewPresent wants a value of e; e itself if it is never NULL.
func NewPresent(e Expr, message, hint string) Expr {
	if e.Type().NotNull {
		return e
	}
	return &Present{e, message, hint}
}

// Type is that of the operand, NOT NULL.
func (e *Present) Type() types.Type { return notNull(e.operand.Type()) }

// Eval fails at the first row that is NULL.
func (e *Present) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	v, err := e.operand.Eval(c, b, rows)
	if err != nil || v.Valid == nil {
		return v, err
	}
	for k := range rows.Count() {
		if i := rows.At(k); v.IsNull(i) {
			return nil, &function.RowError{Row: i, Err: errors.New(e.message), Hint: e.hint}
		}
	}
	return v, nil
}

// String is PRESENT(x).
func (e *Present) String() string { return "PRESENT(" + e.operand.String() + ")" }

// Children is the operand.
func (e *Present) Children() []Expr { return []Expr{e.operand} }

func (e *Present) withChildren(children []Expr) Expr {
	return &Present{children[0], e.message, e.hint}
}

func (e *Present) same(other Expr) bool { return e.message == other.(*Present).message }
