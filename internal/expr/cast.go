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
	if types.Same(e.Type(), to) {
		return e, nil
	}
	o, err := function.ResolveCast(e.Type(), to, try)
	if err != nil {
		return nil, err
	}
	if l, ok := e.(*Literal); ok && l.IsNull() {
		return Null(to), nil
	}
	return fold(&Cast{try, e, o}, &o), nil
}

// Convert makes e fit where a value of type to is wanted, as INSERT, CASE and function arguments do; it adds no node where the layout and the
// value stay as they are. Nullability is left alone, and so is the length of text and bytes: Flink 2.3 does not enforce it here.
func Convert(e Expr, to types.Type) (Expr, error) {
	from := e.Type()
	if l, ok := e.(*Literal); ok && !l.IsNull() && from.IsInteger() && to.IsInteger() && from.Kind < to.Kind {
		return LiteralInt(to, l.Int()), nil
	}
	if fits(from, to) {
		return e, nil
	}
	return NewCast(e, to, false)
}

// fits reports whether a value of type from is one of type to as it is.
func fits(from, to types.Type) bool {
	switch {
	case types.Same(from, to):
		return true
	case from.IsInteger() && to.IsInteger():
		return from.Kind <= to.Kind
	case from.IsText() && to.IsText(), from.IsBytes() && to.IsBytes():
		return true
	case from.Kind == types.Float && to.Kind == types.Double:
		return true
	case from.Kind != to.Kind:
		return false
	}
	switch from.Kind {
	case types.Decimal:
		return from.Scale == to.Scale && from.Precision <= to.Precision && vector.KindOf(from) == vector.KindOf(to)
	case types.Array, types.Multiset:
		return fits(from.Elem(), to.Elem())
	case types.Map:
		return fits(from.Key(), to.Key()) && fits(from.Elem(), to.Elem())
	case types.Row:
		if len(from.Fields()) != len(to.Fields()) {
			return false
		}
		for i, f := range from.Fields() {
			if !fits(f.Type, to.Fields()[i].Type) {
				return false
			}
		}
		return true
	}
	return from.Precision <= to.Precision
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
