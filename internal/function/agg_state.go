package function

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// grown makes n groups of s, the new ones zero.
func grown[T any](s []T, n int) []T {
	old := len(s)
	if n <= old {
		return s
	}
	s = slices.Grow(s, n-old)[:n]
	clear(s[old:])
	return s
}

// sourceGroup is the k-th group that Merge takes.
func sourceGroup(src []uint32, k int) uint32 {
	if src == nil {
		return uint32(k)
	}
	return src[k]
}

var errTruncated = errors.New("the state of an aggregate is cut off")

func appendInt64(dst []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(dst, uint64(v)) }

func readInt64(src []byte) (v int64, rest []byte, err error) {
	if len(src) < 8 {
		return 0, nil, errTruncated
	}
	return int64(binary.LittleEndian.Uint64(src)), src[8:], nil
}

// appendString writes a length of four bytes and then the bytes.
func appendString(dst, s []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(s))), s...)
}

func readString(src []byte) (s, rest []byte, err error) {
	if len(src) < 4 {
		return nil, nil, errTruncated
	}
	n := int64(binary.LittleEndian.Uint32(src))
	if int64(len(src)-4) < n {
		return nil, nil, errTruncated
	}
	return src[4 : 4+n], src[4+n:], nil
}

// setNull makes value k of a flat vector NULL.
func setNull(a *vector.Arena, v *vector.Vector, k int) {
	if v.Valid == nil {
		v.Valid = a.AllValid(v.Len())
	}
	v.Valid.Clear(k)
}
