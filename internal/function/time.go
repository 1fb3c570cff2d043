package function

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Units of time arrive as constant strings: EXTRACT(HOUR FROM t) is a call with 'HOUR' and t. The fields of a TIMESTAMP_LTZ are those of the session's time
// zone.
var timeFunctions = []Scalar{
	{
		Name: "CURRENT_TIMESTAMP", Aliases: []string{"NOW"}, Family: FamilyTime,
		Signatures: []string{"CURRENT_TIMESTAMP", "NOW()"},
		Doc:        "The present instant as TIMESTAMP_LTZ(3).",
		Example:    "CURRENT_TIMESTAMP IS NOT NULL", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.TimestampLTZType, Stability: Clocked, Kernel: currentTimestamp}},
	},
	{
		Name: "LOCALTIMESTAMP", Family: FamilyTime,
		Signatures: []string{"LOCALTIMESTAMP"},
		Doc:        "The present time on the clock of the session's time zone as TIMESTAMP(3).",
		Example:    "LOCALTIMESTAMP = CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3))", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.TimestampType, Stability: Clocked, Kernel: localTimestamp}},
	},
	{
		Name: "UNIX_TIMESTAMP", Family: FamilyTime,
		Signatures: []string{"UNIX_TIMESTAMP()"},
		Doc:        "The present instant in whole seconds since 1970-01-01 00:00:00 UTC.",
		Example:    "UNIX_TIMESTAMP() > 0", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.BigIntType, Stability: Clocked, Kernel: unixTimestamp}},
	},
	{
		Name: "TO_TIMESTAMP", Family: FamilyTime,
		Signatures: []string{"TO_TIMESTAMP(string)", "TO_TIMESTAMP(string, format)"},
		Doc:        "The TIMESTAMP(3) that the string shows as yyyy-MM-dd HH:mm:ss, or in another format; NULL if it shows none. No time zone is involved.",
		Example:    "TO_TIMESTAMP('01.02.2026 03:04', 'dd.MM.yyyy HH:mm')", ExampleResult: "2026-02-01 03:04:00.000",
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.TimestampType, MayBeNull: true, Kernel: toTimestamp},
			{Params: stringParams(2), Result: types.TimestampType, MayBeNull: true, Bind: bindToTimestamp},
		},
	},
	{
		Name: "TO_TIMESTAMP_LTZ", Family: FamilyTime,
		Signatures: []string{"TO_TIMESTAMP_LTZ(number)", "TO_TIMESTAMP_LTZ(number, precision)"},
		Doc:        "The instant that many milliseconds (precision 3, the default) or seconds (precision 0) after 1970-01-01 00:00:00 UTC; NULL outside of the years 0001 to 9999.",
		Example:    "TO_TIMESTAMP_LTZ(1, 0) = TO_TIMESTAMP_LTZ(1000, 3)", ExampleResult: "TRUE",
		Overloads: epochOverloads(),
	},
	{
		Name: "EXTRACT", Family: FamilyTime,
		Signatures: []string{"EXTRACT(unit FROM timestamp)"},
		Doc:        "A field of a timestamp as BIGINT. DOW counts from 1 for Sunday, ISODOW from 1 for Monday, WEEK is the ISO week, EPOCH is whole seconds.",
		Example:    "EXTRACT(HOUR FROM TIMESTAMP '2026-01-02 03:04:05')", ExampleResult: "3",
		Overloads: extractOverloads(),
	},
	fieldFunction("YEAR", year, "2026"),
	fieldFunction("QUARTER", quarter, "1"),
	fieldFunction("MONTH", month, "1"),
	fieldFunction("WEEK", week, "1"),
	fieldFunction("DAYOFYEAR", dayOfYear, "2"),
	fieldFunction("DAYOFMONTH", day, "2"),
	fieldFunction("DAYOFWEEK", dayOfWeek, "6"),
	fieldFunction("HOUR", hour, "3"),
	fieldFunction("MINUTE", minute, "4"),
	fieldFunction("SECOND", second, "5"),
	{
		Name: "DATE_FORMAT", Family: FamilyTime,
		Signatures: []string{"DATE_FORMAT(timestamp, format)"},
		Doc:        "The timestamp as a string. The format is that of Java: yyyy MM dd HH mm ss SSS, text in single quotes.",
		Example:    "DATE_FORMAT(TIMESTAMP '2026-01-02 03:04:05', 'yyyy-MM-dd HH:mm')", ExampleResult: "2026-01-02 03:04",
		Overloads: []Overload{
			{Params: []types.Type{types.TimestampType, types.StringType}, Result: types.StringType, Bind: bindDateFormat(false)},
			{Params: []types.Type{types.TimestampLTZType, types.StringType}, Result: types.StringType, Stability: Zoned, Bind: bindDateFormat(true)},
		},
	},
	{
		Name: "TIMESTAMPADD", Family: FamilyTime,
		Signatures: []string{"TIMESTAMPADD(unit, count, timestamp)"},
		Doc:        "The timestamp moved by so many units; months and longer units keep the day of the month or take the last one.",
		Example:    "TIMESTAMPADD(MONTH, 1, TIMESTAMP '2026-01-31 00:00:00')", ExampleResult: "2026-02-28 00:00:00.000",
		Resolver: resolveTimestampAdd,
	},
	{
		Name: "TIMESTAMPDIFF", Family: FamilyTime,
		Signatures: []string{"TIMESTAMPDIFF(unit, from, to)"},
		Doc:        "The number of whole units from one timestamp to the other, negative if the second is earlier.",
		Example:    "TIMESTAMPDIFF(DAY, TIMESTAMP '2026-01-01 12:00:00', TIMESTAMP '2026-01-03 00:00:00')", ExampleResult: "1",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.TimestampType, types.TimestampType}, Result: types.IntType, Bind: bindTimestampDiff},
			{Params: []types.Type{types.StringType, types.TimestampLTZType, types.TimestampLTZType}, Result: types.IntType, Bind: bindTimestampDiff},
		},
	},
}

