package function

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// randomDigits is a value of an exact number type, the ends of its range and 0 among them.
func randomDigits(r *rand.Rand, t types.Type) int128.Int {
	if t.IsInteger() {
		least, greatest := t.Range()
		return int128.From([]int64{least, greatest, 0, 1, -7, r.Int64N(100), r.Int64() >> (64 - 3*t.Digits())}[r.IntN(7)])
	}
	n := r.IntN(int(t.Precision) + 1)
	text := []byte{'0'}
	for range n {
		text = append(text, byte('0'+[]int{0, 9, r.IntN(10)}[r.IntN(3)]))
	}
	v, _ := int128.Parse(text)
	if r.IntN(2) == 0 {
		v = v.Neg()
	}
	return v
}

func exactColumn(a *vector.Arena, t types.Type, values []int128.Int) *vector.Vector {
	v := a.Flat(vector.KindOf(t), len(values))
	for i, n := range values {
		putDecimal(v, i, n)
	}
	return v
}

func ratOf(digits int128.Int, t types.Type) *big.Rat {
	return new(big.Rat).SetFrac(digits.Big(), bigPower10(int(t.AsDecimal().Scale)))
}

// roundedRat is a number as a DECIMAL shows it, NULL if it does not fit.
func roundedRat(x *big.Rat, t types.Type) string {
	scaled := new(big.Rat).Mul(x, new(big.Rat).SetInt(bigPower10(int(t.Scale))))
	digits, ok := int128.FromBig(divideBig(scaled.Num(), scaled.Denom()))
	if !ok || !digits.Fits(int(t.Precision)) {
		return "NULL"
	}
	v := &vector.Vector{Kind: vector.Int128, Wides: []int128.Int{digits}}
	wide := t
	wide.Precision = types.MaxDigits
	return string(valuefmt.Append(nil, wide, v, 0))
}

// Arithmetic and comparison of every pair of exact types agrees with math/big.
func TestDecimalsAgainstRationals(t *testing.T) {
	exact := []types.Type{types.TinyIntType, types.IntType, types.BigIntType, types.DecimalOf(1, 1), types.DecimalOf(4, 2), types.DecimalOf(9, 0), types.DecimalOf(18, 6),
		types.DecimalOf(18, 18), types.DecimalOf(19, 3), types.DecimalOf(38, 0), types.DecimalOf(38, 18), types.DecimalOf(38, 38)}
	r := rand.New(rand.NewPCG(5, 6))
	const n = 50
	for _, s := range exact {
		for _, u := range exact {
			if s.Kind != types.Decimal && u.Kind != types.Decimal {
				continue
			}
			x, y := make([]int128.Int, n), make([]int128.Int, n)
			for i := range n {
				x[i], y[i] = randomDigits(r, s), randomDigits(r, u)
			}
			for _, op := range []string{"+", "-", "*", "/", "%", "=", "<", "IS DISTINCT FROM"} {
				for i := range n {
					got := applied(t, op, s, u, x[i], y[i])
					if want := expected(op, ratOf(x[i], s), ratOf(y[i], u), resultType(t, op, s, u)); got != want {
						t.Fatalf("%s of %s %s %s of %s: got %s, want %s", ratOf(x[i], s).FloatString(38), s, op, ratOf(y[i], u).FloatString(38), u, got, want)
					}
				}
			}
		}
	}
}

