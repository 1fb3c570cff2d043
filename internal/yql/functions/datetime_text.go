package functions

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// dateTimeTextFunctions write times as texts and read them. A format is a constant: %Y %m %d %H %M %S %b %B %z %Z %%, and other signs as they are.
var dateTimeTextFunctions = []Function{
	{
		Module: "DateTime", Name: "Format", Signature: "DateTime::Format(format [, TRUE AS AlwaysWriteFractionalSeconds])(time)",
		Doc:     "A time as a String: %Y %m %d %H %M, %S the second, with its fraction if there is one, %b and %B the name of the month, short and long, %z and %Z the zone.",
		Example: `DateTime::Format("%Y-%m-%d %H:%M:%S")(Timestamp("2031-02-03T04:05:06Z"))`, Result: "2031-02-03 04:05:06",
		params: []param{{name: "format", accept: acceptText}, {name: "AlwaysWriteFractionalSeconds", accept: acceptBool, absent: flagFalse}},
		apply:  format,
	},
	{
		Module: "DateTime", Name: "Parse", Signature: "DateTime::Parse(format)(string)",
		Doc:     "The time that a String shows in a format; NULL if it shows none. %S takes a fraction too.",
		Example: `CAST(DateTime::MakeTimestamp(DateTime::Parse("%d.%m.%Y %H:%M:%S")("03.02.2031 04:05:06.5")) AS String)`, Result: "2031-02-03T04:05:06.500000Z",
		params: []param{{name: "format", accept: acceptText}},
		apply:  parseFormat,
	},
	parsesLayouts("ParseIso8601", `DateTime::ParseIso8601("2031-02-03T04:05:06+0100")`, "2031-02-03T03:05:06.000000Z",
		"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "20060102T150405Z0700", "2006-01-02"),
	parsesLayouts("ParseRfc822", `DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 +0000")`, "2031-02-03T04:05:06.000000Z",
		"Mon, _2 Jan 2006 15:04:05 -0700", "Mon, _2 Jan 2006 15:04:05 MST", "_2 Jan 2006 15:04:05 -0700", "_2 Jan 06 15:04:05 -0700"),
	parsesLayouts("ParseHttp", `DateTime::ParseHttp("Mon, 03 Feb 2031 04:05:06 GMT")`, "2031-02-03T04:05:06.000000Z",
		time.RFC1123, "Monday, 02-Jan-06 15:04:05 MST", time.ANSIC),
	parsesLayouts("ParseX509", `DateTime::ParseX509("20310203040506Z")`, "2031-02-03T04:05:06.000000Z", "20060102150405Z", "060102150405Z"),
}

// formatParts reads a constant format: what stands behind a percent sign, each in front of the text behind it.
func formatParts(v Value, name string) ([]formatPart, string, error) {
	l := constant(v)
	if l == nil || l.IsNull() {
		return nil, "", about(0, errorf(CodeValue, "the format of %s has to be a constant", name))
	}
	text := string(l.Value().Bytes(0))
	parts := []formatPart{{}}
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			parts[len(parts)-1].text += text[i : i+1]
			continue
		}
		i++
		switch {
		case i == len(text):
			return nil, "", about(0, errorf(CodeValue, "the format %q ends with %%", text))
		case text[i] == '%':
			parts[len(parts)-1].text += "%"
		case strings.IndexByte("YmdHMSbBzZ", text[i]) < 0:
			return nil, "", about(0, hintf(CodeValue, "there are %Y %m %d %H %M %S %b %B %z %Z and %%", "the format %q has an unknown %%%c", text, text[i]))
		default:
			parts = append(parts, formatPart{field: text[i]})
		}
	}
	return parts, text, nil
}

// formatPart is a field of a format, 0 for none, and the text behind it.
type formatPart struct {
	field byte
	text  string
}

func format(c *invocation) (Value, error) {
	parts, text, err := formatParts(c.args[0], c.name)
	if err != nil {
		return Value{}, err
	}
	l := constant(c.args[1])
	if l == nil || l.IsNull() {
		return Value{}, about(1, errorf(CodeValue, "options are constants"))
	}
	always := l.Value().Bools[0] != 0
	return Value{Static: &Callable{Name: "DateTime::Format(…)", Least: 1, Most: 1, Apply: func(args []Value) (Value, error) {
		moment, ok := acceptTime.take(args[0])
		if !ok {
			return Value{}, wants("DateTime::Format(…)", 0, acceptTime.what, args[0])
		}
		return call("DateTime::Format", spec{variant: strconv.Quote(text) + strconv.FormatBool(always), kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return appendFormat(dst, parts, c.Args[0].Int(i), always), nil
		})}, typeString, moment)
	}}}, nil
}

func appendFormat(dst []byte, parts []formatPart, micros int64, always bool) []byte {
	year, month, d := timefmt.DateOf(timefmt.FloorDiv(micros, timefmt.Day))
	rest := micros - timefmt.Floor(micros, timefmt.Day)
	for _, p := range parts {
		switch p.field {
		case 'Y':
			dst = appendDigits(dst, year, 4)
		case 'm':
			dst = appendDigits(dst, month, 2)
		case 'd':
			dst = appendDigits(dst, d, 2)
		case 'H':
			dst = appendDigits(dst, rest/timefmt.Hour, 2)
		case 'M':
			dst = appendDigits(dst, rest%timefmt.Hour/timefmt.Minute, 2)
		case 'S':
			dst = appendDigits(dst, rest%timefmt.Minute/timefmt.Second, 2)
			if fraction := rest % timefmt.Second; fraction != 0 || always {
				dst = appendDigits(append(dst, '.'), fraction, 6)
			}
		case 'b':
			dst = append(dst, time.Month(month).String()[:3]...)
		case 'B':
			dst = append(dst, time.Month(month).String()...)
		case 'z':
			dst = append(dst, "+0000"...)
		case 'Z':
			dst = append(dst, "GMT"...)
		}
		dst = append(dst, p.text...)
	}
	return dst
}

