package function

import (
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// arrayFunctions work on whole arrays; those on two arrays as sets are in array_set.go. In an array a NULL is an element like any other, equal to every other NULL.
var arrayFunctions = []Scalar{
	{
		Name: "ARRAY_APPEND", Family: FamilyCollection,
		Signatures: []string{"ARRAY_APPEND(array, element)"},
		Doc:        "The array with one more element at its end.",
		Example:    "ARRAY_JOIN(ARRAY_APPEND(ARRAY['ebb'], 'tide'), ',')", ExampleResult: "ebb,tide",
		Resolver: byTypes(resolveAdding(false)),
	},
	{
		Name: "ARRAY_PREPEND", Family: FamilyCollection,
		Signatures: []string{"ARRAY_PREPEND(array, element)"},
		Doc:        "The array with one more element at its beginning.",
		Example:    "ARRAY_JOIN(ARRAY_PREPEND(ARRAY['ebb'], 'tide'), ',')", ExampleResult: "tide,ebb",
		Resolver: byTypes(resolveAdding(true)),
	},
	{
		Name: "ARRAY_CONCAT", Family: FamilyCollection,
		Signatures: []string{"ARRAY_CONCAT(array, …)"},
		Doc:        "The elements of all arrays in one; NULL if one of them is NULL.",
		Example:    "CARDINALITY(ARRAY_CONCAT(ARRAY[1, 2], ARRAY[2, 3]))", ExampleResult: "4",
		Resolver: byTypes(resolveConcat),
	},
	{
		Name: "ARRAY_CONTAINS", Family: FamilyCollection,
		Signatures: []string{"ARRAY_CONTAINS(array, element)"},
		Doc:        "Whether the array has the element, which may be NULL.",
		Example:    "ARRAY_CONTAINS(ARRAY[1, 2], 2)", ExampleResult: "TRUE",
		Resolver: byTypes(resolveContains),
	},
	{
		Name: "ARRAY_POSITION", Family: FamilyCollection,
		Signatures: []string{"ARRAY_POSITION(array, element)"},
		Doc:        "Where the array has the element first, counted from 1; 0 if it has it not.",
		Example:    "ARRAY_POSITION(ARRAY[4, 5, 4], 5)", ExampleResult: "2",
		Resolver: byTypes(resolvePosition),
	},
	{
		Name: "ARRAY_REMOVE", Family: FamilyCollection,
		Signatures: []string{"ARRAY_REMOVE(array, element)"},
		Doc:        "The array without all elements equal to one, which may be NULL.",
		Example:    "CARDINALITY(ARRAY_REMOVE(ARRAY[4, 5, 4], 4))", ExampleResult: "1",
		Resolver: byTypes(resolveRemove),
	},
	{
		Name: "ARRAY_REVERSE", Family: FamilyCollection,
		Signatures: []string{"ARRAY_REVERSE(array)"},
		Doc:        "The array from its end to its beginning.",
		Example:    "ARRAY_REVERSE(ARRAY[4, 5, 6])[1]", ExampleResult: "6",
		Resolver: byTypes(oneArray(func(t types.Type) types.Type { return t }, func(k vector.Kind) Kernel {
			return building(1, k, func(b *vector.Builder, arrays []nested.Array, _ *Call, _ int) error {
				for e := arrays[0].Len() - 1; e >= 0; e-- {
					b.AppendFrom(&arrays[0], e)
				}
				return nil
			})
		})),
	},
	{
		Name: "ARRAY_SLICE", Family: FamilyCollection,
		Signatures: []string{"ARRAY_SLICE(array, from)", "ARRAY_SLICE(array, from, to)"},
		Doc:        "The elements from one position to another, counted from 1, or from the end if negative; both are part of it.",
		Example:    "ARRAY_JOIN(ARRAY_SLICE(ARRAY['a', 'b', 'c'], -2), '')", ExampleResult: "bc",
		Resolver: byTypes(resolveSlice),
	},
	{
		Name: "ARRAY_SORT", Family: FamilyCollection,
		Signatures: []string{"ARRAY_SORT(array [, ascending [, nulls_first]])"},
		Doc:        "The array in order, ascending unless FALSE is given; NULLs are first if ascending and last if not, unless said otherwise.",
		Example:    "ARRAY_JOIN(ARRAY_SORT(ARRAY['b', 'c', 'a'], FALSE), '')", ExampleResult: "cba",
		Resolver: byTypes(resolveSort),
	},
	{
		Name: "ARRAY_MAX", Family: FamilyCollection,
		Signatures: []string{"ARRAY_MAX(array)"},
		Doc:        "The greatest element that is not NULL; NULL if there is none.",
		Example:    "ARRAY_MAX(ARRAY[4, 6, 5])", ExampleResult: "6",
		Resolver: byTypes(resolveArrayExtreme(greater)),
	},
	{
		Name: "ARRAY_MIN", Family: FamilyCollection,
		Signatures: []string{"ARRAY_MIN(array)"},
		Doc:        "The least element that is not NULL; NULL if there is none.",
		Example:    "ARRAY_MIN(ARRAY[4, 6, 5])", ExampleResult: "4",
		Resolver: byTypes(resolveArrayExtreme(less)),
	},
	{
		Name: "ARRAY_JOIN", Family: FamilyCollection,
		Signatures: []string{"ARRAY_JOIN(array, delimiter [, null_replacement])"},
		Doc:        "The strings of an array in one, with a delimiter between them; NULLs are left out or replaced.",
		Example:    "ARRAY_JOIN(ARRAY['ebb', NULL, 'tide'], '-', '?')", ExampleResult: "ebb-?-tide",
		Resolver: byTypes(resolveArrayJoin),
	},
}

// oneArray takes an array; result is the type of the result.
func oneArray(result func(array types.Type) types.Type, kernel func(elem vector.Kind) Kernel) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 || args[0].Kind != types.Array {
			return Overload{}, false
		}
		t := args[0].Nullable()
		return Overload{Params: []types.Type{t}, Result: result(t), Kernel: kernel(vector.KindOf(t.Elem()))}, true
	}
}

