package functions

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// mathFunctions are those of module Math. They compute in Double.
var mathFunctions = []Function{
	constantNumber("Pi", "3.141592653589793", math.Pi),
	constantNumber("E", "2.718281828459045", math.E),
	ofNumber("Abs", "The number without its sign.", "Math::Abs(-1.5)", "1.5", math.Abs, "Fabs"),
	ofNumber("Acos", "The arc cosine.", "Math::Acos(1)", "0", math.Acos),
	ofNumber("Asin", "The arc sine.", "Math::Asin(0)", "0", math.Asin),
	ofNumber("Asinh", "The inverse hyperbolic sine.", "Math::Asinh(0)", "0", math.Asinh),
	ofNumber("Atan", "The arc tangent.", "Math::Atan(0)", "0", math.Atan),
	ofNumber("Cbrt", "The cubic root.", "Math::Cbrt(27)", "3", math.Cbrt),
	ofNumber("Ceil", "The least whole number that is not less.", "Math::Ceil(1.2)", "2", math.Ceil),
	ofNumber("Cos", "The cosine.", "Math::Cos(0)", "1", math.Cos),
	ofNumber("Cosh", "The hyperbolic cosine.", "Math::Cosh(0)", "1", math.Cosh),
	ofNumber("Erf", "The error function.", "Math::Erf(0)", "0", math.Erf),
	ofNumber("ErfInv", "The inverse of the error function.", "Math::ErfInv(0)", "0", math.Erfinv),
	ofNumber("ErfcInv", "The inverse of the complementary error function.", "Math::ErfcInv(1)", "0", math.Erfcinv),
	ofNumber("Exp", "e to the number.", "Math::Exp(0)", "1", math.Exp),
	ofNumber("Exp2", "2 to the number.", "Math::Exp2(3)", "8", math.Exp2),
	ofNumber("Floor", "The greatest whole number that is not greater.", "Math::Floor(1.8)", "1", math.Floor),
	ofNumber("Lgamma", "The logarithm of the gamma function.", "Math::Lgamma(1)", "0", func(x float64) float64 { v, _ := math.Lgamma(x); return v }),
	ofNumber("Log", "The natural logarithm.", "Math::Log(1)", "0", math.Log),
	ofNumber("Log2", "The logarithm of base 2.", "Math::Log2(8)", "3", math.Log2),
	ofNumber("Log10", "The logarithm of base 10.", "Math::Log10(1000)", "3", math.Log10),
	ofNumber("Rint", "The nearest whole number, the even one of two.", "Math::Rint(2.5)", "2", math.RoundToEven),
	ofNumber("Sigmoid", "1 / (1 + e to the negative number).", "Math::Sigmoid(0)", "0.5", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	ofNumber("Sin", "The sine.", "Math::Sin(0)", "0", math.Sin),
	ofNumber("Sinh", "The hyperbolic sine.", "Math::Sinh(0)", "0", math.Sinh),
	ofNumber("Sqrt", "The square root.", "Math::Sqrt(9)", "3", math.Sqrt),
	ofNumber("Tan", "The tangent.", "Math::Tan(0)", "0", math.Tan),
	ofNumber("Tanh", "The hyperbolic tangent.", "Math::Tanh(0)", "0", math.Tanh),
	ofNumber("Tgamma", "The gamma function.", "Math::Tgamma(5)", "24", math.Gamma),
	ofNumber("Trunc", "The number without what is behind its point.", "Math::Trunc(-1.8)", "-1", math.Trunc),
	ofTwo("Atan2", "The angle of the point (other, number).", "Math::Atan2(0, 1)", "0", math.Atan2),
	ofTwo("Fmod", "The remainder of the division, with the sign of the number.", "Math::Fmod(-7, 3)", "-1", math.Mod),
	ofTwo("Hypot", "The length of the hypotenuse.", "Math::Hypot(3, 4)", "5", math.Hypot),
	ofTwo("Pow", "The number to the power of the other.", "Math::Pow(2, 10)", "1024", math.Pow),
	ofTwo("Remainder", "What is left of the number when the nearest multiple of the other is taken away.", "Math::Remainder(7, 4)", "-1", math.Remainder),
	says("IsFinite", "Whether the number is neither infinite nor NaN.", "Math::IsFinite(1)", "true", func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }),
	says("IsInf", "Whether the number is infinite.", `Math::IsInf(CAST("inf" AS Double))`, "true", func(x float64) bool { return math.IsInf(x, 0) }),
	says("IsNaN", "Whether the number is NaN.", `Math::IsNaN(CAST("nan" AS Double))`, "true", math.IsNaN),
	{
		Module: "Math", Name: "FuzzyEquals", Signature: "Math::FuzzyEquals(number, other [, Epsilon])",
		Doc:     "Whether two numbers are equal but for a part of the lesser, 1e-13 unless said.",
		Example: "Math::FuzzyEquals(1.0, 1.01, 0.1)", Result: "true",
		params: []param{paramDouble, {name: "other", accept: acceptDouble}, {name: "Epsilon", accept: acceptDouble, absent: Double(1e-13)}},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			x, y := c.Args[0].Float(i), c.Args[1].Float(i)
			return math.Abs(x-y) <= c.Args[2].Float(i)*math.Min(math.Abs(x), math.Abs(y)), nil
		})}),
	},
	{
		Module: "Math", Name: "Round", Signature: "Math::Round(number [, digits])",
		Doc:     "The number rounded, halves away from zero, to a power of ten: -2 for two digits behind the point.",
		Example: "Math::Round(1.256, -2)", Result: "1.26",
		params: []param{paramDouble, {name: "digits", accept: acceptWhole, absent: Int(typeInt64, 0)}},
		apply: gives(typeDouble, spec{kernel: floats(func(c *function.Call, i int) (float64, error) {
			x, digits := c.Args[0].Float(i), c.Args[1].Int(i)
			if digits < -300 || digits > 300 {
				return x, nil
			}
			if digits < 0 {
				scale := math.Pow10(int(-digits))
				return math.Round(x*scale) / scale, nil
			}
			scale := math.Pow10(int(digits))
			return math.Round(x/scale) * scale, nil
		})}),
	},
	remainder("Mod", "The remainder of the division, with the sign of the divisor; NULL for a divisor of 0.", "Math::Mod(-1, 7)", "6", func(n, d int64) int64 {
		r := n % d
		if r != 0 && (r < 0) != (d < 0) {
			r += d
		}
		return r
	}),
	remainder("Rem", "The remainder of the division, with the sign of the number; NULL for a divisor of 0.", "Math::Rem(-1, 7)", "-1", func(n, d int64) int64 { return n % d }),
}

