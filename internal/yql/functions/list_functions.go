package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	one     = yqltype.Of(yqltype.Bool)
	count64 = yqltype.Of(yqltype.Uint64)

	paramList = param{name: "list", accept: acceptList}
	paramN    = param{name: "n", accept: acceptWhole}
)

// listFunctions make Lists and take them apart; those that take a lambda are in list_lambda.go.
var listFunctions = []Function{
	{
		Name: "AsList", Aliases: []string{"AsListStrict"}, Signature: "AsList(value, …)",
		Doc:     "A List of the values, which are brought to a common type.",
		Example: "ListLength(AsList(1, 2, NULL))", Result: "3",
		rest:  &acceptValue,
		apply: func(c *invocation) (Value, error) { return List(c.args) },
	},
	{
		Name: "ListCreate", Signature: "ListCreate(type)",
		Doc:     "An empty List of elements of a type.",
		Example: "ListLength(ListCreate(Int32))", Result: "0",
		params: []param{{name: "type", accept: acceptType}},
		apply: func(c *invocation) (Value, error) {
			t := yqltype.ListOf(c.args[0].Static.(TypeName).Type)
			return Value{Expr: expr.LiteralBytes(t.Physical(), nested.AppendArray(nil, kindOf(t.Elem()), nil, 0, 0)), Type: t}, nil
		},
	},
	{
		Name: "ListLength", Signature: "ListLength(list)",
		Doc:     "How many elements the List has.",
		Example: "ListLength(AsList(4, 5))", Result: "2",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return listLength(c.args[0]) },
	},
	{
		Name: "ListHasItems", Signature: "ListHasItems(list)",
		Doc:     "Whether the List has an element.",
		Example: "ListHasItems(AsList(4))", Result: "true",
		params: []param{paramList},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			return nested.Count(c.Args[0].Bytes(i)) > 0, nil
		})}),
	},
	{
		Name: "ListCollect", Signature: "ListCollect(list)",
		Doc:     "The List as it is: none is lazy here.",
		Example: "ListLength(ListCollect(AsList(4)))", Result: "1",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return c.args[0], nil },
	},
	{
		Name: "ListHead", Signature: "ListHead(list)",
		Doc:     "The first element; NULL if there is none.",
		Example: "ListHead(AsList(4, 5))", Result: "4",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return elementAt(c.args[0], Int(yqltype.Of(yqltype.Int64), 0)) },
	},
	{
		Name: "ListLast", Signature: "ListLast(list)",
		Doc:     "The last element; NULL if there is none.",
		Example: "ListLast(AsList(4, 5))", Result: "5",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return elementAt(c.args[0], Int(yqltype.Of(yqltype.Int64), -1)) },
	},
	{
		Name: "ListTake", Signature: "ListTake(list, n)",
		Doc:     "The first n elements.",
		Example: "ListLast(ListTake(AsList(4, 5, 6), 2))", Result: "5",
		params: []param{paramList, paramN},
		apply: sameList(func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error {
			appendPart(b, a, 0, c.Args[1].Int(i))
			return nil
		}),
	},
	{
		Name: "ListSkip", Signature: "ListSkip(list, n)",
		Doc:     "The elements behind the first n.",
		Example: "ListHead(ListSkip(AsList(4, 5, 6), 2))", Result: "6",
		params: []param{paramList, paramN},
		apply: sameList(func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error {
			appendPart(b, a, c.Args[1].Int(i), int64(a.Len()))
			return nil
		}),
	},
	{
		Name: "ListReverse", Signature: "ListReverse(list)",
		Doc:     "The elements from the last to the first.",
		Example: "ListHead(ListReverse(AsList(4, 5)))", Result: "5",
		params: []param{paramList},
		apply: sameList(func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
			for e := a.Len() - 1; e >= 0; e-- {
				b.AppendFrom(a, e)
			}
			return nil
		}),
	},
	{
		Name: "ListUniq", Aliases: []string{"ListUniqStable"}, Signature: "ListUniq(list)",
		Doc:     "The elements that differ, each where it stands first.",
		Example: "ListLength(ListUniq(AsList(4, 5, 4)))", Result: "2",
		params: []param{paramList},
		apply:  uniq,
	},
	{
		Name: "ListExtend", Aliases: []string{"ListExtendStrict", "ListUnionAll"}, Signature: "ListExtend(list, …)",
		Doc:     "The elements of all Lists in one.",
		Example: "ListLength(ListExtend(AsList(4), AsList(5, 6)))", Result: "3",
		params: []param{paramList}, rest: &acceptList,
		apply: func(c *invocation) (Value, error) { return concatLists(c.args) },
	},
	{
		Name: "ListFlatten", Signature: "ListFlatten(list)",
		Doc:     "The elements of the Lists in a List; NULLs are left out.",
		Example: "ListLength(ListFlatten(AsList(AsList(4), AsList(5, 6))))", Result: "3",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return flatten(c.args[0]) },
	},
	{
		Name: "ListNotNull", Signature: "ListNotNull(list)",
		Doc:     "The elements that are not NULL.",
		Example: "ListLength(ListNotNull(AsList(4, NULL)))", Result: "1",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return notNull(c.args[0]) },
	},
	{
		Name: "ListHas", Signature: "ListHas(list, value)",
		Doc:     "Whether an element is equal to the value.",
		Example: "ListHas(AsList(4, 5), 5)", Result: "true",
		params: []param{paramList, {name: "value", accept: acceptValue}},
		apply: func(c *invocation) (Value, error) {
			if c.args[0].Type.Kind == yqltype.EmptyList {
				return Bool(false), nil
			}
			return hasElement(c.args[0], c.args[1])
		},
	},
	{
		Name: "ListIndexOf", Signature: "ListIndexOf(list, value)",
		Doc:     "The position of the first element equal to the value, from 0 on; NULL if there is none.",
		Example: "ListIndexOf(AsList(4, 5), 5)", Result: "1",
		params: []param{paramList, {name: "value", accept: acceptValue}},
		apply:  indexOf,
	},
	{
		Name: "ListEnumerate", Signature: "ListEnumerate(list [, start [, step]])",
		Doc:     "Tuples of a number, from 0 on unless another start is given, and the element.",
		Example: `ListLast(ListEnumerate(AsList("a", "b"))).0`, Result: "1",
		params: []param{paramList, {name: "start", accept: acceptWhole, absent: Int(yqltype.Of(yqltype.Int64), 0)}, {name: "step", accept: acceptWhole, absent: Int(yqltype.Of(yqltype.Int64), 1)}},
		apply:  enumerate,
	},
	{
		Name: "ListZip", Signature: "ListZip(list, …)",
		Doc:     "Tuples of the elements at one position of each List, as many as the shortest has.",
		Example: `ListHead(ListZip(AsList(1), AsList("a", "b"))).1`, Result: "a",
		params: []param{paramList}, rest: &acceptList,
		apply: func(c *invocation) (Value, error) { return zip(c, false) },
	},
	{
		Name: "ListZipAll", Signature: "ListZipAll(list, …)",
		Doc:     "Tuples of the elements at one position of each List, as many as the longest has; what others lack is NULL.",
		Example: `ListLast(ListZipAll(AsList(1), AsList("a", "b"))).1`, Result: "b",
		params: []param{paramList}, rest: &acceptList,
		apply: func(c *invocation) (Value, error) { return zip(c, true) },
	},
	{
		Name: "ListFromRange", Signature: "ListFromRange(from, to [, step])",
		Doc:     "The whole numbers from one up to, and without, another.",
		Example: "ListSum(ListFromRange(1, 5))", Result: "10",
		params: []param{{name: "from", accept: acceptNumber}, {name: "to", accept: acceptNumber}, {name: "step", accept: acceptWhole, absent: Int(yqltype.Of(yqltype.Int64), 0)}},
		apply:  fromRange,
	},
	{
		Name: "ListReplicate", Signature: "ListReplicate(value, n)",
		Doc:     "A List of n times the value.",
		Example: "ListLength(ListReplicate(7, 3))", Result: "3",
		params: []param{{name: "value", accept: acceptValue}, paramN},
		apply:  replicate,
	},
	{
		Name: "ListExtract", Signature: "ListExtract(list, name)",
		Doc:     "The members of one name of the Structs in a List.",
		Example: `ListHead(ListExtract(AsList(<|a: 1|>), "a"))`, Result: "1",
		params: []param{paramList, {name: "name", accept: acceptText}},
		apply: func(c *invocation) (Value, error) {
			l := constant(c.args[1])
			if l == nil || l.IsNull() {
				return Value{}, about(1, errorf(CodeValue, "the name of the member has to be a constant"))
			}
			return mapList(c.args[0], func(elem Value) (Value, error) { return Member(elem, string(l.Value().Bytes(0))) })
		},
	},
	{
		Name: "ListConcat", Signature: "ListConcat(list [, separator])",
		Doc:     "The strings of a List in one, with a separator between them; NULLs are left out.",
		Example: `ListConcat(AsList("ebb", "tide"), "-")`, Result: "ebb-tide",
		params: []param{paramList, {name: "separator", accept: acceptText, absent: String("")}},
		apply:  func(c *invocation) (Value, error) { return join(c.args[0], c.args[1]) },
	},
	{
		Name: "ListToTuple", Signature: "ListToTuple(list, n)",
		Doc:     "The first n elements as a Tuple; it is NULL if there are fewer. YQL: an error.",
		Example: "ListToTuple(AsList(4, 5), 2).1", Result: "5",
		params: []param{paramList, paramN},
		apply:  toTuple,
	},
	{
		Name: "ListFromTuple", Signature: "ListFromTuple(tuple)",
		Doc:     "The elements of a Tuple as a List.",
		Example: "ListLength(ListFromTuple(AsTuple(4, 5)))", Result: "2",
		params: []param{{name: "tuple", accept: kinds("a Tuple", yqltype.Tuple)}},
		apply:  func(c *invocation) (Value, error) { return List(partsOf(c.args[0])) },
	},
	refusal("", "ListSample", "there is nothing random in a query whose answer is always the same"),
	refusal("", "ListSampleN", "there is nothing random in a query whose answer is always the same"),
	refusal("", "ListShuffle", "there is nothing random in a query whose answer is always the same"),
	refusal("", "ListFold", "write ListSum, ListMax … over ListMap, or aggregate the rows of FLATTEN LIST BY"),
	refusal("", "ListFold1", "write ListSum, ListMax … over ListMap, or aggregate the rows of FLATTEN LIST BY"),
	refusal("", "ListFoldMap", "write ListMap, or aggregate the rows of FLATTEN LIST BY"),
	refusal("", "ListAggregate", "write ListSum, ListMax …, or aggregate the rows of FLATTEN LIST BY"),
}

