package function

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"math/rand/v2"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Random numbers of a seed are functions of it here, so that a replay gives the same in every run, however many workers compute it and however rows are batched. Flink
// 2.3 lets numbers of a constant seed follow each other, which depends on both. Without a seed they are other numbers in every run.
var randomFunctions = []Scalar{
	{
		Name: "RAND", Family: FamilyArithmetic,
		Signatures: []string{"RAND()", "RAND(seed)"},
		Doc: "A random number of DOUBLE from 0 on and below 1, another one for every row. With a seed it follows from the seed, so that a replay gives it again: let it be a column, " +
			"for instance a number of the row. Flink 2.3: the numbers of a constant seed differ from row to row.",
		Example: "RAND(42)", ExampleResult: "0.7275636800328681",
		Overloads: []Overload{{Result: types.DoubleType, Stability: Volatile, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				c.Out.Floats[c.Rows.At(k)] = rand.Float64()
			}
			return nil
		}}, {Params: []types.Type{types.IntType}, Result: types.DoubleType, Kernel: func(c *Call) error {
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
		Signatures: []string{"RAND_INTEGER(bound)", "RAND_INTEGER(seed, bound)"},
		Doc: "A random whole number from 0 on and below the bound, another one for every row. With a seed it follows from the seed, so that a replay gives it again: let it be a column, " +
			"for instance a number of the row. Flink 2.3: the numbers of a constant seed differ from row to row.",
		Example: "RAND_INTEGER(42, 100)", ExampleResult: "30",
		Overloads: []Overload{{Params: []types.Type{types.IntType}, Result: types.IntType, Stability: Volatile, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				bound := c.Args[0].Int(i)
				if err := checkBound(i, bound); err != nil {
					return err
				}
				c.Out.Ints[i] = rand.Int64N(bound)
			}
			return nil
		}}, {Params: []types.Type{types.IntType, types.IntType}, Result: types.IntType, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				bound := c.Args[1].Int(i)
				if err := checkBound(i, bound); err != nil {
					return err
				}
				r := newJavaRandom(c.Args[0].Int(i))
				c.Out.Ints[i] = r.below(bound)
			}
			return nil
		}}},
	},
	{
		Name: "UUID", Family: FamilyString,
		Signatures: []string{"UUID()"},
		Doc:        "A random identifier of 36 characters, as RFC 9562 describes version 4; another one for every row.",
		Example:    "CHAR_LENGTH(UUID())", ExampleResult: "36",
		Overloads: []Overload{{Result: types.StringType, Stability: Volatile, Kernel: rewriting(func(dst []byte, _ *Call, _ int) ([]byte, bool) { return appendUUID(dst), true })}},
	},
}

func checkBound(row int, bound int64) error {
	if bound <= 0 {
		return rowErrorf(row, "the bound of RAND_INTEGER must be positive, and is %d", bound)
	}
	return nil
}

// appendUUID appends a random identifier, of version 4 and variant 10.
func appendUUID(dst []byte) []byte {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], rand.Uint64()&^0xf000|0x4000)
	binary.BigEndian.PutUint64(id[8:], rand.Uint64()&(1<<62-1)|1<<63)
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{b})
	}
	return dst
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
