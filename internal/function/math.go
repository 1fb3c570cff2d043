package function

import (
	"bytes"
	"math"
	"slices"

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
	},
	{
		Name: "SIGN", Family: FamilyArithmetic,
		Signatures: []string{"SIGN(number)"},
		Doc:        "-1, 0 or 1, as the number is negative, zero or positive.",
		Example:    "SIGN(-3)", ExampleResult: "-1",
		Overloads: numberOverloads(
			func(v int64) int64 { return int64(bit(v > 0)) - int64(bit(v < 0)) },
			signOfDouble),
	},
	{
		Name: "FLOOR", Family: FamilyArithmetic,
		Signatures: []string{"FLOOR(number)", "FLOOR(timestamp TO unit)"},
		Doc:        "The greatest whole number that is not above the number, or the beginning of the unit of time in which the timestamp lies.",
		Example:    "FLOOR(-1.5e0)", ExampleResult: "-2.0",
		Resolver: resolveRound(numberOverloads(func(v int64) int64 { return v }, math.Floor), floorTo),
	},
	{
		Name: "CEIL", Aliases: []string{"CEILING"}, Family: FamilyArithmetic,
		Signatures: []string{"CEIL(number)", "CEIL(timestamp TO unit)"},
		Doc:        "The least whole number that is not below the number, or the first beginning of a unit of time that is not before the timestamp.",
		Example:    "CEIL(1.2e0)", ExampleResult: "2.0",
		Resolver: resolveRound(numberOverloads(func(v int64) int64 { return v }, math.Ceil), ceilTo),
	},
	{
		Name: "ROUND", Family: FamilyArithmetic,
		Signatures: []string{"ROUND(number)", "ROUND(number, digits)"},
		Doc:        "The number rounded to so many digits after the point (before it if negative; 0 unless given), halves away from zero.",
		Example:    "ROUND(2.345e0, 2)", ExampleResult: "2.35",
		Overloads: roundOverloads(),
	},
	{
		Name: "POWER", Family: FamilyArithmetic,
		Signatures: []string{"POWER(base, exponent)"},
		Doc:        "The base raised to the exponent.",
		Example:    "POWER(2, 10)", ExampleResult: "1024.0",
		Overloads: []Overload{{Params: []types.Type{types.DoubleType, types.DoubleType}, Result: types.DoubleType, Nulls: StrictTotal, Kernel: power}},
	},
	doubleFunction("SQRT", "The square root; NaN for a negative number.", "SQRT(16)", "4.0", math.Sqrt),
	doubleFunction("EXP", "e raised to the number.", "EXP(0)", "1.0", math.Exp),
	doubleFunction("LN", "The natural logarithm.", "LN(1)", "0.0", math.Log),
	doubleFunction("LOG10", "The logarithm to the base 10.", "LOG10(1000)", "3.0", math.Log10),
	{
		Name: "GREATEST", Family: FamilyArithmetic,
		Signatures: []string{"GREATEST(value, value, …)"},
		Doc:        "The greatest of the values; NULL if one is NULL.",
		Example:    "GREATEST(3, 7, 5)", ExampleResult: "7",
		Resolver: extremeOf(greater),
	},
	{
		Name: "LEAST", Family: FamilyArithmetic,
		Signatures: []string{"LEAST(value, value, …)"},
		Doc:        "The least of the values; NULL if one is NULL.",
		Example:    "LEAST('b', 'a')", ExampleResult: "a",
		Resolver: extremeOf(less),
	},
}

// numberOverloads is a function of one number that keeps its type.
func numberOverloads(ofInt func(int64) int64, ofDouble func(float64) float64) []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.IntType, types.BigIntType} {
		overloads = append(overloads, Overload{Params: []types.Type{t}, Result: t, Nulls: StrictTotal, Kernel: func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = ofInt(v)
			}
			wrap(t, c.Out.Ints)
			return nil
		}})
	}
	return append(overloads, doubleOverload(ofDouble))
}

func doubleOverload(f func(float64) float64) Overload {
	return Overload{Params: []types.Type{types.DoubleType}, Result: types.DoubleType, Nulls: StrictTotal, Kernel: func(c *Call) error {
		for i, v := range c.Args[0].Floats[:len(c.Out.Floats)] {
			c.Out.Floats[i] = f(v)
		}
		return nil
	}}
}

