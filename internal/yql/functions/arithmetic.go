package functions

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// arithmetic is a + b and its kin. Whole numbers are computed in the type that both are promoted to, and wrap in it; by zero they give NULL.
func arithmetic(op string, a, b Value) (Value, error) {
	if v, ok, err := timeArithmetic(op, a, b); ok {
		return v, err
	}
	t, ok := yqltype.Promote(a.Type, b.Type)
	if !ok {
		return Value{}, refused(op, a, b)
	}
	if t.Kind == yqltype.Decimal {
		return decimalArithmetic(op, t, a, b)
	}
	x, err := promoted(a, t)
	if err != nil {
		return Value{}, err
	}
	y, err := promoted(b, t)
	if err != nil {
		return Value{}, err
	}
	switch {
	case t.IsInteger() && (op == "/" || op == "%"):
		return divide(op, t, x, y)
	case t.IsUnsigned() && t.Bits() < 64:
		return wrapped(t, x, op, y)
	}
	return native(op, t.Required(), x, y)
}

// promoted brings an operand to the type that both are computed in.
func promoted(v Value, t yqltype.Type) (Value, error) {
	t.Optional = v.Type.Optional || v.Type.Kind == yqltype.Null
	return relabel(v, t)
}

// wrapped computes in an unsigned type of less than 64 bits, and keeps the bits that it has. A Uint64 is held as it is.
func wrapped(t yqltype.Type, x Value, op string, y ...Value) (Value, error) {
	v, err := native(op, t.Required(), append([]Value{x}, y...)...)
	if err != nil || t.Bits() == 64 {
		return v, err
	}
	_, mask := t.Range()
	return call("WRAP", spec{kernel: ints(func(c *function.Call, i int) (int64, error) { return c.Args[0].Int(i) & mask, nil })}, t.Required(), v)
}

// divide is the quotient or the remainder of whole numbers, cut off towards zero; NULL for a divisor of 0 and for the quotient that the type has no room for.
func divide(op string, t yqltype.Type, x, y Value) (Value, error) {
	least, _ := t.Range()
	kernel := ints(func(c *function.Call, i int) (int64, error) {
		n, d := c.Args[0].Int(i), c.Args[1].Int(i)
		switch {
		case d == 0, d == -1 && n == least:
			return 0, errNull
		case op == "/":
			return n / d, nil
		}
		return n % d, nil
	})
	return call(op, spec{kernel: kernel, mayBeNull: true}, t, x, y)
}

// decimalArithmetic leaves the digits of the result to the engine, up to the 35 that YQL has.
func decimalArithmetic(op string, t yqltype.Type, a, b Value) (Value, error) {
	v, err := native(op, t, a, b)
	if err != nil {
		return Value{}, refused(op, a, b)
	}
	if result := v.Expr.Type(); result.Kind == types.Decimal {
		v.Type.Precision, v.Type.Scale = result.Precision, result.Scale
	} else {
		v.Type = withOptional(yqltype.Of(yqltype.Double), v.Type.Optional)
	}
	return v, nil
}

// timeArithmetic is that of instants and intervals. YQL: what is out of range is NULL, and so most results are Optional.
func timeArithmetic(op string, a, b Value) (v Value, ok bool, err error) {
	interval := yqltype.Of(yqltype.Interval)
	switch x, y := a.Type, b.Type; {
	case x.IsInstant() && y.Kind == yqltype.Interval && (op == "+" || op == "-"):
		v, err = shifted(op, a, b)
	case x.Kind == yqltype.Interval && y.IsInstant() && op == "+":
		v, err = shifted(op, b, a)
	case x.IsInstant() && y.IsInstant() && op == "-":
		if a, err = promoted(a, yqltype.Of(yqltype.Timestamp)); err != nil {
			return v, true, err
		}
		if b, err = promoted(b, yqltype.Of(yqltype.Timestamp)); err != nil {
			return v, true, err
		}
		v, err = call("-", spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return c.Args[0].Int(i) - c.Args[1].Int(i), nil
		})}, interval, a, b)
	case x.Kind == yqltype.Interval && y.Kind == yqltype.Interval && (op == "+" || op == "-"):
		v, err = native(op, interval.OrNull(), a, b)
	case x.Kind == yqltype.Interval && y.IsInteger() && op == "*":
		v, err = native(op, interval.OrNull(), a, b)
	case x.IsInteger() && y.Kind == yqltype.Interval && op == "*":
		v, err = native(op, interval.OrNull(), b, a)
	case x.Kind == yqltype.Interval && y.IsInteger() && op == "/":
		v, err = call(op, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			if d := c.Args[1].Int(i); d != 0 {
				return c.Args[0].Int(i) / d, nil
			}
			return 0, errNull
		})}, interval, a, b)
	case x.Kind == yqltype.Interval && y.Kind == yqltype.Interval && (op == "/" || op == "%"):
		v, err = divide(op, yqltype.Of(yqltype.Int64), a, b)
		if op == "%" && err == nil {
			v, err = call("INTERVAL", spec{kernel: keep}, interval, v)
		}
	default:
		return v, false, nil
	}
	return v, true, err
}

// shifted is an instant moved by an interval, in the words of the engine, which looks for it in watermarks and joins by time. A Date moves by whole days.
func shifted(op string, at, by Value) (Value, error) {
	return native(op, at.Type.OrNull(), at, by)
}

// bitwiseOfTwo computes with the bits of two numbers, which are brought to t.
func bitwiseOfTwo(op string, t yqltype.Type, a, b Value) (Value, error) {
	x, err := promoted(a, t)
	if err != nil {
		return Value{}, err
	}
	y, err := promoted(b, t)
	if err != nil {
		return Value{}, err
	}
	return bitwise(op, t, x, y)
}

// bitwise computes with the bits that t has.
func bitwise(op string, t yqltype.Type, args ...Value) (Value, error) {
	bits := t.Bits()
	unsigned := t.IsUnsigned()
	kernel := ints(func(c *function.Call, i int) (int64, error) {
		mask := uint64(math.MaxUint64) >> (64 - bits)
		x := uint64(c.Args[0].Int(i)) & mask
		var y uint64
		if len(c.Args) > 1 {
			y = uint64(c.Args[1].Int(i))
		}
		var r uint64
		switch op {
		case "~":
			r = ^x
		case "&":
			r = x & y
		case "|":
			r = x | y
		case "^":
			r = x ^ y
		case "<<":
			r = x << y
		case ">>":
			r = x >> y
		case "|<<":
			y %= uint64(bits)
			r = x<<y | x>>(uint64(bits)-y)
		case ">>|":
			y %= uint64(bits)
			r = x>>y | x<<(uint64(bits)-y)
		}
		r &= mask
		if unsigned || bits == 64 {
			return int64(r), nil
		}
		return int64(r<<(64-bits)) >> (64 - bits), nil
	})
	return call(op, spec{kernel: kernel}, t.Required(), args...)
}