func listLength(list Value) (Value, error) {
	return call("ListLength", spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
		return int64(nested.Count(c.Args[0].Bytes(i))), nil
	})}, count64, list)
}

// sameList applies a kernel that gives elements of the List that it takes.
func sameList(build func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		t := c.args[0].Type
		if t.Kind == yqltype.EmptyList {
			return c.args[0], nil
		}
		k := kindOf(t.Elem())
		return call(c.name, spec{kernel: reading(k, k, build)}, t, c.args...)
	}
}

// appendPart appends the elements from one position up to another.
func appendPart(b *vector.Builder, a *nested.Array, from, to int64) {
	for e := max(from, 0); e < min(to, int64(a.Len())); e++ {
		b.AppendFrom(a, int(e))
	}
}

// elementAt is an element by its position, from the end if that is negative.
func elementAt(list, index Value) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return Bare(), nil
	}
	at, ok := acceptWhole.take(index)
	if !ok {
		return Value{}, errorf(CodeType, "the position in a List is %s, and a whole number is wanted", index.describe())
	}
	elem := list.Type.Elem()
	k := kindOf(elem)
	return call("ListAt", spec{mayBeNull: true, kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return picking(k, func(b *vector.Builder, c *function.Call, i int) error {
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			e := c.Args[1].Int(i)
			if e < 0 {
				e += int64(a.Len())
			}
			if e < 0 || e >= int64(a.Len()) {
				b.AppendNull()
			} else {
				b.AppendFrom(a, int(e))
			}
			return nil
		})(c)
	}}, elem, list, at)
}

