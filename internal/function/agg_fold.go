package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The aggregates of bits, which are those of truths too: a BOOLEAN has one.
var (
	bitAndAggregate = foldAggregate("BIT_AND", "The bits that all values have", func(a, b int64) int64 { return a & b })
	bitOrAggregate  = foldAggregate("BIT_OR", "The bits that some value has", func(a, b int64) int64 { return a | b })
	bitXorAggregate = foldAggregate("BIT_XOR", "The bits that an odd number of values has", func(a, b int64) int64 { return a ^ b })
)

// foldAggregate is the row of an aggregate that puts values together in any order.
func foldAggregate(name, doc string, apply func(a, b int64) int64) Aggregate {
	return Aggregate{
		Name:       name,
		Signatures: []string{name + "(integer)", name + "(boolean)"},
		Doc:        doc + ", of those that are not NULL; NULL if there are none.",
		resolve: func(c AggregateCall) (AggregateOverload, error) {
			t, ok := c.single()
			if !ok || c.Updates || !t.IsInteger() && t.Kind != types.Boolean {
				return AggregateOverload{}, nil
			}
			return AggregateOverload{Params: []types.Type{t}, Result: t, New: func() Accumulator {
				return &folding{kind: vector.KindOf(t), apply: apply}
			}}, nil
		},
	}
}

// folding is one of them. State of a group: int64 of 1 if there was a value, and the value.
type folding struct {
	kind   vector.Kind
	apply  func(a, b int64) int64
	groups []folded
}

type folded struct {
	some  bool
	value int64
}

func (s *folding) add(id uint32, v int64) {
	g := &s.groups[id]
	if g.some {
		v = s.apply(g.value, v)
	}
	*g = folded{true, v}
}

func (s *folding) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *folding) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		i := rows.At(k)
		switch {
		case arg.IsNull(i):
		case s.kind == vector.Bool:
			s.add(id, int64(arg.Bools[i&arg.Mask()]))
		default:
			s.add(id, arg.Int(i))
		}
	}
}

func (s *folding) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*folding).groups
	for k, id := range dst {
		if g := groups[sourceGroup(src, k)]; g.some {
			s.add(id, g.value)
		}
	}
}

func (s *folding) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, s.kind, len(ids))
	for _, id := range ids {
		switch g := s.groups[id]; {
		case !g.some:
			out.AppendNull()
		case s.kind == vector.Bool:
			out.AppendBool(g.value != 0)
		default:
			out.AppendInt(g.value)
		}
	}
	return out.Done()
}

func (s *folding) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	some := int64(0)
	if g.some {
		some = 1
	}
	return appendInt64(appendInt64(dst, some), g.value)
}

func (s *folding) Decode(src []byte, id uint32) ([]byte, error) {
	some, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	value, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	if some&^1 != 0 || s.kind == vector.Bool && value&^1 != 0 {
		return nil, errNoValue
	}
	s.groups[id] = folded{some != 0, value}
	return src, nil
}

func (s *folding) Clear(id uint32) { s.groups[id] = folded{} }

func (s *folding) Reset() { s.groups = s.groups[:0] }

func (s *folding) Bytes() int { return 16 * len(s.groups) }
