package advice

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Length is a length of time in microseconds. As JSON it is a number of milliseconds.
type Length int64

// MarshalJSON implements json.Marshaler.
func (l Length) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(l)/float64(milli), 'f', -1, 64), nil
}

// String writes a length for people: what has two units in two, and no digits that say nothing.
func (l Length) String() string {
	switch n := int64(l); {
	case n < 0:
		if l == math.MinInt64 {
			l++
		}
		return "-" + (-l).String()
	case n == 0:
		return "0"
	case n < milli:
		return fmt.Sprintf("%d us", n)
	case n < second:
		return decimal(n, milli) + " ms"
	case n < minute:
		return decimal(n, second) + " s"
	case n < hour:
		return two(n, minute, "min", second, "s")
	case n < day:
		return two(n, hour, "h", minute, "min")
	case n < 1000*day:
		return two(n, day, "d", hour, "h")
	}
	return strconv.FormatInt(int64(l)/(36525*day/100), 10) + " years"
}

// decimal is n in units, in three digits at most behind the point.
func decimal(n, unit int64) string {
	s := strconv.FormatInt(n/unit, 10)
	if rest := n % unit * 1000 / unit; rest > 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%03d", rest), "0")
	}
	return s
}

func two(n, large int64, nameLarge string, small int64, nameSmall string) string {
	s := strconv.FormatInt(n/large, 10) + " " + nameLarge
	if rest := n % large / small; rest > 0 {
		s += " " + strconv.FormatInt(rest, 10) + " " + nameSmall
	}
	return s
}

// Time is an event time in microseconds since the epoch. As JSON it is text, in UTC with a Z if it is an instant.
type Time struct {
	Micros  int64
	Instant bool
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return append(timefmt.AppendTimestamp([]byte{'"'}, t.Micros, 3, 'T', t.Instant), '"'), nil
}

func (t Time) String() string { return timefmt.EventTime(t.Micros, t.Instant) }

// alter is the statement that gives the table a delay.
func (t *Table) alter(delay int64) string {
	verb, expr := "ADD", t.Column
	if t.Declared {
		verb = "MODIFY"
	}
	if delay > 0 {
		expr += " - " + interval(delay)
	}
	return fmt.Sprintf("ALTER TABLE %s %s WATERMARK FOR %s AS %s;", t.Name, verb, t.Column, expr)
}

// interval writes a length as SQL does: in two digits of the longest unit that will do, as rungs always can be, and else in as many digits as are needed. Flink 2.3: more than two digits are announced, and it does not
// take all of them.
func interval(micros int64) string {
	units := []struct {
		micros int64
		name   string
	}{{day, "DAY"}, {hour, "HOUR"}, {minute, "MINUTE"}, {second, "SECOND"}}
	for _, u := range units {
		if n := micros / u.micros; micros%u.micros == 0 && n < 100 {
			return fmt.Sprintf("INTERVAL '%d' %s", n, u.name)
		}
	}
	for _, u := range units {
		if n := micros / u.micros; micros%u.micros == 0 {
			return fmt.Sprintf("INTERVAL '%d' %s(%d)", n, u.name, len(strconv.FormatInt(n, 10)))
		}
	}
	digits := strings.TrimRight(fmt.Sprintf("%06d", micros%second), "0")
	precision := ""
	if n := len(strconv.FormatInt(micros/second, 10)); n > 2 {
		precision = fmt.Sprintf("(%d)", n)
	}
	return fmt.Sprintf("INTERVAL '%d.%s' SECOND%s", micros/second, digits, precision)
}

// time is nil for NoTime.
func (s *Study) time(micros int64) *Time {
	if micros == watermark.NoTime {
		return nil
	}
	return &Time{micros, s.table.Instant}
}

// percent writes a share; what is not nothing and not all is shown so.
func percent(part, of int64) string {
	switch {
	case part == 0 || of == 0:
		return "0 %"
	case part == of:
		return "100 %"
	}
	p := 100 * float64(part) / float64(of)
	for digits := range 7 {
		// As many digits as it takes to see two of what is different from 0 and from 100.
		if unit := math.Pow10(-digits); math.Min(p, 100-p) >= 9.999999*unit {
			return strconv.FormatFloat(p, 'f', digits, 64) + " %"
		}
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + " %"
}

// rounded is l in three digits, which is all that a quantile knows.
func (l Length) rounded() Length {
	unit := Length(1)
	for l/unit >= 1000 {
		unit *= 10
	}
	return (l + unit/2) / unit * unit
}
