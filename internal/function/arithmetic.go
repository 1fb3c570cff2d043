package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Flink 2.3: arithmetic of whole numbers stays in the wider of the two types and wraps; division cuts off towards zero; dividing a whole number by
// zero is an error of the row, dividing a DOUBLE gives Infinity or NaN. DECIMAL is in decimal.go.
var arithmeticFunctions = []Scalar{
	{
		Name: "+", Family: FamilyArithmetic, Notation: Infix,
		Signatures: []string{"number + number", "time + interval", "interval + time", "interval + interval", "+number"},
		Doc:        "The sum. A time is a DATE, a TIME or a timestamp; adding months keeps the day of the month, or takes the last one if the month is too short.",
		Example:    "1 + 2.5e0", ExampleResult: "3.5",
		Resolver: byTypes(resolveAdd),
	},
	{
		Name: "-", Family: FamilyArithmetic, Notation: Infix,
		Signatures: []string{"number - number", "time - interval", "interval - interval", "-number", "-interval"},
		Doc:        "The difference, or the negative of one value. For the time between two timestamps see TIMESTAMPDIFF.",
		Example:    "5 - 7", ExampleResult: "-2",
		Resolver: byTypes(resolveSubtract),
	},
	{
		Name: "*", Family: FamilyArithmetic, Notation: Infix,
		Signatures: []string{"number * number", "interval * integer", "integer * interval"},
		Doc:        "The product.",
		Example:    "6 * 7", ExampleResult: "42",
		Resolver: byTypes(resolveMultiply),
	},
	{
		Name: "/", Family: FamilyArithmetic, Notation: Infix,
		Signatures: []string{"number / number", "interval / integer"},
		Doc:        "The quotient; that of whole numbers is a whole number, cut off towards zero.",
		Example:    "-7 / 2", ExampleResult: "-3",
		Resolver: byTypes(resolveDivide),
	},
	{
		Name: "%", Family: FamilyArithmetic, Notation: Infix,
		Signatures: []string{"number % number"},
		Doc:        "The remainder of the division, with the sign of the first number.",
		Example:    "-7 % 3", ExampleResult: "-1",
		Resolver: byTypes(resolveModulo),
	},
	{
		Name: "MOD", Family: FamilyArithmetic,
		Signatures: []string{"MOD(number, number)"},
		Doc:        "The remainder of the division, with the sign of the first number.",
		Example:    "MOD(7, 3)", ExampleResult: "1",
		Resolver: byTypes(resolveModulo),
	},
}

func resolveAdd(args []types.Type) (Overload, bool) {
	if len(args) == 1 {
		t := args[0].Nullable()
		return Overload{Params: []types.Type{t}, Result: t, Kernel: keep}, t.IsNumeric() || t.IsInterval()
	}
	if len(args) != 2 {
		return Overload{}, false
	}
	if o, ok := resolveShift(args, 1); ok {
		return o, true
	}
	a, b := args[0].Nullable(), args[1].Nullable()
	switch {
	case isMoment(a) && b.IsInterval():
		return Overload{Params: []types.Type{a, b}, Result: a, Kernel: shiftKernel(a, b, 0, 1, 1), Nulls: StrictTotal}, true
	case a.IsInterval() && isMoment(b):
		return Overload{Params: []types.Type{a, b}, Result: b, Kernel: shiftKernel(b, a, 1, 0, 1), Nulls: StrictTotal}, true
	}
	return numbersOrIntervals(a, b, addition)
}

func resolveSubtract(args []types.Type) (Overload, bool) {
	if len(args) == 1 {
		return resolveNegate(args[0].Nullable())
	}
	if len(args) != 2 {
		return Overload{}, false
	}
	if o, ok := resolveShift(args, -1); ok {
		return o, true
	}
	a, b := args[0].Nullable(), args[1].Nullable()
	if isMoment(a) && b.IsInterval() {
		return Overload{Params: []types.Type{a, b}, Result: a, Kernel: shiftKernel(a, b, 0, 1, -1), Nulls: StrictTotal}, true
	}
	return numbersOrIntervals(a, b, subtraction)
}

