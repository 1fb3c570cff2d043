package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var roundFunctions = []Scalar{
	{
		Name: "FLOOR", Family: FamilyArithmetic,
		Signatures: []string{"FLOOR(number)", "FLOOR(timestamp TO unit)"},
		Doc:        "The greatest whole number that is not above the number, or the beginning of the unit of time in which the timestamp lies.",
		Example:    "FLOOR(-1.5)", ExampleResult: "-2",
		Resolver: byTypes(resolveRound(wholeDecimal(roundDown), numberOverloads(func(v int64) int64 { return v }, math.Floor), floorTo)),
	},
	{
		Name: "CEIL", Aliases: []string{"CEILING"}, Family: FamilyArithmetic,
		Signatures: []string{"CEIL(number)", "CEIL(timestamp TO unit)"},
		Doc:        "The least whole number that is not below the number, or the first beginning of a unit of time that is not before the timestamp.",
		Example:    "CEIL(1.2e0)", ExampleResult: "2.0",
		Resolver: byTypes(resolveRound(wholeDecimal(roundUp), numberOverloads(func(v int64) int64 { return v }, math.Ceil), ceilTo)),
	},
	{
		Name: "ROUND", Family: FamilyArithmetic,
		Signatures: []string{"ROUND(number)", "ROUND(number, digits)"},
		Doc: "The number rounded to so many digits after the point (before it if negative; 0 unless given), halves away from zero. " +
			"A DECIMAL loses the digits that constant digits round away; those of a column leave its type as it is.",
		Example: "ROUND(2.345, 2)", ExampleResult: "2.35",
		Resolver:  roundedDecimal(roundHalf),
		Overloads: roundOverloads(roundHalf, func(v float64) float64 { return math.Round(v) + 0 }),
	},
	{
		Name: "TRUNCATE", Family: FamilyArithmetic,
		Signatures:    []string{"TRUNCATE(number)", "TRUNCATE(number, digits)"},
		Doc:           "The number cut off behind so many digits after the point (before it if negative; 0 unless given).",
		Example:       "TRUNCATE(-2.349, 2)",
		ExampleResult: "-2.34",
		Resolver:      roundedDecimal(roundToZero),
		Overloads:     roundOverloads(roundToZero, func(v float64) float64 { return math.Trunc(v) + 0 }),
	},
}

// rounding is where a number between two steps goes.
type rounding uint8

const (
	roundHalf rounding = iota // to the nearer one, halves away from zero
	roundToZero
	roundDown
	roundUp
)

// quotient is v / unit, rounded to a whole number.
func (r rounding) quotient(v, unit int64) int64 {
	switch q, rest := v/unit, v%unit; {
	case r == roundHalf:
		return roundedQuotient(v, unit)
	case r == roundDown && rest < 0:
		return q - 1
	case r == roundUp && rest > 0:
		return q + 1
	default:
		return q
	}
}

func (r rounding) wideQuotient(v, unit int128.Int) int128.Int {
	if r == roundHalf {
		return v.DivRound(unit)
	}
	q, rest := v.DivMod(unit)
	switch {
	case r == roundDown && rest.Sign() < 0:
		return q.Sub(int128.From(1))
	case r == roundUp && rest.Sign() > 0:
		return q.Add(int128.From(1))
	}
	return q
}

// wholeDecimal is the resolver of FLOOR and CEIL. Flink 2.3: the result has no digits behind the point and as many as before in all.
func wholeDecimal(r rounding) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 || args[0].Kind != types.Decimal {
			return Overload{}, false
		}
		return roundTo(r, args[0].Nullable(), types.DecimalOf(int(args[0].Precision), 0), 0), true
	}
}

