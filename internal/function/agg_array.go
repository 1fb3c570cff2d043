package function

import (
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var arrayAggAggregate = Aggregate{
	Name:       "ARRAY_AGG",
	Signatures: []string{"ARRAY_AGG(value)"},
	Doc:        "All values, NULL among them, as an ARRAY in the order in which they came; NULL if there are none.",
	Example:    "ARRAY_AGG(x)", ExampleResult: "[1, 2, 2, NULL]",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		t, ok := c.single()
		if !ok || t.Kind == types.Null {
			return AggregateOverload{}, nil
		}
		kinds := tuple{vector.KindOf(t)}
		g := gathering{sort: collecting, valid: kinds.valid, finish: kinds.arrays, write: func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
			return kinds.append(dst, args, i), true
		}}
		return AggregateOverload{Params: []types.Type{t}, Result: types.ArrayOf(c.Args[0]), New: g.accumulators(c.Updates)}, nil
	},
}

// arrays makes an ARRAY of the entries of each group, which are tuples of one.
func (t tuple) arrays(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
	elements := vector.NewBuilder(a, t[0], len(ids))
	ends := a.Sel(len(ids))
	out := a.Flat(vector.Bytes, len(ids))
	for k, id := range ids {
		for entry := range values.all(id) {
			t.appendTo([]*vector.Builder{elements}, values.value(entry))
		}
		ends[k] = int32(elements.Len())
		if values.len(id) == 0 {
			setNull(a, out, k)
		}
	}
	nested.Pack(a, elements.Done(), ends, vector.All(len(ids)), out)
	return out
}
