package nested

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Row reads a ROW in place. It implements vector.Values: value i is field i.
type Row struct {
	b     []byte
	slots int // where the slots begin
}

const slotSize = 8

// ReadRow reads a ROW of n fields.
func ReadRow(b []byte, n int) Row { return Row{b, validSize(n)} }

// IsNull reports whether field i is NULL.
func (r Row) IsNull(i int) bool { return r.b[i>>3]>>(i&7)&1 == 0 }

func (r Row) slot(i int) uint64 { return binary.LittleEndian.Uint64(r.b[r.slots+slotSize*i:]) }

// Bool is field i, a boolean.
func (r Row) Bool(i int) bool { return r.slot(i) != 0 }

// Int is field i, an int64.
func (r Row) Int(i int) int64 { return int64(r.slot(i)) }

// Wide is field i, an int128.
func (r Row) Wide(i int) int128.Int { return readWide(r.Bytes(i)) }

// Float is field i, a float64.
func (r Row) Float(i int) float64 { return math.Float64frombits(r.slot(i)) }

// Bytes is field i, bytes; it points into the row.
func (r Row) Bytes(i int) []byte {
	s := r.slot(i)
	from, size := uint32(s), uint32(s>>32)
	return r.b[from : from+size : from+size]
}

// AppendRow writes the ROW of the values of row i of some columns.
func AppendRow(dst []byte, cols []*vector.Vector, i int) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, validSize(len(cols))+slotSize*len(cols))...)
	slots := start + validSize(len(cols))
	for f, v := range cols {
		if v.IsNull(i) {
			continue
		}
		dst[start+f>>3] |= 1 << (f & 7)
		var slot uint64
		behind := uint64(len(dst) - start)
		switch v.Kind {
		case vector.Bool:
			if v.Bool(i) {
				slot = 1
			}
		case vector.Int64:
			slot = uint64(v.Int(i))
		case vector.Int128:
			dst = appendWide(dst, v.Wide(i))
			slot = behind | 16<<32
		case vector.Float64:
			slot = floatBits(v.Float(i))
		case vector.Bytes:
			s := v.Bytes(i)
			dst = append(dst, s...)
			slot = behind | uint64(len(s))<<32
		}
		binary.LittleEndian.PutUint64(dst[slots+slotSize*f:], slot)
	}
	return dst
}
