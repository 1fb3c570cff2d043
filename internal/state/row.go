package state

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// AppendRow appends row number row of cols to dst, for whoever keeps whole rows one by one. Unlike a key it brings back every value as it was, also a negative zero.
func AppendRow(dst []byte, cols []*vector.Vector, row int) []byte {
	for i, v := range cols {
		if v.Kind != vector.Float64 || v.IsNull(row) {
			dst = appendKey(dst, cols[i:i+1], row)
			continue
		}
		dst = binary.LittleEndian.AppendUint64(append(dst, presentKey), math.Float64bits(v.Float(row)))
	}
	return dst
}

// RowColumns lays out rows that AppendRow wrote as columns of the given kinds, in memory of a.
func RowColumns(a *vector.Arena, kinds []vector.Kind, rows [][]byte) []*vector.Vector {
	return layOut(a, kinds, len(rows), func(k int) []byte { return rows[k] }, a.Columns(len(kinds))[:0])
}

// CutRow splits what AppendRow wrote for columns of the given kinds off the start of src.
func CutRow(kinds []vector.Kind, src []byte) (row, rest []byte, err error) {
	n := 0
	for _, k := range kinds {
		width, err := columnWidth(k, src[n:])
		if err != nil {
			return nil, nil, err
		}
		n += width
	}
	return src[:n], src[n:], nil
}

// columnWidth is how many bytes the encoding of a column takes at the start of src.
func columnWidth(k vector.Kind, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, errTruncated("a row")
	}
	switch src[0] {
	case nullKey:
		return 1, nil
	case presentKey:
	default:
		return 0, errNotCanonical
	}
	width := 1 + valueWidth(k)
	if k == vector.Bytes {
		if len(src) < 5 {
			return 0, errTruncated("a row")
		}
		width = 5 + int(binary.LittleEndian.Uint32(src[1:]))
	}
	if width > len(src) {
		return 0, errTruncated("a row")
	}
	if k == vector.Bool && src[1] > 1 {
		return 0, errNotCanonical
	}
	return width, nil
}
