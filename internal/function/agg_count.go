package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var countAggregate = Aggregate{
	Name:       "COUNT",
	Signatures: []string{"COUNT(*)", "COUNT(value)", "COUNT(DISTINCT value)"},
	Doc:        "The number of rows, of values that are not NULL, or of different values that are not NULL, as BIGINT NOT NULL.",
	Example:    "COUNT(x)", ExampleResult: "3",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		o := AggregateOverload{Result: countType}
		for _, t := range c.Args {
			o.Params = append(o.Params, t.Nullable())
		}
		if len(c.Args) == 1 || len(c.Args) == 0 && !c.Distinct {
			o.New = func() Accumulator { return &count{} }
		}
		return o, nil
	},
}

var countType = types.Type{Kind: types.BigInt, NotNull: true}

// count is COUNT(*) and COUNT(value). State of a group: int64 number of rows.
type count struct{ counts []int64 }

func (s *count) Grow(n int) { s.counts = grown(s.counts, n) }

func (s *count) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	counts := s.counts
	if len(args) == 0 || args[0].Valid == nil {
		for _, id := range ids {
			counts[id]++
		}
		return
	}
	arg := args[0]
	for k, id := range ids {
		if !arg.IsNull(rows.At(k)) {
			counts[id]++
		}
	}
}

func (s *count) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		if len(args) == 0 || !args[0].IsNull(rows.At(k)) {
			s.counts[id]--
		}
	}
}

func (s *count) Clear(id uint32) { s.counts[id] = 0 }

func (s *count) Merge(dst []uint32, from Accumulator, src []uint32) {
	counts := from.(*count).counts
	for k, id := range dst {
		s.counts[id] += counts[sourceGroup(src, k)]
	}
}

func (s *count) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(vector.Int64, len(ids))
	for k, id := range ids {
		out.Ints[k] = s.counts[id]
	}
	return out
}

func (s *count) Encode(dst []byte, id uint32) []byte { return appendInt64(dst, s.counts[id]) }

func (s *count) Decode(src []byte, id uint32) (rest []byte, err error) {
	s.counts[id], rest, err = readInt64(src)
	return rest, err
}

func (s *count) Reset() { s.counts = s.counts[:0] }

func (s *count) Bytes() int { return 8 * len(s.counts) }
