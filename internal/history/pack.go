package history

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// The ways in which the values of a column are written; the shortest is taken.
const (
	constant     = iota // the value
	packed              // the least, how many bits each takes, and by how much each is more
	packedDeltas        // the first, the least difference to the one before, how many bits each takes, and by how much each is more
	varDeltas           // the first, and the differences as varints
)

var errDamaged = errors.New("the bytes are not those of a chunk")

// appendValues writes values, of which there is at least one, and tells how.
func appendValues(dst []byte, values []int64) (all []byte, how byte) {
	if slices.Min(values) == slices.Max(values) {
		return binary.AppendVarint(dst, values[0]), constant
	}
	deltas := make([]int64, len(values)-1)
	for i := range deltas {
		deltas[i] = values[i+1] - values[i] // it wraps, and back when they are read
	}
	first := binary.AppendVarint(nil, values[0])
	ways := [...][]byte{
		packed:       appendPacked(nil, values),
		packedDeltas: appendPacked(slices.Clone(first), deltas),
		varDeltas:    appendVarints(slices.Clone(first), deltas),
	}
	best := packed
	for k := packedDeltas; k <= varDeltas; k++ {
		if len(ways[k]) < len(ways[best]) {
			best = k
		}
	}
	return append(dst, ways[best]...), byte(best)
}

func appendVarints(dst []byte, values []int64) []byte {
	for _, v := range values {
		dst = binary.AppendVarint(dst, v)
	}
	return dst
}

func appendPacked(dst []byte, values []int64) []byte {
	least := slices.Min(values)
	width := 0
	for _, v := range values {
		width = max(width, bits.Len64(uint64(v-least)))
	}
	dst = append(binary.AppendVarint(dst, least), byte(width))
	var word uint64
	filled := 0
	for _, v := range values {
		for rest, left := uint64(v-least), width; left > 0; {
			n := min(left, 8-filled)
			word |= rest & (1<<n - 1) << filled
			rest, left, filled = rest>>n, left-n, filled+n
			if filled == 8 {
				dst, word, filled = append(dst, byte(word)), 0, 0
			}
		}
	}
	if filled > 0 {
		dst = append(dst, byte(word))
	}
	return dst
}

// reader takes bytes apart. After the first that are missing or wrong everything it gives is 0.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) fail() { r.b, r.bad = nil, true }

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	x := r.b[0]
	r.b = r.b[1:]
	return x
}

func (r *reader) varint() int64 {
	x, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return x
}

// count is a length, of things that take a byte each at least.
func (r *reader) count() int {
	x, n := binary.Uvarint(r.b)
	if n <= 0 || x > uint64(len(r.b)-n) {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return int(x)
}

func (r *reader) text() string {
	n := r.count()
	if r.bad {
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) mask() uint64 {
	if len(r.b) < 8 {
		r.fail()
		return 0
	}
	m := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return m
}

// values reads n values.
func (r *reader) values(how byte, n int) []int64 {
	all := make([]int64, n)
	switch how {
	case constant:
		all[0] = r.varint()
		for i := range all[1:] {
			all[i+1] = all[0]
		}
		return all
	case packed:
		r.packed(all)
		return all
	}
	all[0] = r.varint()
	if how == packedDeltas {
		r.packed(all[1:])
	} else {
		for i := range all[1:] {
			all[i+1] = r.varint()
		}
	}
	for i := range all[1:] {
		all[i+1] += all[i]
	}
	return all
}

func (r *reader) packed(all []int64) {
	least, width := r.varint(), int(r.byte())
	size := (len(all)*width + 7) / 8
	if width > 64 || size > len(r.b) {
		r.fail()
		return
	}
	at := 0
	for i := range all {
		var x uint64
		for got := 0; got < width; {
			n := min(width-got, 8-at%8)
			x |= uint64(r.b[at/8]>>(at%8)&(1<<n-1)) << got
			at, got = at+n, got+n
		}
		all[i] = least + int64(x)
	}
	r.b = r.b[size:]
}