func uniq(c *invocation) (Value, error) {
	t := c.args[0].Type
	if t.Kind == yqltype.EmptyList {
		return c.args[0], nil
	}
	k := kindOf(t.Elem())
	return call(c.name, spec{kernel: func(c *function.Call) error {
		seen := map[string]struct{}{}
		var key []byte
		return reading(k, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
			clear(seen)
			for e := range a.Len() {
				key = appendKey(key, k, a, e)
				if _, ok := seen[string(key)]; !ok {
					seen[string(key)] = struct{}{}
					b.AppendFrom(a, e)
				}
			}
			return nil
		})(c)
	}}, t, c.args...)
}

// concatLists is the elements of all.
func concatLists(lists []Value) (Value, error) {
	unified, t, ok := Unify(lists)
	if !ok {
		return Value{}, hintf(CodeType, "CAST some of them", "the Lists have no common type: %s", describe(lists))
	}
	if t.Kind == yqltype.EmptyList {
		return unified[0], nil
	}
	k := kindOf(t.Elem())
	return call("ListExtend", spec{kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return buildList(k, func(b *vector.Builder, c *function.Call, i int) error {
			for _, v := range c.Args {
				*a = nested.ReadArray(v.Bytes(i), k)
				appendPart(b, a, 0, int64(a.Len()))
			}
			return nil
		})(c)
	}}, t, unified...)
}

