package functions

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var paramDict = param{name: "dict", accept: acceptDict}

// dictFunctions make Dicts and take them apart. A Dict keeps its entries in the order in which they were put in; of two with one key the last holds.
var dictFunctions = []Function{
	{
		Name: "AsDict", Aliases: []string{"AsDictStrict"}, Signature: "AsDict(tuple, …)",
		Doc:     "A Dict of Tuples of a key and a value.",
		Example: `DictLookup(AsDict(AsTuple("ebb", 1), AsTuple("tide", 2)), "tide")`, Result: "2",
		rest: &acceptValue,
		apply: func(c *invocation) (Value, error) {
			if len(c.args) == 0 {
				return emptyDict(), nil
			}
			list, err := List(c.args)
			if err != nil {
				return Value{}, err
			}
			return toDict(c.name, list)
		},
	},
	{
		Name: "DictCreate", Signature: "DictCreate(key, value)",
		Doc:     "An empty Dict of keys and values of two types.",
		Example: "DictLength(DictCreate(String, Int32))", Result: "0",
		params: []param{{name: "key", accept: acceptType}, {name: "value", accept: acceptType}},
		apply: func(c *invocation) (Value, error) {
			t := yqltype.DictOf(c.args[0].Static.(TypeName).Type, c.args[1].Static.(TypeName).Type)
			return Value{Expr: expr.LiteralBytes(t.Physical(), nested.AppendMap(nil, kindOf(t.Key()), nil, kindOf(t.Value()), nil, 0, 0)), Type: t}, nil
		},
	},
	{
		Name: "ToDict", Signature: "ToDict(list)",
		Doc:     "A Dict of a List of Tuples of a key and a value.",
		Example: `DictLength(ToDict(AsList(AsTuple("ebb", 1), AsTuple("ebb", 2))))`, Result: "1",
		params: []param{paramList},
		apply:  func(c *invocation) (Value, error) { return toDict(c.name, c.args[0]) },
	},
	{
		Name: "DictLength", Signature: "DictLength(dict)",
		Doc:     "How many entries the Dict has.",
		Example: `DictLength(AsDict(AsTuple("ebb", 1)))`, Result: "1",
		params: []param{paramDict},
		apply: gives(count64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(nested.CountMap(c.Args[0].Bytes(i))), nil
		})}),
	},
	{
		Name: "DictHasItems", Signature: "DictHasItems(dict)",
		Doc:     "Whether the Dict has an entry.",
		Example: `DictHasItems(AsDict(AsTuple("ebb", 1)))`, Result: "true",
		params: []param{paramDict},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			return nested.CountMap(c.Args[0].Bytes(i)) > 0, nil
		})}),
	},
	{
		Name: "DictLookup", Signature: "DictLookup(dict, key)",
		Doc:     "The value of a key; NULL if there is none.",
		Example: `DictLookup(AsDict(AsTuple("ebb", 1)), "tide") IS NULL`, Result: "true",
		params: []param{paramDict, {name: "key", accept: acceptValue}},
		apply:  func(c *invocation) (Value, error) { return lookupKey(c.args[0], c.args[1]) },
	},
	{
		Name: "DictContains", Signature: "DictContains(dict, key)",
		Doc:     "Whether the Dict has the key.",
		Example: `DictContains(AsDict(AsTuple("ebb", 1)), "ebb")`, Result: "true",
		params: []param{paramDict, {name: "key", accept: acceptValue}},
		apply:  func(c *invocation) (Value, error) { return hasKey(c.args[0], c.args[1]) },
	},
	{
		Name: "DictKeys", Signature: "DictKeys(dict)",
		Doc:     "The keys as a List.",
		Example: `ListHead(DictKeys(AsDict(AsTuple("ebb", 1))))`, Result: "ebb",
		params: []param{paramDict},
		apply: func(c *invocation) (Value, error) {
			return ofEntries(c, func(t yqltype.Type) yqltype.Type { return t.Key() }, func(b *vector.Builder, keys, _ *nested.Array) {
				appendPart(b, keys, 0, int64(keys.Len()))
			})
		},
	},
	{
		Name: "DictPayloads", Aliases: []string{"DictValues"}, Signature: "DictPayloads(dict)",
		Doc:     "The values as a List.",
		Example: `ListHead(DictPayloads(AsDict(AsTuple("ebb", 1))))`, Result: "1",
		params: []param{paramDict},
		apply: func(c *invocation) (Value, error) {
			return ofEntries(c, func(t yqltype.Type) yqltype.Type { return t.Value() }, func(b *vector.Builder, _, values *nested.Array) {
				appendPart(b, values, 0, int64(values.Len()))
			})
		},
	},
	{
		Name: "DictItems", Signature: "DictItems(dict)",
		Doc:     "The entries as a List of Tuples of key and value.",
		Example: `ListHead(DictItems(AsDict(AsTuple("ebb", 1)))).1`, Result: "1",
		params: []param{paramDict},
		apply:  dictItems,
	},
	refusal("", "ToMultiDict", "aggregate the rows of FLATTEN LIST BY with AGGREGATE_LIST"),
	refusal("", "ToSet", "there are no sets; use ListUniq, and IN or ListHas to look for an element"),
	refusal("", "AsSet", "there are no sets; use AsList, and IN or ListHas to look for an element"),
	refusal("", "DictAggregate", "aggregate the rows of FLATTEN DICT BY"),
}

