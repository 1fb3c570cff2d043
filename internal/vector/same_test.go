package vector

import (
	"math"
	"testing"
)

func TestSame(t *testing.T) {
	nan, otherNaN, minusZero := math.NaN(), math.Float64frombits(math.Float64bits(math.NaN())|1<<51|1), math.Copysign(0, -1)
	floats := &Vector{Kind: Float64, Floats: []float64{0, minusZero, nan, otherNaN, 1, math.Inf(1), 0}}
	arena := new(Pool).Get()
	floats.Valid = arena.AllValid(len(floats.Floats))
	floats.Valid.Clear(6)
	same := map[[2]int]bool{{2, 3}: true}
	for i := range floats.Floats {
		for j := range floats.Floats {
			want := i == j || same[[2]int{min(i, j), max(i, j)}]
			if got := Same(floats, i, floats, j); got != want {
				t.Errorf("%v and %v, the latter of place %d: %t", floats.Floats[i], floats.Floats[j], j, got)
			}
		}
	}
}
