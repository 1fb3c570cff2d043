package functions

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	typeTimestamp = yqltype.Of(yqltype.Timestamp)
	typeMoment    = yqltype.Of(yqltype.Moment)
	typeInterval  = yqltype.Of(yqltype.Interval)

	// acceptTime takes what DateTime::Split gives, and what that takes.
	acceptTime = accept{"a Timestamp, Datetime, Date or what DateTime::Split gives", func(v Value) (Value, bool) {
		switch {
		case v.Static != nil:
			return v, false
		case v.Type.Kind == yqltype.Null:
			return Null(typeMoment), true
		case v.Type.IsInstant():
			m, err := split(v)
			return m, err == nil
		}
		return v, v.Type.Kind == yqltype.Moment
	}}
	paramTime     = param{name: "time", accept: acceptTime}
	paramInterval = param{name: "interval", accept: acceptInterval}
)

// The moments of the calendar, which is that of the engine: from the year 1 on to 9999, in UTC.
const (
	leastMoment    = timefmt.MinMicros
	greatestMoment = timefmt.MaxMicros
)

// dateTimeFunctions are those of module DateTime, but for texts. All is in UTC, whatever the zone of the session.
var dateTimeFunctions = []Function{
	{
		Name: "CurrentUtcTimestamp", Signature: "CurrentUtcTimestamp()", Doc: "The present instant.",
		Example: `CurrentUtcTimestamp() > Timestamp("2026-01-01T00:00:00Z")`, Result: "true",
		rest: &acceptValue, apply: present(typeTimestamp),
	},
	{
		Name: "CurrentUtcDatetime", Signature: "CurrentUtcDatetime()", Doc: "The present second.",
		Example: `CurrentUtcDatetime() > Datetime("2026-01-01T00:00:00Z")`, Result: "true",
		rest: &acceptValue, apply: present(yqltype.Of(yqltype.Datetime)),
	},
	{
		Name: "CurrentUtcDate", Signature: "CurrentUtcDate()", Doc: "The present day.",
		Example: `CurrentUtcDate() > Date("2026-01-01")`, Result: "true",
		rest: &acceptValue, apply: present(yqltype.Of(yqltype.Date)),
	},
	{
		Module: "DateTime", Name: "Split", Signature: "DateTime::Split(time)",
		Doc:     "The instant as the fields of a calendar, for other functions of DateTime, which take the instant itself as well.",
		Example: `DateTime::GetHour(DateTime::Split(Timestamp("2031-02-03T04:05:06Z")))`, Result: "4",
		params: []param{paramTime},
		apply:  func(c *invocation) (Value, error) { return c.args[0], nil },
	},
	makes("MakeTimestamp", typeTimestamp, "2031-02-03T04:05:06.789000Z"),
	makes("MakeDatetime", yqltype.Of(yqltype.Datetime), "2031-02-03T04:05:06Z"),
	makes("MakeDate", yqltype.Of(yqltype.Date), "2031-02-03"),
	fromUnits("FromSeconds", timefmt.Second, "1", "1970-01-01T00:00:01.000000Z"),
	fromUnits("FromMilliseconds", 1000, "1500", "1970-01-01T00:00:01.500000Z"),
	fromUnits("FromMicroseconds", 1, "1500", "1970-01-01T00:00:00.001500Z"),
	toUnits("ToSeconds", timefmt.Second, typeUint32, "1"),
	toUnits("ToMilliseconds", 1000, count64, "1500"),
	toUnits("ToMicroseconds", 1, count64, "1500000"),
	intervalFrom("IntervalFromDays", timefmt.Day, "P3D"),
	intervalFrom("IntervalFromHours", timefmt.Hour, "PT3H"),
	intervalFrom("IntervalFromMinutes", timefmt.Minute, "PT3M"),
	intervalFrom("IntervalFromSeconds", timefmt.Second, "PT3S"),
	intervalFrom("IntervalFromMilliseconds", 1000, "PT0.003S"),
	intervalFrom("IntervalFromMicroseconds", 1, "PT0.000003S"),
	intervalTo("ToDays", "IntervalToDays", timefmt.Day, "1"),
	intervalTo("ToHours", "IntervalToHours", timefmt.Hour, "25"),
	intervalTo("ToMinutes", "IntervalToMinutes", timefmt.Minute, "1501"),
	intervalTo("IntervalToSeconds", "", timefmt.Second, "90060"),
	intervalTo("IntervalToMilliseconds", "", 1000, "90060000"),
	intervalTo("IntervalToMicroseconds", "", 1, "90060000000"),
	moves("StartOfYear", "2031-01-01T00:00:00.000000Z", func(t time.Time) time.Time { return day(t.Year(), 1, 1) }),
	moves("StartOfQuarter", "2031-01-01T00:00:00.000000Z", func(t time.Time) time.Time { return day(t.Year(), (t.Month()-1)/3*3+1, 1) }),
	moves("StartOfMonth", "2031-02-01T00:00:00.000000Z", func(t time.Time) time.Time { return day(t.Year(), t.Month(), 1) }),
	moves("StartOfWeek", "2031-02-03T00:00:00.000000Z", startOfWeek),
	moves("StartOfDay", "2031-02-03T00:00:00.000000Z", func(t time.Time) time.Time { return day(t.Year(), t.Month(), t.Day()) }),
	moves("EndOfYear", "2031-12-31T23:59:59.999999Z", func(t time.Time) time.Time { return before(day(t.Year()+1, 1, 1)) }),
	moves("EndOfQuarter", "2031-03-31T23:59:59.999999Z", func(t time.Time) time.Time { return before(day(t.Year(), (t.Month()-1)/3*3+4, 1)) }),
	moves("EndOfMonth", "2031-02-28T23:59:59.999999Z", func(t time.Time) time.Time { return before(day(t.Year(), t.Month()+1, 1)) }),
	moves("EndOfWeek", "2031-02-09T23:59:59.999999Z", func(t time.Time) time.Time { return before(startOfWeek(t).AddDate(0, 0, 7)) }),
	moves("EndOfDay", "2031-02-03T23:59:59.999999Z", func(t time.Time) time.Time { return before(day(t.Year(), t.Month(), t.Day()+1)) }),
	{
		Module: "DateTime", Name: "StartOf", Signature: "DateTime::StartOf(time, interval)",
		Doc:     "The beginning of the period of this length that the instant is in; periods of a day or less begin anew every day, longer ones are counted from 1970 on.",
		Example: `CAST(DateTime::MakeTimestamp(DateTime::StartOf(Timestamp("2031-02-03T04:05:06Z"), Interval("PT15M"))) AS String)`, Result: "2031-02-03T04:00:00.000000Z",
		params: []param{paramTime, paramInterval},
		apply:  period(func(micros, step int64) int64 { return timefmt.Floor(micros, step) }),
	},
	{
		Module: "DateTime", Name: "EndOf", Signature: "DateTime::EndOf(time, interval)",
		Doc:     "The last microsecond of the period of this length that the instant is in.",
		Example: `CAST(DateTime::MakeTimestamp(DateTime::EndOf(Timestamp("2031-02-03T04:05:06Z"), Interval("PT15M"))) AS String)`, Result: "2031-02-03T04:14:59.999999Z",
		params: []param{paramTime, paramInterval},
		apply:  period(func(micros, step int64) int64 { return timefmt.Floor(micros, step) + step - 1 }),
	},
	shifts("ShiftYears", 12, "2032-02-03T04:05:06.000000Z"),
	shifts("ShiftQuarters", 3, "2031-05-03T04:05:06.000000Z"),
	shifts("ShiftMonths", 1, "2031-03-03T04:05:06.000000Z"),
	{
		Module: "DateTime", Name: "TimeOfDay", Signature: "DateTime::TimeOfDay(time)", Doc: "How long the day has lasted.",
		Example: `DateTime::TimeOfDay(Timestamp("2031-02-03T04:05:06Z"))`, Result: "PT4H5M6S",
		params: []param{paramTime},
		apply: gives(typeInterval, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			n := c.Args[0].Int(i)
			return n - timefmt.Floor(n, timefmt.Day), nil
		})}),
	},
	field("GetYear", yqltype.Uint16, "2031", func(t time.Time) int { return t.Year() }),
	field("GetMonth", yqltype.Uint8, "2", func(t time.Time) int { return int(t.Month()) }),
	field("GetDayOfYear", yqltype.Uint16, "34", time.Time.YearDay),
	field("GetDayOfMonth", yqltype.Uint8, "3", time.Time.Day),
	field("GetDayOfWeek", yqltype.Uint8, "1", weekday),
	field("GetWeekOfYear", yqltype.Uint8, "6", func(t time.Time) int {
		return (t.YearDay()+weekday(day(t.Year(), 1, 1))-2)/7 + 1
	}),
	field("GetWeekOfYearIso8601", yqltype.Uint8, "6", func(t time.Time) int { _, week := t.ISOWeek(); return week }),
	field("GetHour", yqltype.Uint8, "4", time.Time.Hour),
	field("GetMinute", yqltype.Uint8, "5", time.Time.Minute),
	field("GetSecond", yqltype.Uint8, "6", time.Time.Second),
	field("GetMillisecondOfSecond", yqltype.Uint32, "789", func(t time.Time) int { return t.Nanosecond() / 1e6 }),
	field("GetMicrosecondOfSecond", yqltype.Uint32, "789000", func(t time.Time) int { return t.Nanosecond() / 1e3 }),
	nameOf("GetMonthName", "February", func(t time.Time) string { return t.Month().String() }),
	nameOf("GetDayOfWeekName", "Monday", func(t time.Time) string { return t.Weekday().String() }),
	{
		Module: "DateTime", Name: "Update", Signature: "DateTime::Update(time [, Year, Month, Day, Hour, Minute, Second, Microsecond])",
		Doc:     "The instant with other values of some fields; NULL if there is no such instant.",
		Example: `CAST(DateTime::MakeTimestamp(DateTime::Update(Timestamp("2031-02-03T04:05:06Z"), 2032, 7 AS Month)) AS String)`, Result: "2032-07-03T04:05:06.000000Z",
		params: []param{paramTime, optionalField("Year"), optionalField("Month"), optionalField("Day"), optionalField("Hour"), optionalField("Minute"), optionalField("Second"),
			optionalField("Microsecond")},
		apply: update,
	},
	refusal("DateTime", "GetTimezoneId", "all times are in UTC"),
	refusal("DateTime", "GetTimezoneName", "all times are in UTC"),
	refusal("DateTime", "MakeTzTimestamp", "all times are in UTC; use DateTime::MakeTimestamp"),
	refusal("DateTime", "MakeTzDatetime", "all times are in UTC; use DateTime::MakeDatetime"),
	refusal("DateTime", "MakeTzDate", "all times are in UTC; use DateTime::MakeDate"),
	refusal("", "AddTimezone", "all times are in UTC; shift by an Interval"),
	refusal("", "RemoveTimezone", "all times are in UTC"),
	refusal("", "CurrentTzTimestamp", "all times are in UTC; use CurrentUtcTimestamp"),
	refusal("", "CurrentTzDatetime", "all times are in UTC; use CurrentUtcDatetime"),
	refusal("", "CurrentTzDate", "all times are in UTC; use CurrentUtcDate"),
}

// sample is the instant of most examples.
const sample = `Timestamp("2031-02-03T04:05:06.789Z")`

// split is the instant as a moment.
func split(v Value) (Value, error) {
	t := v.Type
	return call("DateTime::Split", spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
		n := c.Args[0].Int(i)
		if t.Kind == yqltype.Date {
			n *= timefmt.Day
		}
		if n < leastMoment || n > greatestMoment {
			return 0, hintf(CodeValue, "leave such rows out with WHERE", "the instant is beyond the calendar, which ends with the year 9999")
		}
		return n, nil
	})}, typeMoment, v)
}

func present(t yqltype.Type) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		return call(c.name, spec{stability: function.Clocked, kernel: ints(func(c *function.Call, _ int) (int64, error) {
			switch t.Kind {
			case yqltype.Date:
				return timefmt.FloorDiv(c.Env.Now, timefmt.Day), nil
			case yqltype.Datetime:
				return timefmt.Floor(c.Env.Now, timefmt.Second), nil
			}
			return c.Env.Now, nil
		})}, t)
	}
}
