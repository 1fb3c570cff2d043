package vector

import (
	"bytes"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
)

// sample makes a column of kind k with a NULL in it: value i says i+first.
func sample(a *Arena, k Kind, first int) *Vector {
	b := NewBuilder(a, k, 4)
	for i := range 4 {
		v := i + first
		switch {
		case v%3 == 0:
			b.AppendNull()
		case k == Bool:
			b.AppendBool(v%2 == 0)
		case k == Int64:
			b.AppendInt(int64(v))
		case k == Int128:
			b.AppendWide(int128.Int{Hi: int64(v), Lo: uint64(v)})
		case k == Float64:
			b.AppendFloat(float64(v))
		default:
			b.AppendBytes(bytes.Repeat([]byte{'x'}, v))
		}
	}
	return b.Done()
}

// What is collected and what is put is what was there, NULLs included, constants too.
func TestCollectAndPut(t *testing.T) {
	for _, k := range []Kind{Bool, Int64, Int128, Float64, Bytes} {
		a := (&Pool{}).Get()
		constant := sample(a, k, 4).Take(a, []int32{0})
		constant.Const = true
		from := []*Vector{sample(a, k, 1), sample(a, k, 7), constant, a.NullConstant(k)}
		places := []Place{{1, 3}, {0, 0}, {2, 9}, {0, 2}, {3, 5}, {1, 0}, {0, 3}}
		got := Collect(a, k, from, places)
		again := a.Flat(k, len(places)+1)
		again.Zero(0)
		for i, p := range places {
			if !Same(got, i, from[p.From], int(p.Row)) {
				t.Errorf("%s: value %d is not row %d of column %d", k, i, p.Row, p.From)
			}
			again.Put(a, []int32{int32(i + 1)}, from[p.From].Take(a, []int32{p.Row & int32(from[p.From].Mask())}))
			if !Same(again, i+1, from[p.From], int(p.Row)) {
				t.Errorf("%s: value %d was put as another", k, i)
			}
		}
	}
}
