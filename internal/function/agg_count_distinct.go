package function

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// newCountDistinct makes COUNT(DISTINCT value) for values of type t.
func newCountDistinct(t types.Type) func() Accumulator {
	kind := vector.KindOf(t)
	return func() Accumulator { return &countDistinct{kind: kind, seed: maphash.MakeSeed()} }
}

// countDistinct keeps the different values of all groups in one hash table of (group, value), so that a group of few values costs little. The values of
// a group are chained in the order of arrival reversed; results never depend on the hash. State of a group: int64 number of values, then for each its length
// and bytes, in the order of arrival; whole numbers and doubles are 8 bytes, a length is 4.
type countDistinct struct {
	kind    vector.Kind
	seed    maphash.Seed
	groups  []distinctGroup
	entries []distinctEntry
	text    []byte   // the bytes of all values
	slots   []uint32 // entry number plus one, 0 for free; a power of two long, at most half full
	scratch [8]byte
	order   []uint32 // entries of the group at hand
}

type distinctGroup struct {
	count int64
	last  uint32 // entry number plus one, 0 for none
}

type distinctEntry struct {
	group    uint32
	previous uint32 // of the same group: entry number plus one, 0 for none
	off      int
	len      uint32
	hash     uint32
}

func (s *countDistinct) Grow(n int) { s.groups = grown(s.groups, n) }

func (s *countDistinct) Add(ids []uint32, arg *vector.Vector, rows vector.Rows) {
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.insert(id, s.value(arg, i))
		}
	}
}

// value is the canonical bytes of a value. Zeroes of either sign are one value, and so are all NaNs, as for = and for GROUP BY.
func (s *countDistinct) value(v *vector.Vector, i int) []byte {
	var n uint64
	switch s.kind {
	case vector.Bytes:
		return v.Bytes(i)
	case vector.Bool:
		n = uint64(v.Bools[i&v.Mask()])
	case vector.Int64:
		n = uint64(v.Int(i))
	case vector.Float64:
		f := v.Float(i)
		switch {
		case f != f:
			f = math.NaN()
		case f == 0:
			f = 0 // and not -0.0
		}
		n = math.Float64bits(f)
	}
	binary.LittleEndian.PutUint64(s.scratch[:], n)
	return s.scratch[:]
}

func (s *countDistinct) insert(group uint32, value []byte) {
	if 2*(len(s.entries)+1) > len(s.slots) {
		s.rehash()
	}
	hash := s.hash(group, value)
	mask := uint32(len(s.slots) - 1)
	at := hash & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		e := &s.entries[s.slots[at]-1]
		if e.hash == hash && e.group == group && bytes.Equal(s.bytesOf(s.slots[at]-1), value) {
			return
		}
	}
	g := &s.groups[group]
	s.entries = append(s.entries, distinctEntry{group: group, previous: g.last, off: len(s.text), len: uint32(len(value)), hash: hash})
	s.text = append(s.text, value...)
	s.slots[at] = uint32(len(s.entries))
	g.last = uint32(len(s.entries))
	g.count++
}

func (s *countDistinct) hash(group uint32, value []byte) uint32 {
	h := maphash.Bytes(s.seed, value)
	h ^= uint64(group) * 0x9e3779b97f4a7c15
	return uint32(h ^ h>>32)
}

func (s *countDistinct) rehash() {
	s.slots = make([]uint32, max(64, 2*len(s.slots)))
	mask := uint32(len(s.slots) - 1)
	for i, e := range s.entries {
		at := e.hash & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = uint32(i + 1)
	}
}

func (s *countDistinct) Merge(dst []uint32, from Accumulator, src []uint32) {
	other := from.(*countDistinct)
	for k, id := range dst {
		s.order = other.appendArrivals(s.order[:0], sourceGroup(src, k))
		for _, at := range s.order {
			s.insert(id, other.bytesOf(at))
		}
	}
}

// appendArrivals lists the entries of a group in the order of arrival.
func (s *countDistinct) appendArrivals(order []uint32, group uint32) []uint32 {
	for at := s.groups[group].last; at != 0; at = s.entries[at-1].previous {
		order = append(order, at-1)
	}
	slices.Reverse(order)
	return order
}

func (s *countDistinct) bytesOf(entry uint32) []byte {
	e := &s.entries[entry]
	return s.text[e.off : e.off+int(e.len)]
}

func (s *countDistinct) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := a.Flat(vector.Int64, len(ids))
	for k, id := range ids {
		out.Ints[k] = s.groups[id].count
	}
	return out
}

func (s *countDistinct) Encode(dst []byte, id uint32) []byte {
	dst = appendInt64(dst, s.groups[id].count)
	s.order = s.appendArrivals(s.order[:0], id)
	for _, at := range s.order {
		dst = appendString(dst, s.bytesOf(at))
	}
	return dst
}

func (s *countDistinct) Decode(src []byte, id uint32) ([]byte, error) {
	n, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	for range n {
		var value []byte
		if value, src, err = readString(src); err != nil {
			return nil, err
		}
		s.insert(id, value)
	}
	if s.groups[id].count != n {
		return nil, errors.New("the state of COUNT(DISTINCT) repeats a value or has a wrong number of them")
	}
	return src, nil
}

// Clear makes the values of a group nobody's; the memory they take is given back by Reset.
func (s *countDistinct) Clear(id uint32) {
	for at := s.groups[id].last; at != 0; at = s.entries[at-1].previous {
		s.entries[at-1].group = noGroup
	}
	s.groups[id] = distinctGroup{}
}

// noGroup is the group of values that were forgotten.
const noGroup = math.MaxUint32

func (s *countDistinct) Reset() {
	s.groups, s.entries, s.text = s.groups[:0], s.entries[:0], s.text[:0]
	clear(s.slots)
}

func (s *countDistinct) Bytes() int {
	return 16*cap(s.groups) + 24*cap(s.entries) + cap(s.text) + 4*cap(s.slots)
}
