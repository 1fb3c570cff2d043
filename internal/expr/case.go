package expr

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// When is a branch of CASE.
type When struct{ Condition, Result Expr }

// Case is the searched CASE; IF and NULLIF are written as one. A condition is evaluated on the rows that no earlier branch took, a result on the rows of its
// branch.
type Case struct {
	// parts are condition, result, condition, result, …, otherwise.
	parts []Expr
	typ   types.Type
}

// NewCase makes CASE WHEN … THEN … ELSE otherwise END; otherwise may be nil for NULL. The results are converted to their common type.
func NewCase(whens []When, otherwise Expr) (Expr, error) {
	if otherwise == nil {
		otherwise = Null(types.NullType)
	}
	var conditions, results []Expr
	for _, w := range whens {
		if k := w.Condition.Type().Kind; k != types.Boolean && k != types.Null {
			return nil, caseError([]Expr{w.Condition}, "the condition after WHEN must be BOOLEAN")
		}
		conditions = append(conditions, w.Condition)
		results = append(results, w.Result)
	}
	results, t, ok, err := unify(append(results, otherwise))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, caseError(results, "all results need one type: CAST some of them")
	}
	node := &Case{typ: t}
	for i, condition := range conditions {
		node.parts = append(node.parts, condition, results[i])
	}
	node.parts = append(node.parts, results[len(conditions)])
	return foldBranches(node)
}

func caseError(args []Expr, hint string) error {
	return &function.SignatureError{Function: "CASE", Args: typesOf(args),
		Signatures: []string{"CASE WHEN condition THEN result … [ELSE result] END"}, Hint: hint}
}

// unify converts a list to its common type; ok is false if there is none, and the list is as it was.
func unify(list []Expr) (converted []Expr, t types.Type, ok bool, err error) {
	t, ok = list[0].Type(), true
	for _, e := range list[1:] {
		if t, ok = types.Common(t, e.Type()); !ok {
			return list, types.Type{}, false, nil
		}
	}
	converted = make([]Expr, len(list))
	for i, e := range list {
		if converted[i], err = Convert(e, t); err != nil {
			return list, types.Type{}, false, err
		}
	}
	return converted, t, true, nil
}

// foldBranches drops branches whose condition is constant and does not hold, and everything after one that is constant and does.
func foldBranches(node *Case) (Expr, error) {
	var parts []Expr
	for i := 0; i+1 < len(node.parts); i += 2 {
		l, ok := node.parts[i].(*Literal)
		if !ok {
			parts = append(parts, node.parts[i], node.parts[i+1])
			continue
		}
		if !l.IsNull() && l.Value().Bools[0] != 0 {
			return (&Case{append(parts, node.parts[i+1]), node.typ}).shortest()
		}
	}
	return (&Case{append(parts, node.parts[len(node.parts)-1]), node.typ}).shortest()
}

// shortest is the result itself if no branch is left, in the type that all results together asked for.
func (e *Case) shortest() (Expr, error) {
	if len(e.parts) == 1 {
		return NewCast(e.parts[0], e.typ, false)
	}
	return e, nil
}

// newIf builds IF(condition, then, otherwise).
func newIf(f *function.Scalar, args []Expr) (Expr, error) {
	if len(args) != 3 {
		return nil, &function.SignatureError{Function: f.Name, Args: typesOf(args), Signatures: f.Signatures}
	}
	refused := &function.SignatureError{Function: f.Name, Args: typesOf(args), Signatures: f.Signatures}
	if k := args[0].Type().Kind; k != types.Boolean && k != types.Null {
		refused.Hint = "the condition must be BOOLEAN"
		return nil, refused
	}
	if _, ok := types.Common(args[1].Type(), args[2].Type()); !ok {
		refused.Hint = "both results need one type: CAST one of them"
		return nil, refused
	}
	return NewCase([]When{{args[0], args[1]}}, args[2])
}

// newNullIf builds NULLIF(a, b).
func newNullIf(f *function.Scalar, args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, &function.SignatureError{Function: f.Name, Args: typesOf(args), Signatures: f.Signatures}
	}
	equal, err := NewCall(function.MustScalar("="), args)
	if err != nil {
		return nil, inWordsOf(f.Name, f.Signatures, err)
	}
	return NewCase([]When{{equal, Null(args[0].Type())}}, args[0])
}

// inWordsOf makes a refusal of the comparison inside a form speak of the form that was written.
func inWordsOf(name string, signatures []string, err error) error {
	var refused *function.SignatureError
	if !errors.As(err, &refused) {
		return err
	}
	return &function.SignatureError{Function: name, Args: refused.Args, Signatures: signatures, Hint: refused.Hint}
}

// Type is the common type of the results.
func (e *Case) Type() types.Type { return e.typ }

// Eval deals the rows out to the branches.
func (e *Case) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	all := rows.Count()
	var s scatter
	for i := 0; i+1 < len(e.parts) && rows.Count() > 0; i += 2 {
		condition, err := e.parts[i].Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		taken, rest := split(c.Arena, condition, rows)
		if len(taken) == 0 {
			continue
		}
		branch := rows
		if len(rest) > 0 {
			branch = vector.Rows{Sel: taken, N: b.N}
		}
		rows = vector.Rows{Sel: rest, N: b.N}
		v, err := e.parts[i+1].Eval(c, b, branch)
		if err != nil {
			return nil, err
		}
		if len(taken) == all {
			return v, nil
		}
		if s.out == nil {
			s = newScatter(c.Arena, vector.KindOf(e.typ), b.N)
		}
		s.put(v, taken)
	}
	if s.out != nil && rows.Count() == 0 {
		return s.out, nil
	}
	v, err := e.parts[len(e.parts)-1].Eval(c, b, rows)
	if err != nil || s.out == nil {
		return v, err
	}
	s.put(v, rows.Sel)
	return s.out, nil
}

// split parts rows into those where condition is TRUE and the others; neither is nil.
func split(a *vector.Arena, condition *vector.Vector, rows vector.Rows) (taken, rest []int32) {
	n := rows.Count()
	taken, rest = a.Sel(n), a.Sel(n)
	t, r := 0, 0
	mask := condition.Mask()
	for k := range n {
		i := rows.At(k)
		if condition.Bools[i&mask] != 0 && condition.Valid.Get(i&mask) {
			taken[t] = int32(i)
			t++
		} else {
			rest[r] = int32(i)
			r++
		}
	}
	return taken[:t], rest[:r]
}

// String is the searched CASE.
func (e *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	last := len(e.parts) - 1
	for i := 0; i < last; i += 2 {
		b.WriteString(" WHEN " + e.parts[i].String() + " THEN " + e.parts[i+1].String())
	}
	b.WriteString(" ELSE " + e.parts[last].String() + " END")
	return b.String()
}

// Children are condition, result, condition, result, …, otherwise.
func (e *Case) Children() []Expr { return e.parts }

func (e *Case) withChildren(children []Expr) Expr { return &Case{children, e.typ} }

func (e *Case) same(other Expr) bool { return e.typ == other.(*Case).typ }