func currentTimestamp(c *Call) error {
	c.Out.Ints[0] = timefmt.Floor(c.Env.Now, timefmt.Millisecond)
	return nil
}

func localTimestamp(c *Call) error {
	clock := newLocalClock(c.Env.Zone)
	c.Out.Ints[0] = timefmt.Floor(clock.local(c.Env.Now), timefmt.Millisecond)
	return nil
}

func unixTimestamp(c *Call) error {
	c.Out.Ints[0] = timefmt.FloorDiv(c.Env.Now, timefmt.Second)
	return nil
}

func toTimestamp(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		micros, ok := parseLenient(c.Args[0].Bytes(i))
		if !ok {
			c.SetNull(i)
		}
		c.Out.Ints[i] = timefmt.Floor(micros, timefmt.Millisecond)
	}
	return nil
}

// epochOverloads are TO_TIMESTAMP_LTZ of whole numbers and doubles. The precision is a constant, because it decides what the number means.
func epochOverloads() []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.BigIntType, types.DoubleType} {
		overloads = append(overloads,
			Overload{Params: []types.Type{t}, Result: types.TimestampLTZType, MayBeNull: true, Kernel: fromEpoch(timefmt.Millisecond)},
			Overload{Params: []types.Type{t, types.BigIntType}, Result: types.TimestampLTZType, MayBeNull: true, Bind: bindFromEpoch})
	}
	return overloads
}

func bindFromEpoch(constants []*vector.Vector) (Kernel, error) {
	if p := constants[1]; p != nil && !p.IsNullConst() {
		switch p.Int(0) {
		case 0:
			return fromEpoch(timefmt.Second), nil
		case 3:
			return fromEpoch(timefmt.Millisecond), nil
		}
	}
	return nil, fault.Errorf(fault.User, "the precision of TO_TIMESTAMP_LTZ must be the constant 0 (seconds) or 3 (milliseconds)")
}

// fromEpoch makes instants of numbers of a unit.
func fromEpoch(unit int64) Kernel {
	return func(c *Call) error {
		v := c.Args[0]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			n := int64(0)
			if v.Kind == vector.Float64 {
				n = doubleToInt(v.Float(i))
			} else {
				n = v.Int(i)
			}
			if n < timefmt.FloorDiv(timefmt.MinMicros, unit) || n > timefmt.FloorDiv(timefmt.MaxMicros, unit) {
				c.SetNull(i)
				n = 0
			}
			c.Out.Ints[i] = n * unit
		}
		return nil
	}
}

var (
	extractUnits = []unit{second, minute, hour, day, week, month, quarter, year, decade, century, millennium, epoch, dayOfWeek, dayOfYear,
		isoDayOfWeek, isoYear}
	roundingUnits = []unit{millisecond, second, minute, hour, day, week, month, quarter, year, decade, century, millennium}
	addingUnits   = []unit{millisecond, second, minute, hour, day, week, month, quarter, year}
)

// onFields is a kernel over argument arg as a wall clock time: as it is for a TIMESTAMP, in the session's zone for a TIMESTAMP_LTZ.
func onFields(arg int, zoned bool, f func(local int64) int64) Kernel {
	return func(c *Call) error {
		v := c.Args[arg]
		clock := newLocalClock(c.Env.Zone)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			local := v.Int(i)
			if zoned {
				local = clock.local(local)
			}
			c.Out.Ints[i] = f(local)
		}
		return nil
	}
}

