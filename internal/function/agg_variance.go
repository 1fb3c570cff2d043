package function

import (
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The aggregates of dispersion.
var (
	varPopAggregate     = dispersionAggregate("VAR_POP", "The variance of the values that are not NULL, divided by their number", "0", false, false)
	varSampAggregate    = dispersionAggregate("VAR_SAMP", "The variance of the values that are not NULL, divided by one less than their number", "0", true, false)
	varianceAggregate   = dispersionAggregate("VARIANCE", "Another name for VAR_SAMP", "0", true, false)
	stddevPopAggregate  = dispersionAggregate("STDDEV_POP", "The square root of VAR_POP", "0", false, true)
	stddevSampAggregate = dispersionAggregate("STDDEV_SAMP", "The square root of VAR_SAMP", "0", true, true)
	stddevAggregate     = dispersionAggregate("STDDEV", "Another name for STDDEV_SAMP", "0", true, true)
)

// dispersionAggregate is the row of a variance, or of its root; sample divides by one less than the number of values.
func dispersionAggregate(name, doc, result string, sample, root bool) Aggregate {
	few := "none"
	if sample {
		few = "less than two"
	}
	return Aggregate{
		Name:       name,
		Signatures: []string{name + "(number)"},
		Doc: doc + ". It is computed in DOUBLE and has the type of the values: that of whole numbers is cut off towards zero (Flink 2.3); of a DECIMAL it has " +
			"38 digits, at least 6 of them behind the point. NULL if there are " + few + ".",
		Example: name + "(x)", ExampleResult: result,
		resolve: func(c AggregateCall) (AggregateOverload, error) {
			t, ok := c.single()
			if !ok || !t.IsNumeric() {
				return AggregateOverload{}, nil
			}
			out := t
			if t.Kind == types.Decimal {
				out = types.DecimalOf(types.MaxDigits, max(int(t.Scale), 6))
			}
			return AggregateOverload{Params: []types.Type{t}, Result: out, New: func() Accumulator {
				return &dispersion{arg: t, result: out, sample: sample, root: root}
			}}, nil
		},
	}
}

// dispersion is VAR_POP, VAR_SAMP and their roots by Welford's method, as Flink 2.3 has it. State of a group: int64 number of values, then the bits of their mean and of the
// sum of the squares of their distances from it.
type dispersion struct {
	arg, result  types.Type
	sample, root bool
	groups       []moments
}

type moments struct {
	n       int64
	mean    float64
	squares float64
}

func (m *moments) add(v float64) {
	m.n++
	delta := v - m.mean
	m.mean += delta / float64(m.n)
	m.squares += delta * (v - m.mean)
}

func (m *moments) remove(v float64) {
	if m.n--; m.n == 0 {
		*m = moments{}
		return
	}
	delta := v - m.mean
	m.mean -= delta / float64(m.n)
	m.squares -= delta * (v - m.mean)
}

func (m *moments) merge(o moments) {
	switch {
	case o.n == 0:
	case m.n == 0:
		*m = o
	default:
		delta, total := o.mean-m.mean, float64(m.n)+float64(o.n)
		m.mean += delta * float64(o.n) / total
		m.squares += o.squares + delta*delta*float64(m.n)*float64(o.n)/total
		m.n += o.n
	}
}

// doubleOf is value i of v, a number of type t, as a DOUBLE.
func doubleOf(t types.Type, v *vector.Vector, i int) float64 {
	switch v.Kind {
	case vector.Float64:
		return v.Float(i)
	case vector.Int128:
		return v.Wide(i).Float() / math.Pow10(int(t.Scale))
	}
	if t.Scale == 0 {
		return float64(v.Int(i))
	}
	return float64(v.Int(i)) / math.Pow10(int(t.Scale))
}

func (s *dispersion) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *dispersion) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.groups[id].add(doubleOf(s.arg, arg, i))
		}
	}
}

