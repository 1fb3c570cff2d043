package operator

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// oneZero makes one value of the two zeroes and one of all NaN, in place, as state.Keys does: what an operator keeps by way of keys and gives back is then what came.
func oneZero(cols []*vector.Vector) {
	for _, c := range cols {
		for i, v := range c.Floats {
			switch {
			case v == 0:
				c.Floats[i] = 0
			case v != v:
				c.Floats[i] = math.NaN()
			}
		}
	}
}
