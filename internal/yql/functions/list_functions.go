package functions

import (
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
		apply:  func(c *invocation) (Value, error) { return join(c.name, c.args[0], c.args[1]) },
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

// maxMade is how many elements a function may make of nothing for one row.
const maxMade = 1 << 20