func resolveMultiply(args []types.Type) (Overload, bool) {
	if len(args) != 2 {
		return Overload{}, false
	}
	a, b := args[0].Nullable(), args[1].Nullable()
	interval := a
	if b.IsInterval() {
		interval = b
	}
	if (a.IsInterval() && b.IsInteger()) || (a.IsInteger() && b.IsInterval()) {
		return Overload{Params: []types.Type{a, b}, Result: interval, Kernel: scaleInterval, Nulls: StrictTotal}, true
	}
	return numbers(a, b, multiplication)
}

func resolveDivide(args []types.Type) (Overload, bool) {
	if len(args) != 2 {
		return Overload{}, false
	}
	a, b := args[0].Nullable(), args[1].Nullable()
	if a.IsInterval() && b.IsInteger() {
		return Overload{Params: []types.Type{a, b}, Result: a, Kernel: divideIntegers(a)}, true
	}
	if o, ok := divideDecimals(a, b); ok {
		return o, true
	}
	t, ok := commonNumber(a, b)
	if !ok {
		return Overload{}, false
	}
	o := Overload{Params: []types.Type{t, t}, Result: t, Kernel: divideIntegers(t)}
	if t.IsApproximate() {
		o.Result = approximateResult(a, b, t)
		o.Kernel, o.Nulls = approximate(o.Result, divideDoubles), StrictTotal
	}
	return o, true
}

// resolveModulo gives the remainder of whole numbers the type of the divisor, which always holds it (Flink 2.3).
func resolveModulo(args []types.Type) (Overload, bool) {
	if len(args) != 2 {
		return Overload{}, false
	}
	a, b := args[0].Nullable(), args[1].Nullable()
	if o, ok := moduloDecimals(a, b); ok {
		return o, true
	}
	t, ok := commonNumber(a, b)
	switch {
	case !ok:
		return Overload{}, false
	case t.IsApproximate():
		return Overload{Params: []types.Type{t, t}, Result: t, Kernel: approximate(t, moduloDoubles), Nulls: StrictTotal}, true
	case b.IsInteger():
		return Overload{Params: []types.Type{t, t}, Result: b, Kernel: moduloIntegers}, true
	}
	return Overload{Params: []types.Type{t, t}, Result: t, Kernel: moduloIntegers}, true
}

func resolveNegate(t types.Type) (Overload, bool) {
	switch {
	case t.IsApproximate():
		return Overload{Params: []types.Type{t}, Result: t, Kernel: negateDoubles, Nulls: StrictTotal}, true
	case vector.KindOf(t) == vector.Int128:
		return Overload{Params: []types.Type{t}, Result: t, Kernel: negateWides, Nulls: StrictTotal}, true
	case t.IsNumeric() || t.IsInterval():
		return Overload{Params: []types.Type{t}, Result: t, Kernel: negateIntegers(t), Nulls: StrictTotal}, true
	}
	return Overload{}, false
}

// commonNumber is the wider of two numeric types but DECIMAL, a NULL taking the other's.
func commonNumber(a, b types.Type) (types.Type, bool) {
	t, ok := types.Common(a, b)
	return t.Nullable(), ok && t.IsNumeric() && t.Kind != types.Decimal
}

func numbersOrIntervals(a, b types.Type, op operation) (Overload, bool) {
	if a.IsInterval() && a.Kind == b.Kind {
		return Overload{Params: []types.Type{a, a}, Result: a, Kernel: integerKernel(op, a), Nulls: StrictTotal}, true
	}
	return numbers(a, b, op)
}

func numbers(a, b types.Type, op operation) (Overload, bool) {
	if op == multiplication {
		if o, ok := multiplyDecimals(a, b); ok {
			return o, true
		}
	} else if o, ok := addDecimals(a, b, op); ok {
		return o, true
	}
	t, ok := commonNumber(a, b)
	if !ok {
		return Overload{}, false
	}
	o := Overload{Params: []types.Type{t, t}, Result: t, Kernel: integerKernel(op, t), Nulls: StrictTotal}
	if t.IsApproximate() {
		o.Result = approximateResult(a, b, t)
		o.Kernel = approximate(o.Result, func(c *Call) error { calculate(op, c, c.Out.Floats, c.Args[0].Floats, c.Args[1].Floats); return nil })
	}
	return o, true
}

