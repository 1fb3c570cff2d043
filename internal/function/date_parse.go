package function

import (
	"bytes"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// reading is what was read of a text by a format. Fields that the format lacks are those of 1970-01-01 00:00:00.
type reading struct {
	year, month, day, dayOfYear    int64
	hour, minute, second, fraction int64
	twelve, afternoon, weekday     int64 // weekday: 0 if there is none
	hasDayOfYear, hasHour, hasHalf bool
	hasYear                        bool
	end                            int // where the text was read up to
}

func newReading() reading { return reading{year: 1970, month: 1, day: 1} }

// parse reads a wall clock time as Java's DateTimeFormatter does. Flink 2.3: a day that the month lacks, up to 31, is its last one; 24:00:00 is the next day's beginning.
func (f dateFormat) parse(s []byte) (local int64, ok bool) {
	r := newReading()
	if !r.read(f.parts, s) || r.end != len(s) {
		return 0, false
	}
	return r.local()
}

// parseOrDefault reads as parse does, and what the format does not fit as without one. Flink 2.3: a format without a year is about 1970, and a day that its
// month lacks is then none.
func (f dateFormat) parseOrDefault(s []byte) (local int64, ok bool) {
	r := newReading()
	if r.read(f.parts, s) && r.end == len(s) {
		if local, ok := r.local(); ok {
			lacking := !r.hasYear && r.day > timefmt.DaysIn(r.year, r.month)
			return local, !lacking
		}
	}
	return parseDefault(s)
}

func (r *reading) read(parts []datePart, s []byte) bool {
	for i, p := range parts {
		switch p.letter {
		case 0:
			if !bytes.HasPrefix(s[r.end:], []byte(p.text)) {
				return false
			}
			r.end += len(p.text)
		case '[':
			before := *r
			if !r.read(p.optional, s) {
				*r = before
			}
		default:
			adjacent := i+1 < len(parts) && parts[i+1].letter != 0 && parts[i+1].letter != '['
			if !r.field(p, s, adjacent) {
				return false
			}
		}
	}
	return true
}

// field reads one field; adjacent says that another follows at once.
func (r *reading) field(p datePart, s []byte, adjacent bool) bool {
	switch {
	case (p.letter == 'M' || p.letter == 'L') && p.width >= 3:
		return r.name(s, monthNames[:], p.width, &r.month)
	case p.letter == 'E' || (p.letter == 'e' || p.letter == 'c') && p.width >= 3:
		return r.name(s, dayNames[:], p.width, &r.weekday)
	case p.letter == 'a':
		return r.half(s)
	case p.letter == 'G':
		return r.text(s, "AD")
	case strings.IndexByte("XxZ", p.letter) >= 0:
		return r.offset(s)
	}
	n, width := leadingNumber(s[r.end:], p.maxWidth(adjacent))
	if width < p.width {
		return false
	}
	r.end += width
	switch p.letter {
	case 'y', 'u':
		r.year, r.hasYear = n, true
		if p.width == 2 {
			r.year += 2000
		}
	case 'M', 'L':
		r.month = n
	case 'd':
		r.day = n
	case 'D':
		r.dayOfYear, r.hasDayOfYear = n, true
	case 'H':
		r.hour, r.hasHour = n, true
	case 'k':
		if n < 1 || n > 24 {
			return false
		}
		r.hour, r.hasHour = n%24, true
	case 'h':
		if n < 1 || n > 12 {
			return false
		}
		r.twelve = n % 12
	case 'K':
		if n > 11 {
			return false
		}
		r.twelve = n
	case 'm':
		r.minute = n
	case 's':
		r.second = n
	case 'S':
		r.fraction = scaleFraction(n, width)
	case 'n':
		r.fraction = n / 1000
	}
	return true
}

// name reads one of a list of names, for short or in full, and says which.
func (r *reading) name(s []byte, names []string, width int, which *int64) bool {
	for i, name := range names {
		if width <= 3 {
			name = name[:3]
		}
		if r.text(s, name) {
			*which = int64(i + 1)
			return true
		}
	}
	return false
}

func (r *reading) text(s []byte, text string) bool {
	if !bytes.HasPrefix(s[r.end:], []byte(text)) {
		return false
	}
	r.end += len(text)
	return true
}

func (r *reading) half(s []byte) bool {
	r.hasHalf = true
	if r.text(s, "AM") {
		return true
	}
	r.afternoon = 1
	return r.text(s, "PM")
}

// offset reads Z, +01, +0130 or +01:30, and does not heed it.
func (r *reading) offset(s []byte) bool {
	if r.text(s, "Z") {
		return true
	}
	if !r.text(s, "+") && !r.text(s, "-") {
		return false
	}
	_, width := leadingNumber(s[r.end:], 4)
	r.end += width
	if width == 2 && r.text(s, ":") {
		_, minutes := leadingNumber(s[r.end:], 2)
		r.end += minutes
		return minutes == 2
	}
	return width == 2 || width == 4
}

// maxWidth is the number of digits that a field may have: as many as written, or more for a field of one letter that stands alone.
func (p datePart) maxWidth(adjacent bool) int {
	switch {
	case p.width > 1 || p.letter == 'S' || adjacent:
		return p.width
	case p.letter == 'y' || p.letter == 'u':
		return 4
	case p.letter == 'D':
		return 3
	case p.letter == 'A' || p.letter == 'n':
		return 18
	}
	return 2
}

// local puts the fields together.
func (r *reading) local() (int64, bool) {
	hour := r.hour
	if r.hasHalf && !r.hasHour {
		hour = r.twelve + 12*r.afternoon
	}
	next := int64(0)
	if hour == 24 && r.minute == 0 && r.second == 0 && r.fraction == 0 {
		hour, next = 0, timefmt.Day
	}
	if r.year < 1 || r.year > 9999 || r.month < 1 || r.month > 12 || r.day < 1 || r.day > 31 || hour > 23 || r.minute > 59 || r.second > 59 {
		return 0, false
	}
	days := timefmt.DaysOf(r.year, r.month, min(r.day, timefmt.DaysIn(r.year, r.month)))
	if r.hasDayOfYear {
		days = timefmt.DaysOf(r.year, 1, 1) + r.dayOfYear - 1
		if r.dayOfYear < 1 || days >= timefmt.DaysOf(r.year+1, 1, 1) {
			return 0, false
		}
	}
	if r.weekday != 0 && weekday(days) != r.weekday {
		return 0, false
	}
	return days*timefmt.Day + next + hour*timefmt.Hour + r.minute*timefmt.Minute + r.second*timefmt.Second + r.fraction, true
}

// leadingNumber reads up to limit digits.
func leadingNumber(s []byte, limit int) (n int64, width int) {
	for width < limit && width < len(s) && s[width]-'0' <= 9 {
		n = n*10 + int64(s[width]-'0')
		width++
	}
	return n, width
}

// scaleFraction makes microseconds of a fraction n of so many digits.
func scaleFraction(n int64, digits int) int64 {
	for ; digits < 6; digits++ {
		n *= 10
	}
	for ; digits > 6; digits-- {
		n /= 10
	}
	return n
}

// parseDefault reads yyyy-MM-dd HH:mm:ss with a fraction or none, or yyyy-MM-dd. Flink 2.3: one digit will do for all but the year.
func parseDefault(s []byte) (local int64, ok bool) {
	if len(s) <= len("yyyy-MM-dd") {
		return plainDate.parse(s)
	}
	r := newReading()
	if !r.read(plainTimestamp.parts, s) {
		return 0, false
	}
	if r.end < len(s) {
		if s[r.end] != '.' {
			return 0, false
		}
		n, width := leadingNumber(s[r.end+1:], 9)
		if r.end+1+width != len(s) {
			return 0, false
		}
		r.fraction = scaleFraction(n, width)
	}
	return r.local()
}

var (
	plainDate      = mustFormat("yyyy-M-d", timing)
	plainTimestamp = mustFormat("yyyy-M-d H:m:s", timing)
	oldTimestamp   = mustFormat("yyyy-MM-dd HH:mm:ss", legacy)
)

func mustFormat(pattern string, d dialect) dateFormat {
	f, err := parseDateFormat(pattern, d)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return f
}
