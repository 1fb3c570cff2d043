package function

import (
	"math"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// A length of time that is multiplied beyond its range stays at the end of it and does not come back from the other side.
func TestScaleInterval(t *testing.T) {
	const day = 86_400_000_000
	for _, c := range []struct{ a, b, want int64 }{
		{day, 3, 3 * day}, {3, day, 3 * day}, {day, -2, -2 * day}, {day, 0, 0}, {0, math.MinInt64, 0},
		{day, math.MaxInt64, math.MaxInt64}, {day, math.MinInt64, math.MinInt64}, {-day, math.MaxInt64, math.MinInt64}, {-day, math.MinInt64, math.MaxInt64},
		{1, math.MinInt64, math.MinInt64}, {-1, math.MinInt64, math.MaxInt64}, {-1, math.MaxInt64, -math.MaxInt64},
		{1 << 32, 1 << 30, 1 << 62}, {1 << 32, 1 << 31, math.MaxInt64}, {-1 << 32, 1 << 31, math.MinInt64},
	} {
		call := &Call{
			Args: []*vector.Vector{{Kind: vector.Int64, Ints: []int64{c.a}}, {Kind: vector.Int64, Ints: []int64{c.b}}},
			Out:  &vector.Vector{Kind: vector.Int64, Ints: make([]int64, 1)},
		}
		if err := scaleInterval(call); err != nil {
			t.Fatal(err)
		}
		if got := call.Out.Ints[0]; got != c.want {
			t.Errorf("%d * %d = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
