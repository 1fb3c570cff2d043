package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Functions of real numbers: everything is computed in DOUBLE. The last bit or two may be others than Java's.
var realFunctions = []Scalar{
	pairFunction("POWER", "base, exponent", "The base raised to the exponent.", "POWER(2, 10)", "1024.0", math.Pow),
	doubleFunction("SQRT", "The square root; NaN for a negative number.", "SQRT(16)", "4.0", math.Sqrt),
	doubleFunction("EXP", "e raised to the number.", "EXP(0)", "1.0", math.Exp),
	doubleFunction("LN", "The natural logarithm.", "LN(1)", "0.0", math.Log),
	doubleFunction("LOG10", "The logarithm to the base 10.", "LOG10(1000)", "3.0", math.Log10),
	doubleFunction("LOG2", "The logarithm to the base 2.", "LOG2(8)", "3.0", math.Log2),
	{
		Name: "LOG", Family: FamilyArithmetic,
		Signatures: []string{"LOG(number)", "LOG(base, number)"},
		Doc:        "The logarithm to a base, the natural one unless given.",
		Example:    "LOG(2, 8)", ExampleResult: "3.0",
		Overloads: []Overload{doubleOverload(math.Log), pairOverload(func(base, v float64) float64 { return math.Log(v) / math.Log(base) })},
	},
	doubleFunction("SIN", "The sine of an angle in radians.", "SIN(0)", "0.0", math.Sin),
	doubleFunction("COS", "The cosine of an angle in radians.", "COS(0)", "1.0", math.Cos),
	doubleFunction("TAN", "The tangent of an angle in radians.", "TAN(0)", "0.0", math.Tan),
	doubleFunction("COT", "The cotangent of an angle in radians; infinite for 0.", "COT(0)", "Infinity", func(v float64) float64 { return 1 / math.Tan(v) }),
	doubleFunction("ASIN", "The angle in radians whose sine the number is; NaN beyond 1 and -1.", "ASIN(0)", "0.0", math.Asin),
	doubleFunction("ACOS", "The angle in radians whose cosine the number is; NaN beyond 1 and -1.", "ACOS(1)", "0.0", math.Acos),
	doubleFunction("ATAN", "The angle in radians whose tangent the number is.", "ATAN(0)", "0.0", math.Atan),
	pairFunction("ATAN2", "y, x", "The angle in radians between the x axis and the point (x, y).", "ATAN2(0, 1)", "0.0", math.Atan2),
	doubleFunction("SINH", "The hyperbolic sine.", "SINH(0)", "0.0", math.Sinh),
	doubleFunction("COSH", "The hyperbolic cosine.", "COSH(0)", "1.0", math.Cosh),
	doubleFunction("TANH", "The hyperbolic tangent.", "TANH(0)", "0.0", math.Tanh),
	doubleFunction("DEGREES", "An angle in degrees, of one in radians.", "DEGREES(PI())", "180.0", func(v float64) float64 { return v * (180 / math.Pi) }),
	doubleFunction("RADIANS", "An angle in radians, of one in degrees.", "RADIANS(180) = PI()", "TRUE", func(v float64) float64 { return v / 180 * math.Pi }),
	constantFunction("PI", "The ratio of a circle's circumference to its diameter.", "PI()", "3.141592653589793", math.Pi),
	constantFunction("E", "The base of the natural logarithm.", "E()", "2.718281828459045", math.E),
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

func pairOverload(f func(a, b float64) float64) Overload {
	return Overload{Params: []types.Type{types.DoubleType, types.DoubleType}, Result: types.DoubleType, Nulls: StrictTotal, Kernel: func(c *Call) error {
		x, y := c.Args[0], c.Args[1]
		for i := range c.Out.Floats {
			c.Out.Floats[i] = f(x.Float(i), y.Float(i))
		}
		return nil
	}}
}

func pairFunction(name, params, doc, example, result string, f func(a, b float64) float64) Scalar {
	return Scalar{
		Name: name, Family: FamilyArithmetic,
		Signatures: []string{name + "(" + params + ")"},
		Doc:        doc,
		Example:    example, ExampleResult: result,
		Overloads: []Overload{pairOverload(f)},
	}
}

func constantFunction(name, doc, example, result string, v float64) Scalar {
	return Scalar{
		Name: name, Family: FamilyArithmetic,
		Signatures: []string{name + "()"},
		Doc:        doc,
		Example:    example, ExampleResult: result,
		Overloads: []Overload{{Result: types.DoubleType, Kernel: func(c *Call) error { c.Out.Floats[0] = v; return nil }}},
	}
}