// flatten takes one level of Lists away.
func flatten(list Value) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return list, nil
	}
	inner := list.Type.Elem()
	if inner.Kind == yqltype.EmptyList {
		return List(nil)
	}
	if inner.Kind != yqltype.List {
		return Value{}, wants("ListFlatten", 0, "a List of Lists", list)
	}
	k := kindOf(inner.Elem())
	t := yqltype.ListOf(inner.Elem())
	return call("ListFlatten", spec{kernel: func(c *function.Call) error {
		part := new(nested.Array)
		return reading(vector.Bytes, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
			for e := range a.Len() {
				if a.IsNull(e) {
					continue
				}
				*part = nested.ReadArray(a.Bytes(e), k)
				appendPart(b, part, 0, int64(part.Len()))
			}
			return nil
		})(c)
	}}, t, list)
}

// notNull leaves the NULLs of a List out.
func notNull(list Value) (Value, error) {
	t := list.Type
	if t.Kind == yqltype.EmptyList || !t.Elem().Optional {
		return list, nil
	}
	k := kindOf(t.Elem())
	return call("ListNotNull", spec{kernel: reading(k, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
		for e := range a.Len() {
			if !a.IsNull(e) {
				b.AppendFrom(a, e)
			}
		}
		return nil
	})}, yqltype.ListOf(t.Elem().Required()), list)
}

func indexOf(c *invocation) (Value, error) {
	if c.args[0].Type.Kind == yqltype.EmptyList {
		return Null(count64), nil
	}
	elem, value := c.args[0].Type.Elem(), c.args[1]
	if ok, _ := yqltype.Comparable(elem, value.Type); !ok {
		return Value{}, refused("ListIndexOf", c.args[0], value)
	}
	value, err := Fit(value, elem.OrNull())
	if err != nil {
		return Value{}, about(1, err)
	}
	k := kindOf(elem)
	return call(c.name, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), k)
		for e := range a.Len() {
			if function.SameValue(k, &a, e, c.Args[1], i) {
				return int64(e), nil
			}
		}
		return 0, errNull
	})}, count64, c.args[0], value)
}

// rowsOf is the kernel of a function that gives a List of Tuples: next gives the parts of Tuple n of row i, ok false behind the last.
func rowsOf(kinds []vector.Kind, next func(parts []*vector.Builder, c *function.Call, i, n int) (ok bool)) function.Kernel {
	return func(c *function.Call) error {
		rows := c.Rows.Count()
		parts := make([]*vector.Builder, len(kinds))
		for f, k := range kinds {
			parts[f] = vector.NewBuilder(c.Arena, k, rows)
		}
		ends := c.Arena.Sel(rows)
		for j := range rows {
			i := c.Rows.At(j)
			for n := 0; next(parts, c, i, n); n++ {
			}
			ends[j] = int32(parts[0].Len())
		}
		columns := make([]*vector.Vector, len(parts))
		for f, b := range parts {
			columns[f] = b.Done()
		}
		total := columns[0].Len()
		packed := c.Arena.Flat(vector.Bytes, total)
		nested.PackRows(c.Arena, columns, vector.All(total), packed)
		nested.Pack(c.Arena, packed, ends, c.Rows, c.Out)
		return nil
	}
}

func enumerate(c *invocation) (Value, error) {
	if c.args[0].Type.Kind == yqltype.EmptyList {
		return c.args[0], nil
	}
	elem := c.args[0].Type.Elem()
	k := kindOf(elem)
	t := yqltype.ListOf(yqltype.TupleOf(count64, elem))
	return call(c.name, spec{kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return rowsOf([]vector.Kind{vector.Int64, k}, func(parts []*vector.Builder, c *function.Call, i, n int) bool {
			if n == 0 {
				*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			}
			if n >= a.Len() {
				return false
			}
			parts[0].AppendInt(c.Args[1].Int(i) + int64(n)*c.Args[2].Int(i))
			parts[1].AppendFrom(a, n)
			return true
		})(c)
	}}, t, c.args...)
}

