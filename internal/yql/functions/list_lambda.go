package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	paramLambda = param{name: "lambda", accept: acceptCallable}
	paramKey    = param{name: "key", accept: acceptCallable, absent: Lambda(1, func(args []Value) (Value, error) { return args[0], nil })}
)

// lambdaFunctions apply a lambda to the elements of a List, or compute one value of all elements.
var lambdaFunctions = []Function{
	{
		Name: "ListMap", Signature: "ListMap(list, lambda)",
		Doc:     "What the lambda gives for each element.",
		Example: "ListSum(ListMap(AsList(1, 2), ($x) -> ($x * 10)))", Result: "30",
		params: []param{paramList, paramLambda},
		apply:  func(c *invocation) (Value, error) { return mapWith(c.args[0], c.args[1]) },
	},
	{
		Name: "ListFlatMap", Signature: "ListFlatMap(list, lambda)",
		Doc:     "The elements of the Lists that the lambda gives for each element, or what it gives if that is not NULL.",
		Example: "ListLength(ListFlatMap(AsList(1, 2), ($x) -> (AsList($x, $x))))", Result: "4",
		params: []param{paramList, paramLambda},
		apply: func(c *invocation) (Value, error) {
			mapped, err := mapWith(c.args[0], c.args[1])
			switch {
			case err != nil || mapped.Type.Kind == yqltype.EmptyList:
				return mapped, err
			case isList(Value{Type: mapped.Type.Elem()}):
				return flatten(mapped)
			}
			return notNull(mapped)
		},
	},
	{
		Name: "ListFilter", Signature: "ListFilter(list, lambda)",
		Doc:     "The elements for which the lambda gives TRUE.",
		Example: "ListLength(ListFilter(AsList(1, 2, 3), ($x) -> ($x > 1)))", Result: "2",
		params: []param{paramList, paramLambda},
		apply: func(c *invocation) (Value, error) {
			return byConditions(c, func(b *vector.Builder, a, holds *nested.Array) {
				for e := range a.Len() {
					if truth(holds, e) {
						b.AppendFrom(a, e)
					}
				}
			})
		},
	},
	{
		Name: "ListTakeWhile", Signature: "ListTakeWhile(list, lambda)",
		Doc:     "The elements before the first for which the lambda does not give TRUE.",
		Example: "ListLength(ListTakeWhile(AsList(1, 2, 3), ($x) -> ($x < 3)))", Result: "2",
		params: []param{paramList, paramLambda},
		apply: func(c *invocation) (Value, error) {
			return byConditions(c, func(b *vector.Builder, a, holds *nested.Array) {
				for e := 0; e < a.Len() && truth(holds, e); e++ {
					b.AppendFrom(a, e)
				}
			})
		},
	},
	{
		Name: "ListSkipWhile", Signature: "ListSkipWhile(list, lambda)",
		Doc:     "The elements from the first on for which the lambda does not give TRUE.",
		Example: "ListHead(ListSkipWhile(AsList(1, 2, 3), ($x) -> ($x < 3)))", Result: "3",
		params: []param{paramList, paramLambda},
		apply: func(c *invocation) (Value, error) {
			return byConditions(c, func(b *vector.Builder, a, holds *nested.Array) {
				from := 0
				for from < a.Len() && truth(holds, from) {
					from++
				}
				appendPart(b, a, int64(from), int64(a.Len()))
			})
		},
	},
	{
		Name: "ListAny", Signature: "ListAny(list [, lambda])",
		Doc:     "Whether one of the elements, or what the lambda gives for one, is TRUE.",
		Example: "ListAny(AsList(1, 2), ($x) -> ($x > 1))", Result: "true",
		params: []param{paramList, paramKey},
		apply:  func(c *invocation) (Value, error) { return ofTruths(c, true) },
	},
	{
		Name: "ListAll", Signature: "ListAll(list [, lambda])",
		Doc:     "Whether all elements, or what the lambda gives for them, are TRUE.",
		Example: "ListAll(AsList(1, 2), ($x) -> ($x > 1))", Result: "false",
		params: []param{paramList, paramKey},
		apply:  func(c *invocation) (Value, error) { return ofTruths(c, false) },
	},
	{
		Name: "ListSort", Aliases: []string{"ListSortAsc"}, Signature: "ListSort(list [, key])",
		Doc:     "The elements in ascending order, or in that of what a lambda gives for them; NULLs are first, equal ones stay in their order.",
		Example: "ListHead(ListSort(AsList(5, 4)))", Result: "4",
		params: []param{paramList, paramKey},
		apply:  func(c *invocation) (Value, error) { return sorted(c, false, -1) },
	},
	{
		Name: "ListSortDesc", Signature: "ListSortDesc(list [, key])",
		Doc:     "The elements in descending order.",
		Example: "ListHead(ListSortDesc(AsList(4, 5)))", Result: "5",
		params: []param{paramList, paramKey},
		apply:  func(c *invocation) (Value, error) { return sorted(c, true, -1) },
	},
	{
		Name: "ListTop", Aliases: []string{"ListTopAsc", "ListTopSort", "ListTopSortAsc"}, Signature: "ListTop(list, n [, key])",
		Doc:     "The n least elements in ascending order.",
		Example: "ListLast(ListTop(AsList(6, 5, 4), 2))", Result: "5",
		params: []param{paramList, paramN, paramKey},
		apply:  func(c *invocation) (Value, error) { return sorted(c, false, 1) },
	},
	{
		Name: "ListTopDesc", Aliases: []string{"ListTopSortDesc"}, Signature: "ListTopDesc(list, n [, key])",
		Doc:     "The n greatest elements in descending order.",
		Example: "ListLast(ListTopDesc(AsList(6, 5, 4), 2))", Result: "5",
		params: []param{paramList, paramN, paramKey},
		apply:  func(c *invocation) (Value, error) { return sorted(c, true, 1) },
	},
	{
		Name: "ListMin", Signature: "ListMin(list)",
		Doc:     "The least element that is not NULL; NULL if there is none.",
		Example: "ListMin(AsList(5, 4))", Result: "4",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return extremeElement(c, -1) },
	},
	{
		Name: "ListMax", Signature: "ListMax(list)",
		Doc:     "The greatest element that is not NULL; NULL if there is none.",
		Example: "ListMax(AsList(5, 4))", Result: "5",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return extremeElement(c, 1) },
	},
	{
		Name: "ListSum", Signature: "ListSum(list)",
		Doc:     "The sum of the numbers that are not NULL: of whole numbers an Int64 or Uint64, else a Double; NULL if there is none.",
		Example: "ListSum(AsList(4, 5))", Result: "9",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return sumOf(c.args[0], false) },
	},
	{
		Name: "ListAvg", Signature: "ListAvg(list)",
		Doc:     "The mean of the numbers that are not NULL; NULL if there is none.",
		Example: "ListAvg(AsList(4, 5))", Result: "4.5",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return sumOf(c.args[0], true) },
	},
}

