// Package int128 is signed whole numbers of 128 bits, which hold the digits of a DECIMAL of more than 18.
//
// It knows nothing of scales; package function does. Operations that can leave the range say so instead of wrapping, but for Neg, Add and Sub, whose
// callers stay within 38 digits.
package int128

import (
	"math/big"
	"math/bits"
)

// Int is a number in two's complement. The zero value is 0; == compares.
type Int struct {
	Hi int64
	Lo uint64
}

// The ends of the range of a DECIMAL(38, s): 38 nines.
var (
	maxDecimal = mustParse("99999999999999999999999999999999999999")
	powers     = makePowers()
)

// MaxDigits is how many decimal digits a number of any value can have at most within a DECIMAL.
const MaxDigits = 38

// From widens v.
func From(v int64) Int { return Int{v >> 63, uint64(v)} }

// Int64 narrows x; ok is false if it does not fit.
func (x Int) Int64() (v int64, ok bool) {
	v = int64(x.Lo)
	return v, x.Hi == v>>63
}

// Sign is -1, 0 or 1.
func (x Int) Sign() int {
	switch {
	case x.Hi < 0:
		return -1
	case x.Hi == 0 && x.Lo == 0:
		return 0
	}
	return 1
}

// Cmp is -1, 0 or 1, as x is less than y, equal or greater.
func (x Int) Cmp(y Int) int {
	switch {
	case x.Hi != y.Hi:
		if x.Hi < y.Hi {
			return -1
		}
		return 1
	case x.Lo != y.Lo:
		if x.Lo < y.Lo {
			return -1
		}
		return 1
	}
	return 0
}

// Neg is -x; of the least number it is that number.
func (x Int) Neg() Int {
	lo, borrow := bits.Sub64(0, x.Lo, 0)
	hi, _ := bits.Sub64(0, uint64(x.Hi), borrow)
	return Int{int64(hi), lo}
}

// Add is x + y, wrapping.
func (x Int) Add(y Int) Int {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(uint64(x.Hi), uint64(y.Hi), carry)
	return Int{int64(hi), lo}
}

// Sub is x - y, wrapping.
func (x Int) Sub(y Int) Int {
	lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
	hi, _ := bits.Sub64(uint64(x.Hi), uint64(y.Hi), borrow)
	return Int{int64(hi), lo}
}

// abs is the magnitude of x.
func (x Int) abs() (hi, lo uint64) {
	if x.Hi < 0 {
		x = x.Neg()
	}
	return uint64(x.Hi), x.Lo
}

// Mul is x * y; ok is false if that leaves the range.
func (x Int) Mul(y Int) (product Int, ok bool) {
	xh, xl := x.abs()
	yh, yl := y.abs()
	if xh != 0 && yh != 0 {
		return Int{}, false
	}
	hi, lo := bits.Mul64(xl, yl)
	over1, cross1 := bits.Mul64(xh, yl)
	over2, cross2 := bits.Mul64(xl, yh)
	var carry1, carry2 uint64
	hi, carry1 = bits.Add64(hi, cross1, 0)
	hi, carry2 = bits.Add64(hi, cross2, 0)
	if over1|over2|carry1|carry2 != 0 || int64(hi) < 0 {
		return Int{}, false
	}
	product = Int{int64(hi), lo}
	if x.Sign()*y.Sign() < 0 {
		product = product.Neg()
	}
	return product, true
}

// Product is x * y, which always fits.
func Product(x, y int64) Int {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	// What two's complement adds to a factor that is negative is the other factor, 64 bits up.
	return Int{int64(hi) - x>>63&y - y>>63&x, lo}
}

// DivMod is x / y cut towards zero and what is left, which has the sign of x. It panics if y is 0.
func (x Int) DivMod(y Int) (quotient, rest Int) {
	xh, xl := x.abs()
	yh, yl := y.abs()
	var q, r Int
	if yh == 0 {
		high := xh / yl
		low, remainder := bits.Div64(xh%yl, xl, yl)
		q, r = Int{int64(high), low}, Int{0, remainder}
	} else {
		q, r = divWide(xh, xl, yh, yl)
	}
	if x.Hi < 0 != (y.Hi < 0) {
		q = q.Neg()
	}
	if x.Hi < 0 {
		r = r.Neg()
	}
	return q, r
}

// divWide divides by a number of more than 64 bits, so that the quotient has at most 64.
func divWide(xh, xl, yh, yl uint64) (q, r Int) {
	shift := bits.LeadingZeros64(yh)
	top := yh<<shift | yl>>1>>(63-shift)
	// Half of x over the topmost 64 bits of y is the quotient, or one more, once shifted back.
	guess, _ := bits.Div64(xh>>1, xh<<63|xl>>1, top)
	guess = guess >> (63 - shift)
	if guess > 0 {
		guess--
	}
	hi, lo := bits.Mul64(guess, yl)
	hi += guess * yh
	rl, borrow := bits.Sub64(xl, lo, 0)
	rh, _ := bits.Sub64(xh, hi, borrow)
	for rh > yh || rh == yh && rl >= yl {
		guess++
		rl, borrow = bits.Sub64(rl, yl, 0)
		rh, _ = bits.Sub64(rh, yh, borrow)
	}
	return Int{0, guess}, Int{int64(rh), rl}
}

