package function

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// compareValues is the kernel of relation r between values of type t.
func compareValues(r relation, t types.Type) Kernel {
	if !HoldsMap(t) {
		return compareKernel(r, vector.KindOf(t))
	}
	return func(c *Call) error {
		x, y := c.Args[0], c.Args[1]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Bools[i] = bit(equalNested(t, x.Bytes(i), y.Bytes(i)) == (r == equal))
		}
		return nil
	}
}

// HoldsMap reports whether a value of type t is a map or has one inside, so that equal values may differ in their bytes: the order of entries does not count.
func HoldsMap(t types.Type) bool {
	switch t.Kind {
	case types.Map, types.Multiset:
		return true
	case types.Array:
		return HoldsMap(t.Elem())
	case types.Row:
		return slices.ContainsFunc(t.Fields(), func(f types.Field) bool { return HoldsMap(f.Type) })
	}
	return false
}

// equalNested compares two values of a nested type.
func equalNested(t types.Type, x, y []byte) bool {
	switch {
	case !HoldsMap(t):
		return bytes.Equal(x, y)
	case t.Kind == types.Array:
		a, b := nested.ReadArray(x, vector.Bytes), nested.ReadArray(y, vector.Bytes)
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalInside(t.Elem(), &a, i, &b, i) {
				return false
			}
		}
		return true
	case t.Kind == types.Row:
		a, b := nested.ReadRow(x, len(t.Fields())), nested.ReadRow(y, len(t.Fields()))
		for i, f := range t.Fields() {
			if !equalInside(f.Type, &a, i, &b, i) {
				return false
			}
		}
		return true
	case t.Kind == types.Multiset:
		return equalEntries(t.Elem(), types.IntType, x, y)
	}
	return equalEntries(t.Key(), t.Elem(), x, y)
}

func equalEntries(key, value types.Type, x, y []byte) bool {
	k, v := vector.KindOf(key), vector.KindOf(value)
	keys, values := nested.ReadMap(x, k, v)
	otherKeys, otherValues := nested.ReadMap(y, k, v)
	if keys.Len() != otherKeys.Len() {
		return false
	}
	for i := range keys.Len() {
		at := 0
		for at < otherKeys.Len() && !equalInside(key, &keys, i, &otherKeys, at) {
			at++
		}
		if at == otherKeys.Len() || !equalInside(value, &values, i, &otherValues, at) {
			return false
		}
	}
	return true
}

// equalInside compares values of type t that are in other values; a NULL is equal to a NULL there.
func equalInside(t types.Type, a vector.Values, i int, b vector.Values, j int) bool {
	if t.IsNested() && !a.IsNull(i) && !b.IsNull(j) {
		return equalNested(t, a.Bytes(i), b.Bytes(j))
	}
	return sameValue(vector.KindOf(t), a, i, b, j)
}
