package functions

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

func isList(v Value) bool {
	return v.Static == nil && (v.Type.Kind == yqltype.List || v.Type.Kind == yqltype.EmptyList)
}

// List makes a List of values, which are brought to their common type; without any it is an EmptyList.
func List(values []Value) (Value, error) {
	if len(values) == 0 {
		t := yqltype.Of(yqltype.EmptyList)
		return Value{Expr: expr.LiteralBytes(t.Physical(), nested.AppendArray(nil, vector.Bool, nil, 0, 0)), Type: t}, nil
	}
	unified, t, ok := Unify(values)
	if !ok {
		return Value{}, hintf(CodeType, "CAST some of them", "the elements have no common type: %s", describe(values))
	}
	k := vector.KindOf(t.Physical())
	return call("AsList", spec{nulls: function.NullAware, kernel: buildList(k, func(b *vector.Builder, c *function.Call, i int) error {
		for _, v := range c.Args {
			b.AppendFrom(v, i)
		}
		return nil
	})}, yqltype.ListOf(t), unified...)
}

// kindOf is how an element of a List is laid out.
func kindOf(t yqltype.Type) vector.Kind { return vector.KindOf(t.Physical()) }

// mapList is the List of what apply makes of each element.
func mapList(list Value, apply func(elem Value) (Value, error)) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return list, nil
	}
	elem := list.Type.Elem()
	variable := expr.NewElement(elem.Physical())
	body, err := apply(Value{Expr: variable, Type: elem})
	if err != nil {
		return Value{}, err
	}
	if body.Static != nil {
		return Value{}, errorf(CodeType, "the lambda gives %s, which is no value", body.describe())
	}
	t := yqltype.ListOf(body.Type)
	t.Optional = list.Type.Optional
	return Value{Expr: expr.NewTransform(list.Expr, variable, body.Expr), Type: t}, nil
}

// hasElement reports whether a List has an element equal to v.
func hasElement(list, v Value) (Value, error) {
	elem := list.Type.Elem()
	if ok, _ := yqltype.Comparable(elem, v.Type); !ok {
		return Value{}, refused("IN", v, list)
	}
	t, _ := yqltype.Common(elem.Required(), v.Type.Required())
	each := t
	each.Optional = elem.Optional
	to := yqltype.ListOf(each)
	to.Optional = list.Type.Optional
	list, err := relabel(list, to)
	if err != nil {
		return Value{}, err
	}
	t.Optional = v.Type.Optional
	if v, err = relabel(v, t); err != nil {
		return Value{}, err
	}
	k := kindOf(t)
	return call("ListHas", spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), k)
		for e := range a.Len() {
			if function.SameValue(k, &a, e, c.Args[1], i) {
				return true, nil
			}
		}
		return false, nil
	})}, yqltype.Of(yqltype.Bool), list, v)
}
