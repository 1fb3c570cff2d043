package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var (
	listAggregate = valuesAggregate("LIST", "The values that are not NULL as an ARRAY, in the order in which they came", collecting)
	setAggregate  = valuesAggregate("SET", "The values that differ and are not NULL as an ARRAY, each where it came first", counted)
)

// valuesAggregate is the row of an aggregate that keeps the first values of a group.
func valuesAggregate(name, doc string, sort bagSort) Aggregate {
	return Aggregate{
		Name:            name,
		Signatures:      []string{name + "(value, limit)"},
		Doc:             doc + ": of more than limit, a constant that is 0 for any number, the first. It is empty if there are none.",
		IgnoresDistinct: sort == counted,
		resolve: func(c AggregateCall) (AggregateOverload, error) {
			if len(c.Args) != 2 || c.Updates || c.Args[0].Kind == types.Null || c.Args[1].Kind != types.BigInt {
				return AggregateOverload{}, nil
			}
			limit := c.constant(1)
			if limit == nil || limit.IsNull(0) || limit.Int(0) < 0 {
				return AggregateOverload{}, constantErrorf("it is a constant, and 0 for any number", "how many values %s keeps is not known", name)
			}
			t := c.Args[0].Nullable()
			kinds := tuple{vector.KindOf(t)}
			g := gathering{sort: sort, limit: int(limit.Int(0)), valid: kinds.valid, finish: kinds.lists, write: func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
				return kinds.append(dst, args, i), !args[0].IsNull(i)
			}}
			return AggregateOverload{Params: []types.Type{t}, Result: notNull(types.ArrayOf(notNull(t))), New: g.accumulators(false)}, nil
		},
	}
}

// lists makes an ARRAY of the entries of each group, empty if there are none.
func (t tuple) lists(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
	out := t.arrays(a, values, ids)
	out.Valid = nil
	return out
}
