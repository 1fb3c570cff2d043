package state

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// AppendRows appends rows of cols, for whoever keeps many: column by column, for each one byte, 1 if a bitmap with a bit for each row follows, in which those are set that are not NULL; then the values in their order, which are
// nothing but zeroes for NULL. Booleans are a byte each, whole numbers and doubles eight, as they are, 128-bit numbers sixteen; strings their lengths in four bytes each, and then all of them. Numbers are little-endian.
func AppendRows(dst []byte, cols []*vector.Vector, rows []int32) []byte {
	for _, v := range cols {
		dst = appendValidity(dst, v, rows)
		mask := v.Mask()
		switch width := valueWidth(v.Kind); v.Kind {
		case vector.Bytes:
			dst = appendStrings(dst, v, rows)
		default:
			at := len(dst)
			dst = slices.Grow(dst, width*len(rows))[:at+width*len(rows)]
			out := dst[at:]
			switch v.Kind {
			case vector.Bool:
				for k, row := range rows {
					out[k] = v.Bools[int(row)&mask]
				}
			case vector.Int64:
				for k, row := range rows {
					binary.LittleEndian.PutUint64(out[8*k:], uint64(v.Ints[int(row)&mask]))
				}
			case vector.Float64:
				for k, row := range rows {
					binary.LittleEndian.PutUint64(out[8*k:], math.Float64bits(v.Floats[int(row)&mask]))
				}
			case vector.Int128:
				for k, row := range rows {
					w := v.Wides[int(row)&mask]
					binary.LittleEndian.PutUint64(out[16*k:], w.Lo)
					binary.LittleEndian.PutUint64(out[16*k+8:], uint64(w.Hi))
				}
			}
			if v.Valid != nil { // whatever stands where a NULL is
				for k, row := range rows {
					if v.IsNull(int(row)) {
						clear(out[k*width : (k+1)*width])
					}
				}
			}
		}
	}
	return dst
}

func appendValidity(dst []byte, v *vector.Vector, rows []int32) []byte {
	if v.Valid == nil || !slices.ContainsFunc(rows, func(row int32) bool { return v.IsNull(int(row)) }) {
		return append(dst, noNulls)
	}
	dst = append(dst, someNulls)
	at := len(dst)
	dst = append(dst, make([]byte, (len(rows)+7)/8)...)
	for k, row := range rows {
		if !v.IsNull(int(row)) {
			dst[at+k/8] |= 1 << (k % 8)
		}
	}
	return dst
}

func appendStrings(dst []byte, v *vector.Vector, rows []int32) []byte {
	for _, row := range rows {
		n := 0
		if !v.IsNull(int(row)) {
			n = len(v.Bytes(int(row)))
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	for _, row := range rows {
		if !v.IsNull(int(row)) {
			dst = append(dst, v.Bytes(int(row))...)
		}
	}
	return dst
}

// ReadRows reads n rows of columns of the given kinds that AppendRows wrote, in memory of a, except for strings, which stay in src. It returns what follows.
func ReadRows(a *vector.Arena, kinds []vector.Kind, n int, src []byte) (cols []*vector.Vector, rest []byte, err error) {
	for _, kind := range kinds {
		least := valueWidth(kind)
		if kind == vector.Bytes {
			least = 4
		}
		valid, values, err := readValidity(n, src)
		switch {
		case err != nil:
			return nil, nil, err
		case len(values)/least < n:
			return nil, nil, errTruncated("rows")
		}
		v := a.Flat(kind, n)
		if src, err = readValues(v, n, values); err != nil {
			return nil, nil, err
		}
		if valid != nil {
			v.Valid = a.AllValid(n)
			for k := range n {
				if valid[k/8]>>(k%8)&1 == 0 {
					v.Valid.Clear(k)
					if !zero(v, k) {
						return nil, nil, errNotCanonical
					}
				}
			}
		}
		cols = append(cols, v)
	}
	return cols, src, nil
}

// readValidity reads the bitmap of a column, nil if there is none.
func readValidity(n int, src []byte) (valid, rest []byte, err error) {
	if len(src) == 0 {
		return nil, nil, errTruncated("rows")
	}
	flag, src := src[0], src[1:]
	if flag > someNulls {
		return nil, nil, errNotCanonical
	}
	if flag == noNulls {
		return nil, src, nil
	}
	if len(src) < (n+7)/8 {
		return nil, nil, errTruncated("rows")
	}
	valid, src = src[:(n+7)/8], src[(n+7)/8:]
	nulls := false
	for k := range 8 * len(valid) {
		set := valid[k/8]>>(k%8)&1 == 1
		if k >= n && set {
			return nil, nil, errNotCanonical
		}
		nulls = nulls || k < n && !set
	}
	if !nulls {
		return nil, nil, errNotCanonical
	}
	return valid, src, nil
}

// readValues reads the values of v, for which there is room in src if they are no strings, and for the lengths if they are.
func readValues(v *vector.Vector, n int, src []byte) (rest []byte, err error) {
	switch v.Kind {
	case vector.Bool:
		copy(v.Bools, src[:n])
		if slices.ContainsFunc(v.Bools, func(b uint8) bool { return b > 1 }) {
			return nil, errNotCanonical
		}
		return src[n:], nil
	case vector.Int64:
		for k := range v.Ints {
			v.Ints[k] = int64(binary.LittleEndian.Uint64(src[8*k:]))
		}
		return src[8*n:], nil
	case vector.Float64:
		for k := range v.Floats {
			v.Floats[k] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*k:]))
		}
		return src[8*n:], nil
	case vector.Int128:
		for k := range v.Wides {
			v.Wides[k] = int128.Int{Lo: binary.LittleEndian.Uint64(src[16*k:]), Hi: int64(binary.LittleEndian.Uint64(src[16*k+8:]))}
		}
		return src[16*n:], nil
	}
	lengths, src := src[:4*n], src[4*n:]
	end := uint64(0)
	for k := range v.Views {
		n := binary.LittleEndian.Uint32(lengths[4*k:])
		v.Views[k] = vector.View{Off: uint32(end), Len: n}
		if end += uint64(n); end > uint64(len(src)) || end > math.MaxUint32 {
			return nil, errTruncated("rows")
		}
	}
	v.Buf = src[:end:end]
	return src[end:], nil
}

// zero reports whether the value in slot k is nothing but zeroes.
func zero(v *vector.Vector, k int) bool {
	switch v.Kind {
	case vector.Bool:
		return v.Bools[k] == 0
	case vector.Int64:
		return v.Ints[k] == 0
	case vector.Int128:
		return v.Wides[k] == int128.Int{}
	case vector.Float64:
		return math.Float64bits(v.Floats[k]) == 0
	}
	return v.Views[k].Len == 0
}
