package vector

import (
	"strings"
	"testing"
)

// TestFootprint: values count as their kind says, strings as long as they are, and rows that are not selected not at all.
func TestFootprint(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		sel  []int32
		want int64
	}{
		{"no row", 3, []int32{}, 0},
		{"few", 3, nil, 3*(1+8+8+16) + 0 + 1 + 2},
		{"two of three", 3, []int32{1, 2}, 2*(1+8+8+16) + 1 + 2},
		{"many", 6400, nil, 6400 * (1 + 8 + 8 + 16 + 5)},
	} {
		a := (&Pool{}).Get()
		text := NewBuilder(a, Bytes, c.n)
		for i := range c.n {
			length := i
			if c.n > sampled {
				length = 5
			}
			text.AppendBytes([]byte(strings.Repeat("x", length)))
		}
		b := &Batch{N: c.n, Sel: c.sel, Arena: a,
			Cols: []*Vector{a.Flat(Bool, c.n), a.Flat(Int64, c.n), a.Flat(Float64, c.n), a.Flat(Int128, c.n), a.NullConstant(Bytes), text.Done()}}
		if got := b.Footprint(); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}
