package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// ResolveCast makes the conversion of CAST(… AS to), or of TRY_CAST if try: what cannot be converted is an error of its row, or NULL. The error is the
// user's: there is no such conversion.
func ResolveCast(from, to types.Type, try bool) (Overload, error) {
	o := Overload{Params: []types.Type{from.Nullable()}, Result: to}
	o.Result.NotNull = from.NotNull
	switch {
	case from.Kind == types.Null:
		// There is no value to convert.
		o.Kernel = func(*Call) error { return nil }
	case to.Kind == types.String:
		castToString(&o, from)
	case from.Kind == types.String:
		castFromString(&o, to, try)
	case to.Kind == types.Decimal && (from.IsNumeric() || from.Kind == types.Boolean):
		castToDecimal(&o, from, to, try)
	case from.Kind == types.Decimal && (to.IsNumeric() || to.Kind == types.Boolean):
		castFromDecimal(&o, from, to)
	case from.IsNumeric() && to.IsNumeric():
		o.Kernel, o.Nulls = numberCast(from, to), StrictTotal
	case from.Kind == types.Boolean && to.IsNumeric():
		o.Kernel = booleanToNumber
	case from.IsInteger() && to.Kind == types.Boolean:
		o.Kernel = integerToBoolean
	case from.IsTime() && to.IsTime():
		castInstant(&o, from, to)
	case from.IsInterval() && from.Kind == to.Kind, from.Kind == types.Time && to.Kind == types.Time && from.Precision <= to.Precision:
		o.Kernel = keep
	}
	if o.Kernel == nil {
		return Overload{}, newCastError(from, to)
	}
	if try || o.MayBeNull {
		o.Result.NotNull = false
	}
	return o, nil
}

// CastError says that there is no conversion between two types. It is the user's error and gets its place in the text from the caller.
type CastError struct {
	From, To types.Type
	// Hint says what to do; it may be empty.
	Hint string
}

func newCastError(from, to types.Type) error {
	e := &CastError{From: from, To: to}
	switch {
	case from.IsNumeric() && to.IsTime():
		e.Hint = "use TO_TIMESTAMP_LTZ(number, 3)"
	case from.IsTime() && to.IsNumeric():
		e.Hint = "use EXTRACT(EPOCH FROM timestamp)"
	}
	return e
}

// Error says what does not convert, and what to do.
func (e *CastError) Error() string {
	if e.Hint == "" {
		return e.Refusal()
	}
	return e.Refusal() + "; " + e.Hint
}

// Refusal says what does not convert.
func (e *CastError) Refusal() string {
	return "cannot cast " + e.From.Nullable().String() + " to " + e.To.Nullable().String()
}

// Fault is fault.User.
func (e *CastError) Fault() fault.Class { return fault.User }

// keep serves types of one layout.
func keep(c *Call) error {
	v := c.Args[0]
	valid := c.Out.Valid
	*c.Out = *v
	c.Out.Valid = valid
	return nil
}

// numberCast converts among numbers but DECIMAL. Flink 2.3: no check of the range; a narrower whole number takes the low bits, a FLOAT or DOUBLE goes to the
// nearest end of INT or BIGINT, and to TINYINT and SMALLINT by way of INT.
func numberCast(from, to types.Type) Kernel {
	switch {
	case from.IsApproximate() && to.IsInteger():
		return func(c *Call) error {
			for i, v := range c.Args[0].Floats[:len(c.Out.Ints)] {
				n := doubleToInt(v)
				if to.Kind != types.BigInt {
					n = min(max(n, math.MinInt32), math.MaxInt32)
				}
				c.Out.Ints[i] = n
			}
			wrap(to, c.Out.Ints)
			return nil
		}
	case from.IsApproximate():
		return func(c *Call) error {
			copy(c.Out.Floats, c.Args[0].Floats)
			narrow(to, c.Out.Floats)
			return nil
		}
	case from.Kind <= to.Kind && to.IsInteger():
		return keep
	case to.IsApproximate():
		return func(c *Call) error {
			if to.Kind == types.Float {
				for i, v := range c.Args[0].Ints[:len(c.Out.Floats)] {
					c.Out.Floats[i] = float64(float32(v))
				}
				return nil
			}
			for i, v := range c.Args[0].Ints[:len(c.Out.Floats)] {
				c.Out.Floats[i] = float64(v)
			}
			return nil
		}
	}
	return func(c *Call) error {
		copy(c.Out.Ints, c.Args[0].Ints)
		wrap(to, c.Out.Ints)
		return nil
	}
}

func booleanToNumber(c *Call) error {
	v := c.Args[0]
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		if c.Out.Kind == vector.Float64 {
			c.Out.Floats[i] = float64(v.Bools[i&v.Mask()])
		} else {
			c.Out.Ints[i] = int64(v.Bools[i&v.Mask()])
		}
	}
	return nil
}

func integerToBoolean(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		c.Out.Bools[i] = bit(c.Args[0].Int(i) != 0)
	}
	return nil
}

// castInstant relates the two kinds of timestamps through the session's zone, and cuts to the target's precision.
func castInstant(o *Overload, from, to types.Type) {
	step := stepOf(to.Precision)
	switch {
	case from.Kind == to.Kind:
		o.Nulls = StrictTotal
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = timefmt.Floor(v, step)
			}
			return nil
		}
	case from.Kind == types.TimestampLTZ:
		o.Stability = Zoned
		o.Kernel = onFields(0, true, func(local int64) int64 { return timefmt.Floor(local, step) })
	default:
		o.Stability = Zoned
		o.Kernel = func(c *Call) error {
			clock := newLocalClock(c.Env.Zone)
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Ints[i] = clock.instant(timefmt.Floor(c.Args[0].Int(i), step))
			}
			return nil
		}
	}
}

// stepOf is the least difference that so many fractional digits show, in microseconds.
func stepOf(precision int8) int64 {
	step := timefmt.Second
	for range min(precision, 6) {
		step /= 10
	}
	return step
}
