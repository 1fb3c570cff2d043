package state

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// layOut appends n encoded rows to cols as columns of the given kinds, in memory of a.
func layOut(a *vector.Arena, kinds []vector.Kind, n int, row func(k int) []byte, cols []*vector.Vector) []*vector.Vector {
	first := len(cols)
	for _, k := range kinds {
		cols = append(cols, a.Flat(k, n))
	}
	made := cols[first:]
	for i, size := range stringSizes(kinds, n, row) {
		if kinds[i] == vector.Bytes {
			made[i].Buf = a.Bytes(size)[:0]
		}
	}
	for k := range n {
		src := row(k)
		for _, v := range made {
			src = takeColumn(a, v, k, n, src)
		}
	}
	return cols
}

// stringSizes is how many bytes the strings of each column of n encoded rows have, at most.
func stringSizes(kinds []vector.Kind, n int, row func(k int) []byte) []int {
	sizes := make([]int, len(kinds))
	strings, last := 0, 0
	for i, k := range kinds {
		if k == vector.Bytes {
			strings, last = strings+1, i
		}
	}
	switch strings {
	case 0:
	case 1: // most often, and nothing to divide
		for k := range n {
			sizes[last] += len(row(k))
		}
	default:
		for k := range n {
			src := row(k)
			for i, kind := range kinds[:last+1] {
				width := 1
				switch {
				case src[0] == nullKey:
				case kind == vector.Bytes:
					size := int(binary.LittleEndian.Uint32(src[1:]))
					sizes[i] += size
					width = 5 + size
				default:
					width += valueWidth(kind)
				}
				src = src[width:]
			}
		}
	}
	return sizes
}

// valueWidth is how many bytes a value of a kind has that is no string.
func valueWidth(k vector.Kind) int {
	switch k {
	case vector.Bool:
		return 1
	case vector.Int128:
		return 16
	}
	return 8
}

// takeColumn reads one column of an encoded key into row k of v and returns the rest of the key.
func takeColumn(a *vector.Arena, v *vector.Vector, k, n int, key []byte) []byte {
	present, key := key[0] == presentKey, key[1:]
	if !present {
		if v.Valid == nil {
			v.Valid = a.AllValid(n)
		}
		v.Valid.Clear(k)
		v.Zero(k)
		return key
	}
	switch v.Kind {
	case vector.Bool:
		v.Bools[k] = key[0]
		return key[1:]
	case vector.Int64:
		v.Ints[k] = int64(binary.LittleEndian.Uint64(key))
		return key[8:]
	case vector.Int128:
		v.Wides[k] = int128.Int{Lo: binary.LittleEndian.Uint64(key), Hi: int64(binary.LittleEndian.Uint64(key[8:]))}
		return key[16:]
	case vector.Float64:
		v.Floats[k] = math.Float64frombits(binary.LittleEndian.Uint64(key))
		return key[8:]
	default:
		n := binary.LittleEndian.Uint32(key)
		v.Views[k] = vector.View{Off: uint32(len(v.Buf)), Len: n}
		v.Buf = append(v.Buf, key[4:4+n]...)
		return key[4+n:]
	}
}
