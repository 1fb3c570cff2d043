package function

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var collectAggregate = Aggregate{
	Name:       "COLLECT",
	Signatures: []string{"COLLECT(value)"},
	Doc: "The values that are not NULL as a MULTISET, in the order of their size, which is empty if there are none. " +
		"In Flink 2.3 the order of the entries follows a hash.",
	Example: "COLLECT(x)", ExampleResult: "{1=1, 2=2}",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		t, ok := c.single()
		if !ok || t.Kind == types.Null {
			return AggregateOverload{}, nil
		}
		result := types.MultisetOf(c.Args[0])
		result.NotNull = true
		kinds := tuple{vector.KindOf(t)}
		g := gathering{sort: counted, valid: kinds.valid, finish: kinds.multisets, write: func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
			return kinds.append(dst, args, i), !args[0].IsNull(i)
		}}
		return AggregateOverload{Params: []types.Type{t}, Result: result, New: g.accumulators(c.Updates)}, nil
	},
}

// multisets makes a MULTISET of the entries of each group, which are tuples of one. Entries are sorted, so that equal multisets are equal bytes.
func (t tuple) multisets(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
	elements, counts := vector.NewBuilder(a, t[0], len(ids)), vector.NewBuilder(a, vector.Int64, len(ids))
	ends := a.Sel(len(ids))
	var entries []uint32
	for k, id := range ids {
		entries = values.sorted(entries[:0], id)
		for _, entry := range entries {
			t.appendTo([]*vector.Builder{elements}, values.value(entry))
			counts.AppendInt(values.count(entry))
		}
		ends[k] = int32(elements.Len())
	}
	out := a.Flat(vector.Bytes, len(ids))
	nested.PackMap(a, elements.Done(), counts.Done(), ends, vector.All(len(ids)), out)
	return out
}

// sorted appends the entries of a group in the order of their bytes.
func (b *bag) sorted(dst []uint32, group uint32) []uint32 {
	for entry := range b.all(group) {
		dst = append(dst, entry)
	}
	slices.SortFunc(dst, func(x, y uint32) int { return bytes.Compare(b.value(x), b.value(y)) })
	return dst
}
