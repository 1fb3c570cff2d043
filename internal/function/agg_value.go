package function

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// appendOrdered writes value i of v, which is not NULL, so that bytes order as values do. A DOUBLE is ordered as by Java's Double.compare, see doubleKey.
func appendOrdered(dst []byte, v *vector.Vector, i int) []byte {
	switch v.Kind {
	case vector.Bool:
		return append(dst, v.Bools[i&v.Mask()])
	case vector.Int64:
		return appendOrderedInt(dst, v.Int(i))
	case vector.Int128:
		w := v.Wide(i)
		return binary.BigEndian.AppendUint64(appendOrderedInt(dst, w.Hi), w.Lo)
	case vector.Float64:
		return appendOrderedInt(dst, doubleKey(v.Float(i)))
	}
	return append(dst, v.Bytes(i)...)
}

func appendOrderedInt(dst []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(n)^1<<63)
}

func orderedInt(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ 1<<63) }

// appendOrderedTo appends to a column what appendOrdered wrote of a value of its kind.
func appendOrderedTo(out *vector.Builder, k vector.Kind, b []byte) {
	switch k {
	case vector.Bool:
		out.AppendBool(b[0] != 0)
	case vector.Int64:
		out.AppendInt(orderedInt(b))
	case vector.Int128:
		out.AppendWide(int128.Int{Hi: orderedInt(b), Lo: binary.BigEndian.Uint64(b[8:])})
	case vector.Float64:
		out.AppendFloat(doubleOfKey(orderedInt(b)))
	default:
		out.AppendBytes(b)
	}
}

// orderedSize is the size of what appendOrdered writes, -1 if it differs.
func orderedSize(k vector.Kind) int {
	switch k {
	case vector.Bool:
		return 1
	case vector.Int64, vector.Float64:
		return 8
	case vector.Int128:
		return 16
	}
	return -1
}

// tuple writes the arguments of a call in one row as bytes that are equal if the arguments are: NULL to NULL, NaN to NaN, and the zeroes of either sign.
// A value is a byte that is 0 for NULL, and what appendOrdered writes, of bytes with their length before them.
type tuple []vector.Kind

func (t tuple) append(dst []byte, args []*vector.Vector, i int) []byte {
	for _, v := range args {
		if v.IsNull(i) {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, 1)
		switch {
		case v.Kind == vector.Bytes:
			dst = appendString(dst, v.Bytes(i))
		case v.Kind == vector.Float64 && v.Float(i) == 0:
			dst = appendOrderedInt(dst, doubleKey(0))
		default:
			dst = appendOrdered(dst, v, i)
		}
	}
	return dst
}

// appendTo appends what append wrote to columns of the kinds of t.
func (t tuple) appendTo(out []*vector.Builder, b []byte) {
	for i, k := range t {
		some := b[0] != 0
		b = b[1:]
		if !some {
			out[i].AppendNull()
			continue
		}
		n := orderedSize(k)
		if n < 0 {
			n = int(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		appendOrderedTo(out[i], k, b[:n])
		b = b[n:]
	}
}

// valid reports whether b is what append writes.
func (t tuple) valid(b []byte) bool {
	for _, k := range t {
		if len(b) == 0 || b[0] > 1 {
			return false
		}
		some := b[0] != 0
		b = b[1:]
		if !some {
			continue
		}
		n := orderedSize(k)
		if n < 0 {
			if len(b) < 4 {
				return false
			}
			n = int(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		if len(b) < n {
			return false
		}
		b = b[n:]
	}
	return len(b) == 0
}

// doubleKey orders as Java's Double.compare: -0.0 before 0.0, NaN last, whatever its bits. A total order makes results independent of how rows were split.
func doubleKey(v float64) int64 {
	if v != v {
		v = math.NaN()
	}
	bits := int64(math.Float64bits(v))
	return bits ^ bits>>63&math.MaxInt64
}

func doubleOfKey(key int64) float64 {
	return math.Float64frombits(uint64(key ^ key>>63&math.MaxInt64))
}
