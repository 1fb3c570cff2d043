package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var sumAggregate = Aggregate{
	Name:       "SUM",
	Signatures: []string{"SUM(number)"},
	Doc: "The sum of the values that are not NULL, in the type of the values, wrapping if it does not fit; NULL if there are none. " +
		"FLOAT and DOUBLE add in the order of the rows. That of a DECIMAL has 38 digits, and is NULL if it needs more.",
	Example: "SUM(x)", ExampleResult: "5",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if t, ok := c.single(); ok && t.Kind == types.Decimal {
			return resolveDecimalTotal(t, types.DecimalOf(types.MaxDigits, int(t.Scale)), false)
		}
		return resolveTotal(c, singles,
			func(s, _ int64) int64 { return s },
			func(s float64, _ int64) float64 { return s })
	},
}

// resolveTotal serves SUM and AVG, which differ in what they make of a total and the number of values.
func resolveTotal(c AggregateCall, floats number[float64], ofInts func(s, n int64) int64, ofDoubles func(s float64, n int64) float64) (AggregateOverload, error) {
	t, ok := c.single()
	o := AggregateOverload{Params: []types.Type{t}, Result: t}
	switch {
	case !ok:
	case t.Kind == types.Double:
		o.New = func() Accumulator { return &sum[float64]{number: doubles, finish: ofDoubles} }
	case t.Kind == types.BigInt:
		o.New = func() Accumulator { return &sum[int64]{number: integers, finish: ofInts} }
	case t.Kind == types.Float:
		narrowed := func(s float64, n int64) float64 { return float64(float32(ofDoubles(s, n))) }
		o.New = func() Accumulator { return &sum[float64]{number: floats, finish: narrowed} }
	case t.IsInteger():
		// Wrapping the total is the same as wrapping every step.
		wrapped := func(s, n int64) int64 { return ofInts(wrapOne(t, s), n) }
		o.New = func() Accumulator { return &sum[int64]{number: integers, finish: wrapped} }
	}
	return o, nil
}

// number says how values of type T lie in vectors and in encoded states.
type number[T int64 | float64] struct {
	kind   vector.Kind
	values func(*vector.Vector) []T
	bits   func(T) int64
	ofBits func(int64) T
	// step, if it is there, is applied to the total after each value.
	step func(T) T
}

var integers = number[int64]{
	kind:   vector.Int64,
	values: func(v *vector.Vector) []int64 { return v.Ints },
	bits:   func(v int64) int64 { return v },
	ofBits: func(b int64) int64 { return b },
}

var doubles = number[float64]{
	kind:   vector.Float64,
	values: func(v *vector.Vector) []float64 { return v.Floats },
	bits:   func(v float64) int64 { return int64(math.Float64bits(v)) },
	ofBits: func(b int64) float64 { return math.Float64frombits(uint64(b)) },
}

// singles add in the precision of FLOAT, as SUM does in Flink 2.3; AVG adds in DOUBLE.
var singles = number[float64]{
	kind:   doubles.kind,
	values: doubles.values,
	bits:   doubles.bits,
	ofBits: doubles.ofBits,
	step:   func(v float64) float64 { return float64(float32(v)) },
}

// sum is SUM and AVG: the total of the values and their number, of which finish makes the result. State of a group: int64 number, then the total as
// int64 or as the bits of a float64.
type sum[T int64 | float64] struct {
	number[T]
	finish func(sum T, n int64) T
	groups []total[T]
}

type total[T int64 | float64] struct {
	sum T
	n   int64
}

func (s *sum[T]) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *sum[T]) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	values, mask, groups := s.values(arg), arg.Mask(), s.groups
	switch {
	case s.step != nil:
		for k, id := range ids {
			if i := rows.At(k); !arg.IsNull(i) {
				g := &groups[id]
				g.sum = s.step(g.sum + values[i&mask])
				g.n++
			}
		}
	case arg.Valid != nil:
		for k, id := range ids {
			if i := rows.At(k) & mask; arg.Valid.Get(i) {
				groups[id].sum += values[i]
				groups[id].n++
			}
		}
	case rows.Sel == nil:
		for k, id := range ids {
			g := &groups[id]
			g.sum += values[k&mask]
			g.n++
		}
	default:
		for k, id := range ids {
			g := &groups[id]
			g.sum += values[int(rows.Sel[k])&mask]
			g.n++
		}
	}
}

func (s *sum[T]) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	values, mask := s.values(arg), arg.Mask()
	for k, id := range ids {
		if i := rows.At(k) & mask; !arg.IsNull(i) {
			g := &s.groups[id]
			g.sum -= values[i]
			g.n--
			if s.step != nil {
				g.sum = s.step(g.sum)
			}
		}
	}
}

func (s *sum[T]) Clear(id uint32) { s.groups[id] = total[T]{} }

func (s *sum[T]) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*sum[T]).groups
	for k, id := range dst {
		into, other := &s.groups[id], groups[sourceGroup(src, k)]
		into.sum += other.sum
		into.n += other.n
		if s.step != nil {
			into.sum = s.step(into.sum)
		}
	}
}

func (s *sum[T]) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(s.kind, len(ids))
	for k, id := range ids {
		s.finishInto(a, out, k, s.groups[id])
	}
	return out
}

func (s *sum[T]) finishInto(a *vector.Arena, out *vector.Vector, k int, g total[T]) {
	if g.n == 0 {
		setNull(a, out, k)
		return
	}
	s.values(out)[k] = s.finish(g.sum, g.n)
}

func (s *sum[T]) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	return appendInt64(appendInt64(dst, g.n), s.bits(g.sum))
}

func (s *sum[T]) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	bits, src, err := readInt64(src)
	s.groups[id] = total[T]{n: n, sum: s.ofBits(bits)}
	return src, err
}

func (s *sum[T]) Reset() { s.groups = s.groups[:0] }

func (s *sum[T]) Bytes() int { return 16 * len(s.groups) }
