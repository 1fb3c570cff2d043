package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
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
		Name: "CURRENT_ROW_TIMESTAMP", Family: FamilyTime,
		Signatures: []string{"CURRENT_ROW_TIMESTAMP()"},
		Doc:        "The present instant as TIMESTAMP_LTZ(3), of each batch of rows as it is computed.",
		Example:    "CURRENT_ROW_TIMESTAMP() IS NOT NULL", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.TimestampLTZType, Stability: Clocked, Kernel: currentTimestamp}},
	},
	{
		Name: "CURRENT_DATE", Family: FamilyTime,
		Signatures: []string{"CURRENT_DATE"},
		Doc:        "The present date in the session's time zone.",
		Example:    "CURRENT_DATE = FLOOR(CURRENT_DATE TO DAY)", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.DateType, Stability: Clocked, Kernel: currentDate}},
	},
	{
		Name: "LOCALTIME", Aliases: []string{"CURRENT_TIME"}, Family: FamilyTime,
		Signatures: []string{"LOCALTIME"},
		Doc:        "The present time of day in the session's time zone as TIME(0).",
		Example:    "LOCALTIME = CURRENT_TIME", ExampleResult: "TRUE",
		Overloads: []Overload{{Result: types.TimeType, Stability: Clocked, Kernel: currentTime}},
	},
	{
		Name: "EXTRACT", Family: FamilyTime,
		Signatures: []string{"EXTRACT(unit FROM datetime)", "EXTRACT(unit FROM interval)"},
		Doc: "A field of a date, time, timestamp or interval as BIGINT. DOW counts from 1 for Sunday, ISODOW from 1 for Monday, WEEK is the ISO week. EPOCH is whole seconds since " +
			"1970-01-01 00:00:00 on the same clock, which for a TIMESTAMP_LTZ is that of the session's time zone.",
		Example: "EXTRACT(HOUR FROM TIMESTAMP '2026-01-02 03:04:05')", ExampleResult: "3",
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
		Signatures: []string{"DATE_FORMAT(timestamp, format)", "DATE_FORMAT(string, format)"},
		Doc: "The timestamp, or the string that shows one as yyyy-MM-dd HH:mm:ss, as a string. The format is that of Java: yyyy MM dd HH mm ss SSS, MMM for the month's name, EEE for " +
			"that of the day, text in single quotes.",
		Example: "DATE_FORMAT(TIMESTAMP '2026-01-02 03:04:05', 'yyyy-MM-dd HH:mm')", ExampleResult: "2026-01-02 03:04",
		Overloads: []Overload{
			{Params: []types.Type{types.TimestampType, types.StringType}, Result: types.StringType, Bind: bindDateFormat(false)},
			{Params: []types.Type{types.TimestampLTZType, types.StringType}, Result: types.StringType, Stability: Zoned, Bind: bindDateFormat(true)},
			{Params: stringParams(2), Result: types.StringType, MayBeNull: true, Bind: bindReformat},
		},
	},
	{
		Name: "TIMESTAMPADD", Family: FamilyTime,
		Signatures: []string{"TIMESTAMPADD(unit, count, datetime)"},
		Doc:        "The date, time or timestamp moved by so many units; months and longer units keep the day of the month or take the last one. A DATE moved by less than days is a TIMESTAMP(6).",
		Example:    "TIMESTAMPADD(MONTH, 1, TIMESTAMP '2026-01-31 00:00:00')", ExampleResult: "2026-02-28 00:00:00.000",
		Resolver: resolveTimestampAdd,
	},
	{
		Name: "TIMESTAMPDIFF", Family: FamilyTime,
		Signatures: []string{"TIMESTAMPDIFF(unit, from, to)"},
		Doc:        "The number of whole units from one date, time or timestamp to the other as INT, negative if the second is earlier.",
		Example:    "TIMESTAMPDIFF(DAY, TIMESTAMP '2026-01-01 12:00:00', TIMESTAMP '2026-01-03 00:00:00')", ExampleResult: "1",
		Resolver: byTypes(resolveTimestampDiff),
	},
	{
		Name: "DAY TO SECOND", Family: FamilyTime, Notation: Difference,
		Signatures: []string{"(datetime - datetime) DAY TO SECOND"},
		Doc:        "The time between two dates, times or timestamps as an interval. DAY, HOUR, MINUTE and SECOND say the same.",
		Example:    "(DATE '2026-01-31' - DATE '2026-01-01') DAY = INTERVAL '30' DAY", ExampleResult: "TRUE",
		Resolver: byTypes(resolveDifference(types.IntervalDayType)),
	},
	{
		Name: "YEAR TO MONTH", Family: FamilyTime, Notation: Difference,
		Signatures: []string{"(datetime - datetime) YEAR TO MONTH"},
		Doc:        "The whole months between two dates or timestamps as an interval. YEAR and MONTH say the same.",
		Example:    "(DATE '2026-03-31' - DATE '2026-01-01') MONTH = INTERVAL '2' MONTH", ExampleResult: "TRUE",
		Resolver: byTypes(resolveDifference(types.IntervalMonthType)),
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

func currentDate(c *Call) error {
	clock := newLocalClock(c.Env.Zone)
	c.Out.Ints[0] = timefmt.FloorDiv(clock.local(c.Env.Now), timefmt.Day)
	return nil
}

func currentTime(c *Call) error {
	clock := newLocalClock(c.Env.Zone)
	local := clock.local(c.Env.Now)
	c.Out.Ints[0] = timefmt.Floor(local-timefmt.Floor(local, timefmt.Day), timefmt.Second)
	return nil
}

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

// zoneStability is Zoned for a TIMESTAMP_LTZ, whose fields depend on the zone.
func zoneStability(t types.Type) Stability {
	if t.Kind == types.TimestampLTZ {
		return Zoned
	}
	return Pure
}
