package function

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// dateFormat is a pattern in the letters of Java's DateTimeFormatter, as far as they are numbers.
type dateFormat []datePart

// datePart is a field of width digits, or text if letter is 0.
type datePart struct {
	letter byte
	width  int
	text   string
}

func parseDateFormat(pattern string) (dateFormat, error) {
	var f dateFormat
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\'':
			text, width, ok := quotedText(pattern[i:])
			if !ok {
				return nil, fault.Errorf(fault.User, "the date format '%s' has a single quote without its partner", pattern)
			}
			f = append(f, datePart{text: text})
			i += width
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			end := i
			for end < len(pattern) && pattern[end] == c {
				end++
			}
			part := datePart{letter: c, width: end - i}
			if !part.known() {
				return nil, fault.Errorf(fault.User, "the date format '%s' has %s, which is not known; use yyyy, yy, MM, dd, HH, hh, mm, ss, S to SSSSSSSSS, a, DDD and text in single quotes", pattern, pattern[i:end])
			}
			f = append(f, part)
			i = end
		default:
			f = append(f, datePart{text: pattern[i : i+1]})
			i++
		}
	}
	return f, nil
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

func (p datePart) known() bool {
	switch p.letter {
	case 'y', 'u':
		return p.width <= 4
	case 'M', 'd', 'H', 'h', 'm', 's':
		return p.width <= 2
	case 'S':
		return p.width <= 9
	case 'D':
		return p.width <= 3
	case 'a':
		return p.width == 1
	}
	return false
}

// append writes a wall clock time.
func (f dateFormat) append(dst []byte, local int64) []byte {
	days := timefmt.FloorDiv(local, timefmt.Day)
	clock := local - days*timefmt.Day
	y, m, d := timefmt.DateOf(days)
	for _, p := range f {
		switch p.letter {
		case 0:
			dst = append(dst, p.text...)
		case 'y', 'u':
			if p.width == 2 {
				dst = appendPadded(dst, y-timefmt.FloorDiv(y, 100)*100, 2)
			} else {
				dst = appendPadded(dst, y, p.width)
			}
		case 'M':
			dst = appendPadded(dst, m, p.width)
		case 'd':
			dst = appendPadded(dst, d, p.width)
		case 'D':
			dst = appendPadded(dst, extract(local, dayOfYear), p.width)
		case 'H':
			dst = appendPadded(dst, clock/timefmt.Hour, p.width)
		case 'h':
			dst = appendPadded(dst, (clock/timefmt.Hour+11)%12+1, p.width)
		case 'm':
			dst = appendPadded(dst, clock/timefmt.Minute%60, p.width)
		case 's':
			dst = appendPadded(dst, clock/timefmt.Second%60, p.width)
		case 'S':
			digits := appendPadded(nil, clock%timefmt.Second*1000, 9)
			dst = append(dst, digits[:p.width]...)
		case 'a':
			half := "AM"
			if clock >= 12*timefmt.Hour {
				half = "PM"
			}
			dst = append(dst, half...)
		}
	}
	return dst
}

