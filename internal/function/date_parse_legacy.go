package function

import (
	"bytes"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// moment is what the older dialect reads: a wall clock time, and the offset from Greenwich if the text has one.
type moment struct {
	local, offset int64
	hasOffset     bool
}

// pivotYear is the first year that two digits can mean. Java takes the hundred years that begin 80 years ago; a fixed year keeps replays the same.
const pivotYear = 1946

// parseLegacy reads as Java's SimpleDateFormat does when lenient: blanks before a number are skipped, a number may have any number of digits unless another
// follows at once, what goes beyond a field's range carries over, and what is left of the text is not looked at.
func (f dateFormat) parseLegacy(s []byte) (m moment, ok bool) {
	r := newReading()
	for i, p := range f.parts {
		if p.letter == 0 {
			if !r.text(s, p.text) {
				return m, false
			}
			continue
		}
		adjacent := i+1 < len(f.parts) && f.parts[i+1].letter != 0
		if !r.legacyField(p, s, adjacent, &m) {
			return m, false
		}
	}
	hour := r.hour
	if !r.hasHour {
		hour = r.twelve + 12*r.afternoon
	}
	const limit = 1_000_000_000
	for _, n := range []int64{r.year, r.month, r.day, hour, r.minute, r.second, r.fraction} {
		if n > limit || n < -limit {
			return m, false
		}
	}
	months := r.year*12 + r.month - 1
	year := timefmt.FloorDiv(months, 12)
	if year < -200_000 || year > 200_000 {
		return m, false
	}
	days := timefmt.DaysOf(year, months-year*12+1, 1) + r.day - 1
	if r.hasDayOfYear {
		days = timefmt.DaysOf(r.year, 1, 1) + r.dayOfYear - 1
	}
	m.local = days*timefmt.Day + hour*timefmt.Hour + r.minute*timefmt.Minute + r.second*timefmt.Second + r.fraction*timefmt.Millisecond
	return m, true
}

func (r *reading) legacyField(p datePart, s []byte, adjacent bool, m *moment) bool {
	switch {
	case (p.letter == 'M' || p.letter == 'L') && p.width >= 3:
		return r.anyName(s, monthNames[:], &r.month)
	case p.letter == 'E':
		return r.anyName(s, dayNames[:], &r.weekday)
	case p.letter == 'a':
		which := int64(0)
		ok := r.anyName(s, []string{"AM", "PM"}, &which)
		r.afternoon = which - 1
		return ok
	case p.letter == 'G':
		which := int64(0)
		return r.anyName(s, []string{"AD"}, &which)
	case strings.IndexByte("zZX", p.letter) >= 0:
		return r.legacyOffset(s, m)
	}
	for r.end < len(s) && (s[r.end] == ' ' || s[r.end] == '\t') {
		r.end++
	}
	sign := int64(1)
	if r.end < len(s) && s[r.end] == '-' {
		sign = -1
		r.end++
	}
	most := 18
	if adjacent {
		most = p.width
	}
	n, width := leadingNumber(s[r.end:], most)
	if width == 0 {
		return false
	}
	r.end += width
	n *= sign
	switch p.letter {
	case 'y', 'Y':
		r.year = n
		if p.width <= 2 && width == 2 && sign > 0 {
			r.year += 1900
			if r.year < pivotYear {
				r.year += 100
			}
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
		if n == 24 {
			n = 0
		}
		r.hour, r.hasHour = n, true
	case 'h':
		if n == 12 {
			n = 0
		}
		r.twelve = n
	case 'K':
		r.twelve = n
	case 'm':
		r.minute = n
	case 's':
		r.second = n
	case 'S':
		r.fraction = n
	}
	return true
}

// anyName reads one of a list of names, in full or its first three letters, in any case.
func (r *reading) anyName(s []byte, names []string, which *int64) bool {
	for i, name := range names {
		for _, text := range []string{name, name[:min(3, len(name))]} {
			if len(s)-r.end >= len(text) && bytes.EqualFold(s[r.end:r.end+len(text)], []byte(text)) {
				r.end += len(text)
				*which = int64(i + 1)
				return true
			}
		}
	}
	return false
}

func (r *reading) legacyOffset(s []byte, m *moment) bool {
	m.hasOffset = true
	for _, name := range []string{"Z", "UTC", "GMT"} {
		if r.text(s, name) {
			return true
		}
	}
	start := r.end
	if !r.offset(s) {
		return false
	}
	text := s[start:r.end]
	hours, _ := leadingNumber(text[1:], 2)
	minutes := int64(0)
	if len(text) > 3 {
		minutes, _ = leadingNumber(text[len(text)-2:], 2)
	}
	m.offset = hours*timefmt.Hour + minutes*timefmt.Minute
	if text[0] == '-' {
		m.offset = -m.offset
	}
	return true
}

// instantOf is when a wall clock shows m. Flink 2.3, as java.util.Calendar: of an hour that an autumn overlap repeats it is the second time.
func (c *localClock) instantOf(m moment) int64 {
	if m.hasOffset {
		return addSaturating(m.local, -m.offset)
	}
	after := c.offsetAt(addSaturating(m.local, timefmt.Day))
	if second := addSaturating(m.local, -after); c.offsetAt(second) == after {
		return second
	}
	return c.instant(m.local)
}
