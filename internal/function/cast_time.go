package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// castTime converts among DATE, TIME, TIMESTAMP and TIMESTAMP_LTZ, which the session's zone relates to the others, and cuts to the precision of the target.
// Flink 2.3: a DATE is its midnight, a TIME is that time on 1970-01-01; a DATE and a TIME do not convert to each other.
func castTime(o *Overload, from, to types.Type) {
	step := timefmt.Step(to.Precision)
	floor := func(v int64) int64 { return timefmt.Floor(v, step) }
	toWall, ok := wallOf(from)
	if !ok {
		return
	}
	var ofWall func(local int64) int64
	switch {
	case to.IsTime():
		ofWall = floor
	case to.Kind == types.Date && from.Kind != types.Time:
		ofWall = func(local int64) int64 { return timefmt.FloorDiv(local, timefmt.Day) }
	case to.Kind == types.Time && from.Kind != types.Date:
		ofWall = func(local int64) int64 { return floor(local - timefmt.Floor(local, timefmt.Day)) }
	default:
		return
	}
	switch {
	case from.Kind == types.TimestampLTZ && to.Kind == types.TimestampLTZ, from.Kind != types.TimestampLTZ && to.Kind != types.TimestampLTZ:
		o.Nulls = StrictTotal
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = ofWall(toWall(v))
			}
			return nil
		}
	case from.Kind == types.TimestampLTZ:
		o.Stability = Zoned
		o.Kernel = onFields(0, true, ofWall)
	default:
		o.Stability = Zoned
		o.Kernel = func(c *Call) error {
			clock := newLocalClock(c.Env.Zone)
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Ints[i] = clock.instant(ofWall(toWall(c.Args[0].Int(i))))
			}
			return nil
		}
	}
}

// wallOf is what makes microseconds of a wall clock of the values of a type; ok is false if it has none.
func wallOf(t types.Type) (toWall func(int64) int64, ok bool) {
	if t.Kind == types.Date {
		return func(days int64) int64 { return multiplySaturating(days, timefmt.Day) }, true
	}
	return func(micros int64) int64 { return micros }, t.IsTime() || t.Kind == types.Time
}
