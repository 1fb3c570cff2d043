package function

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var minAggregate = Aggregate{
	Name:       "MIN",
	Signatures: []string{"MIN(value)"},
	Doc:        "The least of the values that are not NULL; NULL if there are none. Strings compare byte by byte, NaN is greater than every number.",
	Example:    "MIN(x)", ExampleResult: "1",
	IgnoresDistinct: true,
	resolve:         func(c AggregateCall) (AggregateOverload, error) { return resolveExtreme(c, less) },
}

var maxAggregate = Aggregate{
	Name:       "MAX",
	Signatures: []string{"MAX(value)"},
	Doc:        "The greatest of the values that are not NULL; NULL if there are none. Strings compare byte by byte, NaN is greater than every number.",
	Example:    "MAX(x)", ExampleResult: "2",
	IgnoresDistinct: true,
	resolve:         func(c AggregateCall) (AggregateOverload, error) { return resolveExtreme(c, greater) },
}

// resolveExtreme takes every type whose values are ordered.
func resolveExtreme(c AggregateCall, r relation) (AggregateOverload, error) {
	t, ok := c.single()
	if !ok || !ordered(t) {
		return AggregateOverload{}, nil
	}
	kind, isMax := vector.KindOf(t), r == greater
	o := AggregateOverload{Params: []types.Type{t}, Result: t}
	switch {
	case c.Updates:
		o.New = func() Accumulator { return newExtremeOfMany(kind, isMax) }
	case kind == vector.Bytes, kind == vector.Int128:
		o.New = func() Accumulator { return &extremeBytes{kind: kind, max: isMax} }
	default:
		o.New = func() Accumulator { return &extreme{kind: kind, max: isMax} }
	}
	return o, nil
}

// ordered reports whether MIN and MAX take values of type t. Flink 2.3 does not take intervals; here they are ordered by their length.
func ordered(t types.Type) bool {
	return t.Kind != types.Null && !t.IsNested() && !t.IsBytes()
}

// extreme is MIN and MAX of everything but strings, by way of a key that orders as the values do. State of a group: one byte, 1 if there is a value, then
// the key as int64.
type extreme struct {
	kind   vector.Kind
	max    bool
	groups []extremeKey
}

type extremeKey struct {
	key  int64
	some bool
}

func (s *extreme) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *extreme) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	if s.kind != vector.Int64 {
		s.addSlowly(ids, arg, rows)
		return
	}
	values, mask, groups := arg.Ints, arg.Mask(), s.groups
	switch {
	case arg.Valid != nil:
		s.addSlowly(ids, arg, rows)
	case s.max:
		for k, id := range ids {
			v, g := values[rows.At(k)&mask], &groups[id]
			if v > g.key || !g.some {
				*g = extremeKey{v, true}
			}
		}
	default:
		for k, id := range ids {
			v, g := values[rows.At(k)&mask], &groups[id]
			if v < g.key || !g.some {
				*g = extremeKey{v, true}
			}
		}
	}
}

// addSlowly serves NULLs and the kinds whose keys are made of the values.
func (s *extreme) addSlowly(ids []uint32, arg *vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.take(id, s.keyOf(arg, i))
		}
	}
}

func (s *extreme) take(id uint32, key int64) {
	g := &s.groups[id]
	if !g.some || (s.max && key > g.key) || (!s.max && key < g.key) {
		*g = extremeKey{key, true}
	}
}

func (s *extreme) keyOf(v *vector.Vector, i int) int64 {
	switch s.kind {
	case vector.Bool:
		return int64(v.Bools[i&v.Mask()])
	case vector.Float64:
		return doubleKey(v.Float(i))
	}
	return v.Int(i)
}

func (s *extreme) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*extreme).groups
	for k, id := range dst {
		if other := groups[sourceGroup(src, k)]; other.some {
			s.take(id, other.key)
		}
	}
}

func (s *extreme) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(s.kind, len(ids))
	for k, id := range ids {
		s.put(a, out, k, s.groups[id])
	}
	return out
}

func (s *extreme) put(a *vector.Arena, out *vector.Vector, k int, g extremeKey) {
	switch {
	case !g.some:
		setNull(a, out, k)
	case s.kind == vector.Bool:
		out.Bools[k] = uint8(g.key)
	case s.kind == vector.Float64:
		out.Floats[k] = doubleOfKey(g.key)
	default:
		out.Ints[k] = g.key
	}
}

func (s *extreme) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	return appendInt64(append(dst, bit(g.some)), g.key)
}

func (s *extreme) Decode(src []byte, id uint32) ([]byte, error) {
	if len(src) == 0 {
		return nil, errTruncated
	}
	key, rest, err := readInt64(src[1:])
	s.groups[id] = extremeKey{key, src[0] != 0}
	return rest, err
}

func (s *extreme) Clear(id uint32) { s.groups[id] = extremeKey{} }

func (s *extreme) Reset() { s.groups = s.groups[:0] }

func (s *extreme) Bytes() int { return 16 * len(s.groups) }

// extremeBytes is MIN and MAX of strings and of long decimals. State of a group: one byte, 1 if there is a value, then the length and the bytes of what
// appendOrdered writes.
type extremeBytes struct {
	kind   vector.Kind
	max    bool
	key    []byte
	groups [][]byte // nil: no value
	bytes  int
}

func (s *extremeBytes) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *extremeBytes) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.key = appendOrdered(s.key[:0], arg, i)
			s.take(id, s.key)
		}
	}
}

// take copies v if it wins, over the loser where that has room.
func (s *extremeBytes) take(id uint32, v []byte) {
	old := s.groups[id]
	if old != nil {
		if order := bytes.Compare(v, old); order == 0 || (order > 0) != s.max {
			return
		}
	}
	if old == nil || cap(old) < len(v) {
		s.bytes += len(v) - cap(old)
		old = make([]byte, 0, max(len(v), 1))
	}
	s.groups[id] = append(old[:0], v...)
}

func (s *extremeBytes) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*extremeBytes).groups
	for k, id := range dst {
		if v := groups[sourceGroup(src, k)]; v != nil {
			s.take(id, v)
		}
	}
}

func (s *extremeBytes) Result(a *vector.Arena, ids []uint32) *vector.Vector {
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

func (s *extremeBytes) Encode(dst []byte, id uint32) []byte {
	v := s.groups[id]
	return appendString(append(dst, bit(v != nil)), v)
}

func (s *extremeBytes) Decode(src []byte, id uint32) ([]byte, error) {
	if len(src) == 0 {
		return nil, errTruncated
	}
	v, rest, err := readString(src[1:])
	if err == nil && src[0] != 0 {
		if n := orderedSize(s.kind); n >= 0 && len(v) != n {
			return nil, errNoValue
		}
		s.take(id, v)
	}
	return rest, err
}

func (s *extremeBytes) Clear(id uint32) { s.groups[id] = nil }

func (s *extremeBytes) Reset() {
	clear(s.groups)
	s.groups, s.bytes = s.groups[:0], 0
}

func (s *extremeBytes) Bytes() int { return 24*len(s.groups) + s.bytes }
