package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var (
	clockUnits    = []unit{millisecond, second, minute, hour}
	calendarUnits = []unit{day, week, month, quarter, year, decade, century, millennium}
	dateUnits     = append(append([]unit{epoch, dayOfWeek, dayOfYear, isoDayOfWeek, isoYear}, calendarUnits...), clockUnits...)
	instantUnits  = append([]unit{nanosecond, microsecond}, dateUnits...)
)

// field is how EXTRACT takes a field of one type.
type field struct {
	of     types.Type
	units  []unit
	kernel func(arg int, u unit) Kernel
}

var fields = []field{
	{types.TimestampType, instantUnits, func(arg int, u unit) Kernel {
		return onFields(arg, false, func(local int64) int64 { return extract(local, u) })
	}},
	{types.TimestampLTZType, instantUnits, func(arg int, u unit) Kernel {
		return onFields(arg, true, func(local int64) int64 { return extract(local, u) })
	}},
	{types.DateType, dateUnits, func(arg int, u unit) Kernel {
		return onFields(arg, false, func(days int64) int64 { return extract(days*timefmt.Day, u) })
	}},
	{types.TimeType, clockUnits, func(arg int, u unit) Kernel {
		return onFields(arg, false, func(clock int64) int64 { return extract(clock, u) })
	}},
	{types.IntervalDayType, append([]unit{day}, clockUnits...), func(arg int, u unit) Kernel {
		return onFields(arg, false, func(micros int64) int64 { return extractDays(micros, u) })
	}},
	{types.IntervalMonthType, []unit{year, quarter, month, century, millennium}, func(arg int, u unit) Kernel {
		return onFields(arg, false, func(months int64) int64 { return extractMonths(months, u) })
	}},
}

// extractDays is a field of an interval, with its sign.
func extractDays(micros int64, u unit) int64 {
	switch u {
	case day:
		return micros / timefmt.Day
	case hour:
		return micros / timefmt.Hour % 24
	case minute:
		return micros / timefmt.Minute % 60
	case second:
		return micros / timefmt.Second % 60
	}
	return micros / timefmt.Millisecond % 1000
}

func extractMonths(months int64, u unit) int64 {
	switch rest := months % 12; {
	case u == year:
		return months / 12
	case u == century:
		return months / 1200
	case u == millennium:
		return months / 12000
	case u == month:
		return rest
	case rest < 0:
		return (rest + 1) / 3
	default:
		return rest/3 + 1
	}
}

func extractOverloads() []Overload {
	var overloads []Overload
	for _, f := range fields {
		bind := func(constants []*vector.Vector) (Kernel, error) {
			u, err := constantUnit(constants[0], "EXTRACT from "+kindName(f.of), f.units)
			if err != nil {
				return nil, err
			}
			return f.kernel(1, u), nil
		}
		overloads = append(overloads, Overload{Params: []types.Type{types.StringType, f.of}, Result: types.BigIntType, Stability: zoneStability(f.of), Bind: bind})
	}
	return overloads
}

// kindName is a type without its precision.
func kindName(t types.Type) string {
	switch t.Kind {
	case types.Time:
		return "TIME"
	case types.Timestamp:
		return "TIMESTAMP"
	case types.TimestampLTZ:
		return "TIMESTAMP_LTZ"
	}
	return t.Nullable().String()
}

// fieldFunction is EXTRACT under the name of its unit.
func fieldFunction(name string, u unit, result string) Scalar {
	s := Scalar{
		Name: name, Family: FamilyTime,
		Signatures: []string{name + "(datetime)"},
		Doc:        "The same as EXTRACT(" + unitNames[u] + " FROM datetime).",
		Example:    name + "(TIMESTAMP '2026-01-02 03:04:05')", ExampleResult: result,
	}
	for _, f := range fields {
		for _, known := range f.units {
			if known == u {
				s.Overloads = append(s.Overloads, Overload{Params: []types.Type{f.of}, Result: types.BigIntType, Stability: zoneStability(f.of), Kernel: f.kernel(0, u)})
			}
		}
	}
	return s
}
