package expr

import (
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Coalesce is the first of its operands that is not NULL; one is evaluated only on rows where all before it were NULL.
type Coalesce struct {
	name string
	args []Expr
	typ  types.Type
}

func newCoalesce(f *function.Scalar, args []Expr) (Expr, error) {
	refused := &function.SignatureError{Function: f.Name, Args: typesOf(args), Signatures: f.Signatures,
		Hint: "the arguments need one type: CAST some of them"}
	if len(args) == 0 || f.Name == "IFNULL" && len(args) != 2 {
		refused.Hint = ""
		return nil, refused
	}
	args, t, ok, err := unify(args)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refused
	}
	kept := make([]Expr, 0, len(args))
	t.NotNull = false
	for _, a := range args {
		if l, ok := a.(*Literal); ok && l.IsNull() {
			continue
		}
		kept = append(kept, a)
		if a.Type().NotNull {
			t.NotNull = true
			break
		}
	}
	switch len(kept) {
	case 0:
		return Null(t), nil
	case 1:
		return NewCast(kept[0], t, false)
	}
	return &Coalesce{f.Name, kept, t}, nil
}

// Type is the common type of the operands; NOT NULL if one of them is.
func (e *Coalesce) Type() types.Type { return e.typ }

// Eval goes from operand to operand with the rows that are still NULL.
func (e *Coalesce) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	var s scatter
	for _, arg := range e.args {
		v, err := arg.Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		found, missing := splitNull(c.Arena, v, rows)
		if s.out == nil && len(missing) == 0 {
			return v, nil
		}
		if s.out == nil {
			s = newScatter(c.Arena, vector.KindOf(e.typ), b.N)
		}
		s.put(v, found)
		rows = vector.Rows{Sel: missing, N: b.N}
		if len(missing) == 0 {
			break
		}
	}
	s.putNull(rows.Sel)
	return s.out, nil
}

// splitNull parts rows into those where v has a value and those where it is NULL; neither is nil.
func splitNull(a *vector.Arena, v *vector.Vector, rows vector.Rows) (found, missing []int32) {
	n := rows.Count()
	found, missing = a.Sel(n), a.Sel(n)
	f, m := 0, 0
	mask := v.Mask()
	for k := range n {
		i := rows.At(k)
		if v.Valid.Get(i & mask) {
			found[f] = int32(i)
			f++
		} else {
			missing[m] = int32(i)
			m++
		}
	}
	return found[:f], missing[:m]
}

// String is a function call.
func (e *Coalesce) String() string { return e.name + "(" + joinExprs(e.args) + ")" }

// Children are the operands.
func (e *Coalesce) Children() []Expr { return e.args }

func (e *Coalesce) withChildren(children []Expr) Expr { return &Coalesce{e.name, children, e.typ} }

func (e *Coalesce) same(other Expr) bool { return e.typ == other.(*Coalesce).typ }