// Pow10 is ten to the power of n, which is from 0 to 38.
func Pow10(n int) Int { return powers[n] }

// Digits is the number of decimal digits of x without sign, 1 for 0.
func (x Int) Digits() int {
	if x.Hi < 0 {
		x = x.Neg()
	}
	n := 1
	for n < len(powers) && x.Cmp(powers[n]) >= 0 {
		n++
	}
	return n
}

// Fits reports whether x has at most n decimal digits.
func (x Int) Fits(n int) bool {
	if n >= MaxDigits {
		return x.Cmp(maxDecimal) <= 0 && x.Neg().Cmp(maxDecimal) <= 0
	}
	return x.Cmp(powers[n]) < 0 && x.Neg().Cmp(powers[n]) < 0
}

// Rescale changes the number of digits behind the point from one scale to another, halves away from zero; ok is false if that leaves 38 digits.
func (x Int) Rescale(from, to int) (y Int, ok bool) {
	switch {
	case to == from:
		return x, true
	case to > from:
		if to-from > MaxDigits {
			return x, x.Sign() == 0
		}
		y, ok = x.Mul(powers[to-from])
		return y, ok && y.Fits(MaxDigits)
	case from-to > MaxDigits:
		return Int{}, true
	}
	return x.DivRound(powers[from-to]), true
}

// DivRound is x / y, halves away from zero. It panics if y is 0.
func (x Int) DivRound(y Int) Int {
	q, r := x.DivMod(y)
	if r.Hi < 0 {
		r = r.Neg()
	}
	half := y
	if half.Hi < 0 {
		half = half.Neg()
	}
	if r.Cmp(half.Sub(r)) >= 0 {
		one := From(1)
		if x.Sign()*y.Sign() < 0 {
			one = From(-1)
		}
		q = q.Add(one)
	}
	return q
}

// Truncate cuts digits behind the point off, from one scale to a lesser one.
func (x Int) Truncate(from, to int) Int {
	if from-to > MaxDigits {
		return Int{}
	}
	q, _ := x.DivMod(powers[from-to])
	return q
}

// Float is the nearest float64.
func (x Int) Float() float64 {
	if v, ok := x.Int64(); ok {
		return float64(v)
	}
	f, _ := new(big.Float).SetInt(x.Big()).Float64()
	return f
}

// Big is x as a big.Int.
func (x Int) Big() *big.Int {
	hi, lo := x.abs()
	b := new(big.Int).SetUint64(hi)
	b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(lo))
	if x.Hi < 0 {
		b.Neg(b)
	}
	return b
}

// FromBig narrows b; ok is false if it does not fit.
func FromBig(b *big.Int) (x Int, ok bool) {
	if b.BitLen() > 127 {
		return Int{}, false
	}
	var words [2]big.Word
	copy(words[:], b.Bits())
	x = Int{int64(words[1]), uint64(words[0])}
	if b.Sign() < 0 {
		x = x.Neg()
	}
	return x, true
}

// Append writes x in decimal.
func (x Int) Append(dst []byte) []byte {
	if x.Hi < 0 {
		dst = append(dst, '-')
	}
	hi, lo := x.abs()
	var digits [40]byte
	at := len(digits)
	for hi != 0 || lo != 0 || at == len(digits) {
		var rest uint64
		q := hi / 10
		lo, rest = bits.Div64(hi%10, lo, 10)
		hi = q
		at--
		digits[at] = byte('0' + rest)
	}
	return append(dst, digits[at:]...)
}

// String is x in decimal.
func (x Int) String() string { return string(x.Append(nil)) }

// Parse reads digits with an optional sign; ok is false for anything else and for what is out of range.
func Parse(s []byte) (x Int, ok bool) {
	negative := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if len(s) == 0 {
		return Int{}, false
	}
	ten := From(10)
	for _, c := range s {
		if c < '0' || c > '9' {
			return Int{}, false
		}
		if x, ok = x.Mul(ten); !ok {
			return Int{}, false
		}
		if x = x.Add(From(int64(c - '0'))); x.Hi < 0 {
			return Int{}, false
		}
	}
	if negative {
		x = x.Neg()
	}
	return x, true
}

func mustParse(s string) Int {
	x, ok := Parse([]byte(s))
	if !ok {
		panic("tidemark bug: no number: " + s)
	}
	return x
}

func makePowers() (p [MaxDigits + 1]Int) {
	p[0] = From(1)
	for i := 1; i < len(p); i++ {
		p[i], _ = p[i-1].Mul(From(10))
	}
	return p
}
