package function

import (
	"math/bits"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// resolveDecimalTotal is SUM, or AVG if mean, of a DECIMAL. Flink 2.3 but for one thing: the total is exact on the way, so that only a result of more than 38
// digits is NULL, and in whatever order values come. Flink gives up for good once a total on the way has more.
func resolveDecimalTotal(t, result types.Type, mean bool) (AggregateOverload, error) {
	up := int128.Pow10(int(result.Scale - t.Scale))
	finish := func(total int128.Int, n int64) (int128.Int, bool) {
		if !mean {
			return total, true
		}
		scaled, ok := total.Mul(up)
		if !ok {
			return fromBig(divideBig(scaledBig(total, int(result.Scale-t.Scale)), int128.From(n).Big()), int(result.Scale), result)
		}
		digits := scaled.DivRound(int128.From(n))
		return digits, digits.Fits(types.MaxDigits)
	}
	return AggregateOverload{Params: []types.Type{t}, Result: result, New: func() Accumulator {
		return &decimalSum{small: vector.KindOf(t) == vector.Int64, finish: finish}
	}}, nil
}

// decimalSum is SUM and AVG of DECIMAL. State of a group: int64 number, then the total in 192 bits, low words first.
type decimalSum struct {
	small  bool // the layout of the argument is int64
	finish func(total int128.Int, n int64) (digits int128.Int, ok bool)
	groups []decimalTotal
}

// decimalTotal is a number of 192 bits in two's complement, which 2^63 values do not fill.
type decimalTotal struct {
	low, middle uint64
	high        int64
	n           int64
}

func (t *decimalTotal) add(low, middle uint64, high int64) {
	var carry uint64
	t.low, carry = bits.Add64(t.low, low, 0)
	t.middle, carry = bits.Add64(t.middle, middle, carry)
	t.high += high + int64(carry)
}

// digits narrows the total; ok is false if a DECIMAL has no room for it.
func (t *decimalTotal) digits() (total int128.Int, ok bool) {
	total = int128.Int{Hi: int64(t.middle), Lo: t.low}
	return total, t.high == total.Hi>>63 && total.Fits(types.MaxDigits)
}

func (s *decimalSum) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *decimalSum) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	mask, groups := arg.Mask(), s.groups
	if s.small {
		for k, id := range ids {
			if i := rows.At(k); !arg.IsNull(i) {
				v, g := arg.Ints[i&mask], &groups[id]
				g.add(uint64(v), uint64(v>>63), v>>63)
				g.n++
			}
		}
		return
	}
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			v, g := arg.Wides[i&mask], &groups[id]
			g.add(v.Lo, uint64(v.Hi), v.Hi>>63)
			g.n++
		}
	}
}

func (s *decimalSum) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		i := rows.At(k)
		if arg.IsNull(i) {
			continue
		}
		v := int128.Int{}
		if s.small {
			v = int128.From(arg.Int(i)).Neg()
		} else {
			v = arg.Wide(i).Neg()
		}
		s.groups[id].add(v.Lo, uint64(v.Hi), v.Hi>>63)
		s.groups[id].n--
	}
}

func (s *decimalSum) Clear(id uint32) { s.groups[id] = decimalTotal{} }

func (s *decimalSum) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*decimalSum).groups
	for k, id := range dst {
		other := groups[sourceGroup(src, k)]
		s.groups[id].add(other.low, other.middle, other.high)
		s.groups[id].n += other.n
	}
}

func (s *decimalSum) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(vector.Int128, len(ids))
	for k, id := range ids {
		g := &s.groups[id]
		digits, ok := g.digits()
		if ok = ok && g.n > 0; ok {
			digits, ok = s.finish(digits, g.n)
		}
		if !ok {
			setNull(a, out, k)
			digits = int128.Int{}
		}
		out.Wides[k] = digits
	}
	return out
}

func (s *decimalSum) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	return appendInt64(appendInt64(appendInt64(appendInt64(dst, g.n), int64(g.low)), int64(g.middle)), g.high)
}

func (s *decimalSum) Decode(src []byte, id uint32) ([]byte, error) {
	var words [4]int64
	for i := range words {
		var err error
		if words[i], src, err = readInt64(src); err != nil {
			return nil, err
		}
	}
	s.groups[id] = decimalTotal{n: words[0], low: uint64(words[1]), middle: uint64(words[2]), high: words[3]}
	return src, nil
}

func (s *decimalSum) Reset() { s.groups = s.groups[:0] }

func (s *decimalSum) Bytes() int { return 32 * len(s.groups) }