// roundedDecimal is the resolver of ROUND and TRUNCATE.
func roundedDecimal(r rounding) func([]types.Type, []*vector.Vector) (Overload, bool) {
	return func(args []types.Type, constants []*vector.Vector) (Overload, bool) {
		if len(args) == 0 || len(args) > 2 || args[0].Kind != types.Decimal {
			return Overload{}, false
		}
		t, digits := args[0].Nullable(), int64(0)
		if len(args) == 2 {
			if !args[1].IsInteger() && args[1].Kind != types.Null {
				return Overload{}, false
			}
			if constants[1] == nil || constants[1].IsNullConst() {
				return roundVarying(r, t), true
			}
			digits = max(constants[1].Int(0), -2*types.MaxDigits)
		}
		o := roundTo(r, t, types.DecimalRounded(t, digits), digits)
		if len(args) == 2 {
			o.Params = append(o.Params, types.BigIntType)
		}
		return o, true
	}
}

// roundTo rounds to so many digits behind the point, which type to has room for.
func roundTo(r rounding, from, to types.Type, digits int64) Overload {
	o := Overload{Params: []types.Type{from}, Result: to, Nulls: StrictTotal}
	drop := int64(from.Scale) - digits
	zeros := max(-digits, 0)
	switch {
	case drop <= 0:
		o.Kernel = keep
	case drop > types.MaxDigits || zeros > types.MaxDigits:
		o.Kernel = func(c *Call) error { clear(c.Out.Ints); clear(c.Out.Wides); return nil }
	case vector.KindOf(from) == vector.Int64 && drop <= types.SmallDigits:
		unit, back := power10(int(drop)), power10(int(zeros))
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = r.quotient(v, unit) * back
			}
			return nil
		}
	default:
		unit, back := int128.Pow10(int(drop)), int128.Pow10(int(zeros))
		o.Nulls = Strict
		o.MayBeNull = true
		o.Kernel = func(c *Call) error {
			x, mask := wides(c, 0)
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				v, ok := r.wideQuotient(x[i&mask], unit).Mul(back)
				if !ok || !v.Fits(int(to.Precision)) {
					c.SetNull(i)
				}
				putDecimal(c.Out, i, v)
			}
			return nil
		}
	}
	return o
}

// roundVarying rounds to digits that differ from row to row, and keeps the type; what it has no room for is NULL.
func roundVarying(r rounding, t types.Type) Overload {
	return Overload{Params: []types.Type{t, types.BigIntType}, Result: t, MayBeNull: true, Kernel: func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			v, ok := valuefmt.Digits(t, c.Args[0], i), true
			if drop := int64(t.Scale) - c.Args[1].Int(i); drop > types.MaxDigits {
				v = int128.Int{}
			} else if drop > 0 {
				unit := int128.Pow10(int(drop))
				v, ok = r.wideQuotient(v, unit).Mul(unit)
			}
			if !ok || !v.Fits(int(t.Precision)) {
				c.SetNull(i)
			}
			putDecimal(c.Out, i, v)
		}
		return nil
	}}
}

// roundOverloads are ROUND and TRUNCATE of all numbers but DECIMAL.
func roundOverloads(r rounding, whole func(float64) float64) []Overload {
	overloads := numberOverloads(func(v int64) int64 { return v }, whole)
	for _, o := range overloads {
		t := o.Result
		o.Params, o.Nulls = []types.Type{t, types.BigIntType}, Strict
		if t.IsApproximate() {
			o.Kernel = approximate(t, func(c *Call) error { return roundDoubles(r, c) })
		} else {
			o.Kernel = func(c *Call) error {
				for k := range c.Rows.Count() {
					i := c.Rows.At(k)
					c.Out.Ints[i] = wrapOne(t, r.integer(c.Args[0].Int(i), c.Args[1].Int(i)))
				}
				return nil
			}
		}
		overloads = append(overloads, o)
	}
	return overloads
}

// integer rounds v to a multiple of 10^-digits.
func (r rounding) integer(v, digits int64) int64 {
	if digits >= 0 {
		return v
	}
	if digits < -types.SmallDigits {
		return 0
	}
	unit := power10(int(-digits))
	return r.quotient(v, unit) * unit
}

func roundDoubles(r rounding, c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		c.Out.Floats[i] = roundDouble(c.Args[0].Float(i), c.Args[1].Int(i), r)
	}
	return nil
}
