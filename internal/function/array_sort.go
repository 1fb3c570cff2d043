package function

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// hasOrder reports whether ARRAY_MAX, ARRAY_MIN and ARRAY_SORT take elements of type t. Flink 2.3: no booleans and no intervals.
func hasOrder(t types.Type) bool {
	return !t.IsNested() && !t.IsInterval() && t.Kind != types.Boolean && t.Kind != types.Null
}

// compareElements orders two elements of kind k that are not NULL. NaN is above all numbers.
func compareElements(k vector.Kind, a *nested.Array, i, j int) int {
	switch k {
	case vector.Int64:
		return cmp.Compare(a.Int(i), a.Int(j))
	case vector.Int128:
		return a.Wide(i).Cmp(a.Wide(j))
	case vector.Float64:
		return compareDoubles(a.Float(i), a.Float(j))
	}
	return bytes.Compare(a.Bytes(i), a.Bytes(j))
}

func compareDoubles(x, y float64) int {
	if x != x || y != y {
		return int(bit(x != x)) - int(bit(y != y))
	}
	return cmp.Compare(x, y)
}

func resolveSort(args []types.Type) (Overload, bool) {
	if len(args) < 1 || len(args) > 3 || args[0].Kind != types.Array || !hasOrder(args[0].Elem()) {
		return Overload{}, false
	}
	params := []types.Type{args[0].Nullable()}
	for _, t := range args[1:] {
		if t.Kind != types.Boolean && t.Kind != types.Null {
			return Overload{}, false
		}
		params = append(params, types.BooleanType)
	}
	k := vector.KindOf(args[0].Elem())
	return Overload{Params: params, Result: params[0], Kernel: func(c *Call) error {
		var order []int // grows to the longest array of the batch
		return building(1, k, func(b *vector.Builder, arrays []nested.Array, c *Call, i int) error {
			a := &arrays[0]
			ascending := len(c.Args) < 2 || c.Args[1].Bool(i)
			nullsFirst := ascending
			if len(c.Args) == 3 {
				nullsFirst = c.Args[2].Bool(i)
			}
			order = order[:0]
			for e := range a.Len() {
				if !a.IsNull(e) {
					order = append(order, e)
				}
			}
			nulls := a.Len() - len(order)
			slices.SortStableFunc(order, func(x, y int) int {
				if ascending {
					return compareElements(k, a, x, y)
				}
				return compareElements(k, a, y, x)
			})
			if nullsFirst {
				appendNulls(b, nulls)
			}
			for _, e := range order {
				b.AppendFrom(a, e)
			}
			if !nullsFirst {
				appendNulls(b, nulls)
			}
			return nil
		})(c)
	}}, true
}

func appendNulls(b *vector.Builder, n int) {
	for range n {
		b.AppendNull()
	}
}

// beats reports whether element i stands in relation r to element j. Flink 2.3: NaN to nothing.
func beats(r relation, k vector.Kind, a *nested.Array, i, j int) bool {
	if k == vector.Float64 {
		if r == greater {
			return a.Float(i) > a.Float(j)
		}
		return a.Float(i) < a.Float(j)
	}
	return r.outcomes()[compareElements(k, a, i, j)+1] == 1
}

// resolveArrayExtreme picks the element that stands in relation r to all others.
func resolveArrayExtreme(r relation) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 || args[0].Kind != types.Array || !hasOrder(args[0].Elem()) {
			return Overload{}, false
		}
		elem := args[0].Elem().Nullable()
		k := vector.KindOf(elem)
		return Overload{Params: []types.Type{args[0].Nullable()}, Result: elem, MayBeNull: true,
			Kernel: choosing(k, func(a *nested.Array, _ *Call, _ int) (int, error) {
				best := -1
				for e := range a.Len() {
					if !a.IsNull(e) && (best < 0 || beats(r, k, a, e, best)) {
						best = e
					}
				}
				return best, nil
			})}, true
	}
}
