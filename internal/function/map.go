package function

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// mapFunctions work on whole maps.
var mapFunctions = []Scalar{
	{
		Name: "MAP_KEYS", Family: FamilyCollection,
		Signatures: []string{"MAP_KEYS(map)"},
		Doc:        "The keys of a map as an array.",
		Example:    "ARRAY_JOIN(MAP_KEYS(MAP['ebb', 1, 'tide', 2]), ',')", ExampleResult: "ebb,tide",
		Resolver: byTypes(oneMap(func(t types.Type) types.Type { return types.ArrayOf(t.Key()) }, func(key, value vector.Kind) Kernel {
			return func(c *Call) error {
				keys, _, ends := nested.ExpandMap(c.Arena, c.Args[0], key, value, c.Rows)
				nested.Pack(c.Arena, keys, ends, c.Rows, c.Out)
				return nil
			}
		})),
	},
	{
		Name: "MAP_VALUES", Family: FamilyCollection,
		Signatures: []string{"MAP_VALUES(map)"},
		Doc:        "The values of a map as an array.",
		Example:    "MAP_VALUES(MAP['ebb', 1, 'tide', 2])[2]", ExampleResult: "2",
		Resolver: byTypes(oneMap(func(t types.Type) types.Type { return types.ArrayOf(t.Elem()) }, func(key, value vector.Kind) Kernel {
			return func(c *Call) error {
				_, values, ends := nested.ExpandMap(c.Arena, c.Args[0], key, value, c.Rows)
				nested.Pack(c.Arena, values, ends, c.Rows, c.Out)
				return nil
			}
		})),
	},
	{
		Name: "MAP_ENTRIES", Family: FamilyCollection,
		Signatures: []string{"MAP_ENTRIES(map)"},
		Doc:        "The entries of a map as an array of rows with the fields `key` and `value`.",
		Example:    "MAP_ENTRIES(MAP['tide', 2])[1].`value`", ExampleResult: "2",
		Resolver: byTypes(oneMap(func(t types.Type) types.Type {
			return types.ArrayOf(types.RowOf(types.Schema{{Name: "key", Type: t.Key()}, {Name: "value", Type: t.Elem()}}))
		}, func(key, value vector.Kind) Kernel {
			return func(c *Call) error {
				keys, values, ends := nested.ExpandMap(c.Arena, c.Args[0], key, value, c.Rows)
				rows := c.Arena.Flat(vector.Bytes, keys.Len())
				nested.PackRows(c.Arena, []*vector.Vector{keys, values}, vector.All(keys.Len()), rows)
				nested.Pack(c.Arena, rows, ends, c.Rows, c.Out)
				return nil
			}
		})),
	},
	{
		Name: "MAP_FROM_ARRAYS", Family: FamilyCollection,
		Signatures: []string{"MAP_FROM_ARRAYS(keys, values)"},
		Doc:        "The map of an array of keys and one of values, of the same length. Of two values of one key the last holds.",
		Example:    "MAP_FROM_ARRAYS(ARRAY['ebb', 'tide'], ARRAY[1, 2])['ebb']", ExampleResult: "1",
		Resolver: byTypes(resolveMapFromArrays),
	},
	{
		Name: "MAP_UNION", Family: FamilyCollection,
		Signatures: []string{"MAP_UNION(map, …)"},
		Doc:        "The entries of all maps in one; of two entries with one key that of the later map holds. Flink 2.3: the entries of later maps come first.",
		Example:    "MAP_UNION(MAP['ebb', 1], MAP['ebb', 2])['ebb']", ExampleResult: "2",
		Resolver: byTypes(resolveMapUnion),
	},
}

func oneMap(result func(types.Type) types.Type, kernel func(key, value vector.Kind) Kernel) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 || args[0].Kind != types.Map {
			return Overload{}, false
		}
		t := args[0].Nullable()
		return Overload{Params: []types.Type{t}, Result: result(t), Kernel: kernel(vector.KindOf(t.Key()), vector.KindOf(t.Elem()))}, true
	}
}

func resolveMapFromArrays(args []types.Type) (Overload, bool) {
	if len(args) != 2 || args[0].Kind != types.Array || args[1].Kind != types.Array {
		return Overload{}, false
	}
	key, value := args[0].Elem(), args[1].Elem()
	kk, vk := vector.KindOf(key), vector.KindOf(value)
	return Overload{Params: []types.Type{args[0].Nullable(), args[1].Nullable()}, Result: types.MapOf(key, value), Kernel: func(c *Call) error {
		m := newMapBuilder(c, kk, vk)
		s := elementSet{kind: kk}
		keys, values := new(nested.Array), new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			*keys, *values = nested.ReadArray(c.Args[0].Bytes(i), kk), nested.ReadArray(c.Args[1].Bytes(i), vk)
			if keys.Len() != values.Len() {
				return &RowError{Row: i, Err: fault.Errorf(fault.Data, "MAP_FROM_ARRAYS takes as many keys as values, and these are %d and %d", keys.Len(), values.Len()),
					Hint: "compare their CARDINALITY first"}
			}
			s.reset(keys.Len())
			for e := range keys.Len() {
				s.find(keys, e).put(keys, e)
			}
			for e := range keys.Len() {
				if slot := s.find(keys, e); slot.first == e {
					m.keys.AppendFrom(keys, e)
					m.values.AppendFrom(values, slot.at)
				}
			}
			m.end()
		}
		m.done()
		return nil
	}}, true
}

func resolveMapUnion(args []types.Type) (Overload, bool) {
	if len(args) == 0 {
		return Overload{}, false
	}
	t, ok := commonOf(args)
	if !ok || t.Kind != types.Map {
		return Overload{}, false
	}
	t = t.Nullable()
	kk, vk := vector.KindOf(t.Key()), vector.KindOf(t.Elem())
	return Overload{Params: repeated(t, len(args)), Result: t, Kernel: func(c *Call) error {
		m := newMapBuilder(c, kk, vk)
		s := elementSet{kind: kk}
		keys, values := make([]nested.Array, len(c.Args)), new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			total := 0
			for a, v := range c.Args {
				keys[a], _ = nested.ReadMap(v.Bytes(i), kk, vk)
				total += keys[a].Len()
			}
			s.reset(total)
			for a := len(c.Args) - 1; a >= 0; a-- {
				_, *values = nested.ReadMap(c.Args[a].Bytes(i), kk, vk)
				for e := range keys[a].Len() {
					if s.add(&keys[a], e) {
						m.keys.AppendFrom(&keys[a], e)
						m.values.AppendFrom(values, e)
					}
				}
			}
			m.end()
		}
		m.done()
		return nil
	}}, true
}
