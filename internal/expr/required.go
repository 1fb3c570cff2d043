package expr

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Required is its operand where that must have a value; a NULL is an error of its row.
type Required struct {
	operand Expr
	column  string
}

// NewRequired wants a value of e for a column that is NOT NULL and called so; e itself if it is never NULL.
func NewRequired(e Expr, column string) Expr {
	if e.Type().NotNull {
		return e
	}
	return &Required{e, column}
}

// Type is that of the operand, NOT NULL.
func (e *Required) Type() types.Type {
	t := e.operand.Type()
	t.NotNull = true
	return t
}

// Eval fails at the first row that is NULL.
func (e *Required) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	v, err := e.operand.Eval(c, b, rows)
	if err != nil || v.Valid == nil {
		return v, err
	}
	mask := v.Mask()
	for k := range rows.Count() {
		if i := rows.At(k); !v.Valid.Get(i & mask) {
			return nil, &function.RowError{Row: i, Err: fmt.Errorf("column '%s' is NOT NULL", e.column),
				Hint: "use COALESCE(…), or leave such rows out: SET 'table.exec.sink.not-null-enforcer' = 'DROP'"}
		}
	}
	return v, nil
}

// String is REQUIRED(x).
func (e *Required) String() string { return "REQUIRED(" + e.operand.String() + ")" }

// Children is the operand.
func (e *Required) Children() []Expr { return []Expr{e.operand} }

func (e *Required) withChildren(children []Expr) Expr { return &Required{children[0], e.column} }

func (e *Required) same(other Expr) bool { return e.column == other.(*Required).column }
