package function

import (
	"math"
	"math/bits"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// isMoment reports whether an interval can be added to a value of type t.
func isMoment(t types.Type) bool { return t.IsTime() || t.Kind == types.Date || t.Kind == types.Time }

// shiftKernel moves the moments of argument moment by the intervals of argument length, forward for sign 1 and back for -1. Flink 2.3: months count on the
// calendar in UTC for TIMESTAMP_LTZ too; a DATE moves by the whole days of an interval, and a TIME goes round the clock and takes no notice of months.
func shiftKernel(t, interval types.Type, moment, length int, sign int64) Kernel {
	var shift func(at, by int64) int64
	switch months := interval.Kind == types.IntervalMonth; {
	case t.Kind == types.Time && months:
		shift = func(at, _ int64) int64 { return at }
	case t.Kind == types.Time:
		shift = func(at, by int64) int64 {
			moved := at + by%timefmt.Day
			return moved - timefmt.Floor(moved, timefmt.Day)
		}
	case t.Kind == types.Date && months:
		shift = func(at, by int64) int64 {
			return timefmt.FloorDiv(addMonths(multiplySaturating(at, timefmt.Day), by), timefmt.Day)
		}
	case t.Kind == types.Date:
		shift = func(at, by int64) int64 { return at + by/timefmt.Day }
	case months:
		shift = addMonths
	default:
		return func(c *Call) error {
			x, y := c.Args[moment], c.Args[length]
			for i := range c.Out.Ints {
				c.Out.Ints[i] = addSaturating(x.Int(i), sign*y.Int(i))
			}
			return nil
		}
	}
	return func(c *Call) error {
		x, y := c.Args[moment], c.Args[length]
		for i := range c.Out.Ints {
			c.Out.Ints[i] = shift(x.Int(i), sign*y.Int(i))
		}
		return nil
	}
}

// addSaturating stays at the end of the range rather than jump to the other: a watermark computed from an extreme time must not turn round.
func addSaturating(a, b int64) int64 {
	sum := a + b
	if (a^sum)&(b^sum) < 0 {
		if a < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return sum
}

// scaleInterval multiplies a length of time, which stays at the end of its range for the same reason.
func scaleInterval(c *Call) error {
	x, y := c.Args[0], c.Args[1]
	for i := range c.Out.Ints {
		a, b := x.Int(i), y.Int(i)
		product := a * b
		if hi, _ := bits.Mul64(magnitude(a), magnitude(b)); hi != 0 || product != 0 && (product < 0) != ((a < 0) != (b < 0)) {
			product = math.MaxInt64
			if (a < 0) != (b < 0) {
				product = math.MinInt64
			}
		}
		c.Out.Ints[i] = product
	}
	return nil
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// multiplySaturating is a*b for b > 0, kept in range.
func multiplySaturating(a, b int64) int64 {
	switch {
	case a > math.MaxInt64/b:
		return math.MaxInt64
	case a < math.MinInt64/b:
		return math.MinInt64
	}
	return a * b
}

// addMonths is calendar arithmetic for instants that a calendar has; what lies beyond the years 0001 to 9999 only saturates.
func addMonths(micros, months int64) int64 {
	const limit = 12 * 20_000
	switch {
	case micros < timefmt.MinMicros || micros > timefmt.MaxMicros:
		return micros
	case months > limit:
		return math.MaxInt64
	case months < -limit:
		return math.MinInt64
	}
	return timefmt.AddMonths(micros, months)
}
