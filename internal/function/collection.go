package function

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// collectionFunctions make rows, arrays and maps and take them apart; what works on arrays and maps as a whole is in array.go and map.go. The field of a row is an
// expression rather than a function, since its type follows from a name: expr.Field.
var collectionFunctions = []Scalar{
	{
		Name: "ROW", Family: FamilyCollection,
		Signatures: []string{"ROW(value, …)", "(value, value, …)"},
		Doc:        "A row of values; its fields are called EXPR$0, EXPR$1 and so on. CAST gives them other names.",
		Example:    "ROW(1, 'tide').EXPR$1", ExampleResult: "tide",
		Resolver: byTypes(resolveRow),
	},
	{
		Name: "ARRAY", Family: FamilyCollection, Notation: Bracketed,
		Signatures: []string{"ARRAY[value, …]"},
		Doc:        "An array of values of one type. Flink 2.3: there must be at least one value; here there may be none.",
		Example:    "CARDINALITY(ARRAY[4, 5, 6])", ExampleResult: "3",
		Resolver: byTypes(resolveArray),
	},
	{
		Name: "MAP", Family: FamilyCollection, Notation: Bracketed,
		Signatures: []string{"MAP[key, value, key, value, …]"},
		Doc:        "A map of keys to values. Of two entries with one key the last holds.",
		Example:    "MAP['ebb', 1, 'tide', 2]['tide']", ExampleResult: "2",
		Resolver: byTypes(resolveMap),
	},
	{
		Name: "ITEM", Family: FamilyCollection, Notation: Subscript,
		Signatures: []string{"array[index]", "map[key]"},
		Doc:        "An element of an array, counted from 1, or the value of a key of a map; NULL if it is not there.",
		Example:    "ARRAY[4, 5, 6][2]", ExampleResult: "5",
		Resolver: byTypes(resolveItem),
	},
	{
		Name: "CARDINALITY", Family: FamilyCollection,
		Signatures: []string{"CARDINALITY(array)", "CARDINALITY(map)"},
		Doc:        "The number of elements of an array or of entries of a map.",
		Example:    "CARDINALITY(MAP['ebb', 1, 'tide', 2])", ExampleResult: "2",
		Resolver: byTypes(resolveCardinality),
	},
	{
		Name: "ELEMENT", Family: FamilyCollection,
		Signatures: []string{"ELEMENT(array)"},
		Doc:        "The only element of an array, NULL if it has none; an error if it has more.",
		Example:    "ELEMENT(ARRAY[7])", ExampleResult: "7",
		Resolver: byTypes(resolveElement),
	},
}

func resolveRow(args []types.Type) (Overload, bool) {
	fields := make(types.Schema, len(args))
	for i, t := range args {
		if t.Kind == types.Null {
			return Overload{}, false
		}
		fields[i] = types.Field{Name: types.FieldName(i), Type: t}
	}
	t := types.RowOf(fields)
	t.NotNull = true
	return Overload{Params: args, Result: t, Nulls: NullAware, Kernel: func(c *Call) error {
		nested.PackRows(c.Arena, c.Args, c.Rows, c.Out)
		return nil
	}}, len(args) > 0
}

func resolveArray(args []types.Type) (Overload, bool) {
	elem := types.Type{NotNull: true}
	if len(args) > 0 {
		var ok bool
		if elem, ok = commonOf(args); !ok || elem.Kind == types.Null {
			return Overload{}, false
		}
	}
	t := types.ArrayOf(elem)
	t.NotNull = true
	return Overload{Params: repeated(elem.Nullable(), len(args)), Result: t, Nulls: NullAware,
		Kernel: building(0, vector.KindOf(elem), func(b *vector.Builder, _ []nested.Array, c *Call, i int) error {
			for _, v := range c.Args {
				b.AppendFrom(v, i)
			}
			return nil
		})}, true
}

func repeated(t types.Type, n int) []types.Type {
	list := make([]types.Type, n)
	for i := range list {
		list[i] = t
	}
	return list
}

// commonOf is the type that all of a list, which is not empty, have in common.
func commonOf(list []types.Type) (types.Type, bool) {
	t, ok := list[0], true
	for _, other := range list[1:] {
		if t, ok = types.Common(t, other); !ok {
			return t, false
		}
	}
	return t, true
}