func doubleFunction(name, doc, example, result string, f func(float64) float64) Scalar {
	return Scalar{
		Name: name, Family: FamilyArithmetic,
		Signatures: []string{name + "(number)"},
		Doc:        doc,
		Example:    example, ExampleResult: result,
		Overloads: []Overload{doubleOverload(f)},
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

func power(c *Call) error {
	for i := range c.Out.Floats {
		c.Out.Floats[i] = math.Pow(c.Args[0].Float(i), c.Args[1].Float(i))
	}
	return nil
}

func roundOverloads() []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.IntType, types.BigIntType} {
		overloads = append(overloads,
			Overload{Params: []types.Type{t}, Result: t, Nulls: StrictTotal, Kernel: func(c *Call) error {
				copy(c.Out.Ints, c.Args[0].Ints)
				return nil
			}},
			Overload{Params: []types.Type{t, types.BigIntType}, Result: t, Kernel: func(c *Call) error {
				for k := range c.Rows.Count() {
					i := c.Rows.At(k)
					c.Out.Ints[i] = roundInt(c.Args[0].Int(i), c.Args[1].Int(i))
				}
				wrap(t, c.Out.Ints)
				return nil
			}})
	}
	// Adding zero makes the 0.0 of a negative zero, as Flink's decimal rounding does.
	return append(overloads,
		doubleOverload(func(v float64) float64 { return math.Round(v) + 0 }),
		Overload{Params: []types.Type{types.DoubleType, types.BigIntType}, Result: types.DoubleType, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Floats[i] = roundDouble(c.Args[0].Float(i), c.Args[1].Int(i))
			}
			return nil
		}})
}

// roundInt rounds v to a multiple of 10^-digits, halves away from zero.
func roundInt(v, digits int64) int64 {
	if digits >= 0 {
		return v
	}
	if digits < -18 {
		return 0
	}
	unit := int64(1)
	for range -digits {
		unit *= 10
	}
	rest := v % unit
	v -= rest
	switch {
	case rest >= unit-unit/2:
		return v + unit
	case rest <= unit/2-unit:
		return v - unit
	}
	return v
}

// extremeOf picks the value that stands in relation r to all others.
func extremeOf(r relation) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) == 0 {
			return Overload{}, false
		}
		t, ok := args[0], true
		for _, arg := range args[1:] {
			if t, ok = types.Common(t, arg); !ok {
				return Overload{}, false
			}
		}
		if t.IsNested() {
			return Overload{}, false // arrays, maps and rows have no order
		}
		t = t.Nullable()
		return Overload{Params: slices.Repeat([]types.Type{t}, len(args)), Result: t, Kernel: extremeKernel(r, vector.KindOf(t))}, true
	}
}

func extremeKernel(r relation, k vector.Kind) Kernel {
	switch k {
	case vector.Bool:
		return func(c *Call) error {
			pick(r, c, c.Out.Bools, func(v *vector.Vector) []uint8 { return v.Bools })
			return nil
		}
	case vector.Int64:
		return func(c *Call) error {
			pick(r, c, c.Out.Ints, func(v *vector.Vector) []int64 { return v.Ints })
			return nil
		}
	case vector.Float64:
		return func(c *Call) error {
			pick(r, c, c.Out.Floats, func(v *vector.Vector) []float64 { return v.Floats })
			return nil
		}
	}
	return func(c *Call) error { pickBytes(r, c); return nil }
}

func pick[T uint8 | int64 | float64](r relation, c *Call, out []T, values func(*vector.Vector) []T) {
	for a, v := range c.Args {
		x, mask := values(v), v.Mask()
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			candidate := x[i&mask]
			if a == 0 || (r == greater && candidate > out[i]) || (r == less && candidate < out[i]) {
				out[i] = candidate
			}
		}
	}
}

func pickBytes(r relation, c *Call) {
	outcomes := r.outcomes()
	w := newText(c, 0)
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		best := c.Args[0].Bytes(i)
		for _, v := range c.Args[1:] {
			if candidate := v.Bytes(i); outcomes[bytes.Compare(candidate, best)+1] == 1 {
				best = candidate
			}
		}
		w.buf = append(w.buf, best...)
		w.end(i)
	}
	w.done()
}