func zip(c *invocation, all bool) (Value, error) {
	elems := make([]yqltype.Type, len(c.args))
	layouts := make([]vector.Kind, len(c.args))
	for i, list := range c.args {
		if list.Type.Kind == yqltype.EmptyList {
			if !all {
				return List(nil)
			}
			list.Type = yqltype.ListOf(yqltype.Type{})
		}
		elems[i] = list.Type.Elem()
		if all && elems[i].Kind != yqltype.Null {
			elems[i].Optional = true
		}
		layouts[i] = kindOf(elems[i])
	}
	return call(c.name, spec{kernel: func(c *function.Call) error {
		arrays := make([]nested.Array, len(layouts))
		length := 0
		return rowsOf(layouts, func(parts []*vector.Builder, c *function.Call, i, n int) bool {
			if n == 0 {
				for f, k := range layouts {
					arrays[f] = nested.ReadArray(c.Args[f].Bytes(i), k)
					if f == 0 || (arrays[f].Len() > length) == all {
						length = arrays[f].Len()
					}
				}
			}
			if n >= length {
				return false
			}
			for f := range arrays {
				if n < arrays[f].Len() {
					parts[f].AppendFrom(&arrays[f], n)
				} else {
					parts[f].AppendNull()
				}
			}
			return true
		})(c)
	}}, yqltype.ListOf(yqltype.TupleOf(elems...)), c.args...)
}

// maxMade is how many elements a function may make of nothing for one row.
const maxMade = 1 << 20

func fromRange(c *invocation) (Value, error) {
	both, t, ok := Unify(c.args[:2])
	if !ok || !t.IsInteger() {
		return Value{}, errorf(CodeType, "%s takes whole numbers, not %s", c.name, describe(c.args[:2]))
	}
	return call(c.name, spec{kernel: buildList(vector.Int64, func(b *vector.Builder, c *function.Call, i int) error {
		from, to, step := c.Args[0].Int(i), c.Args[1].Int(i), c.Args[2].Int(i)
		if step == 0 {
			step = 1
		}
		for n, made := from, 0; step > 0 && n < to || step < 0 && n > to; n, made = n+step, made+1 {
			if made == maxMade {
				return errorf(CodeValue, "a List of more than %d numbers", maxMade)
			}
			b.AppendInt(n)
			if n > 0 && n+step < 0 && step > 0 {
				break
			}
		}
		return nil
	})}, yqltype.ListOf(t.Required()), append(slices.Clone(both), c.args[2])...)
}

func replicate(c *invocation) (Value, error) {
	t := c.args[0].Type
	k := kindOf(t)
	return call(c.name, spec{nulls: function.NullAware, kernel: buildList(k, func(b *vector.Builder, c *function.Call, i int) error {
		if c.Args[1].IsNull(i) {
			return errNull
		}
		n := c.Args[1].Int(i)
		if n > maxMade {
			return errorf(CodeValue, "a List of more than %d elements", maxMade)
		}
		for range n {
			b.AppendFrom(c.Args[0], i)
		}
		return nil
	})}, withOptional(yqltype.ListOf(t), c.args[1].Type.Optional), c.args...)
}

func withOptional(t yqltype.Type, optional bool) yqltype.Type {
	t.Optional = t.Optional || optional
	return t
}

func toTuple(c *invocation) (Value, error) {
	l := constant(c.args[1])
	if l == nil || l.IsNull() || l.Int() < 0 || l.Int() > 1000 || c.args[0].Type.Kind == yqltype.EmptyList {
		return Value{}, about(1, errorf(CodeValue, "how many elements the Tuple has is a constant of at most 1000"))
	}
	parts := make([]Value, l.Int())
	for i := range parts {
		part, err := elementAt(c.args[0], Int(yqltype.Of(yqltype.Int64), int64(i)))
		if err != nil {
			return Value{}, err
		}
		part.Type.Optional = c.args[0].Type.Elem().Optional
		parts[i] = part
	}
	whole, err := Tuple(parts)
	if err != nil {
		return Value{}, err
	}
	length, err := listLength(c.args[0])
	if err != nil {
		return Value{}, err
	}
	enough, err := Binary(">=", length, c.args[1])
	if err != nil {
		return Value{}, err
	}
	return If(enough, whole, Null(whole.Type))
}

// join is the strings of a List in one.
func join(list, separator Value) (Value, error) {
	t := yqltype.Of(yqltype.String)
	if list.Type.Kind == yqltype.List {
		elem := list.Type.Elem()
		if !elem.IsText() {
			return Value{}, wants("ListConcat", 0, "a List of strings", list)
		}
		if elem.Kind == yqltype.Utf8 && separator.Type.Kind == yqltype.Utf8 {
			t = elem.Required()
		}
	}
	return call("ListConcat", spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), vector.Bytes)
		first := true
		for e := range a.Len() {
			if a.IsNull(e) {
				continue
			}
			if !first {
				dst = append(dst, c.Args[1].Bytes(i)...)
			}
			first = false
			if dst = append(dst, a.Bytes(e)...); len(dst) > vector.MaxValue*2 {
				return nil, errorf(CodeValue, "the string is too long")
			}
		}
		return dst, nil
	})}, t, list, separator)
}
