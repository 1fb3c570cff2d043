package functions

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// wallClock is an instant as package time has it, in UTC.
func wallClock(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func before(t time.Time) time.Time { return t.Add(-time.Microsecond) }

// weekday counts from 1 for Monday.
func weekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

func startOfWeek(t time.Time) time.Time {
	return day(t.Year(), t.Month(), t.Day()-weekday(t)+1)
}

// moves is the row of a function that gives another moment of one.
func moves(name, result string, move func(t time.Time) time.Time) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time)", Doc: "That of the period which the instant is in; weeks begin on Monday.",
		Example: "CAST(DateTime::MakeTimestamp(DateTime::" + name + "(" + sample + ")) AS String)", Result: result,
		params: []param{paramTime},
		apply: gives(typeMoment, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			return inCalendar(move(wallClock(c.Args[0].Int(i))).UnixMicro())
		})}),
	}
}

// inCalendar is NULL for what the calendar has not.
func inCalendar(micros int64) (int64, error) {
	if micros < leastMoment || micros > greatestMoment {
		return 0, errNull
	}
	return micros, nil
}

func period(bound func(micros, step int64) int64) func(*invocation) (Value, error) {
	return gives(typeMoment, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
		n, step := c.Args[0].Int(i), c.Args[1].Int(i)
		if step <= 0 {
			return 0, errNull
		}
		if step > timefmt.Day {
			return inCalendar(bound(n, step))
		}
		midnight := timefmt.Floor(n, timefmt.Day)
		return inCalendar(midnight + bound(n-midnight, step))
	})})
}

func shifts(name string, months int64, result string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time, number)", Doc: "The time so many periods later, on the last day of the month if that is shorter; NULL beyond the calendar.",
		Example: "CAST(DateTime::MakeTimestamp(DateTime::" + name + `(Timestamp("2031-02-03T04:05:06Z"), 1)) AS String)`, Result: result,
		params: []param{paramTime, {name: "number", accept: acceptWhole}},
		apply: gives(typeMoment, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			n := c.Args[1].Int(i)
			if n > 1<<20 || n < -1<<20 {
				return 0, errNull
			}
			return inCalendar(timefmt.AddMonths(c.Args[0].Int(i), n*months))
		})}),
	}
}

func field(name string, k yqltype.Kind, result string, get func(t time.Time) int) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time)", Doc: "That field of the calendar; Monday is day 1 of a week.",
		Example: "DateTime::" + name + "(" + sample + ")", Result: result,
		params: []param{paramTime},
		apply: gives(yqltype.Of(k), spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(get(wallClock(c.Args[0].Int(i)))), nil
		})}),
	}
}

func nameOf(name, result string, get func(t time.Time) string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time)", Doc: "That name, in English.",
		Example: "DateTime::" + name + "(" + sample + ")", Result: result,
		params: []param{paramTime},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return append(dst, get(wallClock(c.Args[0].Int(i)))...), nil
		})}),
	}
}

func optionalField(name string) param {
	return param{name: name, accept: acceptWhole, absent: absentNumber}
}

func update(c *invocation) (Value, error) {
	t := typeMoment
	t.Optional = true
	return call(c.name, spec{nulls: function.NullAware, kernel: ints(func(c *function.Call, i int) (int64, error) {
		if c.Args[0].IsNull(i) {
			return 0, errNull
		}
		at := wallClock(c.Args[0].Int(i))
		fields := [...]int64{int64(at.Year()), int64(at.Month()), int64(at.Day()), int64(at.Hour()), int64(at.Minute()), int64(at.Second()), int64(at.Nanosecond() / 1000)}
		for f := range fields {
			if v := c.Args[f+1]; !v.IsNull(i) {
				fields[f] = v.Int(i)
			}
		}
		return momentOf(fields)
	})}, t, c.args...)
}

// momentOf puts year, month, day, hour, minute, second and microsecond together; NULL if there is no such moment.
func momentOf(f [7]int64) (int64, error) {
	ranges := [...][2]int64{{1, 9999}, {1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 59}, {0, 999_999}}
	for i, r := range ranges {
		if f[i] < r[0] || f[i] > r[1] {
			return 0, errNull
		}
	}
	if f[2] > timefmt.DaysIn(f[0], f[1]) {
		return 0, errNull
	}
	return timefmt.DaysOf(f[0], f[1], f[2])*timefmt.Day + f[3]*timefmt.Hour + f[4]*timefmt.Minute + f[5]*timefmt.Second + f[6], nil
}
