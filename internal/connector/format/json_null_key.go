package format

import (
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// hasMap reports whether there are maps in values of t.
func hasMap(t types.Type) bool {
	switch t.Kind {
	case types.Map, types.Multiset:
		return true
	case types.Array:
		return hasMap(t.Elem())
	case types.Row:
		for _, f := range t.Fields() {
			if hasMap(f.Type) {
				return true
			}
		}
	}
	return false
}

// hasNullKey reports whether there is a map with a NULL key in value i of v.
func hasNullKey(t types.Type, v vector.Values, i int) bool {
	if !hasMap(t) || v.IsNull(i) {
		return false
	}
	switch t.Kind {
	case types.Array:
		a := nested.ReadArray(v.Bytes(i), vector.KindOf(t.Elem()))
		for k := range a.Len() {
			if hasNullKey(t.Elem(), a, k) {
				return true
			}
		}
		return false
	case types.Row:
		r := nested.ReadRow(v.Bytes(i), len(t.Fields()))
		for k, f := range t.Fields() {
			if hasNullKey(f.Type, r, k) {
				return true
			}
		}
		return false
	}
	key, value := t.Elem(), types.IntType
	if t.Kind == types.Map {
		key, value = t.Key(), t.Elem()
	}
	keys, values := nested.ReadMap(v.Bytes(i), vector.KindOf(key), vector.KindOf(value))
	for k := range keys.Len() {
		if keys.IsNull(k) || hasNullKey(value, values, k) {
			return true
		}
	}
	return false
}