func resultType(t *testing.T, op string, a, b types.Type) types.Type {
	o, err := MustScalar(op).Resolve([]types.Type{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o.Result
}

// applied evaluates an operator on two values, whose types are converted as package expr does.
func applied(t *testing.T, op string, a, b types.Type, x, y int128.Int) string {
	o, err := MustScalar(op).Resolve([]types.Type{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var pool vector.Pool
	arena := pool.Get()
	args := []*vector.Vector{exactColumn(arena, a, []int128.Int{x}), exactColumn(arena, b, []int128.Int{y})}
	for k, from := range []types.Type{a, b} {
		if types.Same(from, o.Params[k]) {
			continue
		}
		cast, err := ResolveCast(from, o.Params[k], false)
		if err != nil {
			t.Fatal(err)
		}
		if args[k], err = cast.Eval(arena, &Env{}, args[k:k+1], vector.All(1), 1); err != nil {
			t.Fatal(err)
		}
	}
	v, err := o.Eval(arena, &Env{}, args, vector.All(1), 1)
	var row *RowError
	if errors.As(err, &row) {
		return row.Error()
	}
	return string(valuefmt.Append(nil, o.Result, v, 0))
}

func expected(op string, x, y *big.Rat, t types.Type) string {
	z := new(big.Rat)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "/", "%":
		if y.Sign() == 0 {
			return divisionByZero
		}
		z.Quo(x, y)
		if op == "%" {
			whole := new(big.Int).Quo(z.Num(), z.Denom())
			z.Sub(x, z.Mul(y, new(big.Rat).SetInt(whole)))
			if t.IsInteger() {
				return z.Num().String()
			}
		}
	case "=":
		return strings.ToUpper(fmt.Sprint(x.Cmp(y) == 0))
	case "<":
		return strings.ToUpper(fmt.Sprint(x.Cmp(y) < 0))
	case "IS DISTINCT FROM":
		return strings.ToUpper(fmt.Sprint(x.Cmp(y) != 0))
	}
	return roundedRat(z, t)
}

// BenchmarkDecimal is the arithmetic of DECIMAL of 18 digits and of more.
func BenchmarkDecimal(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		op   string
		s, u types.Type
	}{
		{"+", types.DecimalOf(10, 2), types.DecimalOf(10, 2)},
		{"+", types.DecimalOf(18, 2), types.DecimalOf(18, 2)},
		{"+", types.DecimalOf(30, 2), types.DecimalOf(30, 2)},
		{"+", types.DecimalOf(38, 10), types.DecimalOf(38, 10)},
		{"*", types.DecimalOf(8, 2), types.DecimalOf(8, 2)},
		{"*", types.DecimalOf(18, 2), types.DecimalOf(18, 2)},
		{"*", types.DecimalOf(38, 10), types.DecimalOf(38, 10)},
		{"/", types.DecimalOf(5, 1), types.DecimalOf(2, 0)},
		{"/", types.DecimalOf(18, 2), types.DecimalOf(18, 2)},
		{"%", types.DecimalOf(10, 2), types.DecimalOf(10, 2)},
		{"<", types.DecimalOf(10, 2), types.DecimalOf(10, 2)},
		{"<", types.DecimalOf(38, 10), types.DecimalOf(38, 10)},
	} {
		b.Run(fmt.Sprintf("%s %s %s", c.s, c.op, c.u), func(b *testing.B) {
			o, err := MustScalar(c.op).Resolve([]types.Type{c.s, c.u}, nil)
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			inputs := pool.Get()
			x, y := make([]int128.Int, n), make([]int128.Int, n)
			for i := range n {
				x[i] = int128.From(r.Int64() >> (63 - min(3*int64(c.s.Precision), 62)))
				y[i] = int128.From(1 + r.Int64N(1<<min(3*int64(c.u.Precision), 62)))
			}
			args := []*vector.Vector{exactColumn(inputs, c.s, x), exactColumn(inputs, c.u, y)}
			for b.Loop() {
				arena := pool.Get()
				if _, err := o.Eval(arena, &Env{}, args, vector.All(n), n); err != nil {
					b.Fatal(err)
				}
				arena.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}

// Casts among exact types agree with math/big.
func TestExactCasts(t *testing.T) {
	exact := []types.Type{types.TinyIntType, types.BigIntType, types.DecimalOf(1, 1), types.DecimalOf(4, 2), types.DecimalOf(9, 0), types.DecimalOf(18, 0), types.DecimalOf(18, 6),
		types.DecimalOf(18, 18), types.DecimalOf(19, 3), types.DecimalOf(38, 0), types.DecimalOf(38, 18), types.DecimalOf(38, 38)}
	r := rand.New(rand.NewPCG(9, 10))
	for _, from := range exact {
		for _, to := range exact {
			if to.Kind != types.Decimal || types.Same(from, to) {
				continue
			}
			o, err := ResolveCast(from, to, false)
			if err != nil {
				t.Fatal(err)
			}
			for range 200 {
				x := randomDigits(r, from)
				var pool vector.Pool
				arena := pool.Get()
				v, err := o.Eval(arena, &Env{}, []*vector.Vector{exactColumn(arena, from, []int128.Int{x})}, vector.All(1), 1)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := string(valuefmt.Append(nil, to, v, 0)), roundedRat(ratOf(x, from), to); got != want {
					t.Fatalf("%s of %s as %s: got %s, want %s", ratOf(x, from).FloatString(38), from, to, got, want)
				}
			}
		}
	}
}