func appendPadded(dst []byte, n int64, width int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	digits := strconv.FormatInt(n, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// parse reads a wall clock time; fields that the format lacks are those of 1970-01-01 00:00:00.
func (f dateFormat) parse(s []byte) (local int64, ok bool) {
	y, m, d := int64(1970), int64(1), int64(1)
	var h, mi, sec, fraction, afternoon int64
	half, at := false, 0
	for _, p := range f {
		if p.letter == 0 {
			if len(s)-at < len(p.text) || string(s[at:at+len(p.text)]) != p.text {
				return 0, false
			}
			at += len(p.text)
			continue
		}
		if p.letter == 'a' {
			if len(s)-at < 2 || s[at+1] != 'M' || (s[at] != 'A' && s[at] != 'P') {
				return 0, false
			}
			half, afternoon = true, int64(bit(s[at] == 'P'))
			at += 2
			continue
		}
		n, width := leadingNumber(s[at:], p.maxWidth())
		if width < p.width {
			return 0, false
		}
		at += width
		switch p.letter {
		case 'y', 'u':
			y = n
			if p.width == 2 {
				y += 2000
			}
		case 'M':
			m = n
		case 'd':
			d = n
		case 'D':
			m, d = 1, n
		case 'H', 'h':
			h = n
		case 'm':
			mi = n
		case 's':
			sec = n
		case 'S':
			fraction = scaleFraction(n, width)
		}
	}
	if half {
		if h < 1 || h > 12 {
			return 0, false
		}
		h = h%12 + 12*afternoon
	}
	return joinFields(y, m, d, h, mi, sec, fraction, at == len(s))
}

// maxWidth is the number of digits that a field may have: more than written only for a field of one letter.
func (p datePart) maxWidth() int {
	switch {
	case p.width > 1 || p.letter == 'S':
		return p.width
	case p.letter == 'y' || p.letter == 'u':
		return 4
	case p.letter == 'D':
		return 3
	}
	return 2
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

// joinFields makes a wall clock time of fields that are in their ranges.
func joinFields(y, m, d, h, mi, sec, fraction int64, complete bool) (local int64, ok bool) {
	if !complete || y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > timefmt.DaysIn(y, m) || h > 23 || mi > 59 || sec > 59 {
		return 0, false
	}
	return timefmt.DaysOf(y, m, d)*timefmt.Day + h*timefmt.Hour + mi*timefmt.Minute + sec*timefmt.Second + fraction, true
}

// parseLenient reads a timestamp as CAST does. Flink 2.3 takes one digit for month, day, hour, minute and second, and a date without a time.
func parseLenient(s []byte) (micros int64, ok bool) {
	if micros, zoned, ok := timefmt.ParseTimestamp(s); ok && !zoned {
		return micros, true
	}
	for _, f := range lenientFormats {
		if micros, ok = f.parse(s); ok {
			return micros, true
		}
	}
	return 0, false
}

var lenientFormats = lenient("yyyy-M-d", "yyyy-M-d H:m:s")

func lenient(patterns ...string) []dateFormat {
	var formats []dateFormat
	for _, pattern := range patterns {
		f, err := parseDateFormat(pattern)
		if err != nil {
			panic("tidemark bug: " + err.Error())
		}
		formats = append(formats, f)
	}
	return formats
}

// bindDateFormat makes DATE_FORMAT for a constant format.
func bindDateFormat(zoned bool) func([]*vector.Vector) (Kernel, error) {
	return func(constants []*vector.Vector) (Kernel, error) {
		f, err := constantFormat(constants[1], "DATE_FORMAT")
		if err != nil {
			return nil, err
		}
		return func(c *Call) error {
			clock := newLocalClock(c.Env.Zone)
			w := newText(c, 20*c.Rows.Count())
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				local := c.Args[0].Int(i)
				if zoned {
					local = clock.local(local)
				}
				w.buf = f.append(w.buf, local)
				w.end(i)
			}
			w.done()
			return nil
		}, nil
	}
}

func bindToTimestamp(constants []*vector.Vector) (Kernel, error) {
	f, err := constantFormat(constants[1], "TO_TIMESTAMP")
	if err != nil {
		return nil, err
	}
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			local, ok := f.parse(c.Args[0].Bytes(i))
			if !ok {
				c.SetNull(i)
			}
			c.Out.Ints[i] = timefmt.Floor(local, timefmt.Millisecond)
		}
		return nil
	}, nil
}

func constantFormat(v *vector.Vector, function string) (dateFormat, error) {
	if v == nil || v.IsNullConst() {
		return nil, fault.Errorf(fault.User, "the format of %s must be a constant string", function)
	}
	return parseDateFormat(string(v.Bytes(0)))
}
