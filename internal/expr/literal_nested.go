package expr

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// nestedLiteral writes the value of a nested type as the constructor that makes it, with a CAST where the constructor alone would make another type.
func nestedLiteral(t types.Type, b []byte) string {
	switch t.Kind {
	case types.Array:
		a := nested.ReadArray(b, vector.KindOf(t.Elem()))
		return exactly(t, "ARRAY["+elements(t.Elem(), a)+"]", saysItsType(t.Elem(), a, a.Len()))
	case types.Row:
		r := nested.ReadRow(b, len(t.Fields()))
		parts := make([]string, len(t.Fields()))
		exact := true
		for i, f := range t.Fields() {
			parts[i] = element(f.Type, r, i)
			exact = exact && f.Name == types.FieldName(i) && (r.IsNull(i) || f.Type.NotNull && plain(f.Type))
		}
		return exactly(t, "ROW("+strings.Join(parts, ", ")+")", exact)
	case types.Multiset:
		keys, counts := nested.ReadMap(b, vector.KindOf(t.Elem()), vector.Int64)
		return exactly(t, "MAP["+entries(t.Elem(), keys, types.IntType, counts)+"]", false)
	}
	keys, values := nested.ReadMap(b, vector.KindOf(t.Key()), vector.KindOf(t.Elem()))
	return exactly(t, "MAP["+entries(t.Key(), keys, t.Elem(), values)+"]", saysItsType(t.Key(), keys, keys.Len()) && saysItsType(t.Elem(), values, keys.Len()))
}

// saysItsType reports whether the literals of n elements of type t together are read as elements of type t.
func saysItsType(t types.Type, v vector.Values, n int) bool {
	null := false
	for i := range n {
		null = null || v.IsNull(i)
	}
	return t.Kind == types.Null || n > 0 && null != t.NotNull && plain(t)
}

// plain reports whether a literal of type t is read as one of type t; that of a nested type says itself what it is.
func plain(t types.Type) bool {
	switch t.Kind {
	case types.Double, types.Decimal:
		return false
	case types.String, types.VarBinary:
		return t.Length == 0
	}
	return true
}

func exactly(t types.Type, text string, exact bool) string {
	if exact {
		return text
	}
	return cast(text, t)
}

func elements(t types.Type, a nested.Array) string {
	parts := make([]string, a.Len())
	for i := range parts {
		parts[i] = element(t, a, i)
	}
	return strings.Join(parts, ", ")
}

func entries(key types.Type, keys nested.Array, value types.Type, values nested.Array) string {
	parts := make([]string, 0, 2*keys.Len())
	for i := range keys.Len() {
		parts = append(parts, element(key, keys, i), element(value, values, i))
	}
	return strings.Join(parts, ", ")
}

// element writes value i of v, which is of type t.
func element(t types.Type, v vector.Values, i int) string {
	if v.IsNull(i) {
		return cast("NULL", t)
	}
	var pool vector.Pool
	b := vector.NewBuilder(pool.Get(), vector.KindOf(t), 1)
	b.AppendFrom(v, i)
	return literalOf(t, b.Done()).String()
}
