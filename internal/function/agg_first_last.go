package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var firstValueAggregate = Aggregate{
	Name:       "FIRST_VALUE",
	Signatures: []string{"FIRST_VALUE(value)"},
	Doc:        "The value that came first of those that are not NULL; NULL if there are none. When it is taken back, the next is the first.",
	Example:    "FIRST_VALUE(x)", ExampleResult: "1",
	IgnoresDistinct: true,
	resolve:         func(c AggregateCall) (AggregateOverload, error) { return resolveFirstOrLast(c, false) },
}

var lastValueAggregate = Aggregate{
	Name:       "LAST_VALUE",
	Signatures: []string{"LAST_VALUE(value)"},
	Doc:        "The value that came last of those that are not NULL; NULL if there are none. When it is taken back, the one before it is the last.",
	Example:    "LAST_VALUE(x)", ExampleResult: "2",
	IgnoresDistinct: true,
	resolve:         func(c AggregateCall) (AggregateOverload, error) { return resolveFirstOrLast(c, true) },
}

func resolveFirstOrLast(c AggregateCall, last bool) (AggregateOverload, error) {
	t, ok := c.single()
	if !ok || t.Kind == types.Null {
		return AggregateOverload{}, nil
	}
	kind := vector.KindOf(t)
	o := AggregateOverload{Params: []types.Type{t}, Result: t, New: func() Accumulator { return &firstOrLast{kind: kind, last: last} }}
	if c.Updates {
		o.New = gathering{sort: collecting, write: one, valid: ofSize(kind), finish: func(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
			out := vector.NewBuilder(a, kind, len(ids))
			for _, id := range ids {
				entry := values.groups[id].first
				if last {
					entry = values.groups[id].last
				}
				if entry == 0 {
					out.AppendNull()
				} else {
					appendOrderedTo(out, kind, values.value(entry))
				}
			}
			return out.Done()
		}}.accumulators(true)
	}
	return o, nil
}

// firstOrLast is FIRST_VALUE and LAST_VALUE of values that stay. State of a group: one byte, 1 if there is a value, then the length and the bytes of what
// appendOrdered writes.
type firstOrLast struct {
	kind   vector.Kind
	last   bool
	groups [][]byte // nil: no value
	bytes  int
}

func (s *firstOrLast) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *firstOrLast) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); (s.last || s.groups[id] == nil) && !arg.IsNull(i) {
			old := s.groups[id]
			if old == nil {
				old = make([]byte, 0, max(orderedSize(s.kind), 1))
			}
			s.set(id, appendOrdered(old[:0], arg, i))
		}
	}
}

func (s *firstOrLast) set(id uint32, v []byte) {
	s.bytes += cap(v) - cap(s.groups[id])
	s.groups[id] = v
}

func (s *firstOrLast) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*firstOrLast).groups
	for k, id := range dst {
		if v := groups[sourceGroup(src, k)]; v != nil && (s.last || s.groups[id] == nil) {
			s.set(id, append([]byte{}, v...))
		}
	}
}

func (s *firstOrLast) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, s.kind, len(ids))
	for _, id := range ids {
		if v := s.groups[id]; v == nil {
			out.AppendNull()
		} else {
			appendOrderedTo(out, s.kind, v)
		}
	}
	return out.Done()
}

func (s *firstOrLast) Encode(dst []byte, id uint32) []byte {
	v := s.groups[id]
	return appendString(append(dst, bit(v != nil)), v)
}

func (s *firstOrLast) Decode(src []byte, id uint32) ([]byte, error) {
	if len(src) == 0 {
		return nil, errTruncated
	}
	v, rest, err := readString(src[1:])
	if err == nil && src[0] != 0 {
		if !ofSize(s.kind)(v) {
			return nil, errNoValue
		}
		s.set(id, append([]byte{}, v...))
	}
	return rest, err
}

func (s *firstOrLast) Clear(id uint32) { s.set(id, nil) }

func (s *firstOrLast) Reset() {
	clear(s.groups)
	s.groups, s.bytes = s.groups[:0], 0
}

func (s *firstOrLast) Bytes() int { return 24*len(s.groups) + s.bytes }
