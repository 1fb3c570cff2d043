package expr

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Present is its operand where that must have a value; a NULL is an error of its row, in words of the one who asks for it.
type Present struct {
	operand             Expr
	name, message, hint string
}

// NewPresent wants a value of e; e itself if it is never NULL. Name is what the one who asks calls it, as a function of e.
func NewPresent(e Expr, name, message, hint string) Expr {
	if e.Type().NotNull {
		return e
	}
	p := &Present{e, name, message, hint}
	if _, ok := e.(*Literal); ok {
		return evaluateConstant(p)
	}
	return p
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

// String is the call of a function, by its name.
func (e *Present) String() string { return e.name + "(" + e.operand.String() + ")" }

// Children is the operand.
func (e *Present) Children() []Expr { return []Expr{e.operand} }

func (e *Present) withChildren(children []Expr) Expr {
	return &Present{children[0], e.name, e.message, e.hint}
}

func (e *Present) same(other Expr) bool {
	return e.name == other.(*Present).name && e.message == other.(*Present).message
}
