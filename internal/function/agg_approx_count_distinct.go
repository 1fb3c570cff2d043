package function

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var approxCountDistinctAggregate = Aggregate{
	Name:       "APPROX_COUNT_DISTINCT",
	Signatures: []string{"APPROX_COUNT_DISTINCT(value)"},
	Doc: "About how many different values there are that are not NULL, mostly within 2 percent, in at most 16 kB for a group; if rows are taken back it is exact, as " +
		"COUNT(DISTINCT value). Flink 2.3 has it in batches only.",
	Example: "APPROX_COUNT_DISTINCT(x)", ExampleResult: "2",
	IgnoresDistinct: true,
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		t, ok := c.single()
		if !ok || t.Kind == types.Null || !groupable(c.Args) {
			return AggregateOverload{}, nil
		}
		o := AggregateOverload{Params: []types.Type{t}, Result: countType, New: func() Accumulator { return &count{} }}
		if c.Updates {
			return distinctOverload(o, true), nil
		}
		kinds := tuple{vector.KindOf(t)}
		o.New = func() Accumulator { return &sketches{kinds: kinds} }
		return o, nil
	},
}

const (
	sketchBits = 14
	registers  = 1 << sketchBits
	// sparseRegisters is how many registers a sketch lists one by one.
	sparseRegisters = registers / 8
)

// sketches is APPROX_COUNT_DISTINCT by HyperLogLog. State of a group: int64 number of registers that are not zero, then for each, by number, its number in two bytes and its
// value in one.
type sketches struct {
	kinds  tuple
	groups []sketch
	key    []byte
	bytes  int // of all registers
}

// sketch is registers that are not zero as number<<8 | value in ascending order, or all of them once there are many.
type sketch struct {
	sparse []uint32
	dense  []uint8
}

func (s *sketch) set(register uint32, value uint8) {
	if s.dense != nil {
		s.dense[register] = max(s.dense[register], value)
		return
	}
	at, _ := slices.BinarySearchFunc(s.sparse, register, func(e, r uint32) int { return int(e>>8) - int(r) })
	switch {
	case at < len(s.sparse) && s.sparse[at]>>8 == register:
		s.sparse[at] = max(s.sparse[at], register<<8|uint32(value))
	case len(s.sparse) < sparseRegisters:
		s.sparse = slices.Insert(s.sparse, at, register<<8|uint32(value))
	default:
		s.dense = make([]uint8, registers)
		for _, e := range s.sparse {
			s.dense[e>>8] = uint8(e)
		}
		s.sparse = nil
		s.dense[register] = value
	}
}

// size is how many bytes the registers take.
func (s *sketch) size() int { return 4*len(s.sparse) + len(s.dense) }

// each calls f for the registers that are not zero, in order.
func (s *sketch) each(f func(register uint32, value uint8)) {
	for _, e := range s.sparse {
		f(e>>8, uint8(e))
	}
	for r, v := range s.dense {
		if v != 0 {
			f(uint32(r), v)
		}
	}
}

// estimate is Ertl's improved estimator, which needs no correction for few or many values.
func (s *sketch) estimate() int64 {
	const deepest = 64 - sketchBits + 1
	var with [deepest + 1]float64
	with[0] = registers
	s.each(func(_ uint32, v uint8) {
		with[0]--
		with[v]++
	})
	if with[0] == registers {
		return 0
	}
	z := registers * tau(1-with[deepest]/registers)
	for k := deepest - 1; k >= 1; k-- {
		z = 0.5 * (z + with[k])
	}
	z += registers * sigma(with[0]/registers)
	return int64(math.Round(registers * registers / (2 * math.Ln2 * z)))
}

func sigma(x float64) float64 {
	y, z := 1.0, x
	for {
		x *= x
		before := z
		z += x * y
		y += y
		if z == before {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		x = math.Sqrt(x)
		before := z
		y /= 2
		z -= (1 - x) * (1 - x) * y
		if z == before {
			return z / 3
		}
	}
}

func (s *sketches) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *sketches) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		i := rows.At(k)
		if args[0].IsNull(i) {
			continue
		}
		s.key = s.kinds.append(s.key[:0], args, i)
		hash := state.HashBytes(s.key)
		s.set(id, uint32(hash>>(64-sketchBits)), uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1)))+1)
	}
}

func (s *sketches) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*sketches).groups
	for k, id := range dst {
		groups[sourceGroup(src, k)].each(func(r uint32, v uint8) { s.set(id, r, v) })
	}
}

func (s *sketches) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(vector.Int64, len(ids))
	for k, id := range ids {
		out.Ints[k] = s.groups[id].estimate()
	}
	return out
}

func (s *sketches) Encode(dst []byte, id uint32) []byte {
	n := int64(0)
	s.groups[id].each(func(uint32, uint8) { n++ })
	dst = appendInt64(dst, n)
	s.groups[id].each(func(r uint32, v uint8) { dst = append(dst, uint8(r), uint8(r>>8), v) })
	return dst
}

func (s *sketches) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	switch {
	case err != nil:
		return nil, err
	case n < 0 || n > registers:
		return nil, errNoValue
	case int64(len(src)) < 3*n:
		return nil, errTruncated
	}
	for ; n > 0; n-- {
		r, v := uint32(src[0])|uint32(src[1])<<8, src[2]
		if r >= registers || v == 0 || v > 64-sketchBits+1 {
			return nil, errNoValue
		}
		s.set(id, r, v)
		src = src[3:]
	}
	return src, nil
}

// set sets a register of a group.
func (s *sketches) set(id, register uint32, value uint8) {
	g := &s.groups[id]
	before := g.size()
	g.set(register, value)
	s.bytes += g.size() - before
}

func (s *sketches) Clear(id uint32) {
	s.bytes -= s.groups[id].size()
	s.groups[id] = sketch{}
}

func (s *sketches) Reset() {
	clear(s.groups)
	s.groups, s.bytes = s.groups[:0], 0
}

func (s *sketches) Bytes() int { return 48*len(s.groups) + s.bytes }
