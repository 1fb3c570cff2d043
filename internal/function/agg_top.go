package function

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var topAggregate = Aggregate{
	Name:       "TOP",
	Signatures: []string{"TOP(value, key, n, descending)"},
	Doc: "The values of the n least keys, or with descending of the greatest, as an ARRAY in that order; of equal keys the first comes first. A NULL value is one like any other, a row " +
		"whose key is NULL is left out. It is empty if there are none. n and descending are constants.",
	resolve: resolveTop,
}

// maxTop is the greatest n of TOP.
const maxTop = 1 << 20

func resolveTop(c AggregateCall) (AggregateOverload, error) {
	if len(c.Args) != 4 || c.Updates || c.Args[0].Kind == types.Null || c.Args[1].IsNested() || c.Args[1].Kind == types.Null || c.Args[2].Kind != types.BigInt ||
		c.Args[3].Kind != types.Boolean {
		return AggregateOverload{}, nil
	}
	n, descending := c.constant(2), c.constant(3)
	if n == nil || n.IsNull(0) || descending == nil || descending.IsNull(0) || n.Int(0) < 0 || n.Int(0) > maxTop {
		return AggregateOverload{}, constantErrorf("it is a constant from 0 to 1048576", "how many values TOP keeps is not known")
	}
	value, key := c.Args[0].Nullable(), c.Args[1].Nullable()
	result := types.ArrayOf(c.Args[0])
	result.NotNull = true
	return AggregateOverload{Params: []types.Type{value, key}, Result: result, New: func() Accumulator {
		return &top{value: tuple{vector.KindOf(value)}, key: vector.KindOf(key), n: int(n.Int(0)), descending: descending.Bool(0)}
	}}, nil
}

// top keeps the values of the n best keys. State of a group: int64 number of entries, then for each, best first, key and value as strings, see appendOrdered and tuple.
type top struct {
	value      tuple
	key        vector.Kind
	n          int
	descending bool
	groups     [][]topEntry
	size       int
	scratch    []byte
}

// topEntry has the bytes of a key and behind them those of a value.
type topEntry struct {
	bytes []byte
	key   int // how many of them are the key
}

func (s *top) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *top) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		i := rows.At(k)
		if args[1].IsNull(i) {
			continue
		}
		if v := args[1]; s.key == vector.Float64 && v.Float(i) == 0 {
			s.scratch = appendOrderedInt(s.scratch[:0], doubleKey(0)) // the zeroes of either sign are equal
		} else {
			s.scratch = appendOrdered(s.scratch[:0], v, i)
		}
		key := len(s.scratch)
		if s.late(id, s.scratch) {
			continue
		}
		s.scratch = s.value.append(s.scratch, args[:1], i)
		s.insert(id, topEntry{slices.Clone(s.scratch), key})
	}
}

// compare orders keys, the best first.
func (s *top) compare(a, b []byte) int {
	if s.descending {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

// late reports whether a group is full of keys that are as good.
func (s *top) late(id uint32, key []byte) bool {
	g := s.groups[id]
	if len(g) < s.n {
		return false
	}
	return s.n == 0 || s.compare(g[s.n-1].bytes[:g[s.n-1].key], key) <= 0
}

// insert puts an entry behind those that are as good.
func (s *top) insert(id uint32, e topEntry) {
	g := s.groups[id]
	at, _ := slices.BinarySearchFunc(g, e.bytes[:e.key], func(x topEntry, key []byte) int {
		if s.compare(x.bytes[:x.key], key) <= 0 {
			return -1
		}
		return 1
	})
	g = slices.Insert(g, at, e)
	s.size += len(e.bytes)
	if len(g) > s.n {
		s.size -= len(g[s.n].bytes)
		g[s.n] = topEntry{}
		g = g[:s.n]
	}
	s.groups[id] = g
}

func (s *top) Merge(dst []uint32, from Accumulator, src []uint32) {
	other := from.(*top)
	for k, id := range dst {
		for _, e := range slices.Clone(other.groups[sourceGroup(src, k)]) {
			if !s.late(id, e.bytes[:e.key]) {
				s.insert(id, e)
			}
		}
	}
}

func (s *top) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	values := vector.NewBuilder(a, s.value[0], len(ids))
	ends := a.Sel(len(ids))
	for k, id := range ids {
		for _, e := range s.groups[id] {
			s.value.appendTo([]*vector.Builder{values}, e.bytes[e.key:])
		}
		ends[k] = int32(values.Len())
	}
	out := a.Flat(vector.Bytes, len(ids))
	nested.Pack(a, values.Done(), ends, vector.All(len(ids)), out)
	return out
}

func (s *top) Encode(dst []byte, id uint32) []byte {
	g := s.groups[id]
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(g)))
	for _, e := range g {
		dst = appendString(appendString(dst, e.bytes[:e.key]), e.bytes[e.key:])
	}
	return dst
}

func (s *top) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	valid := ofSize(s.key)
	for range n {
		var key, value []byte
		if key, src, err = readString(src); err != nil {
			return nil, err
		}
		if value, src, err = readString(src); err != nil {
			return nil, err
		}
		if !valid(key) || !s.value.valid(value) || s.late(id, key) {
			return nil, errNoValue
		}
		s.insert(id, topEntry{slices.Concat(key, value), len(key)})
	}
	return src, nil
}

func (s *top) Clear(id uint32) {
	for _, e := range s.groups[id] {
		s.size -= len(e.bytes)
	}
	s.groups[id] = nil
}

func (s *top) Reset() { s.groups, s.size = s.groups[:0], 0 }

func (s *top) Bytes() int {
	entries := 0
	for _, g := range s.groups {
		entries += len(g)
	}
	return 24*len(s.groups) + 32*entries + s.size
}