func appendDigits(dst []byte, n int64, width int) []byte {
	digits := strconv.FormatInt(n, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

func parseFormat(c *invocation) (Value, error) {
	parts, text, err := formatParts(c.args[0], c.name)
	if err != nil {
		return Value{}, err
	}
	return Value{Static: &Callable{Name: "DateTime::Parse(…)", Least: 1, Most: 1, Apply: func(args []Value) (Value, error) {
		shown, ok := acceptText.take(args[0])
		if !ok {
			return Value{}, wants("DateTime::Parse(…)", 0, acceptText.what, args[0])
		}
		return call("DateTime::Parse", spec{variant: strconv.Quote(text), mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			return readFormat(parts, string(c.Args[0].Bytes(i)))
		})}, typeMoment, shown)
	}}}, nil
}

// readFormat reads a time; what the format does not have is that of 1970-01-01T00:00:00Z.
func readFormat(parts []formatPart, s string) (int64, error) {
	fields := [7]int64{1970, 1, 1}
	offset := int64(0)
	for _, p := range parts {
		ok := true
		switch p.field {
		case 'Y':
			fields[0], s, ok = readDigits(s, 4)
		case 'm':
			fields[1], s, ok = readDigits(s, 2)
		case 'd':
			fields[2], s, ok = readDigits(s, 2)
		case 'H':
			fields[3], s, ok = readDigits(s, 2)
		case 'M':
			fields[4], s, ok = readDigits(s, 2)
		case 'S':
			if fields[5], s, ok = readDigits(s, 2); ok && len(s) > 1 && s[0] == '.' && s[1] >= '0' && s[1] <= '9' {
				digits := 1
				for digits < len(s) && digits <= 6 && s[digits] >= '0' && s[digits] <= '9' {
					digits++
				}
				fields[6], _ = strconv.ParseInt((s[1:digits] + "00000")[:6], 10, 64)
				s = s[digits:]
			}
		case 'b', 'B':
			fields[1], s, ok = readMonth(s, p.field == 'B')
		case 'z', 'Z':
			offset, s, ok = readZone(s)
		}
		if !ok || !strings.HasPrefix(s, p.text) {
			return 0, errNull
		}
		s = s[len(p.text):]
	}
	if s != "" {
		return 0, errNull
	}
	micros, err := momentOf(fields)
	if err != nil {
		return 0, err
	}
	return inCalendar(micros - offset)
}

func readDigits(s string, n int) (int64, string, bool) {
	if len(s) < n {
		return 0, s, false
	}
	v, err := strconv.ParseUint(s[:n], 10, 63)
	return int64(v), s[n:], err == nil
}

func readMonth(s string, long bool) (int64, string, bool) {
	for m := time.January; m <= time.December; m++ {
		name := m.String()
		if !long {
			name = name[:3]
		}
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return int64(m), s[len(name):], true
		}
	}
	return 0, s, false
}

// readZone reads Z, GMT, UTC, +0100 or +01:00, in microseconds.
func readZone(s string) (int64, string, bool) {
	for _, name := range []string{"Z", "GMT", "UTC"} {
		if strings.HasPrefix(s, name) {
			return 0, s[len(name):], true
		}
	}
	if len(s) < 5 || s[0] != '+' && s[0] != '-' {
		return 0, s, false
	}
	sign := int64(1)
	if s[0] == '-' {
		sign = -1
	}
	hours, rest, ok := readDigits(s[1:], 2)
	minutes, rest, ok2 := readDigits(strings.TrimPrefix(rest, ":"), 2)
	return sign * (hours*timefmt.Hour + minutes*timefmt.Minute), rest, ok && ok2 && hours < 24 && minutes < 60
}

// parsesLayouts is the row of a function that reads a time as a standard writes it.
func parsesLayouts(name, example, result string, layouts ...string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(string)", Doc: "The time that a String shows as this standard writes it; NULL if it shows none.",
		Example: "CAST(DateTime::MakeTimestamp(" + example + ") AS String)", Result: result,
		params: []param{paramString},
		apply: gives(yqltype.Of(yqltype.Moment), spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			text := string(c.Args[0].Bytes(i))
			for _, layout := range layouts {
				if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil { // Parse looks names of zones up in that of the process
					offset, known := offsetOf(t)
					if !known {
						return 0, errNull
					}
					return inCalendar(t.UnixMicro() - offset)
				}
			}
			return 0, errNull
		})}),
	}
}

// zones are those that RFC 822 has by name, in hours.
var zones = map[string]int64{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// offsetOf is how far the zone that a time was written with is from UTC, in microseconds, where package time knows no more of it than its name: it takes such a time for one in UTC.
func offsetOf(t time.Time) (offset int64, known bool) {
	name, seconds := t.Zone()
	if seconds != 0 || name == "" || name == "UTC" || name == "GMT" {
		return 0, true
	}
	hours, known := zones[name]
	return hours * timefmt.Hour, known
}