func constantNumber(name, result string, v float64) Function {
	return Function{
		Module: "Math", Name: name, Signature: "Math::" + name + "()", Doc: "The number " + name + ".", Example: "Math::" + name + "()", Result: result,
		apply: func(*invocation) (Value, error) { return Double(v), nil },
	}
}

func ofNumber(name, doc, example, result string, f func(x float64) float64, aliases ...string) Function {
	return Function{
		Module: "Math", Name: name, Aliases: aliases, Signature: "Math::" + name + "(number)", Doc: doc, Example: example, Result: result,
		params: []param{paramDouble},
		apply: gives(typeDouble, spec{kernel: floats(func(c *function.Call, i int) (float64, error) {
			return f(c.Args[0].Float(i)), nil
		})}),
	}
}

func ofTwo(name, doc, example, result string, f func(x, y float64) float64) Function {
	return Function{
		Module: "Math", Name: name, Signature: "Math::" + name + "(number, other)", Doc: doc, Example: example, Result: result,
		params: []param{paramDouble, {name: "other", accept: acceptDouble}},
		apply: gives(typeDouble, spec{kernel: floats(func(c *function.Call, i int) (float64, error) {
			return f(c.Args[0].Float(i), c.Args[1].Float(i)), nil
		})}),
	}
}

func says(name, doc, example, result string, f func(x float64) bool) Function {
	return Function{
		Module: "Math", Name: name, Signature: "Math::" + name + "(number)", Doc: doc, Example: example, Result: result,
		params: []param{paramDouble},
		apply:  gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) { return f(c.Args[0].Float(i)), nil })}),
	}
}

func remainder(name, doc, example, result string, f func(n, d int64) int64) Function {
	return Function{
		Module: "Math", Name: name, Signature: "Math::" + name + "(number, divisor)", Doc: doc, Example: example, Result: result,
		params: []param{{name: "number", accept: acceptWhole}, {name: "divisor", accept: acceptWhole}},
		apply: gives(yqltype.Of(yqltype.Int64), spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			d := c.Args[1].Int(i)
			if d == 0 {
				return 0, errNull
			}
			return f(c.Args[0].Int(i), d), nil
		})}),
	}
}
