package numfmt

import (
	"math/big"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
)

func TestReadDecimal(t *testing.T) {
	for _, c := range []struct {
		text             string
		precision, scale int
		want             string
	}{
		{"0", 1, 0, "0"},
		{"-0", 1, 0, "0"},
		{"0e00000000000000000000000000000000000000001", 1, 0, "0"},
		{"1.5", 2, 1, "15"},
		{"+1.5", 3, 2, "150"},
		{".5", 1, 1, "5"},
		{"5.", 1, 0, "5"},
		{"0.5", 1, 1, "5"},
		{"00012.3400", 4, 2, "1234"},
		{"1.005", 10, 2, "101"},
		{"-1.005", 10, 2, "-101"},
		{"1.00499999999999999999999999999999999999999999999999", 10, 2, "100"},
		{"0.5", 1, 0, "1"},
		{"0.05", 1, 0, "0"},
		{"0.005", 3, 2, "1"},
		{"9.95", 3, 1, "100"},
		{"9.95", 2, 1, "too great"},
		{"1e3", 10, 2, "100000"},
		{"1E-3", 10, 2, "0"},
		{"12.5e-1", 10, 2, "125"},
		{"12.5e+1", 10, 0, "125"},
		{"1e99999999999999999999", 38, 0, "too great"},
		{"0e99999999999999999999", 38, 0, "0"},
		{"1e-99999999999999999999", 38, 38, "0"},
		{"12345678901234567890123456789012345678", 38, 0, "12345678901234567890123456789012345678"},
		{"-99999999999999999999999999999999999999.4", 38, 0, "-99999999999999999999999999999999999999"},
		{"99999999999999999999999999999999999999.5", 38, 0, "too great"},
		{"123456789012345678901234567890123456789", 38, 0, "too great"},
		{"", 10, 0, "no number"},
		{".", 10, 0, "no number"},
		{"-", 10, 0, "no number"},
		{"--1", 10, 0, "no number"},
		{"1..2", 10, 0, "no number"},
		{"1e", 10, 0, "no number"},
		{"e1", 10, 0, "no number"},
		{" 1", 10, 0, "no number"},
		{"0x1", 10, 0, "no number"},
		{"NaN", 10, 0, "no number"},
	} {
		v, reading := ReadDecimal([]byte(c.text), c.precision, c.scale)
		got := [...]string{v.String(), "too great", "no number"}[reading]
		if got != c.want {
			t.Errorf("%s as DECIMAL(%d, %d): got %s, want %s", c.text, c.precision, c.scale, got, c.want)
		}
	}
}

// FuzzReadDecimal compares with math/big.
func FuzzReadDecimal(f *testing.F) {
	for _, s := range []string{"1.5", "-0.0005e3", "999.995", "1e38", "", "0"} {
		f.Add(s, uint8(10), uint8(2))
	}
	f.Fuzz(func(t *testing.T, s string, p, q uint8) {
		precision := 1 + int(p)%38
		scale := int(q) % (precision + 1)
		v, reading := ReadDecimal([]byte(s), precision, scale)
		if len(s) > 60 || strings.ContainsAny(s, "_xXbBoOpPiInN/") {
			return // spellings of math/big alone
		}
		want, ok := new(big.Rat).SetString(s)
		if !ok {
			return // an exponent that is too great for it
		}
		if reading == NoNumber {
			t.Fatalf("%q is a number", s)
		}
		want.Mul(want, new(big.Rat).SetInt(int128.Pow10(scale).Big()))
		half := big.NewRat(1, 2)
		if want.Sign() < 0 {
			half.Neg(half)
		}
		want.Add(want, half)
		whole := new(big.Int).Quo(want.Num(), want.Denom())
		fits := len(strings.TrimPrefix(whole.String(), "-")) <= precision
		if fits != (reading == Read) || fits && v.Big().Cmp(whole) != 0 {
			t.Fatalf("%q as DECIMAL(%d, %d): got %s (%d), want %s", s, precision, scale, v, reading, whole)
		}
	})
}
