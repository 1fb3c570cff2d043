package nested

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Array reads an ARRAY in place. It implements vector.Values.
type Array struct {
	n      int
	valid  []byte
	values []byte
	data   []byte // of bytes
}

const countSize = 4

// ReadArray reads an ARRAY of elements of kind k.
func ReadArray(b []byte, k vector.Kind) Array {
	a, _ := readArray(b, k)
	return a
}

// readArray also tells how many bytes the array takes.
func readArray(b []byte, k vector.Kind) (Array, int) {
	n := int(binary.LittleEndian.Uint32(b))
	a := Array{n: n}
	at := countSize
	a.valid = b[at : at+validSize(n)]
	at += len(a.valid)
	a.values = b[at : at+n*width(k)]
	at += len(a.values)
	if k == vector.Bytes {
		if n > 0 {
			a.data = b[at : at+a.end(n-1)]
		}
		at += len(a.data)
	}
	return a, at
}

// validSize is the size of a validity of n values.
func validSize(n int) int { return (n + 7) / 8 }

// width is the size of a value of kind k among the values of an array.
func width(k vector.Kind) int {
	return [...]int{vector.Bool: 1, vector.Int64: 8, vector.Int128: 16, vector.Float64: 8, vector.Bytes: 4}[k]
}

// Len is the number of elements.
func (a Array) Len() int { return a.n }

// IsNull reports whether element i is NULL.
func (a Array) IsNull(i int) bool { return a.valid[i>>3]>>(i&7)&1 == 0 }

// Bool is element i of booleans.
func (a Array) Bool(i int) bool { return a.values[i] != 0 }

// Int is element i of int64.
func (a Array) Int(i int) int64 { return int64(binary.LittleEndian.Uint64(a.values[8*i:])) }

// Wide is element i of int128.
func (a Array) Wide(i int) int128.Int { return readWide(a.values[16*i:]) }

// Float is element i of float64.
func (a Array) Float(i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(a.values[8*i:]))
}

// Bytes is element i of bytes; it points into the array.
func (a Array) Bytes(i int) []byte {
	from, to := 0, a.end(i)
	if i > 0 {
		from = a.end(i - 1)
	}
	return a.data[from:to:to]
}

func (a Array) end(i int) int { return int(binary.LittleEndian.Uint32(a.values[4*i:])) }

func readWide(b []byte) int128.Int {
	return int128.Int{Hi: int64(binary.LittleEndian.Uint64(b[8:])), Lo: binary.LittleEndian.Uint64(b)}
}

func appendWide(dst []byte, v int128.Int) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, v.Lo), uint64(v.Hi))
}

// AppendArray writes the ARRAY of the values lo to hi-1 of v, which are of kind k.
func AppendArray(dst []byte, k vector.Kind, v vector.Values, lo, hi int) []byte {
	n := hi - lo
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	valid := len(dst)
	dst = append(dst, make([]byte, validSize(n))...)
	for i := range n {
		if !v.IsNull(lo + i) {
			dst[valid+i>>3] |= 1 << (i & 7)
		}
	}
	if k == vector.Bytes {
		return appendStrings(dst, v, lo, hi)
	}
	for i := lo; i < hi; i++ {
		if v.IsNull(i) {
			dst = append(dst, zeroes[:width(k)]...)
			continue
		}
		switch k {
		case vector.Bool:
			bit := byte(0)
			if v.Bool(i) {
				bit = 1
			}
			dst = append(dst, bit)
		case vector.Int64:
			dst = binary.LittleEndian.AppendUint64(dst, uint64(v.Int(i)))
		case vector.Int128:
			dst = appendWide(dst, v.Wide(i))
		case vector.Float64:
			dst = binary.LittleEndian.AppendUint64(dst, floatBits(v.Float(i)))
		}
	}
	return dst
}

var zeroes [16]byte

// floatBits makes one value of the two zeroes and one of all NaN, since equal values have equal bytes.
func floatBits(f float64) uint64 {
	switch {
	case f == 0:
		f = 0
	case f != f:
		f = math.NaN()
	}
	return math.Float64bits(f)
}

func appendStrings(dst []byte, v vector.Values, lo, hi int) []byte {
	end := uint32(0)
	for i := lo; i < hi; i++ {
		if !v.IsNull(i) {
			end += uint32(len(v.Bytes(i)))
		}
		dst = binary.LittleEndian.AppendUint32(dst, end)
	}
	for i := lo; i < hi; i++ {
		if !v.IsNull(i) {
			dst = append(dst, v.Bytes(i)...)
		}
	}
	return dst
}

// ReadMap reads a MAP of keys and values of these kinds, or a MULTISET, whose values are int64: entry i is key i and value i.
func ReadMap(b []byte, key, value vector.Kind) (keys, values Array) {
	size := int(binary.LittleEndian.Uint32(b))
	return ReadArray(b[countSize:], key), ReadArray(b[countSize+size:], value)
}

// AppendMap writes the MAP of the entries lo to hi-1.
func AppendMap(dst []byte, key vector.Kind, keys vector.Values, value vector.Kind, values vector.Values, lo, hi int) []byte {
	at := len(dst)
	dst = append(dst, zeroes[:countSize]...)
	dst = AppendArray(dst, key, keys, lo, hi)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-countSize))
	return AppendArray(dst, value, values, lo, hi)
}

// Count is the number of elements of an ARRAY.
func Count(array []byte) int { return int(binary.LittleEndian.Uint32(array)) }

// CountMap is the number of entries of a MAP, or of different elements of a MULTISET.
func CountMap(m []byte) int { return Count(m[countSize:]) }
