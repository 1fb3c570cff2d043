package expr

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// In tests whether a value is in a list of constants, by a set.
type In struct {
	operand Expr
	list    []Expr // literals of the operand's kind
	ints    map[int64]struct{}
	strings map[string]struct{}
	hasNull bool
	typ     types.Type
}

// NewIn makes operand IN (list). A list of constants that fit a set is looked up in one; any other is a chain of comparisons.
func NewIn(operand Expr, list []Expr) (Expr, error) {
	listed, err := readTexts(append([]Expr{operand}, list...))
	if err != nil {
		return nil, err
	}
	operand, list = listed[0], listed[1:]
	all, t, ok, err := unify(listed)
	if err != nil {
		return nil, err
	}
	kind := vector.KindOf(t)
	if !ok || (kind != vector.Int64 && kind != vector.Bytes) || !allLiterals(all[1:]) || function.HoldsMap(t) {
		return newInChain(operand, list)
	}
	node := &In{operand: all[0], list: all[1:], ints: map[int64]struct{}{}, strings: map[string]struct{}{}}
	for _, e := range node.list {
		l := e.(*Literal)
		switch {
		case l.IsNull():
			node.hasNull = true
		case kind == vector.Int64:
			node.ints[l.Int()] = struct{}{}
		default:
			node.strings[string(l.Value().Buf)] = struct{}{}
		}
	}
	node.typ = types.Type{Kind: types.Boolean, NotNull: operand.Type().NotNull && !node.hasNull}
	if _, ok := node.operand.(*Literal); ok {
		return evaluateConstant(node), nil
	}
	return node, nil
}

// readTexts casts the texts in a list whose first is none to the common type of the others, as Flink 2.3 does for IN.
func readTexts(list []Expr) ([]Expr, error) {
	if list[0].Type().IsText() {
		return list, nil
	}
	common := types.NullType
	for _, e := range list {
		if t := e.Type(); !t.IsText() {
			var ok bool
			if common, ok = types.Common(common, t); !ok {
				return list, nil
			}
		}
	}
	if !common.IsNumeric() && !common.IsTime() && common.Kind != types.Boolean && common.Kind != types.Date && common.Kind != types.Time {
		return list, nil
	}
	read := slices.Clone(list)
	for i, e := range list {
		if e.Type().IsText() {
			var err error
			if read[i], err = NewCast(e, common, false); err != nil {
				return nil, err
			}
		}
	}
	return read, nil
}

func allLiterals(list []Expr) bool {
	for _, e := range list {
		if _, ok := e.(*Literal); !ok {
			return false
		}
	}
	return true
}

func newInChain(operand Expr, list []Expr) (Expr, error) {
	equal := function.MustScalar("=")
	tests := make([]Expr, len(list))
	for i, e := range list {
		test, err := NewCall(equal, []Expr{operand, e})
		if err != nil {
			return nil, inWordsOf("IN", []string{"value IN (value, …)"}, err)
		}
		tests[i] = test
	}
	return NewOr(tests...)
}

// Type is BOOLEAN.
func (e *In) Type() types.Type { return e.typ }

// Eval looks each value up. What is not found is NULL rather than FALSE if the list has a NULL.
func (e *In) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	v, err := e.operand.Eval(c, b, rows)
	if err != nil {
		return nil, err
	}
	if v.IsNullConst() {
		return c.Arena.NullConstant(vector.Bool), nil
	}
	n := b.N
	if v.Const {
		n, rows = 1, vector.All(1)
	}
	out := c.Arena.Flat(vector.Bool, n)
	out.Const = v.Const
	if v.Valid != nil || e.hasNull {
		out.Valid = c.Arena.AllValid(n)
	}
	for k := range rows.Count() {
		i := rows.At(k)
		if v.IsNull(i) {
			out.Valid.Clear(i)
			continue
		}
		if e.contains(v, i) {
			out.Bools[i] = 1
			continue
		}
		out.Bools[i] = 0
		if e.hasNull {
			out.Valid.Clear(i)
		}
	}
	return out, nil
}

func (e *In) contains(v *vector.Vector, i int) bool {
	if v.Kind == vector.Bytes {
		_, ok := e.strings[string(v.Bytes(i))]
		return ok
	}
	_, ok := e.ints[v.Int(i)]
	return ok
}

// String is (x IN (a, b)).
func (e *In) String() string {
	return "(" + e.operand.String() + " IN (" + joinExprs(e.list) + "))"
}

// Children are the operand and the list.
func (e *In) Children() []Expr { return append([]Expr{e.operand}, e.list...) }

func (e *In) withChildren(children []Expr) Expr {
	with := *e
	with.operand = children[0]
	return &with
}

func (e *In) same(Expr) bool { return true }