// approximateResult is the type of what is computed of a and b in type t. Flink 2.3: FLOAT with DOUBLE makes FLOAT, DOUBLE with FLOAT makes DOUBLE.
func approximateResult(a, b, t types.Type) types.Type {
	if a.Kind == types.Float && b.Kind == types.Double {
		return types.FloatType
	}
	return t
}

// operation is one that cannot fail.
type operation uint8

const (
	addition operation = iota
	subtraction
	multiplication
)

func integerKernel(op operation, t types.Type) Kernel {
	return func(c *Call) error {
		calculate(op, c, c.Out.Ints, c.Args[0].Ints, c.Args[1].Ints)
		wrap(t, c.Out.Ints)
		return nil
	}
}

// wrap brings results into the range of a whole-number type as its bits would.
func wrap(t types.Type, values []int64) {
	switch t.Kind {
	case types.TinyInt:
		for i, v := range values {
			values[i] = int64(int8(v))
		}
	case types.SmallInt:
		for i, v := range values {
			values[i] = int64(int16(v))
		}
	case types.Int:
		for i, v := range values {
			values[i] = int64(int32(v))
		}
	}
}

// wrapOne does so with one value.
func wrapOne(t types.Type, v int64) int64 {
	switch t.Kind {
	case types.TinyInt:
		return int64(int8(v))
	case types.SmallInt:
		return int64(int16(v))
	case types.Int:
		return int64(int32(v))
	}
	return v
}

// narrow rounds results to FLOAT if that is their type. Of +, -, *, / and the square root this is what computing with 32 bits gives.
func narrow(t types.Type, values []float64) {
	if t.Kind != types.Float {
		return
	}
	for i, v := range values {
		values[i] = float64(float32(v))
	}
}

func calculate[T int64 | float64](op operation, c *Call, out, x, y []T) {
	mx, my := c.Args[0].Mask(), c.Args[1].Mask()
	switch op {
	case addition:
		for i := range out {
			out[i] = x[i&mx] + y[i&my]
		}
	case subtraction:
		for i := range out {
			out[i] = x[i&mx] - y[i&my]
		}
	case multiplication:
		for i := range out {
			out[i] = x[i&mx] * y[i&my]
		}
	}
}

func negateIntegers(t types.Type) Kernel {
	return func(c *Call) error {
		for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
			c.Out.Ints[i] = -v
		}
		wrap(t, c.Out.Ints)
		return nil
	}
}

func negateDoubles(c *Call) error {
	for i, v := range c.Args[0].Floats[:len(c.Out.Floats)] {
		c.Out.Floats[i] = -v
	}
	return nil
}

// approximate makes FLOAT of what a kernel of DOUBLE computes, if t is that.
func approximate(t types.Type, kernel Kernel) Kernel {
	if t.Kind != types.Float {
		return kernel
	}
	return func(c *Call) error {
		err := kernel(c)
		narrow(t, c.Out.Floats)
		return err
	}
}

const divisionByZero = "division by zero"

// divideIntegers relies on Go's division: it cuts off towards zero, and the least number by -1 is itself, as in Java.
func divideIntegers(t types.Type) Kernel {
	return func(c *Call) error {
		x, y := c.Args[0], c.Args[1]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			divisor := y.Int(i)
			if divisor == 0 {
				return rowErrorf(i, divisionByZero)
			}
			c.Out.Ints[i] = x.Int(i) / divisor
			c.Out.Ints[i] = wrapOne(t, c.Out.Ints[i])
		}
		return nil
	}
}

func moduloIntegers(c *Call) error {
	x, y := c.Args[0], c.Args[1]
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		divisor := y.Int(i)
		if divisor == 0 {
			return rowErrorf(i, divisionByZero)
		}
		c.Out.Ints[i] = x.Int(i) % divisor
	}
	return nil
}

func divideDoubles(c *Call) error {
	x, y := c.Args[0].Floats, c.Args[1].Floats
	mx, my := c.Args[0].Mask(), c.Args[1].Mask()
	for i := range c.Out.Floats {
		c.Out.Floats[i] = x[i&mx] / y[i&my]
	}
	return nil
}

func moduloDoubles(c *Call) error {
	for i := range c.Out.Floats {
		c.Out.Floats[i] = math.Mod(c.Args[0].Float(i), c.Args[1].Float(i))
	}
	return nil
}
