package state

import (
	"encoding/binary"
	"errors"
	"slices"
)

// A column of n keys is, of keys that are one whole number: one byte, 1 if a bitmap of n bits follows in which those are set that are not NULL; the numbers in eight bytes each, 0 for NULL.
// Of all others: the length of each in four bytes, then their canonical encodings. Numbers are little-endian.
const (
	noNulls   = 0
	someNulls = 1
)

var errLength = errors.New("state holds a key of another length than it says")

// EncodeColumn implements Keys.
func (t *intKeys) EncodeColumn(dst []byte, ids []uint32) []byte {
	nulls := t.null != 0 && slices.ContainsFunc(ids, t.isNull)
	dst = slices.Grow(dst, 1+(len(ids)+7)/8+8*len(ids))
	if nulls {
		dst = append(dst, someNulls)
		bits := make([]byte, (len(ids)+7)/8)
		for k, id := range ids {
			if !t.isNull(id) {
				bits[k/8] |= 1 << (k % 8)
			}
		}
		dst = append(dst, bits...)
	} else {
		dst = append(dst, noNulls)
	}
	at := len(dst)
	dst = dst[:at+8*len(ids)]
	out := dst[at:]
	for _, id := range ids {
		binary.LittleEndian.PutUint64(out, uint64(t.keys[id])) // that of NULL is 0
		out = out[8:]
	}
	return dst
}

// DecodeColumn implements Keys.
func (t *intKeys) DecodeColumn(src []byte, ids []uint32, owns func(hash uint64) bool) ([]byte, error) {
	n := len(ids)
	if len(src) == 0 || src[0] > someNulls {
		return nil, errTruncated("a column of keys")
	}
	nulls, src := src[0] == someNulls, src[1:]
	var valid []byte
	if nulls {
		if len(src) < (n+7)/8 {
			return nil, errTruncated("a column of keys")
		}
		valid, src = src[:(n+7)/8], src[(n+7)/8:]
	}
	if len(src)/8 < n {
		return nil, errTruncated("a column of keys")
	}
	isNull := func(k int) bool { return nulls && valid[k/8]>>(k%8)&1 == 0 }
	mine, absent := 0, 0
	for k := range ids {
		key := binary.LittleEndian.Uint64(src[8*k:])
		hash := HashInt(int64(key))
		if isNull(k) {
			if hash = HashNull; key != 0 {
				return nil, errNotCanonical
			}
			absent++
		}
		ids[k] = Foreign
		if owns(hash) {
			ids[k] = 0
			mine++
		}
	}
	if nulls && (absent == 0 || n%8 > 0 && valid[n/8]>>(n%8) != 0) {
		return nil, errNotCanonical
	}
	t.reserve(mine)
	for k := range ids {
		switch {
		case ids[k] == Foreign:
		case isNull(k):
			ids[k] = t.findNull()
		default:
			ids[k] = t.find(int64(binary.LittleEndian.Uint64(src[8*k:])))
		}
	}
	return src[8*n:], nil
}

// reserve makes room for so many more keys.
func (t *intKeys) reserve(more int) {
	if n := slotsFor(len(t.keys) + more); n > len(t.slots) {
		t.resize(n)
	}
	t.keys = slices.Grow(t.keys, more)
}

// slotsFor is the size of a table with room for n keys.
func slotsFor(n int) int {
	slots := minSlots
	for 2*n > slots {
		slots *= 2
	}
	return slots
}

// EncodeColumn implements Keys.
func (t *byteKeys) EncodeColumn(dst []byte, ids []uint32) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 4*len(ids))[:at+4*len(ids)]
	size, lengths := 0, dst[at:]
	for _, id := range ids {
		n := len(t.key(id))
		binary.LittleEndian.PutUint32(lengths, uint32(n))
		lengths = lengths[4:]
		size += n
	}
	dst = slices.Grow(dst, size)
	for k := 0; k < len(ids); {
		// Keys that lie one behind the other are copied together.
		first, last := ids[k], ids[k]
		for k++; k < len(ids) && ids[k] == last+1; k++ {
			last++
		}
		dst = append(dst, t.data[t.start(first):t.ends[last]]...)
	}
	return dst
}

// DecodeColumn implements Keys.
func (t *byteKeys) DecodeColumn(src []byte, ids []uint32, owns func(hash uint64) bool) ([]byte, error) {
	if len(src)/4 < len(ids) {
		return nil, errTruncated("a column of keys")
	}
	lengths, src := src[:4*len(ids)], src[4*len(ids):]
	hashes := make([]uint64, len(ids))
	mine, bytes, rest := 0, 0, src
	for k := range ids {
		n := int(binary.LittleEndian.Uint32(lengths[4*k:]))
		if n > len(rest) {
			return nil, errTruncated("a column of keys")
		}
		key := rest[:n]
		if is, err := t.width(key); err != nil {
			return nil, err
		} else if is != n {
			return nil, errLength
		}
		rest = rest[n:]
		hashes[k], ids[k] = HashBytes(key), Foreign
		if owns(hashes[k]) {
			ids[k] = 0
			mine, bytes = mine+1, bytes+n
		}
	}
	t.reserve(mine, bytes)
	for k := range ids {
		n := binary.LittleEndian.Uint32(lengths[4*k:])
		if ids[k] != Foreign {
			ids[k] = t.find(src[:n], hashes[k])
		}
		src = src[n:]
	}
	return rest, nil
}

// reserve makes room for so many more keys that take so many bytes together.
func (t *byteKeys) reserve(more, bytes int) {
	if n := slotsFor(len(t.ends) + more); n > len(t.slots) {
		t.resize(n)
	}
	t.ends, t.hashes, t.data = slices.Grow(t.ends, more), slices.Grow(t.hashes, more), slices.Grow(t.data, bytes)
}