// arrayAndElement takes an array and something that fits among its elements.
func arrayAndElement(args []types.Type) (array, elem types.Type, ok bool) {
	if len(args) != 2 || args[0].Kind != types.Array {
		return types.Type{}, types.Type{}, false
	}
	elem = args[0].Elem().Nullable()
	return args[0].Nullable(), elem, types.Assignable(args[1], elem)
}

func resolveAdding(first bool) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		array, elem, ok := arrayAndElement(args)
		if !ok {
			return Overload{}, false
		}
		k, added := vector.KindOf(elem), elem
		added.NotNull = array.Elem().NotNull && args[1].NotNull
		result := types.ArrayOf(added)
		result.NotNull = args[0].NotNull && args[1].NotNull // Flink 2.3: though the array with a NULL in it is no NULL
		return Overload{Params: []types.Type{array, elem}, Result: result, Nulls: NullAware,
			Kernel: strictFirst(1, building(1, k, func(b *vector.Builder, arrays []nested.Array, c *Call, i int) error {
				if first {
					b.AppendFrom(c.Args[1], i)
				}
				appendAll(b, &arrays[0])
				if !first {
					b.AppendFrom(c.Args[1], i)
				}
				return nil
			}))}, true
	}
}

// commonArray takes arrays that have a common type.
func commonArray(args []types.Type) (types.Type, bool) {
	if len(args) == 0 {
		return types.Type{}, false
	}
	t, ok := commonOf(args)
	return t.Nullable(), ok && t.Kind == types.Array
}

func resolveConcat(args []types.Type) (Overload, bool) {
	t, ok := commonArray(args)
	if !ok {
		return Overload{}, false
	}
	return Overload{Params: repeated(t, len(args)), Result: t,
		Kernel: building(len(args), vector.KindOf(t.Elem()), func(b *vector.Builder, arrays []nested.Array, _ *Call, _ int) error {
			for a := range arrays {
				appendAll(b, &arrays[a])
			}
			return nil
		})}, true
}

