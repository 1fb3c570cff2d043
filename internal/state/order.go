package state

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Ordering says how a column orders rows.
type Ordering struct {
	Column int
	// Desc puts the greatest first, NullsLast puts NULL last, whatever Desc says.
	Desc, NullsLast bool
}

// AppendOrder appends bytes to dst that compare as the rows do: less for a row that comes first, equal for rows that no column of by tells apart. Strings are
// compared byte by byte, NaN is the greatest number and the two zeros are one.
func AppendOrder(dst []byte, cols []*vector.Vector, by []Ordering, row int) []byte {
	for _, o := range by {
		v := cols[o.Column]
		if v.IsNull(row) {
			if o.NullsLast {
				dst = append(dst, 2)
			} else {
				dst = append(dst, 0)
			}
			continue
		}
		dst = append(dst, 1)
		from := len(dst)
		dst = appendOrdered(dst, v, row)
		if o.Desc {
			for i := from; i < len(dst); i++ {
				dst[i] = ^dst[i]
			}
		}
	}
	return dst
}

const signBit = 1 << 63

func appendOrdered(dst []byte, v *vector.Vector, row int) []byte {
	switch v.Kind {
	case vector.Bool:
		return append(dst, v.Bools[row&v.Mask()])
	case vector.Int64:
		return binary.BigEndian.AppendUint64(dst, uint64(v.Int(row))^signBit)
	case vector.Int128:
		w := v.Wide(row)
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, uint64(w.Hi)^signBit), w.Lo)
	case vector.Float64:
		bits := floatBits(v.Float(row))
		if math.Signbit(math.Float64frombits(bits)) {
			return binary.BigEndian.AppendUint64(dst, ^bits)
		}
		return binary.BigEndian.AppendUint64(dst, bits|signBit)
	}
	// A zero byte is written as 0 255 and the end as 0 0, so that a string comes before those that it begins.
	for _, c := range v.Bytes(row) {
		if dst = append(dst, c); c == 0 {
			dst = append(dst, 255)
		}
	}
	return append(dst, 0, 0)
}
