package sql

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	microsPerSecond = int64(1_000_000)
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	microsPerDay    = 24 * microsPerHour
	microsPerWeek   = 7 * microsPerDay
)

// unitSize is how many months or microseconds a unit of an interval counts.
func unitSize(u Unit) int64 {
	switch u {
	case YearUnit:
		return 12
	case QuarterUnit:
		return 3
	case MonthUnit:
		return 1
	case WeekUnit:
		return microsPerWeek
	case DayUnit:
		return microsPerDay
	case HourUnit:
		return microsPerHour
	case MinuteUnit:
		return microsPerMinute
	}
	return microsPerSecond
}

// intervalField is one number of an interval: what stands before it, and how large
// it may be when it is not the first.
type intervalField struct {
	unit      Unit
	separator string
	limit     int64
}

// fieldsOf lists the numbers that an interval's text must hold.
func fieldsOf(q IntervalQualifier) []intervalField {
	all := []intervalField{
		{YearUnit, "", math.MaxInt64}, {MonthUnit, "-", 11},
		{DayUnit, "", math.MaxInt64}, {HourUnit, " ", 23}, {MinuteUnit, ":", 59}, {SecondUnit, ":", 59},
	}
	if q.To == NoUnit {
		return []intervalField{{q.From, "", math.MaxInt64}}
	}
	var fields []intervalField
	for _, f := range all {
		if f.unit == q.From || len(fields) > 0 {
			fields = append(fields, f)
		}
		if f.unit == q.To && len(fields) > 0 {
			break
		}
	}
	return fields
}

// intervalHint says what an interval's text looks like.
func intervalHint(q IntervalQualifier) string {
	if q.To == NoUnit {
		hint := "write a whole number"
		if q.From == SecondUnit {
			hint = "write a number with at most 6 digits after the point"
		}
		if q.LeadingPrecision >= 0 {
			hint += "; " + q.From.String() + "(" + strconv.Itoa(q.LeadingPrecision) + ") limits how many digits it has"
		}
		return hint
	}
	var shape strings.Builder
	for i, f := range fieldsOf(q) {
		if i > 0 {
			shape.WriteString(f.separator)
		}
		shape.WriteString(strings.ToLower(f.unit.String()))
	}
	return "write it as '" + shape.String() + "'"
}

// intervalAmount reads the text of an interval and returns months or microseconds.
// Flink limits the first number to the digits of its precision, two unless written;
// here only a written precision is a limit.
func intervalAmount(text string, q IntervalQualifier) (amount int64, ok bool) {
	rest := strings.TrimSpace(text)
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	for i, f := range fieldsOf(q) {
		if i > 0 {
			if rest, ok = strings.CutPrefix(rest, f.separator); !ok {
				return 0, false
			}
		}
		digits := countDigits(rest)
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		if err != nil || i > 0 && n > f.limit || i == 0 && q.LeadingPrecision >= 0 && digits > q.LeadingPrecision {
			return 0, false
		}
		rest = rest[digits:]
		size := unitSize(f.unit)
		if n > (math.MaxInt64-amount)/size {
			return 0, false
		}
		amount += n * size
		if f.unit == SecondUnit {
			var fraction int64
			if fraction, _, rest, ok = readFraction(rest); !ok || amount > math.MaxInt64-fraction {
				return 0, false
			}
			amount += fraction
		}
	}
	if negative {
		amount = -amount
	}
	return amount, rest == ""
}

// readFraction reads a point and up to six digits, if there is a point.
func readFraction(s string) (micros int64, digits int, rest string, ok bool) {
	rest, found := strings.CutPrefix(s, ".")
	if !found {
		return 0, 0, s, true
	}
	digits = countDigits(rest)
	if digits == 0 || digits > 6 {
		return 0, digits, rest, false
	}
	n, err := strconv.ParseInt(rest[:digits]+"000000"[digits:], 10, 64)
	return n, digits, rest[digits:], err == nil
}

// datetimeHints say what the text of a datetime literal looks like.
var datetimeHints = [...]string{
	DateDatetime:      "write a day of the calendar as '2026-01-31'",
	TimeDatetime:      "write it as '23:59:59', with a fraction of at most 6 digits",
	TimestampDatetime: "write it as '2026-01-31 23:59:59', with a fraction of at most 6 digits",
}

// datetimeMicros reads the text of a datetime literal. Flink 2.3: one digit will do for all but the year, and a TIMESTAMP may be a date alone.
func datetimeMicros(text string, kind DatetimeKind) (micros int64, precision int, ok bool) {
	clock := text
	if kind != TimeDatetime {
		var date string
		var timed bool
		date, clock, timed = strings.Cut(text, " ")
		day, err := time.Parse("2006-1-2", date)
		if err != nil || day.Year() < 1 || timed && kind == DateDatetime {
			return 0, 0, false
		}
		micros = day.Unix() * microsPerSecond
		if !timed {
			return micros, 0, true
		}
	}
	whole, _, _ := strings.Cut(clock, ".")
	at, err := time.Parse("15:4:5", whole)
	if err != nil {
		return 0, 0, false
	}
	micros += int64(at.Hour())*microsPerHour + int64(at.Minute())*microsPerMinute + int64(at.Second())*microsPerSecond
	fraction, precision, rest, ok := readFraction(clock[len(whole):])
	return micros + fraction, precision, ok && rest == ""
}