func extractOverloads() []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.TimestampType, types.TimestampLTZType} {
		zoned := t.Kind == types.TimestampLTZ
		bind := func(constants []*vector.Vector) (Kernel, error) {
			u, err := constantUnit(constants[0], "EXTRACT", extractUnits)
			if err != nil {
				return nil, err
			}
			if u == epoch {
				return onFields(1, false, func(instant int64) int64 { return timefmt.FloorDiv(instant, timefmt.Second) }), nil
			}
			return onFields(1, zoned, func(local int64) int64 { return extract(local, u) }), nil
		}
		overloads = append(overloads, Overload{Params: []types.Type{types.StringType, t}, Result: types.BigIntType, Stability: zoneStability(t), Bind: bind})
	}
	return overloads
}

// zoneStability is Zoned for a TIMESTAMP_LTZ, whose fields depend on the zone.
func zoneStability(t types.Type) Stability {
	if t.Kind == types.TimestampLTZ {
		return Zoned
	}
	return Pure
}

// fieldFunction is EXTRACT under the name of its unit.
func fieldFunction(name string, u unit, result string) Scalar {
	f := Scalar{
		Name: name, Family: FamilyTime,
		Signatures: []string{name + "(timestamp)"},
		Doc:        "The same as EXTRACT(" + unitNames[u] + " FROM timestamp).",
		Example:    name + "(TIMESTAMP '2026-01-02 03:04:05')", ExampleResult: result,
	}
	for _, t := range []types.Type{types.TimestampType, types.TimestampLTZType} {
		f.Overloads = append(f.Overloads, Overload{Params: []types.Type{t}, Result: types.BigIntType, Stability: zoneStability(t),
			Kernel: onFields(0, t.Kind == types.TimestampLTZ, func(local int64) int64 { return extract(local, u) })})
	}
	return f
}

// roundingOverloads are FLOOR and CEIL of a timestamp to a unit.
func roundingOverloads(round func(local int64, u unit) int64) []Overload {
	var overloads []Overload
	for _, t := range []types.Type{types.TimestampType, types.TimestampLTZType} {
		bind := func(constants []*vector.Vector) (Kernel, error) {
			u, err := constantUnit(constants[1], "FLOOR or CEIL", roundingUnits)
			if err != nil {
				return nil, err
			}
			if t.Kind == types.Timestamp {
				return onFields(0, false, func(local int64) int64 { return round(local, u) }), nil
			}
			return func(c *Call) error {
				clock := newLocalClock(c.Env.Zone)
				for k := range c.Rows.Count() {
					i := c.Rows.At(k)
					c.Out.Ints[i] = clock.instant(round(clock.local(c.Args[0].Int(i)), u))
				}
				return nil
			}, nil
		}
		overloads = append(overloads, Overload{Params: []types.Type{t, types.StringType}, Result: t, Stability: zoneStability(t), Bind: bind})
	}
	return overloads
}

// resolveTimestampAdd keeps the type of the timestamp. Flink 2.3: the calendar is that of UTC for TIMESTAMP_LTZ too.
func resolveTimestampAdd(args []types.Type) (Overload, bool) {
	if len(args) != 3 || !args[2].IsTime() {
		return Overload{}, false
	}
	t := args[2].Nullable()
	return choose([]Overload{{Params: []types.Type{types.StringType, types.BigIntType, t}, Result: t, Bind: bindTimestampAdd}}, args)
}

func bindTimestampAdd(constants []*vector.Vector) (Kernel, error) {
	u, err := constantUnit(constants[0], "TIMESTAMPADD", addingUnits)
	if err != nil {
		return nil, err
	}
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			count, t := c.Args[1].Int(i), c.Args[2].Int(i)
			if u.months() > 0 {
				c.Out.Ints[i] = addMonths(t, multiplySaturating(count, u.months()))
				continue
			}
			c.Out.Ints[i] = addSaturating(t, multiplySaturating(count, u.length()))
		}
		return nil
	}, nil
}

func bindTimestampDiff(constants []*vector.Vector) (Kernel, error) {
	u, err := constantUnit(constants[0], "TIMESTAMPDIFF", addingUnits)
	if err != nil {
		return nil, err
	}
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			from, to := c.Args[1].Int(i), c.Args[2].Int(i)
			n := int64(0)
			if u.months() > 0 {
				n = monthsBetween(from, to) / u.months()
			} else {
				n = (to - from) / u.length()
			}
			c.Out.Ints[i] = int64(int32(n))
		}
		return nil
	}, nil
}
