package function

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestRoundDouble rounds the printed digits as exact fractions.
func TestRoundDouble(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 20_000 {
		v := (random.Float64() - 0.5) * math.Pow(10, float64(random.IntN(30)-12))
		if random.IntN(2) == 0 {
			v = math.Round(v*1000) / 1000
		}
		digits := int64(random.IntN(14) - 5)
		exact, ok := new(big.Rat).SetString(strconv.FormatFloat(math.Abs(v), 'g', -1, 64))
		if !ok {
			t.Fatal(v)
		}
		unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(digits, -digits)), nil))
		if digits < 0 {
			unit.Inv(unit)
		}
		scaled := exact.Mul(exact, unit)
		scaled.Add(scaled, big.NewRat(1, 2))
		whole := new(big.Int).Quo(scaled.Num(), scaled.Denom())
		want, _ := new(big.Rat).Quo(new(big.Rat).SetInt(whole), unit).Float64()
		if got := roundDouble(v, digits, roundHalf); math.Abs(got) != want || (got != 0 && math.Signbit(got) != math.Signbit(v)) {
			t.Fatalf("%v to %d digits is %v, want %v", v, digits, got, math.Copysign(want, v))
		}
	}
}

func TestDoubleToInt(t *testing.T) {
	for v, want := range map[float64]int64{0.9: 0, -0.9: 0, 1e30: math.MaxInt64, -1e30: math.MinInt64, math.Inf(1): math.MaxInt64,
		9223372036854774784: 9223372036854774784, -9223372036854775808: math.MinInt64} {
		if got := doubleToInt(v); got != want {
			t.Errorf("%v becomes %d, want %d", v, got, want)
		}
	}
	if got := doubleToInt(math.NaN()); got != 0 {
		t.Errorf("NaN becomes %d", got)
	}
}