func resolveMap(args []types.Type) (Overload, bool) {
	key, value := types.Type{NotNull: true}, types.Type{NotNull: true}
	if len(args)%2 != 0 {
		return Overload{}, false
	}
	params := make([]types.Type, len(args))
	if len(args) > 0 {
		var keys, values []types.Type
		for i := 0; i < len(args); i += 2 {
			keys, values = append(keys, args[i]), append(values, args[i+1])
		}
		var ok, ok2 bool
		key, ok = commonOf(keys)
		value, ok2 = commonOf(values)
		if !ok || !ok2 || key.Kind == types.Null || value.Kind == types.Null {
			return Overload{}, false
		}
		for i := 0; i < len(args); i += 2 {
			params[i], params[i+1] = key.Nullable(), value.Nullable()
		}
	}
	t := types.MapOf(key, value)
	t.NotNull = true
	keyKind, valueKind := vector.KindOf(key), vector.KindOf(value)
	return Overload{Params: params, Result: t, Nulls: NullAware, Kernel: func(c *Call) error {
		m := newMapBuilder(c, keyKind, valueKind)
		keys := newWrittenKeys(keyKind, len(c.Args)/2)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			keys.read(c.Args, i)
			for e := 0; e < len(c.Args); e += 2 {
				if first, last := keys.same(e / 2); first == e/2 {
					m.keys.AppendFrom(c.Args[e], i)
					m.values.AppendFrom(c.Args[2*last+1], i)
				}
			}
			m.end()
		}
		m.done()
		return nil
	}}, true
}

// resolveItem finds an element. Flink 2.3: a constant index below 1 is refused; one of a column below 1 or beyond the end gives NULL.
func resolveItem(args []types.Type) (Overload, bool) {
	if len(args) != 2 {
		return Overload{}, false
	}
	switch from, by := args[0], args[1]; {
	case from.Kind == types.Array && (by.IsInteger() || by.Kind == types.Null):
		k := vector.KindOf(from.Elem())
		return Overload{Params: []types.Type{from.Nullable(), types.BigIntType}, Result: from.Elem().Nullable(), MayBeNull: true, Bind: func(constants []*vector.Vector) (Kernel, error) {
			if v := constants[1]; v != nil && !v.IsNullConst() && v.Int(0) < 1 {
				return nil, fault.Errorf(fault.User, "the elements of an array are counted from 1, and the index is %d; write array[1] for the first", v.Int(0))
			}
			return choosing(k, func(a *nested.Array, c *Call, i int) (int, error) {
				if at := c.Args[1].Int(i); at >= 1 && at <= int64(a.Len()) {
					return int(at - 1), nil
				}
				return -1, nil
			}), nil
		}}, true
	case from.Kind == types.Map:
		key, ok := keyParam(from.Key(), by)
		return Overload{Params: []types.Type{from.Nullable(), key}, Result: from.Elem().Nullable(), MayBeNull: true,
			Kernel: lookUp(vector.KindOf(key), vector.KindOf(from.Elem()))}, ok
	}
	return Overload{}, false
}

// keyParam is the type that a key of a map is looked up in: that of the map's keys, or a wider one of the same layout.
func keyParam(key, by types.Type) (types.Type, bool) {
	if t, ok := types.Common(key, by); ok && key.IsInteger() && t.IsInteger() {
		return t.Nullable(), true
	}
	return key.Nullable(), types.Assignable(by, key.Nullable())
}

func lookUp(key, value vector.Kind) Kernel {
	return func(c *Call) error {
		w := newElements(c)
		keys, values := new(nested.Array), new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			*keys, *values = nested.ReadMap(c.Args[0].Bytes(i), key, value)
			w.put(i, values, find(key, keys, c.Args[1], i))
		}
		w.done()
		return nil
	}
}

// find is the position of value i of v in an array, or -1.
func find(k vector.Kind, a *nested.Array, v *vector.Vector, i int) int {
	for e := range a.Len() {
		if sameValue(k, a, e, v, i) {
			return e
		}
	}
	return -1
}

func resolveCardinality(args []types.Type) (Overload, bool) {
	if len(args) != 1 || args[0].Kind != types.Array && args[0].Kind != types.Map {
		return Overload{}, false
	}
	count := nested.Count
	if args[0].Kind == types.Map {
		count = nested.CountMap
	}
	return Overload{Params: []types.Type{args[0].Nullable()}, Result: types.IntType, Kernel: func(c *Call) error {
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			c.Out.Ints[i] = int64(count(c.Args[0].Bytes(i)))
		}
		return nil
	}}, true
}

func resolveElement(args []types.Type) (Overload, bool) {
	if len(args) != 1 || args[0].Kind != types.Array {
		return Overload{}, false
	}
	elem := args[0].Elem()
	return Overload{Params: []types.Type{args[0].Nullable()}, Result: elem.Nullable(), MayBeNull: true,
		Kernel: choosing(vector.KindOf(elem), func(a *nested.Array, _ *Call, i int) (int, error) {
			if a.Len() > 1 {
				return 0, &RowError{Row: i, Err: fault.Errorf(fault.Data, "ELEMENT takes an array of one element, and this has %d", a.Len()), Hint: "take one by its index: array[1]"}
			}
			return a.Len() - 1, nil
		})}, true
}

// collectionHint is advice about arguments that a function of rows, arrays and maps does not take.
func collectionHint(args []types.Type) string {
	for _, t := range args {
		if t.Kind == types.Null {
			return "say what the NULL is: CAST(NULL AS INT)"
		}
	}
	return ""
}
