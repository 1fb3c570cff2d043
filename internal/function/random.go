package function

import (
	"math/bits"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Random numbers are functions of a seed here, so that a replay gives the same in every run, however many workers compute it and however rows are batched. Flink
// 2.3 has forms without a seed too, and lets numbers of a constant seed follow each other, which depends on both.
var randomFunctions = []Scalar{
	{
		Name: "RAND", Family: FamilyArithmetic,
		Signatures: []string{"RAND(seed)"},
		Doc: "A number of DOUBLE from 0 on and below 1 that looks random and follows from the seed: give it a column, for instance a number of the row. " +
			"Flink 2.3: the numbers of a constant seed differ from row to row.",
		Example: "RAND(42)", ExampleResult: "0.7275636800328681",
		Overloads: []Overload{{Params: []types.Type{types.IntType}, Result: types.DoubleType, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				r := newJavaRandom(c.Args[0].Int(i))
				c.Out.Floats[i] = float64(r.next(26)<<27+r.next(27)) / (1 << 53)
			}
			return nil
		}}},
	},
	{
		Name: "RAND_INTEGER", Family: FamilyArithmetic,
		Signatures: []string{"RAND_INTEGER(seed, bound)"},
		Doc: "A whole number from 0 on and below the bound that looks random and follows from the seed: give it a column, for instance a number of the row. " +
			"Flink 2.3: the numbers of a constant seed differ from row to row.",
		Example: "RAND_INTEGER(42, 100)", ExampleResult: "30",
		Overloads: []Overload{{Params: []types.Type{types.IntType, types.IntType}, Result: types.IntType, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				bound := c.Args[1].Int(i)
				if bound <= 0 {
					return rowErrorf(i, "the bound of RAND_INTEGER must be positive, and is %d", bound)
				}
				r := newJavaRandom(c.Args[0].Int(i))
				c.Out.Ints[i] = r.below(bound)
			}
			return nil
		}}},
	},
}

// javaRandom is the linear congruential generator of java.util.Random.
type javaRandom uint64

const (
	randomMultiplier = 0x5DEECE66D
	randomMask       = 1<<48 - 1
)

func newJavaRandom(seed int64) javaRandom {
	return javaRandom((uint64(seed) ^ randomMultiplier) & randomMask)
}

// next is so many random bits, at most 31.
func (r *javaRandom) next(n int) int64 {
	*r = (*r*randomMultiplier + 0xB) & randomMask
	return int64(*r >> (48 - n))
}

// below is a number from 0 on and below bound, which is positive and fits 31 bits.
func (r *javaRandom) below(bound int64) int64 {
	if bits.OnesCount64(uint64(bound)) == 1 {
		return bound * r.next(31) >> 31
	}
	for {
		n := r.next(31)
		if rest := n % bound; n-rest+bound-1 < 1<<31 {
			return rest
		}
	}
}
