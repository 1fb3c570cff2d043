package function

import (
	"math"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// resolveToInstant gives an instant made of a number the digits of a constant precision, three at least, and one made of text those that the format shows.
func resolveToInstant(args []types.Type, constants []*vector.Vector) (Overload, bool) {
	o, ok := choose(toInstantOverloads, args)
	switch {
	case !ok || len(args) == 1:
	case args[0].IsText():
		o.Result.Precision = digitsShown(constants[1])
	default:
		if p, ok := constantPrecision(constants[1]); ok && p >= 0 && p <= 6 {
			o.Result.Precision = int8(max(p, 3))
		}
	}
	return o, ok
}

// toInstantOverloads are TO_TIMESTAMP_LTZ of numbers and strings.
var toInstantOverloads = func() []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.BigIntType, types.DoubleType} {
		overloads = append(overloads,
			Overload{Params: []types.Type{t}, Result: types.TimestampLTZType, MayBeNull: true, Kernel: fromEpoch(3, 3)},
			Overload{Params: []types.Type{t, types.IntType}, Result: types.TimestampLTZType, MayBeNull: true, Bind: bindFromEpoch})
	}
	for n := 1; n <= 3; n++ {
		overloads = append(overloads, Overload{Params: stringParams(n), Result: types.TimestampLTZType, MayBeNull: true, Bind: bindToInstant})
	}
	return overloads
}()

// constantPrecision is that of a call; ok is false if it varies or is NULL.
func constantPrecision(v *vector.Vector) (precision int64, ok bool) {
	if v == nil || v.IsNullConst() {
		return 0, false
	}
	return v.Int(0), true
}

func bindFromEpoch(constants []*vector.Vector) (Kernel, error) {
	p, ok := constantPrecision(constants[1])
	switch {
	case !ok:
		return func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				p := c.Args[1].Int(i)
				if p < 0 || p > 9 {
					return rowErrorf(i, "the precision of TO_TIMESTAMP_LTZ is from 0 to 9, and this is %d", p)
				}
				epochToInstant(c, i, p, 3)
			}
			return nil
		}, nil
	case p < 0 || p > 9:
		return nil, fault.Errorf(fault.User, "the precision of TO_TIMESTAMP_LTZ is from 0 (seconds) to 9, and this is %d", p)
	case p > 6:
		return nil, fault.Errorf(fault.User, "TO_TIMESTAMP_LTZ takes a precision of up to 6 (microseconds); write TO_TIMESTAMP_LTZ(nanoseconds / 1000, 6)")
	}
	return fromEpoch(p, max(p, 3)), nil
}

// fromEpoch makes instants with so many digits of numbers that count units of 10^-precision seconds.
func fromEpoch(precision, digits int64) Kernel {
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			epochToInstant(c, c.Rows.At(k), precision, digits)
		}
		return nil
	}
}

func epochToInstant(c *Call, i int, precision, digits int64) {
	step := timefmt.Step(int8(digits))
	micros, ok := int64(0), false
	if v := c.Args[0]; v.Kind == vector.Float64 {
		f := v.Float(i) * math.Pow10(int(digits-precision))
		micros, ok = int64(math.Floor(f))*step, math.Abs(f) < float64(timefmt.MaxMicros)/float64(step)+1
	} else {
		micros, ok = v.Int(i), true
		for p := precision; p < 6 && ok; p++ {
			ok = micros <= timefmt.MaxMicros && micros >= timefmt.MinMicros
			micros *= 10
		}
		for p := precision; p > 6; p-- {
			micros = timefmt.FloorDiv(micros, 10)
		}
		micros = timefmt.Floor(micros, step)
	}
	if !ok || micros < timefmt.MinMicros || micros > timefmt.MaxMicros {
		c.SetNull(i)
		micros = 0
	}
	c.Out.Ints[i] = micros
}

// digitsShown is six if a constant format shows more than three digits of a fraction.
func digitsShown(format *vector.Vector) int8 {
	if format != nil && !format.IsNullConst() && strings.Contains(string(format.Bytes(0)), "SSSS") {
		return 6
	}
	return 3
}

func bindToInstant(constants []*vector.Vector) (Kernel, error) {
	formats, zone, digits := constantly(plainTimestamp), time.UTC, int8(3)
	if len(constants) > 1 {
		var err error
		if formats, err = formatsOf(constants[1], timing); err != nil {
			return nil, err
		}
		digits = digitsShown(constants[1])
	}
	if len(constants) > 2 {
		if constants[2] != nil && constants[2].IsNullConst() {
			return nothing, nil
		}
		if constants[2] == nil {
			return nil, fault.Errorf(fault.User, "the time zone of TO_TIMESTAMP_LTZ must be a constant string")
		}
		var err error
		if zone, err = zoneNamed(string(constants[2].Bytes(0))); err != nil {
			return nil, err
		}
	}
	return func(c *Call) error {
		clock := newLocalClock(zone)
		return formats.each(c, func(i int, f dateFormat) {
			local, ok := int64(0), false
			if len(c.Args) > 1 {
				local, ok = f.parseOrDefault(c.Args[0].Bytes(i))
			} else {
				local, ok = parseDefault(c.Args[0].Bytes(i))
			}
			if !ok {
				c.SetNull(i)
				local = 0
			}
			c.Out.Ints[i] = clock.instant(timefmt.Floor(local, timefmt.Step(digits)))
		})
	}, nil
}
