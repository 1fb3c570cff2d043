package expr

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Logic is AND or OR of two or more operands, in SQL's three-valued logic. An operand is evaluated only on rows that those before it leave undecided, so
// that `b <> 0 AND a / b > 1` does not fail.
type Logic struct {
	// Or is false for AND.
	Or   bool
	name string
	args []Expr
	typ  types.Type
}

// NewAnd makes the conjunction of args, which are BOOLEAN; of one it is that one, of none it is TRUE.
func NewAnd(args ...Expr) (Expr, error) { return newLogic(function.MustScalar("AND"), args) }

// NewOr makes the disjunction of args, which are BOOLEAN; of one it is that one, of none it is FALSE.
func NewOr(args ...Expr) (Expr, error) { return newLogic(function.MustScalar("OR"), args) }

// newLogic flattens chains and drops operands that decide nothing; one constant that decides makes the whole constant.
func newLogic(f *function.Scalar, args []Expr) (Expr, error) {
	or := f.Form == function.FormOr
	node := &Logic{Or: or, name: f.Name, typ: notNull(types.BooleanType)}
	for _, arg := range args {
		if k := arg.Type().Kind; k != types.Boolean && k != types.Null {
			return nil, &function.SignatureError{Function: f.Name, Args: typesOf(args), Signatures: f.Signatures,
				Hint: "every operand must be BOOLEAN; write a comparison such as x <> 0"}
		}
		if l, ok := arg.(*Literal); ok && !l.IsNull() {
			if (l.Value().Bools[0] != 0) == or {
				return l, nil
			}
			continue
		}
		if inner, ok := arg.(*Logic); ok && inner.Or == or {
			node.args = append(node.args, inner.args...)
		} else {
			node.args = append(node.args, arg)
		}
		node.typ.NotNull = node.typ.NotNull && arg.Type().NotNull
	}
	switch len(node.args) {
	case 0:
		return LiteralBool(!or), nil
	case 1:
		return node.args[0], nil
	}
	return node, nil
}

func typesOf(args []Expr) []types.Type {
	list := make([]types.Type, len(args))
	for i, a := range args {
		list[i] = a.Type()
	}
	return list
}

// Conjuncts splits e at its outermost ANDs. NOT of an OR is the AND of what is not, in the same order, and NOT of a comparison is the opposite one.
func Conjuncts(e Expr) []Expr {
	if l, ok := e.(*Logic); ok && !l.Or {
		var all []Expr
		for _, arg := range l.args {
			all = append(all, Conjuncts(arg)...)
		}
		return all
	}
	if c, ok := e.(*Call); ok && c.Function.Name == "NOT" {
		return negated(c.args[0])
	}
	return []Expr{e}
}

var opposites = map[string]string{"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// negated are the conjuncts of NOT e.
func negated(e Expr) []Expr {
	switch e := e.(type) {
	case *Logic:
		if e.Or {
			var all []Expr
			for _, arg := range e.args {
				all = append(all, negated(arg)...)
			}
			return all
		}
	case *Call:
		if e.Function.Name == "NOT" {
			return Conjuncts(e.args[0])
		}
		// Neither less nor more than NaN is anything.
		if op, ok := opposites[e.Function.Name]; ok && !e.args[0].Type().IsApproximate() && !e.args[1].Type().IsApproximate() {
			return []Expr{mustCall(op, e.args...)}
		}
	}
	return []Expr{mustCall("NOT", e)}
}

// mustCall applies a function to arguments that are known to fit.
func mustCall(name string, args ...Expr) Expr {
	e, err := NewCall(function.MustScalar(name), args)
	if err != nil {
		panic("tidemark bug: " + name + " does not take what its opposite took: " + err.Error())
	}
	return e
}

// Type is BOOLEAN.
func (e *Logic) Type() types.Type { return e.typ }

// Eval evaluates operand by operand on the rows still undecided. A row that met a NULL is undecided too, but the best it can become is NULL.
func (e *Logic) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	decisive := uint8(0)
	if e.Or {
		decisive = 1
	}
	out := c.Arena.Flat(vector.Bool, b.N)
	for k := range rows.Count() {
		out.Bools[rows.At(k)] = 1 - decisive
	}
	for _, arg := range e.args {
		if rows.Count() == 0 {
			break
		}
		v, err := arg.Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		rows = decide(c.Arena, out, v, rows, decisive)
	}
	return out, nil
}

// decide takes one operand's values into out and returns the rows that it leaves undecided.
func decide(a *vector.Arena, out, v *vector.Vector, rows vector.Rows, decisive uint8) vector.Rows {
	sel := a.Sel(rows.Count())
	undecided := 0
	mask := v.Mask()
	for k := range rows.Count() {
		i := rows.At(k)
		null := v.Valid != nil && !v.Valid.Get(i&mask)
		if !null && v.Bools[i&mask] == decisive {
			out.Bools[i] = decisive
			if out.Valid != nil {
				out.Valid.Set(i)
			}
			continue
		}
		if null {
			if out.Valid == nil {
				out.Valid = a.AllValid(out.Len())
			}
			out.Valid.Clear(i)
		}
		sel[undecided] = int32(i)
		undecided++
	}
	return vector.Rows{Sel: sel[:undecided], N: rows.N}
}

// String puts the operator between the operands.
func (e *Logic) String() string {
	texts := make([]string, len(e.args))
	for i, a := range e.args {
		texts[i] = a.String()
	}
	return "(" + strings.Join(texts, " "+e.name+" ") + ")"
}

// Children are the operands.
func (e *Logic) Children() []Expr { return e.args }

func (e *Logic) withChildren(children []Expr) Expr { return &Logic{e.Or, e.name, children, e.typ} }

func (e *Logic) same(other Expr) bool { return e.Or == other.(*Logic).Or }
