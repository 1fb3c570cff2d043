package int128

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// sample makes numbers of every width, the ends of words among them.
func sample(r *rand.Rand) Int {
	edges := []uint64{0, 1, 2, 9, 10, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64, math.MaxUint32, math.MaxUint32 + 1}
	word := func() uint64 {
		if r.IntN(3) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return r.Uint64() >> r.IntN(64)
	}
	x := Int{0, word()}
	if r.IntN(2) == 0 {
		x.Hi = int64(word() >> 1)
	}
	if r.IntN(2) == 0 {
		x = x.Neg()
	}
	return x
}

// Every operation agrees with math/big.
func TestAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	limit := new(big.Int).Lsh(big.NewInt(1), 127)
	for range 200_000 {
		x, y := sample(r), sample(r)
		bx, by := x.Big(), y.Big()
		if back, ok := FromBig(bx); !ok || back != x {
			t.Fatalf("%s goes to big and comes back as %s", x, back)
		}
		if x.String() != bx.String() {
			t.Fatalf("%s is written %s", bx, x)
		}
		if back, ok := Parse([]byte(x.String())); !ok || back != x {
			t.Fatalf("%s is read as %s", x, back)
		}
		if x.Cmp(y) != bx.Cmp(by) || x.Sign() != bx.Sign() {
			t.Fatalf("%s against %s: %d", x, y, x.Cmp(y))
		}
		if got, want := x.Float(), floatOf(bx); got != want {
			t.Fatalf("%s is the float %v, want %v", x, got, want)
		}
		sum := new(big.Int).Add(bx, by)
		if sum.CmpAbs(limit) < 0 && x.Add(y).Big().Cmp(sum) != 0 {
			t.Fatalf("%s + %s = %s", x, y, x.Add(y))
		}
		difference := new(big.Int).Sub(bx, by)
		if difference.CmpAbs(limit) < 0 && x.Sub(y).Big().Cmp(difference) != 0 {
			t.Fatalf("%s - %s = %s", x, y, x.Sub(y))
		}
		product := new(big.Int).Mul(bx, by)
		got, ok := x.Mul(y)
		if ok != (product.CmpAbs(limit) < 0) || ok && got.Big().Cmp(product) != 0 {
			t.Fatalf("%s * %s = %s, %t", x, y, got, ok)
		}
		if y.Sign() == 0 {
			continue
		}
		q, rest := new(big.Int).QuoRem(bx, by, new(big.Int))
		gotQ, gotR := x.DivMod(y)
		if gotQ.Big().Cmp(q) != 0 || gotR.Big().Cmp(rest) != 0 {
			t.Fatalf("%s / %s = %s, rest %s", x, y, gotQ, gotR)
		}
		twice := new(big.Int).Lsh(new(big.Int).Abs(rest), 1)
		if twice.CmpAbs(by) >= 0 {
			q.Add(q, big.NewInt(int64(bx.Sign()*by.Sign())))
		}
		if x.DivRound(y).Big().Cmp(q) != 0 {
			t.Fatalf("%s / %s rounds to %s, want %s", x, y, x.DivRound(y), q)
		}
	}
}

func floatOf(b *big.Int) float64 {
	f, _ := new(big.Float).SetInt(b).Float64()
	return f
}

func TestDigits(t *testing.T) {
	for n := 1; n <= MaxDigits; n++ {
		least := Pow10(n - 1)
		most := Pow10(n).Sub(From(1))
		for _, x := range []Int{least, most, least.Neg(), most.Neg()} {
			if x.Digits() != n || !x.Fits(n) || n > 1 && x.Fits(n-1) {
				t.Errorf("%s has %d digits, fits %d: %t", x, x.Digits(), n, x.Fits(n))
			}
		}
	}
	if Pow10(38).Fits(38) || Pow10(38).Neg().Fits(39) || From(0).Digits() != 1 {
		t.Error("39 digits fit into 38, or 0 has none")
	}
}

func TestRescale(t *testing.T) {
	for _, c := range []struct {
		x        int64
		from, to int
		want     string
		ok       bool
	}{
		{125, 2, 2, "125", true},
		{125, 2, 1, "13", true},
		{-125, 2, 1, "-13", true},
		{124, 2, 1, "12", true},
		{5, 1, 0, "1", true},
		{4, 1, 0, "0", true},
		{1, 0, 37, "10000000000000000000000000000000000000", true},
		{1, 0, 38, "100000000000000000000000000000000000000", false},
		{0, 0, 100, "0", true},
		{1, 100, 0, "0", true},
	} {
		got, ok := From(c.x).Rescale(c.from, c.to)
		if ok != c.ok || ok && got.String() != c.want {
			t.Errorf("%d from scale %d to %d is %s, %t", c.x, c.from, c.to, got, ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{"", "-", "+", "1.5", " 1", "1 ", "170141183460469231731687303715884105728", "--1", "1e3"} {
		if x, ok := Parse([]byte(s)); ok {
			t.Errorf("%q is read as %s", s, x)
		}
	}
	if x, ok := Parse([]byte("+7")); !ok || x != From(7) {
		t.Errorf("+7 is %s", x)
	}
}

func BenchmarkDivMod(b *testing.B) {
	x, y := Int{1 << 40, 12345}, Pow10(19)
	for b.Loop() {
		x.DivMod(y)
	}
}

func BenchmarkMul(b *testing.B) {
	x, y := From(1234567890123456789), From(987654321)
	for b.Loop() {
		x.Mul(y)
	}
}

func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		x, y := int64(sample(r).Lo), int64(sample(r).Lo)
		want := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
		if got := Product(x, y); got.Big().Cmp(want) != 0 && want.BitLen() < 128 {
			t.Fatalf("%d * %d = %s, want %s", x, y, got, want)
		}
	}
}
