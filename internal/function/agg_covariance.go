package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The aggregates of two numbers.
var (
	covarPopAggregate  = covarianceAggregate("COVAR_POP", "The covariance of two numbers, divided by the number of pairs", jointly{})
	covarSampAggregate = covarianceAggregate("COVAR_SAMP", "The covariance of two numbers, divided by one less than the number of pairs", jointly{sample: true})
	corrAggregate      = covarianceAggregate("CORR", "The correlation of two numbers, from -1 to 1", jointly{correlation: true})
)

// jointly says what is made of the moments of pairs.
type jointly struct{ sample, correlation bool }

func covarianceAggregate(name, doc string, sort jointly) Aggregate {
	few := "no pairs"
	if sort.sample || sort.correlation {
		few = "less than two pairs"
	}
	return Aggregate{
		Name:       name,
		Signatures: []string{name + "(double, double)"},
		Doc:        doc + ". Pairs of which one is NULL are left out; NULL if there are " + few + ".",
		resolve: func(c AggregateCall) (AggregateOverload, error) {
			if len(c.Args) != 2 || c.Updates || c.Args[0].Kind != types.Double || c.Args[1].Kind != types.Double {
				return AggregateOverload{}, nil
			}
			return AggregateOverload{Params: []types.Type{types.DoubleType, types.DoubleType}, Result: types.DoubleType, New: func() Accumulator {
				return &covariance{jointly: sort}
			}}, nil
		},
	}
}

// covariance is one of them, by Welford's method. State of a group: int64 number of pairs, then the bits of the means of x and y, of the sums of the squares of the distances
// from them, and of the sum of their products.
type covariance struct {
	jointly
	groups []jointMoments
}

type jointMoments struct {
	n                int64
	x, y             float64
	xx, yy, products float64
}

func (m *jointMoments) add(x, y float64) {
	m.merge(jointMoments{n: 1, x: x, y: y})
}

func (m *jointMoments) merge(o jointMoments) {
	switch {
	case o.n == 0:
	case m.n == 0:
		*m = o
	default:
		dx, dy, total := o.x-m.x, o.y-m.y, float64(m.n)+float64(o.n)
		weight := float64(m.n) * float64(o.n) / total
		m.xx += o.xx + dx*dx*weight
		m.yy += o.yy + dy*dy*weight
		m.products += o.products + dx*dy*weight
		m.x += dx * float64(o.n) / total
		m.y += dy * float64(o.n) / total
		m.n += o.n
	}
}

func (s *covariance) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *covariance) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		if i := rows.At(k); !anyNull(args, i) {
			s.groups[id].add(args[0].Float(i), args[1].Float(i))
		}
	}
}

func (s *covariance) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*covariance).groups
	for k, id := range dst {
		s.groups[id].merge(groups[sourceGroup(src, k)])
	}
}

func (s *covariance) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, vector.Float64, len(ids))
	for _, id := range ids {
		m := s.groups[id]
		switch {
		case m.n == 0, m.n == 1 && (s.sample || s.correlation):
			out.AppendNull()
		case s.correlation:
			out.AppendFloat(m.products / math.Sqrt(m.xx*m.yy))
		case s.sample:
			out.AppendFloat(m.products / float64(m.n-1))
		default:
			out.AppendFloat(m.products / float64(m.n))
		}
	}
	return out.Done()
}

func (s *covariance) Encode(dst []byte, id uint32) []byte {
	m := s.groups[id]
	dst = appendInt64(dst, m.n)
	for _, f := range []float64{m.x, m.y, m.xx, m.yy, m.products} {
		dst = appendInt64(dst, int64(math.Float64bits(f)))
	}
	return dst
}

func (s *covariance) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	m := jointMoments{n: n}
	for _, f := range []*float64{&m.x, &m.y, &m.xx, &m.yy, &m.products} {
		var bits int64
		if bits, src, err = readInt64(src); err != nil {
			return nil, err
		}
		*f = math.Float64frombits(uint64(bits))
	}
	if n < 0 {
		return nil, errNoValue
	}
	s.groups[id] = m
	return src, nil
}

func (s *covariance) Clear(id uint32) { s.groups[id] = jointMoments{} }

func (s *covariance) Reset() { s.groups = s.groups[:0] }

func (s *covariance) Bytes() int { return 48 * len(s.groups) }
