package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var roundingUnits = append(append([]unit{microsecond}, clockUnits...), calendarUnits...)

// roundingOverloads are FLOOR and CEIL of a date, time or timestamp to a unit. Flink 2.3: a unit below a day leaves a DATE as it is.
func roundingOverloads(round func(local int64, u unit) int64) []Overload {
	rounding := []struct {
		of     types.Type
		units  []unit
		kernel func(u unit) Kernel
	}{
		{types.TimestampType, roundingUnits, func(u unit) Kernel {
			return onFields(0, false, func(local int64) int64 { return round(local, u) })
		}},
		{types.TimestampLTZType, roundingUnits, func(u unit) Kernel {
			return func(c *Call) error {
				clock := newLocalClock(c.Env.Zone)
				for k := range c.Rows.Count() {
					i := c.Rows.At(k)
					c.Out.Ints[i] = clock.instant(round(clock.local(c.Args[0].Int(i)), u))
				}
				return nil
			}
		}},
		{types.DateType, roundingUnits, func(u unit) Kernel {
			return onFields(0, false, func(days int64) int64 { return timefmt.FloorDiv(round(days*timefmt.Day, u), timefmt.Day) })
		}},
		{types.TimeType, append([]unit{microsecond}, clockUnits...), func(u unit) Kernel {
			return onFields(0, false, func(clock int64) int64 { return round(clock, u) % timefmt.Day })
		}},
	}
	var overloads []Overload
	for _, r := range rounding {
		bind := func(constants []*vector.Vector) (Kernel, error) {
			u, err := constantUnit(constants[1], "FLOOR or CEIL of "+kindName(r.of), r.units)
			if err != nil {
				return nil, err
			}
			return r.kernel(u), nil
		}
		overloads = append(overloads, Overload{Params: []types.Type{r.of, types.StringType}, Result: r.of, Stability: zoneStability(r.of), Bind: bind})
	}
	return overloads
}

// resolveRound is FLOOR or CEIL of a number, or of a datetime to a unit, whose type it keeps.
func resolveRound(decimals func([]types.Type) (Overload, bool), numbers []Overload, round func(local int64, u unit) int64) func([]types.Type) (Overload, bool) {
	overloads := append(numbers, roundingOverloads(round)...)
	return func(args []types.Type) (Overload, bool) {
		if o, ok := decimals(args); ok {
			return o, true
		}
		o, ok := choose(overloads, args)
		if ok && len(args) == 2 {
			o.Result = o.Params[0]
		}
		return o, ok
	}
}
