package functions

import (
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Struct makes a Struct of its members, in any order. The error is the user's: two are called the same.
func Struct(members []Named) (Value, error) {
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b Named) int {
		if a.Name < b.Name {
			return -1
		}
		if a.Name > b.Name {
			return 1
		}
		return 0
	})
	types := make([]yqltype.Member, len(sorted))
	for i, m := range sorted {
		if i > 0 && m.Name == sorted[i-1].Name {
			return Value{}, errorf(CodeSignature, "a Struct has two members %s", m.Name)
		}
		if m.Value.Static != nil {
			return Value{}, errorf(CodeType, "the member %s is %s, which is no value", m.Name, m.Value.describe())
		}
		types[i] = yqltype.Member{Name: m.Name, Type: m.Value.Type}
	}
	return row("AsStruct", yqltype.StructOf(types), valuesOf(sorted))
}

// Tuple makes a Tuple.
func Tuple(parts []Value) (Value, error) {
	types := make([]yqltype.Type, len(parts))
	for i, p := range parts {
		if p.Static != nil {
			return Value{}, about(i, errorf(CodeType, "a part of the Tuple is %s, which is no value", p.describe()))
		}
		types[i] = p.Type
	}
	return row("AsTuple", yqltype.TupleOf(types...), parts)
}

func row(name string, t yqltype.Type, parts []Value) (Value, error) {
	return call(name, spec{nulls: function.NullAware, kernel: func(c *function.Call) error {
		nested.PackRows(c.Arena, c.Args, c.Rows, c.Out)
		return nil
	}}, t, parts...)
}

func valuesOf(list []Named) []Value {
	values := make([]Value, len(list))
	for i, n := range list {
		values[i] = n.Value
	}
	return values
}

// Member is v.name: a member of a Struct, or by its number an element of a Tuple. NULL if v is. The error is the user's.
func Member(v Value, name string) (Value, error) {
	switch {
	case v.Static == nil && v.Type.Kind == yqltype.Struct:
		if i := v.Type.Member(name); i >= 0 {
			return partOf(v, i), nil
		}
		e := &Error{Code: "unknown-member", Message: "the Struct has no member " + name, Arg: -1}
		var names []string
		for _, m := range v.Type.Members() {
			names = append(names, m.Name)
		}
		if near := source.Nearest(name, names); near != "" {
			e.Hint = "did you mean " + near + "?"
		} else {
			e.Hint = "it is a " + v.Type.String()
		}
		return Value{}, e
	case v.Static == nil && v.Type.Kind == yqltype.Tuple:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v.Type.Elems()) {
			return Value{}, hintf("unknown-member", "it is a "+v.Type.String(), "the Tuple has no element %s", name)
		}
		return partOf(v, i), nil
	}
	return Value{}, errorf(CodeType, "%s has no members", v.describe())
}

// partOf is a member or element by its position.
func partOf(v Value, i int) Value {
	t := v.Type.Elems()[i]
	t.Optional = t.Optional || v.Type.Optional
	return Value{Expr: expr.NewField(v.Expr, i), Type: t}
}

// partsOf are all of them.
func partsOf(v Value) []Value {
	parts := make([]Value, len(v.Type.Elems()))
	for i := range parts {
		parts[i] = partOf(v, i)
	}
	return parts
}

// Members are the members of a Struct with their names, in the order of these.
func Members(v Value) []Named {
	list := make([]Named, len(v.Type.Elems()))
	for i, m := range v.Type.Members() {
		list[i] = Named{m.Name, partOf(v, i)}
	}
	return list
}

// Subscript is v[index]: an element of a List, counted from 0, or from the end if it is negative, the value of a key of a Dict, or an element of a Tuple. What is not
// there is NULL.
func Subscript(v, index Value) (Value, error) {
	switch v.Type.Kind {
	case yqltype.List:
		return elementAt(v, index)
	case yqltype.Dict:
		return lookupKey(v, index)
	case yqltype.Tuple:
		if l := constant(index); l != nil && !l.IsNull() && index.Type.IsInteger() {
			return Member(v, strconv.FormatInt(l.Int(), 10))
		}
	case yqltype.Struct:
		if l := constant(index); l != nil && !l.IsNull() && index.Type.IsText() {
			return Member(v, string(l.Value().Bytes(0)))
		}
	}
	return Value{}, errorf(CodeType, "[ ] does not take %s", describe([]Value{v, index}))
}