// toDict makes a Dict of a List of Tuples of two.
func toDict(name string, list Value) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return emptyDict(), nil
	}
	pair := list.Type.Elem()
	if pair.Kind != yqltype.Tuple || len(pair.Elems()) != 2 || pair.Optional {
		return Value{}, errorf(CodeType, "%s takes Tuples of a key and a value, not %s", name, pair)
	}
	key, value := pair.Elems()[0], pair.Elems()[1]
	k, v := kindOf(key), kindOf(value)
	return call(name, spec{kernel: func(c *function.Call) error {
		last := map[string]int{}
		var written []byte
		return buildDict(k, v, func(keys, values *vector.Builder, c *function.Call, i int) error {
			a := nested.ReadArray(c.Args[0].Bytes(i), vector.Bytes)
			clear(last)
			for e := range a.Len() {
				written = appendKey(written, k, nested.ReadRow(a.Bytes(e), 2), 0)
				last[string(written)] = e
			}
			for e := range a.Len() {
				entry := nested.ReadRow(a.Bytes(e), 2)
				written = appendKey(written, k, entry, 0)
				if last[string(written)] == e {
					keys.AppendFrom(entry, 0)
					values.AppendFrom(entry, 1)
				}
			}
			return nil
		})(c)
	}}, yqltype.DictOf(key, value), list)
}

// findKey is the position of value i of v among keys, -1 if it is none of them.
func findKey(k vector.Kind, keys *nested.Array, v *vector.Vector, i int) int {
	for e := range keys.Len() {
		if function.SameValue(k, keys, e, v, i) {
			return e
		}
	}
	return -1
}

func emptyDict() Value {
	t := yqltype.Of(yqltype.EmptyDict)
	return Value{Expr: expr.LiteralBytes(t.Physical(), nested.AppendMap(nil, vector.Bool, nil, vector.Bool, nil, 0, 0)), Type: t}
}

func hasKey(dict, key Value) (Value, error) {
	if dict.Type.Kind == yqltype.EmptyDict {
		return Bool(false), nil
	}
	t := dict.Type
	key, err := Fit(key, withOptional(t.Key(), key.Type.Optional))
	if err != nil {
		return Value{}, about(1, err)
	}
	k, v := kindOf(t.Key()), kindOf(t.Value())
	return call("DictContains", spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
		keys, _ := nested.ReadMap(c.Args[0].Bytes(i), k, v)
		return findKey(k, &keys, c.Args[1], i) >= 0, nil
	})}, one, dict, key)
}

func lookupKey(dict, key Value) (Value, error) {
	if dict.Type.Kind == yqltype.EmptyDict {
		return Bare(), nil
	}
	t := dict.Type
	key, err := Fit(key, withOptional(t.Key(), key.Type.Optional))
	if err != nil {
		return Value{}, about(1, err)
	}
	k, v := kindOf(t.Key()), kindOf(t.Value())
	return call("DictLookup", spec{mayBeNull: true, kernel: func(c *function.Call) error {
		keys, values := new(nested.Array), new(nested.Array)
		return picking(v, func(b *vector.Builder, c *function.Call, i int) error {
			*keys, *values = nested.ReadMap(c.Args[0].Bytes(i), k, v)
			if e := findKey(k, keys, c.Args[1], i); e >= 0 {
				b.AppendFrom(values, e)
			} else {
				b.AppendNull()
			}
			return nil
		})(c)
	}}, t.Value(), dict, key)
}

// ofEntries makes a List of the entries of a Dict.
func ofEntries(c *invocation, elem func(dict yqltype.Type) yqltype.Type, build func(b *vector.Builder, keys, values *nested.Array)) (Value, error) {
	t := c.args[0].Type
	if t.Kind == yqltype.EmptyDict {
		return List(nil)
	}
	k, v := kindOf(t.Key()), kindOf(t.Value())
	return call(c.name, spec{kernel: func(c *function.Call) error {
		keys, values := new(nested.Array), new(nested.Array)
		return buildList(kindOf(elem(t)), func(b *vector.Builder, c *function.Call, i int) error {
			*keys, *values = nested.ReadMap(c.Args[0].Bytes(i), k, v)
			build(b, keys, values)
			return nil
		})(c)
	}}, yqltype.ListOf(elem(t)), c.args[0])
}

func dictItems(c *invocation) (Value, error) {
	t := c.args[0].Type
	if t.Kind == yqltype.EmptyDict {
		return List(nil)
	}
	k, v := kindOf(t.Key()), kindOf(t.Value())
	return call(c.name, spec{kernel: func(c *function.Call) error {
		keys, values := new(nested.Array), new(nested.Array)
		return rowsOf([]vector.Kind{k, v}, func(parts []*vector.Builder, c *function.Call, i, n int) bool {
			if n == 0 {
				*keys, *values = nested.ReadMap(c.Args[0].Bytes(i), k, v)
			}
			if n >= keys.Len() {
				return false
			}
			parts[0].AppendFrom(keys, n)
			parts[1].AppendFrom(values, n)
			return true
		})(c)
	}}, yqltype.ListOf(yqltype.TupleOf(t.Key(), t.Value())), c.args[0])
}
