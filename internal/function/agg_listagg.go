package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var listAggAggregate = Aggregate{
	Name:       "LISTAGG",
	Signatures: []string{"LISTAGG(string)", "LISTAGG(string, separator)"},
	Doc:        "The strings that are not NULL, in the order in which they came, with a constant separator between them, a comma if none is given; NULL if there are none.",
	Example:    "LISTAGG(CAST(x AS STRING))", ExampleResult: "1,2,2",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if len(c.Args) < 1 || len(c.Args) > 2 || !c.Args[0].IsText() {
			return AggregateOverload{}, nil
		}
		separator := []byte(",")
		if len(c.Args) == 2 {
			v := c.constant(1)
			switch {
			case !c.Args[1].IsText() && c.Args[1].Kind != types.Null:
				return AggregateOverload{}, nil
			case v == nil:
				return AggregateOverload{}, constantErrorf("write it in quotes: LISTAGG(string, '; ')", "the separator of LISTAGG must be a constant")
			case v.IsNull(0):
				return AggregateOverload{}, constantErrorf("write '' for none", "the separator of LISTAGG must not be NULL")
			}
			separator = append([]byte{}, v.Bytes(0)...)
		}
		g := gathering{sort: collecting, write: one, valid: ofSize(vector.Bytes), finish: func(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
			return joined(a, values, ids, separator)
		}}
		return AggregateOverload{Params: []types.Type{c.Args[0].Nullable()}, Result: types.StringType, New: g.accumulators(c.Updates)}, nil
	},
}

// joined is the values of each group, with a separator between them.
func joined(a *vector.Arena, values *bag, ids []uint32, separator []byte) *vector.Vector {
	out := a.Flat(vector.Bytes, len(ids))
	size := 0
	for _, id := range ids {
		for entry := range values.all(id) {
			size += len(values.value(entry)) + len(separator)
		}
	}
	buf := a.Bytes(size)[:0]
	for k, id := range ids {
		start := len(buf)
		if values.len(id) == 0 {
			setNull(a, out, k)
		}
		for entry := range values.all(id) {
			if entry != values.groups[id].first {
				buf = append(buf, separator...)
			}
			buf = append(buf, values.value(entry)...)
		}
		out.Views[k] = vector.View{Off: uint32(start), Len: uint32(len(buf) - start)}
	}
	out.Buf = buf
	return out
}
