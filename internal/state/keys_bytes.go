package state

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// byteKeys is the table for all other keys: a key is its canonical encoding, and equal encodings are equal keys.
type byteKeys struct {
	kinds  []vector.Kind
	slots  []uint64 // upper half: upper half of the hash; lower half: id plus one; 0: empty
	hashes []uint64
	ends   []uint64 // by id: where its encoding ends in data
	data   []byte
	ahead  lookahead
}

// lookahead is the rows that Find works on side by side. A row needs a slot, an end and the key's bytes, each of which says where the next
// one is and each of which may be far from the processor; of a stretch of rows they are fetched together, step by step.
type lookahead struct {
	buf    []byte // encodings, one behind the other
	ends   [aheadRows]int
	hashes [aheadRows]uint64
	slots  [aheadRows]uint64 // as found first
	from   [aheadRows]uint64 // where the key of that slot starts in data
}

const aheadRows = 64

func newByteKeys(kinds []vector.Kind) *byteKeys {
	return &byteKeys{kinds: kinds, slots: make([]uint64, minSlots)}
}

// The canonical encoding of a key is, column by column: nullKey, or presentKey and the value. Whole numbers and doubles are eight
// bytes little-endian (doubles with one zero and one NaN), booleans one byte, 128-bit numbers sixteen, strings their length in four bytes and themselves.
const (
	nullKey    = 0
	presentKey = 1
)

func appendKey(dst []byte, cols []*vector.Vector, row int) []byte {
	for _, v := range cols {
		if v.IsNull(row) {
			dst = append(dst, nullKey)
			continue
		}
		dst = append(dst, presentKey)
		switch v.Kind {
		case vector.Bool:
			dst = append(dst, v.Bools[row&v.Mask()])
		case vector.Int64:
			dst = binary.LittleEndian.AppendUint64(dst, uint64(v.Int(row)))
		case vector.Int128:
			w := v.Wide(row)
			dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, w.Lo), uint64(w.Hi))
		case vector.Float64:
			dst = binary.LittleEndian.AppendUint64(dst, floatBits(v.Float(row)))
		case vector.Bytes:
			s := v.Bytes(row)
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s)))
			dst = append(dst, s...)
		}
	}
	return dst
}

func floatBits(f float64) uint64 {
	switch {
	case f == 0:
		f = 0 // and not -0
	case f != f:
		f = math.NaN()
	}
	return math.Float64bits(f)
}

func (t *byteKeys) Len() int { return len(t.ends) }

func (t *byteKeys) Find(in *Input, ids []uint32) {
	n := in.Rows.Count()
	for k := 0; k < n; k += aheadRows {
		t.findSome(in, k, ids[k:min(k+aheadRows, n)])
	}
}

func (t *byteKeys) findSome(in *Input, first int, ids []uint32) {
	a := &t.ahead
	a.buf = a.buf[:0]
	m := uint64(len(t.slots) - 1)
	for k := range ids {
		row, start := in.Rows.At(first+k), len(a.buf)
		a.buf = appendKey(a.buf, in.Cols, row)
		a.ends[k] = len(a.buf)
		if in.Hashes != nil {
			a.hashes[k] = in.Hashes[row]
		} else {
			a.hashes[k] = HashBytes(a.buf[start:])
		}
		a.slots[k] = t.slots[a.hashes[k]&m]
	}
	for k := range ids {
		a.from[k] = 0
		if id := uint32(a.slots[k]); id > 1 {
			a.from[k] = t.ends[id-2]
		}
	}
	start := 0
	for k := range ids {
		key, s, from := a.buf[start:a.ends[k]], a.slots[k], a.from[k]
		start = a.ends[k]
		// A key never moves, so what was found first is right if it is this key, whatever has been added meanwhile.
		if uint32(s) != 0 && s&upper == a.hashes[k]&upper && bytes.Equal(t.data[from:t.ends[uint32(s)-1]], key) {
			ids[k] = uint32(s) - 1
		} else {
			ids[k] = t.find(key, a.hashes[k])
		}
	}
}

// upper is the half of a slot that is of the hash.
const upper = math.MaxUint32 << 32

