package expr

import (
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Cast converts a value to another type.
type Cast struct {
	// Try makes NULL of what cannot be converted.
	Try      bool
	operand  Expr
	overload function.Overload
}

// NewCast makes CAST(e AS to), or TRY_CAST. Whether the result may be NULL follows from e; to.NotNull is ignored. The error is the user's: no such
// conversion.
func NewCast(e Expr, to types.Type, try bool) (Expr, error) {
	if l, ok := e.(*Literal); ok && l.IsNull() {
		return Null(to), nil
	}
	if types.Same(e.Type(), to) {
		return e, nil
	}
	o, err := function.ResolveCast(e.Type(), to, try)
	if err != nil {
		return nil, err
	}
	return fold(&Cast{try, e, o}, &o), nil
}

// Convert makes e fit where a value of type to is wanted, as INSERT, CASE and function arguments do; it adds no node where the layout and the
// value stay as they are. Nullability is left alone.
func Convert(e Expr, to types.Type) (Expr, error) {
	from := e.Type()
	switch {
	case from.Kind == to.Kind && from.Precision <= to.Precision:
		return e, nil
	case from.Kind == types.Int && to.Kind == types.BigInt:
		if l, ok := e.(*Literal); ok && !l.IsNull() {
			return LiteralInt(to, l.Int()), nil
		}
		return e, nil
	}
	return NewCast(e, to, false)
}

// Type is the type converted to.
func (e *Cast) Type() types.Type { return e.overload.Result }

// Eval converts the operand.
func (e *Cast) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	v, err := e.operand.Eval(c, b, rows)
	if err != nil {
		return nil, err
	}
	args := c.Arena.Columns(1)
	args[0] = v
	return e.overload.Eval(c.Arena, c.Env, args, rows, b.N)
}

// String is CAST(x AS type).
func (e *Cast) String() string {
	name := "CAST("
	if e.Try {
		name = "TRY_CAST("
	}
	return name + e.operand.String() + " AS " + e.Type().Nullable().String() + ")"
}

// Children is the operand.
func (e *Cast) Children() []Expr { return []Expr{e.operand} }

func (e *Cast) withChildren(children []Expr) Expr { return &Cast{e.Try, children[0], e.overload} }

func (e *Cast) same(other Expr) bool {
	o := other.(*Cast)
	return e.Try == o.Try && e.Type() == o.Type()
}