// mapWith is the List of what a callable gives for each element.
func mapWith(list, lambda Value) (Value, error) {
	f := lambda.Static.(*Callable)
	return mapList(list, func(elem Value) (Value, error) { return f.Call(elem) })
}

// conditions is the List of what a callable says of each element.
func conditions(name string, list, lambda Value) (Value, error) {
	mapped, err := mapWith(list, lambda)
	if err != nil || mapped.Type.Kind == yqltype.EmptyList {
		return mapped, err
	}
	if k := mapped.Type.Elem().Kind; k != yqltype.Bool {
		return Value{}, about(1, errorf(CodeType, "the lambda of %s gives %s, and Bool is wanted", name, mapped.Type.Elem()))
	}
	return mapped, nil
}

// truth reports whether element e is TRUE.
func truth(a *nested.Array, e int) bool { return !a.IsNull(e) && a.Bool(e) }

// byConditions chooses elements of a List by what a lambda says of each.
func byConditions(c *invocation, choose func(b *vector.Builder, a, holds *nested.Array)) (Value, error) {
	t := c.args[0].Type
	holds, err := conditions(c.name, c.args[0], c.args[1])
	if err != nil || t.Kind == yqltype.EmptyList {
		return c.args[0], err
	}
	k := kindOf(t.Elem())
	return call(c.name, spec{kernel: func(c *function.Call) error {
		second := new(nested.Array)
		return reading(k, k, func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error {
			*second = nested.ReadArray(c.Args[1].Bytes(i), vector.Bool)
			choose(b, a, second)
			return nil
		})(c)
	}}, t, c.args[0], holds)
}

func ofTruths(c *invocation, wanted bool) (Value, error) {
	holds, err := conditions(c.name, c.args[0], c.args[1])
	if err != nil {
		return Value{}, err
	}
	if holds.Type.Kind == yqltype.EmptyList {
		return Bool(!wanted), nil
	}
	return call(c.name, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), vector.Bool)
		for e := range a.Len() {
			if truth(&a, e) == wanted {
				return wanted, nil
			}
		}
		return !wanted, nil
	})}, yqltype.Of(yqltype.Bool), holds)
}

