package function

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// unit is a unit of time as an argument. It reaches a function as a constant string.
type unit uint8

const (
	second unit = iota
	minute
	hour
	day
	week
	month
	quarter
	year
	decade
	century
	millennium
	epoch
	dayOfWeek
	dayOfYear
	isoDayOfWeek
	isoYear
	millisecond
	microsecond
	nanosecond
)

var unitNames = [...]string{"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM",
	"EPOCH", "DOW", "DOY", "ISODOW", "ISOYEAR", "MILLISECOND", "MICROSECOND", "NANOSECOND"}

// constantUnit reads a unit that must be one of those allowed.
func constantUnit(v *vector.Vector, function string, allowed []unit) (unit, error) {
	names := make([]string, len(allowed))
	for i, u := range allowed {
		names[i] = unitNames[u]
	}
	if v == nil || v.IsNullConst() {
		return 0, fault.Errorf(fault.User, "%s takes a unit of time, one of %s", function, strings.Join(names, ", "))
	}
	word := strings.ToUpper(string(v.Bytes(0)))
	for i, name := range names {
		if name == word {
			return allowed[i], nil
		}
	}
	return 0, fault.Errorf(fault.User, "%s does not take the unit %s; it takes %s", function, word, strings.Join(names, ", "))
}

// length is the length in microseconds of a unit that has one, else 0.
func (u unit) length() int64 {
	switch u {
	case microsecond:
		return 1
	case millisecond:
		return timefmt.Millisecond
	case second:
		return timefmt.Second
	case minute:
		return timefmt.Minute
	case hour:
		return timefmt.Hour
	case day:
		return timefmt.Day
	case week:
		return 7 * timefmt.Day
	}
	return 0
}

// Step is how far TIMESTAMPADD moves a time by one of a unit: microseconds, or months if the unit has no fixed length. ok is false if it does not take the unit.
func Step(name string) (micros, months int64, ok bool) {
	for _, u := range addingUnits {
		if unitNames[u] == strings.ToUpper(name) {
			return u.length(), u.months(), true
		}
	}
	return 0, 0, false
}

// months is the length in months of a unit that has one, else 0.
func (u unit) months() int64 {
	switch u {
	case month:
		return 1
	case quarter:
		return 3
	case year:
		return 12
	case decade:
		return 120
	case century:
		return 1200
	case millennium:
		return 12000
	}
	return 0
}

// floorTo is the beginning of the unit in which a wall clock time lies. Weeks begin on Sunday (Flink 2.3); centuries and millennia in a year that ends in 1.
func floorTo(local int64, u unit) int64 {
	if u == week {
		// 1970-01-04 was a Sunday.
		const sunday = 3 * timefmt.Day
		return timefmt.Floor(local-sunday, 7*timefmt.Day) + sunday
	}
	if n := u.length(); n > 0 {
		return timefmt.Floor(local, n)
	}
	return beginOf(floorMonths(local, u))
}

// floorMonths is floorTo of a unit that has months, as months since the year 0.
func floorMonths(local int64, u unit) int64 {
	y, m, _ := timefmt.DateOf(timefmt.FloorDiv(local, timefmt.Day))
	if u == century || u == millennium {
		return timefmt.Floor((y-1)*12, u.months()) + 12
	}
	return timefmt.Floor(y*12+m-1, u.months())
}

// beginOf is when a month begins.
func beginOf(months int64) int64 {
	y := timefmt.FloorDiv(months, 12)
	return timefmt.DaysOf(y, months-y*12+1, 1) * timefmt.Day
}

// ceilTo is the first beginning of a unit that is not before local.
func ceilTo(local int64, u unit) int64 {
	if n := u.length(); n > 0 {
		if begin := floorTo(local, u); begin < local {
			return begin + n
		}
		return local
	}
	months := floorMonths(local, u)
	if beginOf(months) == local {
		return local
	}
	return beginOf(months + u.months())
}

// extract is the field u of a wall clock time.
func extract(local int64, u unit) int64 {
	days := timefmt.FloorDiv(local, timefmt.Day)
	clock := local - days*timefmt.Day
	switch u {
	case hour:
		return clock / timefmt.Hour
	case minute:
		return clock / timefmt.Minute % 60
	case second:
		return clock / timefmt.Second % 60
	case millisecond:
		return clock / timefmt.Millisecond % 1000
	case microsecond:
		return clock % timefmt.Second
	case nanosecond:
		return clock % timefmt.Second * 1000
	case epoch:
		return timefmt.FloorDiv(local, timefmt.Second)
	case dayOfWeek: // 1 is Sunday
		return weekday(days)%7 + 1
	case isoDayOfWeek: // 1 is Monday
		return weekday(days)
	case week, isoYear:
		y, w := isoWeek(days)
		if u == isoYear {
			return y
		}
		return w
	}
	y, m, d := timefmt.DateOf(days)
	switch u {
	case day:
		return d
	case month:
		return m
	case quarter:
		return (m + 2) / 3
	case decade:
		return timefmt.FloorDiv(y, 10)
	case century:
		return timefmt.FloorDiv(y+99, 100)
	case millennium:
		return timefmt.FloorDiv(y+999, 1000)
	case dayOfYear:
		return days - timefmt.DaysOf(y, 1, 1) + 1
	}
	return y
}

// weekday is 1 for Monday to 7 for Sunday; the epoch was a Thursday.
func weekday(days int64) int64 {
	return days + 3 - timefmt.FloorDiv(days+3, 7)*7 + 1
}

// isoWeek is the year and number of the week, which belong to the year of its Thursday.
func isoWeek(days int64) (y, w int64) {
	thursday := days - weekday(days) + 4
	y, _, _ = timefmt.DateOf(thursday)
	return y, (thursday-timefmt.DaysOf(y, 1, 1))/7 + 1
}

// monthsBetween counts the whole months from one wall clock time to another, negative if the second is earlier. Flink 2.3: a month is whole if adding it to the
// earlier day, which may cut the day of the month, does not go beyond the later one.
func monthsBetween(from, to int64) int64 {
	fromDays, toDays := timefmt.FloorDiv(from, timefmt.Day), timefmt.FloorDiv(to, timefmt.Day)
	months := monthsBetweenDays(fromDays, toDays)
	if to-toDays*timefmt.Day < from-fromDays*timefmt.Day && timefmt.AddMonths(fromDays*timefmt.Day, months) == toDays*timefmt.Day {
		months--
	}
	return months
}

func monthsBetweenDays(from, to int64) int64 {
	if to < from {
		return -monthsBetweenDays(to, from)
	}
	fromYear, fromMonth, fromDay := timefmt.DateOf(from)
	toYear, toMonth, toDay := timefmt.DateOf(to)
	months := (toYear-fromYear)*12 + toMonth - fromMonth
	if toDay < fromDay && toDay < timefmt.DaysIn(toYear, toMonth) {
		months--
	}
	return months
}
