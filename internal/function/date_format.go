package function

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// dateFormat is a pattern of letters.
type dateFormat struct {
	parts   []datePart
	dialect dialect
	// shows tells whether the offset or name of a time zone is written.
	shows bool
}

// dialect says what letters mean. Flink 2.3 has two: that of Java's DateTimeFormatter for what speaks of timestamps, and that of its older SimpleDateFormat for what
// speaks of strings.
type dialect uint8

const (
	writing dialect = iota // DATE_FORMAT of a timestamp, which has no zone to show, not even a TIMESTAMP_LTZ in Flink 2.3
	timing                 // TO_TIMESTAMP and TO_TIMESTAMP_LTZ, which read an offset and do not heed it
	legacy                 // TO_DATE, FROM_UNIXTIME, UNIX_TIMESTAMP, CONVERT_TZ, DATE_FORMAT of a string
)

// datePart is a field of width letters, text if letter is 0, or an optional part if letter is [.
type datePart struct {
	letter   byte
	width    int
	text     string
	optional []datePart
}

// The letters of both dialects, and how many of each in a row there may be.
var (
	dateLetters = map[byte]int{'G': 5, 'u': 19, 'y': 19, 'D': 3, 'M': 5, 'L': 5, 'd': 2, 'Q': 4, 'q': 4, 'Y': 19, 'w': 2, 'W': 1, 'E': 5, 'e': 4, 'c': 4, 'F': 1, 'a': 1,
		'h': 2, 'K': 2, 'k': 2, 'H': 2, 'm': 2, 's': 2, 'S': 9, 'A': 19, 'n': 19, 'N': 19}
	legacyLetters = map[byte]int{'G': 9, 'y': 9, 'Y': 9, 'M': 9, 'L': 9, 'w': 9, 'W': 9, 'D': 9, 'd': 9, 'F': 9, 'E': 9, 'u': 9, 'a': 9, 'H': 9, 'k': 9, 'K': 9, 'h': 9,
		'm': 9, 's': 9, 'S': 9, 'z': 3, 'Z': 9, 'X': 3}
)

func parseDateFormat(pattern string, d dialect) (dateFormat, error) {
	p := patternParser{pattern: pattern, dialect: d}
	parts, err := p.parts(0)
	f := dateFormat{parts: parts, dialect: d}
	for _, part := range parts {
		f.shows = f.shows || strings.IndexByte("zZX", part.letter) >= 0
	}
	return f, err
}

type patternParser struct {
	pattern string
	dialect dialect
	at      int
}

// parts reads up to the end, or to the bracket that ends an optional part.
func (p *patternParser) parts(depth int) ([]datePart, error) {
	var parts []datePart
	for p.at < len(p.pattern) {
		c := p.pattern[p.at]
		switch {
		case c == '\'':
			text, width, ok := quotedText(p.pattern[p.at:])
			if !ok {
				return nil, fault.Errorf(fault.User, "the date format '%s' has a single quote without its partner", p.pattern)
			}
			parts = append(parts, datePart{text: text})
			p.at += width
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			part, err := p.letters(c)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		case p.dialect == legacy || strings.IndexByte("[]{}#", c) < 0:
			parts = append(parts, datePart{text: p.pattern[p.at : p.at+1]})
			p.at++
		case c == '[':
			p.at++
			inside, err := p.parts(depth + 1)
			if err != nil {
				return nil, err
			}
			parts = append(parts, datePart{letter: '[', optional: inside})
		case c == ']' && depth > 0:
			p.at++
			return parts, nil
		default:
			return nil, fault.Errorf(fault.User, "the date format '%s' has the reserved character %c; put it into single quotes", p.pattern, c)
		}
	}
	return parts, nil
}

func (p *patternParser) letters(c byte) (datePart, error) {
	end := p.at
	for end < len(p.pattern) && p.pattern[end] == c {
		end++
	}
	part := datePart{letter: c, width: end - p.at}
	known := dateLetters
	if p.dialect == legacy {
		known = legacyLetters
	}
	most := known[c]
	if p.dialect == timing && strings.IndexByte("XxZ", c) >= 0 {
		most = 5
	}
	if part.width > most {
		return part, fault.Errorf(fault.User, "the date format '%s' has %s, which is not known; use yyyy, yy, MM, MMM, dd, EEE, HH, hh, mm, ss, S to SSSSSSSSS, a, DDD and text in single quotes",
			p.pattern, p.pattern[p.at:end])
	}
	p.at = end
	return part, nil
}

// quotedText reads 'text' at the beginning of s, where ” is a single quote and two quotes alone are one too.
func quotedText(s string) (text string, width int, ok bool) {
	var b []byte
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b = append(b, s[i])
			continue
		}
		if i == 1 {
			return "'", 2, true
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b = append(b, '\'')
			i++
			continue
		}
		return string(b), i + 1, true
	}
	return "", 0, false
}

var (
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	quarters   = [...]string{"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"}
)

// shown is a moment as a format sees it.
type shown struct {
	days, clock      int64
	year, month, day int64
	offset           int64  // of the zone, in microseconds
	zone             string // its name for short
}

func showLocal(local int64) shown {
	days := timefmt.FloorDiv(local, timefmt.Day)
	s := shown{days: days, clock: local - days*timefmt.Day}
	s.year, s.month, s.day = timefmt.DateOf(days)
	return s
}

// append writes a moment.
func (f dateFormat) append(dst []byte, s shown) []byte {
	return appendParts(dst, f.parts, f.dialect == legacy, &s)
}