// sorted puts a List in the order of keys. limit is the argument that says how many elements are wanted, -1 for all.
func sorted(c *invocation, descending bool, limit int) (Value, error) {
	list := c.args[0]
	if list.Type.Kind == yqltype.EmptyList {
		return list, nil
	}
	keys, err := mapWith(list, c.args[len(c.args)-1])
	if err != nil {
		return Value{}, err
	}
	key := keys.Type.Elem()
	if _, ordered := yqltype.Comparable(key, key); !ordered {
		return Value{}, errorf(CodeType, "%s has no order for %s", c.name, key)
	}
	args := []Value{list, keys}
	if limit > 0 {
		args = append(args, c.args[limit])
	}
	k, in, compare := kindOf(list.Type.Elem()), kindOf(key), orderOf(key)
	return call(c.name, spec{kernel: func(c *function.Call) error {
		var at []int
		by := new(nested.Array)
		return reading(k, k, func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error {
			*by = nested.ReadArray(c.Args[1].Bytes(i), in)
			at = at[:0]
			for e := range a.Len() {
				at = append(at, e)
			}
			slices.SortStableFunc(at, func(x, y int) int {
				if descending {
					return compare(by, y, by, x)
				}
				return compare(by, x, by, y)
			})
			n := int64(len(at))
			if len(c.Args) > 2 {
				n = max(0, min(n, c.Args[2].Int(i)))
			}
			for _, e := range at[:n] {
				b.AppendFrom(a, e)
			}
			return nil
		})(c)
	}}, list.Type, args...)
}

// extremeElement is the least element for sign -1 and the greatest for 1.
func extremeElement(c *invocation, sign int) (Value, error) {
	t := c.args[0].Type
	if t.Kind == yqltype.EmptyList {
		return Bare(), nil
	}
	elem := t.Elem()
	if _, ordered := yqltype.Comparable(elem, elem); !ordered {
		return Value{}, errorf(CodeType, "%s has no order for %s", c.name, elem)
	}
	k, compare := kindOf(elem), orderOf(elem)
	return call(c.name, spec{mayBeNull: true, kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return picking(k, func(b *vector.Builder, c *function.Call, i int) error {
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			best := -1
			for e := range a.Len() {
				if !a.IsNull(e) && (best < 0 || compare(a, e, a, best)*sign > 0) {
					best = e
				}
			}
			if best < 0 {
				b.AppendNull()
			} else {
				b.AppendFrom(a, best)
			}
			return nil
		})(c)
	}}, elem, c.args[0])
}

// sumOf adds the elements of a List up, and divides by their number for a mean.
func sumOf(list Value, mean bool) (Value, error) {
	name := "ListSum"
	if mean {
		name = "ListAvg"
	}
	if list.Type.Kind == yqltype.EmptyList {
		return Null(yqltype.Of(yqltype.Int64)), nil
	}
	elem := list.Type.Elem()
	t := yqltype.Of(yqltype.Double)
	switch {
	case elem.Kind == yqltype.Decimal || !elem.IsNumber() && elem.Kind != yqltype.Interval:
		return Value{}, wants(name, 0, "a List of whole numbers, Float, Double or Interval", list)
	case mean:
	case elem.IsUnsigned():
		t = count64
	case elem.IsInteger():
		t = yqltype.Of(yqltype.Int64)
	case elem.Kind == yqltype.Interval:
		t = elem.Required()
	}
	k := kindOf(elem)
	if !mean && k == vector.Int64 {
		return call(name, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			a := nested.ReadArray(c.Args[0].Bytes(i), k)
			total, n := int64(0), 0
			for e := range a.Len() {
				if !a.IsNull(e) {
					total, n = total+a.Int(e), n+1
				}
			}
			if n == 0 {
				return 0, errNull
			}
			return total, nil
		})}, t, list)
	}
	return call(name, spec{mayBeNull: true, kernel: floats(func(c *function.Call, i int) (float64, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), k)
		total, n := 0.0, 0
		for e := range a.Len() {
			switch {
			case a.IsNull(e):
				continue
			case k == vector.Float64:
				total += a.Float(e)
			default:
				total += float64(a.Int(e))
			}
			n++
		}
		switch {
		case n == 0:
			return 0, errNull
		case mean:
			return total / float64(n), nil
		}
		return total, nil
	})}, t, list)
}
