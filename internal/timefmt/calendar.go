package timefmt

// Microseconds in the units that all have one length.
const (
	Millisecond int64 = 1000
	Second            = 1000 * Millisecond
	Minute            = 60 * Second
	Hour              = 60 * Minute
	Day               = 24 * Hour
)

// epochDay is the number of days from 0001-01-01 to 1970-01-01.
const epochDay = 719162

// MinMicros and MaxMicros bound the instants of the years 0001 to 9999, the range of a SQL timestamp.
const (
	MinMicros int64 = -epochDay * Day
	MaxMicros int64 = (3652059-epochDay)*Day - 1
)

// daysBefore is the number of days of a year that is not a leap year before its month m (1 to 12).
var daysBefore = [...]int64{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

// IsLeap reports whether year has a 29 February.
func IsLeap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// DaysIn is the number of days of a month (1 to 12).
func DaysIn(year, month int64) int64 {
	switch month {
	case 2:
		if IsLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// DaysOf counts the days from the epoch to a date; month is 1 to 12, day may lie outside of the month.
func DaysOf(year, month, day int64) int64 {
	y := year - 1
	days := 365*y + FloorDiv(y, 4) - FloorDiv(y, 100) + FloorDiv(y, 400) + daysBefore[month] + day - 1 - epochDay
	if month > 2 && IsLeap(year) {
		days++
	}
	return days
}

// DateOf is the date that lies days after the epoch.
func DateOf(days int64) (year, month, day int64) {
	// Years are counted from 1 March, so that the leap day is the last of its year, in eras of 400 years = 146,097 days. The divisions are those of Neri and Schneider
	// (Euclidean affine functions, 2022): each a multiplication and a shift.
	days += epochDay + 306
	era := FloorDiv(days, 146097)
	quarters := 4*uint64(days-era*146097) + 3
	century := quarters / 146097
	product := 2939745 * (quarters%146097/4*4 + 3)
	dayOfYear := uint64(uint32(product)) / (4 * 2939745)
	months := 2141*dayOfYear + 197913
	year = era*400 + int64(100*century+product>>32)
	month = int64(months >> 16)
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, int64(uint16(months))/2141 + 1
}

// AddMonths moves an instant by calendar months; a day that the new month lacks becomes its last day.
func AddMonths(micros, months int64) int64 {
	days := FloorDiv(micros, Day)
	year, month, day := DateOf(days)
	total := year*12 + month - 1 + months
	year = FloorDiv(total, 12)
	month = total - year*12 + 1
	day = min(day, DaysIn(year, month))
	return DaysOf(year, month, day)*Day + micros - days*Day
}

// FloorDiv is a/b rounded towards the past; b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Floor is the greatest multiple of step at or below micros; step > 0.
func Floor(micros, step int64) int64 {
	r := micros % step
	if r < 0 {
		r += step
	}
	return micros - r
}

// Step is the least difference that so many fractional digits show, in microseconds: that of the sixth if there are more.
func Step(precision int8) int64 {
	step := Second
	for range min(precision, 6) {
		step /= 10
	}
	return step
}
