package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var mathFunctions = []Scalar{
	{
		Name: "ABS", Family: FamilyArithmetic,
		Signatures: []string{"ABS(number)"},
		Doc:        "The number without its sign.",
		Example:    "ABS(-3)", ExampleResult: "3",
		Overloads: numberOverloads(
			func(v int64) int64 { return max(v, -v) },
			math.Abs),
		Resolver: byTypes(decimalFunction(
			func(v, _ int64) int64 { return max(v, -v) },
			func(v, _ int128.Int) int128.Int {
				if v.Sign() < 0 {
					return v.Neg()
				}
				return v
			})),
	},
	{
		Name: "SIGN", Family: FamilyArithmetic,
		Signatures: []string{"SIGN(number)"},
		Doc:        "-1, 0 or 1, as the number is negative, zero or positive.",
		Example:    "SIGN(-3)", ExampleResult: "-1",
		Overloads: numberOverloads(
			func(v int64) int64 { return int64(bit(v > 0)) - int64(bit(v < 0)) },
			signOfDouble),
		Resolver: byTypes(decimalFunction(
			func(v, unit int64) int64 { return (int64(bit(v > 0)) - int64(bit(v < 0))) * unit },
			func(v, unit int128.Int) int128.Int {
				product, _ := int128.From(int64(v.Sign())).Mul(unit)
				return product
			})),
	},
}

// numberOverloads is a function of one number that keeps its type. INT comes first, so that it is what a bare NULL becomes.
func numberOverloads(ofInt func(int64) int64, ofDouble func(float64) float64) []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.IntType, types.BigIntType, types.TinyIntType, types.SmallIntType} {
		overloads = append(overloads, Overload{Params: []types.Type{t}, Result: t, Nulls: StrictTotal, Kernel: func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = ofInt(v)
			}
			wrap(t, c.Out.Ints)
			return nil
		}})
	}
	for _, t := range []types.Type{types.DoubleType, types.FloatType} {
		o := doubleOverload(ofDouble)
		o.Params, o.Result, o.Kernel = []types.Type{t}, t, approximate(t, o.Kernel)
		overloads = append(overloads, o)
	}
	return overloads
}

// decimalFunction is the resolver of a function of one DECIMAL that keeps its type; it is given the digits and the unit, which is 1 with as many digits behind
// the point.
func decimalFunction(ofSmall func(v, unit int64) int64, ofWide func(v, unit int128.Int) int128.Int) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 || args[0].Kind != types.Decimal {
			return Overload{}, false
		}
		t := args[0].Nullable()
		o := Overload{Params: []types.Type{t}, Result: t, Nulls: StrictTotal}
		wideUnit := int128.Pow10(int(t.Scale))
		unit := int64(wideUnit.Lo)
		if vector.KindOf(t) == vector.Int64 {
			o.Kernel = func(c *Call) error {
				for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
					c.Out.Ints[i] = ofSmall(v, unit)
				}
				return nil
			}
			return o, true
		}
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Wides[:len(c.Out.Wides)] {
				c.Out.Wides[i] = ofWide(v, wideUnit)
			}
			return nil
		}
		return o, true
	}
}

func signOfDouble(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return v // zero and NaN
}