func appendParts(dst []byte, parts []datePart, old bool, s *shown) []byte {
	for _, p := range parts {
		switch p.letter {
		case 0:
			dst = append(dst, p.text...)
		case '[':
			dst = appendParts(dst, p.optional, old, s)
		default:
			dst = p.append(dst, old, s)
		}
	}
	return dst
}

// append writes a field.
func (p datePart) append(dst []byte, old bool, s *shown) []byte {
	switch p.letter {
	case 'y', 'Y':
		return p.appendYear(dst, s)
	case 'u':
		if old {
			return appendPadded(dst, weekday(s.days), p.width)
		}
		return p.appendYear(dst, s)
	case 'M', 'L':
		return p.appendName(dst, s.month, monthNames[s.month-1])
	case 'E':
		return p.appendName(dst, 0, dayNames[weekday(s.days)-1])
	case 'e', 'c':
		return p.appendName(dst, weekday(s.days)%7+1, dayNames[weekday(s.days)-1])
	case 'Q', 'q':
		n := (s.month + 2) / 3
		switch p.width {
		case 3:
			return append(dst, 'Q', byte('0'+n))
		case 4:
			return append(dst, quarters[n-1]...)
		}
		return appendPadded(dst, n, p.width)
	case 'G':
		if p.width == 4 && !old {
			return append(dst, "Anno Domini"...)
		}
		return append(dst, "AD"...)
	case 'a':
		if s.clock >= 12*timefmt.Hour {
			return append(dst, "PM"...)
		}
		return append(dst, "AM"...)
	case 'S':
		if old {
			return appendPadded(dst, s.clock/timefmt.Millisecond%1000, p.width)
		}
		digits := appendPadded(dst, s.clock%timefmt.Second*1000, 9)
		return digits[:len(dst)+p.width]
	case 'z':
		return append(dst, s.zone...)
	case 'Z':
		return appendOffset(dst, s.offset, "", 2)
	case 'X':
		if s.offset == 0 {
			return append(dst, 'Z')
		}
		return appendOffset(dst, s.offset, [...]string{"", "", ":"}[p.width-1], min(p.width, 2))
	}
	return appendPadded(dst, p.number(old, s), p.width)
}

func (p datePart) appendYear(dst []byte, s *shown) []byte {
	y := s.year
	if p.letter == 'Y' {
		y, _ = weekOfYear(s.days)
	}
	if p.width == 2 {
		return appendPadded(dst, y-timefmt.FloorDiv(y, 100)*100, 2)
	}
	return appendPadded(dst, y, p.width)
}

// appendName writes a number in one or two letters, a name for short in three, in full in four, and its first letter in five. E has no number.
func (p datePart) appendName(dst []byte, n int64, name string) []byte {
	switch {
	case p.width <= 2 && p.letter != 'E':
		return appendPadded(dst, n, p.width)
	case p.width <= 3:
		return append(dst, name[:3]...)
	case p.width == 5:
		return append(dst, name[0])
	}
	return append(dst, name...)
}

// number is a field that is nothing but a number.
func (p datePart) number(old bool, s *shown) int64 {
	switch p.letter {
	case 'd':
		return s.day
	case 'D':
		return s.days - timefmt.DaysOf(s.year, 1, 1) + 1
	case 'F':
		if old {
			return (s.day-1)/7 + 1
		}
		return (s.day-1)%7 + 1
	case 'w':
		_, w := weekOfYear(s.days)
		return w
	case 'W':
		first := timefmt.DaysOf(s.year, s.month, 1)
		return (s.days-sundayBefore(first))/7 + 1
	case 'H':
		return s.clock / timefmt.Hour
	case 'k':
		return (s.clock/timefmt.Hour+23)%24 + 1
	case 'K':
		return s.clock / timefmt.Hour % 12
	case 'h':
		return (s.clock/timefmt.Hour+11)%12 + 1
	case 'm':
		return s.clock / timefmt.Minute % 60
	case 's':
		return s.clock / timefmt.Second % 60
	case 'A':
		return s.clock / timefmt.Millisecond
	case 'n':
		return s.clock % timefmt.Second * 1000
	}
	return s.clock * 1000 // N
}

// sundayBefore is the last Sunday that is not after a day.
func sundayBefore(days int64) int64 { return days - weekday(days)%7 }

// weekOfYear is the year and number of a week of the letters Y and w: weeks begin on Sunday, and the first of a year is that of 1 January, as in the
// United States.
func weekOfYear(days int64) (year, week int64) {
	sunday := sundayBefore(days)
	year, _, _ = timefmt.DateOf(sunday + 6)
	return year, (sunday-sundayBefore(timefmt.DaysOf(year, 1, 1)))/7 + 1
}

// appendOffset writes +0130, and with one part +01.
func appendOffset(dst []byte, offset int64, separator string, parts int) []byte {
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), offset/timefmt.Hour, 2)
	if parts < 2 {
		return dst
	}
	return appendPadded(append(dst, separator...), offset/timefmt.Minute%60, 2)
}

func appendPadded(dst []byte, n int64, width int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], n, 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// bindDateFormat is DATE_FORMAT of a timestamp.
func bindDateFormat(zoned bool) func([]*vector.Vector) (Kernel, error) {
	return func(constants []*vector.Vector) (Kernel, error) {
		formats, err := formatsOf(constants[1], writing)
		return func(c *Call) error {
			clock := newLocalClock(c.Env.Zone)
			w := newText(c, 20*c.Rows.Count())
			err := formats.each(c, func(i int, f dateFormat) {
				local := c.Args[0].Int(i)
				if zoned {
					local = clock.local(local)
				}
				w.buf = f.append(w.buf, showLocal(local))
				w.end(i)
			})
			w.done()
			return err
		}, err
	}
}