func (s *dispersion) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) && s.groups[id].n > 0 {
			s.groups[id].remove(doubleOf(s.arg, arg, i))
		}
	}
}

func (s *dispersion) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*dispersion).groups
	for k, id := range dst {
		s.groups[id].merge(groups[sourceGroup(src, k)])
	}
}

func (s *dispersion) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, vector.KindOf(s.result), len(ids))
	for _, id := range ids {
		m := s.groups[id]
		n := m.n
		if s.sample {
			n--
		}
		if n <= 0 {
			out.AppendNull()
			continue
		}
		v := max(m.squares, 0) / float64(n)
		if m.squares != m.squares {
			v = math.NaN()
		}
		if s.root {
			v = math.Sqrt(v)
		}
		s.append(out, v)
	}
	return out.Done()
}

// append writes a result in its type.
func (s *dispersion) append(out *vector.Builder, v float64) {
	switch s.result.Kind {
	case types.Double:
		out.AppendFloat(v)
	case types.Float:
		out.AppendFloat(float64(float32(v)))
	case types.Decimal:
		if digits, ok := decimalOfDouble(v, int(s.result.Scale)); ok {
			out.AppendWide(digits)
		} else {
			out.AppendNull()
		}
	default:
		out.AppendInt(cutOff(s.result, v))
	}
}

// cutOff makes a whole number of a DOUBLE as Java does: at the ends of INT or BIGINT it stays there, and what is narrower wraps. NaN is 0.
func cutOff(t types.Type, v float64) int64 {
	least, greatest := types.IntType.Range()
	if t.Kind == types.BigInt {
		least, greatest = t.Range()
	}
	n := int64(v)
	switch {
	case v != v:
		return 0
	case v >= float64(greatest):
		n = greatest
	case v <= float64(least):
		n = least
	}
	switch t.Kind {
	case types.TinyInt:
		return int64(int8(n))
	case types.SmallInt:
		return int64(int16(n))
	}
	return n
}

// decimalOfDouble is the digits of a DECIMAL(38, scale) of the shortest decimal that reads as v, halves away from zero; ok is false if it has no room for them.
func decimalOfDouble(v float64, scale int) (digits int128.Int, ok bool) {
	if v != v || math.IsInf(v, 0) {
		return digits, false
	}
	text := strconv.AppendFloat(nil, math.Abs(v), 'f', -1, 64)
	behind, point := 0, false
	kept := text[:0]
	up := false
	for _, c := range text {
		switch {
		case c == '.':
			point = true
		case point && behind == scale:
			up = c >= '5'
			behind++
		case point && behind > scale:
		default:
			kept = append(kept, c)
			if point {
				behind++
			}
		}
	}
	for range scale - behind {
		kept = append(kept, '0')
	}
	if digits, ok = int128.Parse(kept); !ok {
		return digits, false
	}
	if up {
		digits = digits.Add(int128.From(1))
	}
	if v < 0 {
		digits = digits.Neg()
	}
	return digits, digits.Fits(types.MaxDigits)
}

func (s *dispersion) Encode(dst []byte, id uint32) []byte {
	m := s.groups[id]
	return appendInt64(appendInt64(appendInt64(dst, m.n), int64(math.Float64bits(m.mean))), int64(math.Float64bits(m.squares)))
}

func (s *dispersion) Decode(src []byte, id uint32) ([]byte, error) {
	var words [3]int64
	for i := range words {
		var err error
		if words[i], src, err = readInt64(src); err != nil {
			return nil, err
		}
	}
	s.groups[id] = moments{words[0], math.Float64frombits(uint64(words[1])), math.Float64frombits(uint64(words[2]))}
	return src, nil
}

func (s *dispersion) Clear(id uint32) { s.groups[id] = moments{} }

func (s *dispersion) Reset() { s.groups = s.groups[:0] }

func (s *dispersion) Bytes() int { return 24 * len(s.groups) }
