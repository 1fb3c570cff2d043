package function

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// OverFunctions lists the functions that stand before OVER and nowhere else. Their Example is what stands before it, and ExampleResult what the last row gets of the values
// 1, 2, 2 and NULL in their order.
var OverFunctions = []Aggregate{rowNumberFunction, lagFunction}

// LookupOver finds a function that stands before OVER alone, by name, in any case.
func LookupOver(name string) (*Aggregate, bool) {
	name = strings.ToUpper(name)
	i := slices.IndexFunc(OverFunctions, func(f Aggregate) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &OverFunctions[i], true
}

var rowNumberFunction = Aggregate{
	Name:       "ROW_NUMBER",
	Signatures: []string{"ROW_NUMBER()"},
	Doc:        "The number of the row in its partition, from 1 on, as BIGINT NOT NULL. With a filter such as rn <= 3 in the query around it, it makes the first rows of every partition.",
	Example:    "ROW_NUMBER()", ExampleResult: "4",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if c.Distinct {
			return AggregateOverload{}, noDistinct("ROW_NUMBER")
		}
		if len(c.Args) > 0 {
			return AggregateOverload{}, nil
		}
		return AggregateOverload{Result: countType, New: func() Accumulator { return &count{} }}, nil
	},
}

var lagFunction = Aggregate{
	Name:       "LAG",
	Signatures: []string{"LAG(value)", "LAG(value, offset)", "LAG(value, offset, default)"},
	Doc: "The value of the row that came so many rows before, by default one; the default, or NULL, if there is none. Offset and default are constants. Rows of one time share " +
		"what the last of them gets.",
	Example: "LAG(x)", ExampleResult: "2",
	resolve: resolveLag,
}

// noDistinct refuses DISTINCT where every row counts.
func noDistinct(name string) error {
	return constantErrorf("leave DISTINCT out", "%s does not take DISTINCT", name)
}

// maxLag bounds the values that LAG keeps of every partition.
const maxLag = 100_000

func resolveLag(c AggregateCall) (AggregateOverload, error) {
	if c.Distinct {
		return AggregateOverload{}, noDistinct("LAG")
	}
	if len(c.Args) < 1 || len(c.Args) > 3 || c.Args[0].Kind == types.Null {
		return AggregateOverload{}, nil
	}
	offset := int64(1)
	if len(c.Args) > 1 {
		n := c.constant(1)
		if n == nil || !c.Args[1].IsInteger() || n.IsNull(0) || n.Int(0) < 0 || n.Int(0) > maxLag {
			return AggregateOverload{}, constantErrorf("write LAG(x, 2)", "the offset of LAG is a constant whole number from 0 to %d", maxLag)
		}
		offset = n.Int(0)
	}
	t := c.Args[0].Nullable()
	var otherwise *vector.Vector
	if len(c.Args) > 2 {
		if otherwise = c.constant(2); otherwise == nil || !types.Same(c.Args[2].Nullable(), t) {
			return AggregateOverload{}, constantErrorf("write LAG(x, 1, 0)", "the default of LAG is a constant of the type of its value, %s", t)
		}
	}
	kind := vector.KindOf(t)
	return AggregateOverload{Params: []types.Type{t}, Result: t, New: func() Accumulator { return &lag{kind: kind, offset: int(offset), otherwise: otherwise} }}, nil
}

// lag is LAG: the last values of a group, NULL among them. State of a group: int64 number of values, then for each one byte, 1 if it is one, and the length and bytes of what
// appendOrdered writes.
type lag struct {
	kind      vector.Kind
	offset    int
	otherwise *vector.Vector // one value; nil for NULL
	groups    [][][]byte     // offset+1 values at most, the oldest first; nil for NULL
	bytes     int
}

func (s *lag) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *lag) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		g := s.groups[id]
		var v []byte
		if len(g) > s.offset {
			// The oldest leaves, and its memory serves the new one.
			v = g[0]
			s.bytes -= cap(v)
			g = g[:copy(g, g[1:])]
		}
		if i := rows.At(k); args[0].IsNull(i) {
			v = nil
		} else {
			v = appendOrdered(append(v[:0], 0)[:0], args[0], i)
		}
		s.bytes += cap(v)
		s.groups[id] = append(g, v)
	}
}

func (s *lag) Merge(dst []uint32, from Accumulator, src []uint32) {
	groups := from.(*lag).groups
	for k, id := range dst {
		for _, v := range slices.Clone(groups[sourceGroup(src, k)]) {
			s.push(id, v)
		}
	}
}

// push appends a copy of a value.
func (s *lag) push(id uint32, v []byte) {
	if v != nil {
		v = append([]byte{}, v...)
	}
	s.bytes += cap(v)
	g := append(s.groups[id], v)
	s.groups[id] = g[max(0, len(g)-s.offset-1):]
}

func (s *lag) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, s.kind, len(ids))
	for _, id := range ids {
		g := s.groups[id]
		switch {
		case len(g) > s.offset && g[0] != nil:
			appendOrderedTo(out, s.kind, g[0])
		case len(g) > s.offset || s.otherwise == nil || s.otherwise.IsNull(0):
			out.AppendNull()
		default:
			out.AppendFrom(s.otherwise, 0)
		}
	}
	return out.Done()
}

func (s *lag) Encode(dst []byte, id uint32) []byte {
	dst = appendInt64(dst, int64(len(s.groups[id])))
	for _, v := range s.groups[id] {
		dst = appendString(append(dst, bit(v != nil)), v)
	}
	return dst
}

func (s *lag) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	if err != nil || n < 0 || n > int64(s.offset)+1 {
		return nil, errTruncated
	}
	for range n {
		if len(src) == 0 {
			return nil, errTruncated
		}
		present := src[0] != 0
		v, rest, err := readString(src[1:])
		if err != nil {
			return nil, err
		}
		if src = rest; !present {
			s.push(id, nil)
		} else if !ofSize(s.kind)(v) {
			return nil, errNoValue
		} else {
			s.push(id, v)
		}
	}
	return src, nil
}

func (s *lag) Clear(id uint32) {
	for _, v := range s.groups[id] {
		s.bytes -= cap(v)
	}
	s.groups[id] = nil
}

func (s *lag) Reset() {
	clear(s.groups)
	s.groups, s.bytes = s.groups[:0], 0
}

func (s *lag) Bytes() int { return 24*cap(s.groups) + s.bytes }
