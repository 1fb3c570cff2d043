package nexmark

import (
	"math/bits"
	"math/rand/v2"
)

// random draws what rows are made of. All of it is integer arithmetic: floating point may be fused on some processors
// and would give other bytes there.
type random struct{ pcg rand.PCG }

// below returns a number in [0, n) for n > 0. It scales instead of rejecting: every call costs exactly one
// draw, and the bias, n in 2^64, stays below one in a million for every n that a valid Config leads to.
func (r *random) below(n int64) int64 {
	high, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int64(high)
}

// letters has 32 entries so that five random bits pick one; the six most frequent letters of English come twice.
const letters = "abcdefghijklmnopqrstuvwxyzetaoin"

// lettersPerDraw is how many times five bits fit into 64.
const lettersPerDraw = 12

// appendWord appends n random letters.
func (r *random) appendWord(dst []byte, n int) []byte {
	for n > 0 {
		draw := r.pcg.Uint64()
		for range min(n, lettersPerDraw) {
			dst = append(dst, letters[draw&31])
			draw >>= 5
		}
		n -= lettersPerDraw
	}
	return dst
}

// appendExtra appends the payload that gives every kind of row its classic size: about size letters, give or take a
// quarter.
func (r *random) appendExtra(dst []byte, size int64) []byte {
	return r.appendWord(dst, int(size-size/4+r.below(size/2+1)))
}

// magnitudes are the powers of ten a price may start at.
var magnitudes = [...]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000}

// price returns a price in cents from 1 up to, not including, 100 million. Each number of digits is equally likely, as
// on a logarithmic scale.
func (r *random) price() int64 {
	low := magnitudes[r.below(int64(len(magnitudes)))]
	return low + r.below(9*low)
}