func (t *byteKeys) find(key []byte, h uint64) uint32 {
	m := uint64(len(t.slots) - 1)
	for i := h & m; ; i = (i + 1) & m {
		s := t.slots[i]
		if s == 0 {
			return t.insert(i, key, h)
		}
		if s&upper == h&upper {
			if id := uint32(s) - 1; bytes.Equal(t.key(id), key) {
				return id
			}
		}
	}
}

func (t *byteKeys) insert(i uint64, key []byte, h uint64) uint32 {
	id := uint32(len(t.ends))
	t.data = append(t.data, key...)
	t.ends = append(t.ends, uint64(len(t.data)))
	t.hashes = append(t.hashes, h)
	t.slots[i] = h&upper | uint64(id+1)
	if len(t.ends)*2 > len(t.slots) {
		t.grow()
	}
	return id
}

func (t *byteKeys) grow() { t.resize(2 * len(t.slots)) }

func (t *byteKeys) resize(n int) {
	t.slots = make([]uint64, n)
	m := uint64(len(t.slots) - 1)
	for id, h := range t.hashes {
		i := h & m
		for t.slots[i] != 0 {
			i = (i + 1) & m
		}
		t.slots[i] = h&upper | uint64(id+1)
	}
}

// start is where the encoding of a key begins in data.
func (t *byteKeys) start(id uint32) uint64 {
	if id == 0 {
		return 0
	}
	return t.ends[id-1]
}

func (t *byteKeys) key(id uint32) []byte { return t.data[t.start(id):t.ends[id]] }

func (t *byteKeys) Merge(from Keys, ids []uint32) {
	f := from.(*byteKeys)
	for i := range f.ends {
		ids[i] = t.find(f.key(uint32(i)), f.hashes[i])
	}
}

func (t *byteKeys) Hash(id uint32) uint64 { return t.hashes[id] }

func (t *byteKeys) Columns(a *vector.Arena, ids []uint32, cols []*vector.Vector) []*vector.Vector {
	return layOut(a, t.kinds, len(ids), func(k int) []byte { return t.key(ids[k]) }, cols)
}

func (t *byteKeys) Encode(dst []byte, id uint32) []byte { return append(dst, t.key(id)...) }

func (t *byteKeys) Decode(src []byte) (uint32, []byte, error) {
	n, err := t.width(src)
	if err != nil {
		return 0, nil, err
	}
	key := src[:n]
	return t.find(key, HashBytes(key)), src[n:], nil
}

// width is how many bytes the key takes that stands at the start of src.
func (t *byteKeys) width(src []byte) (int, error) {
	n := 0
	for _, k := range t.kinds {
		if n >= len(src) {
			return 0, errTruncated("a key")
		}
		present := src[n]
		n++
		if present == nullKey {
			continue
		}
		if present != presentKey {
			return 0, errNotCanonical
		}
		value := src[n:]
		switch k {
		case vector.Bool:
			n++
			if len(value) > 0 && value[0] > 1 {
				return 0, errNotCanonical
			}
		case vector.Int64:
			n += 8
		case vector.Int128:
			n += 16
		case vector.Float64:
			n += 8
			if len(value) >= 8 {
				if x := binary.LittleEndian.Uint64(value); x != floatBits(math.Float64frombits(x)) {
					return 0, errNotCanonical
				}
			}
		case vector.Bytes:
			if n+4 > len(src) {
				return 0, errTruncated("a key")
			}
			n += 4 + int(binary.LittleEndian.Uint32(src[n:]))
		}
		if n > len(src) {
			return 0, errTruncated("a key")
		}
	}
	return n, nil
}

// Used implements Keys; of slots see intKeys.
func (t *byteKeys) Used() int { return len(t.data) + (2*8+3*8)*len(t.ends) }

func (t *byteKeys) Reset() {
	if oversized(len(t.slots), len(t.ends)) {
		*t = *newByteKeys(t.kinds)
		return
	}
	clear(t.slots)
	t.hashes = t.hashes[:0]
	t.ends = t.ends[:0]
	t.data = t.data[:0]
}