func resolveContains(args []types.Type) (Overload, bool) {
	array, elem, ok := arrayAndElement(args)
	if !ok {
		return Overload{}, false
	}
	k, result := vector.KindOf(elem), types.BooleanType
	result.NotNull = args[0].NotNull
	return Overload{Params: []types.Type{array, elem}, Result: result, Nulls: NullAware, Kernel: strictFirst(1, func(c *Call) error {
		a := new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			c.Out.Bools[i] = bit(find(k, a, c.Args[1], i) >= 0)
		}
		return nil
	})}, true
}

func resolvePosition(args []types.Type) (Overload, bool) {
	array, elem, ok := arrayAndElement(args)
	if !ok {
		return Overload{}, false
	}
	k := vector.KindOf(elem)
	return Overload{Params: []types.Type{array, elem}, Result: types.IntType, Kernel: func(c *Call) error {
		a := new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			c.Out.Ints[i] = int64(find(k, a, c.Args[1], i) + 1)
		}
		return nil
	}}, true
}

func resolveRemove(args []types.Type) (Overload, bool) {
	array, elem, ok := arrayAndElement(args)
	if !ok {
		return Overload{}, false
	}
	k, result := vector.KindOf(elem), args[0]
	return Overload{Params: []types.Type{array, elem}, Result: result, Nulls: NullAware,
		Kernel: strictFirst(1, building(1, k, func(b *vector.Builder, arrays []nested.Array, c *Call, i int) error {
			for e := range arrays[0].Len() {
				if !sameValue(k, &arrays[0], e, c.Args[1], i) {
					b.AppendFrom(&arrays[0], e)
				}
			}
			return nil
		}))}, true
}

func resolveSlice(args []types.Type) (Overload, bool) {
	if len(args) < 2 || len(args) > 3 || args[0].Kind != types.Array {
		return Overload{}, false
	}
	params := []types.Type{args[0].Nullable()}
	for _, t := range args[1:] {
		if !types.Assignable(t, types.IntType) {
			return Overload{}, false
		}
		params = append(params, types.IntType)
	}
	return Overload{Params: params, Result: params[0], Kernel: building(1, vector.KindOf(args[0].Elem()), func(b *vector.Builder, arrays []nested.Array, c *Call, i int) error {
		n := int64(arrays[0].Len())
		from, to := fromEnd(c.Args[1].Int(i), n), n
		if len(c.Args) == 3 {
			to = min(fromEnd(c.Args[2].Int(i), n), n)
		}
		for e := max(from, 1); e <= to; e++ {
			b.AppendFrom(&arrays[0], int(e-1))
		}
		return nil
	})}, true
}

// fromEnd is a position counted from 1 of one that may be negative, of n. Flink 2.3: 0 is 1.
func fromEnd(position, n int64) int64 {
	switch {
	case position == 0:
		return 1
	case position < 0:
		return position + n + 1
	}
	return position
}

func resolveArrayJoin(args []types.Type) (Overload, bool) {
	if len(args) < 2 || len(args) > 3 || args[0].Kind != types.Array || !args[0].Elem().IsText() {
		return Overload{}, false
	}
	params := []types.Type{args[0].Nullable()}
	for _, t := range args[1:] {
		if !t.IsText() && t.Kind != types.Null {
			return Overload{}, false
		}
		params = append(params, types.StringType)
	}
	return Overload{Params: params, Result: types.StringType, Kernel: rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
		a := nested.ReadArray(c.Args[0].Bytes(i), vector.Bytes)
		first := true
		for e := range a.Len() {
			part := []byte(nil)
			switch {
			case !a.IsNull(e):
				part = a.Bytes(e)
			case len(c.Args) == 3:
				part = c.Args[2].Bytes(i)
			default:
				continue
			}
			if c.full(dst) {
				break
			}
			if !first {
				dst = append(dst, c.Args[1].Bytes(i)...)
			}
			first = false
			dst = append(dst, part...)
		}
		return dst, true
	})}, true
}
