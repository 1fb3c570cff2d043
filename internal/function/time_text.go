package function

import (
	"math"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// timeTextFunctions make datetimes of strings and numbers, and strings of numbers; DATE_FORMAT is in time.go.
var timeTextFunctions = []Scalar{
	{
		Name: "TO_DATE", Family: FamilyTime,
		Signatures: []string{"TO_DATE(string)", "TO_DATE(string, format)"},
		Doc: "The DATE that the string shows as yyyy-MM-dd, or in another format; NULL if it shows none. Flink 2.3: with a format what is out of range carries over (February 30 is " +
			"March 1), and what stands behind the date is not looked at.",
		Example: "TO_DATE('01.02.2026', 'dd.MM.yyyy')", ExampleResult: "2026-02-01",
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.DateType, MayBeNull: true, Kernel: toDate},
			{Params: stringParams(2), Result: types.DateType, MayBeNull: true, Bind: bindToDate},
		},
	},
	{
		Name: "TO_TIMESTAMP", Family: FamilyTime,
		Signatures: []string{"TO_TIMESTAMP(string)", "TO_TIMESTAMP(string, format)"},
		Doc:        "The TIMESTAMP(3) that the string shows as yyyy-MM-dd HH:mm:ss, or in another format; NULL if it shows none. No time zone is involved.",
		Example:    "TO_TIMESTAMP('01.02.2026 03:04', 'dd.MM.yyyy HH:mm')", ExampleResult: "2026-02-01 03:04:00.000",
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.TimestampType, MayBeNull: true, Kernel: toTimestamp},
			{Params: stringParams(2), Result: types.TimestampType, MayBeNull: true, Bind: bindToTimestamp},
		},
	},
	{
		Name: "TO_TIMESTAMP_LTZ", Family: FamilyTime,
		Signatures: []string{"TO_TIMESTAMP_LTZ(number [, precision])", "TO_TIMESTAMP_LTZ(string [, format [, zone]])"},
		Doc: "The instant that many milliseconds after 1970-01-01 00:00:00 UTC, or units of another precision: 0 for seconds, 6 for microseconds; NULL outside of the years 0001 to 9999. " +
			"Or the instant that a string shows in a time zone, UTC unless said otherwise; NULL if it shows none.",
		Example: "TO_TIMESTAMP_LTZ('2026-02-01 01:00:00', 'yyyy-MM-dd HH:mm:ss', 'Europe/Berlin') = TO_TIMESTAMP_LTZ(1769904000, 0)", ExampleResult: "TRUE",
		Overloads: toInstantOverloads, Resolver: resolveToInstant,
	},
	{
		Name: "FROM_UNIXTIME", Family: FamilyTime,
		Signatures: []string{"FROM_UNIXTIME(seconds [, format])"},
		Doc:        "The instant that many seconds after 1970-01-01 00:00:00 UTC as a string, in the session's time zone; NULL outside of the years 0001 to 9999.",
		Example:    "FROM_UNIXTIME(1769904000, 'dd.MM.yyyy')", ExampleResult: "01.02.2026",
		Overloads: []Overload{
			{Params: []types.Type{types.BigIntType}, Result: types.StringType, MayBeNull: true, Stability: Zoned, Kernel: fromUnixTime(constantly(oldTimestamp))},
			{Params: []types.Type{types.BigIntType, types.StringType}, Result: types.StringType, MayBeNull: true, Stability: Zoned, Bind: bindFromUnixTime},
		},
	},
	{
		Name: "UNIX_TIMESTAMP", Family: FamilyTime,
		Signatures: []string{"UNIX_TIMESTAMP()", "UNIX_TIMESTAMP(string [, format])"},
		Doc: "The present instant, or that which a string shows in the session's time zone, in whole seconds since 1970-01-01 00:00:00 UTC. Flink 2.3: of a string that shows none it is " +
			"-9223372036854775808.",
		Example: "UNIX_TIMESTAMP('2026-02-01 00:00:00 +0000', 'yyyy-MM-dd HH:mm:ss Z')", ExampleResult: "1769904000",
		Overloads: []Overload{
			{Result: types.BigIntType, Stability: Clocked, Kernel: unixTimestamp},
			{Params: stringParams(1), Result: types.BigIntType, Stability: Zoned, Kernel: toUnixTime(constantly(oldTimestamp))},
			{Params: stringParams(2), Result: types.BigIntType, Stability: Zoned, Bind: func(constants []*vector.Vector) (Kernel, error) {
				formats, err := formatsOf(constants[1], legacy)
				return toUnixTime(formats), err
			}},
		},
	},
	{
		Name: "CONVERT_TZ", Family: FamilyTime,
		Signatures: []string{"CONVERT_TZ(string, from_zone, to_zone)"},
		Doc:        "What a clock in the second time zone shows when one in the first shows the string, yyyy-MM-dd HH:mm:ss; NULL if it shows none.",
		Example:    "CONVERT_TZ('2026-02-01 12:00:00', 'UTC', 'Asia/Tokyo')", ExampleResult: "2026-02-01 21:00:00",
		Overloads: []Overload{{Params: stringParams(3), Result: types.StringType, MayBeNull: true, Bind: bindConvertZone}},
	},
}

// formats gives the format of a row. It is made once per call of the kernel, because it remembers the last.
type formats func() func(c *Call, arg, i int) (dateFormat, error)

func constantly(f dateFormat) formats {
	return func() func(*Call, int, int) (dateFormat, error) {
		return func(*Call, int, int) (dateFormat, error) { return f, nil }
	}
}

// formatsOf reads a constant format once and others as they come, which is the error of their row if it fails.
func formatsOf(v *vector.Vector, d dialect) (formats, error) {
	if v != nil && !v.IsNullConst() {
		f, err := parseDateFormat(string(v.Bytes(0)), d)
		return constantly(f), err
	}
	return func() func(*Call, int, int) (dateFormat, error) {
		pattern, known := "", false
		var f dateFormat
		return func(c *Call, arg, i int) (dateFormat, error) {
			text := c.Args[arg].Bytes(i)
			if known && string(text) == pattern {
				return f, nil
			}
			var err error
			pattern = string(text)
			if f, err = parseDateFormat(pattern, d); err != nil {
				return f, &RowError{Row: i, Err: err}
			}
			known = true
			return f, nil
		}
	}, nil
}

// each calls do for every row of c with its format, which is argument 1.
func (formats formats) each(c *Call, do func(i int, f dateFormat)) error {
	formatOf := formats()
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		f, err := formatOf(c, 1, i)
		if err != nil {
			return err
		}
		do(i, f)
	}
	return nil
}

func toDate(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		days, ok := parseDate(c.Args[0].Bytes(i))
		if !ok {
			c.SetNull(i)
		}
		c.Out.Ints[i] = days
	}
	return nil
}

// parseDate reads y, y-M or y-M-d with blanks around, and nothing of what stands behind a blank, as Flink 2.3 does.
func parseDate(s []byte) (days int64, ok bool) {
	fields := [3]int64{0, 1, 1}
	text := strings.TrimSpace(string(s))
	text, _, _ = strings.Cut(text, " ")
	for i := range fields {
		part, rest, more := strings.Cut(text, "-")
		n, width := leadingNumber([]byte(part), 4)
		if width == 0 || width != len(part) || i > 0 && width > 2 || i == 2 && more {
			return 0, false
		}
		fields[i] = n
		if !more {
			break
		}
		text = rest
	}
	y, m, d := fields[0], fields[1], fields[2]
	if y < 1 || m < 1 || m > 12 || d < 1 || d > timefmt.DaysIn(y, m) {
		return 0, false
	}
	return timefmt.DaysOf(y, m, d), true
}

func bindToDate(constants []*vector.Vector) (Kernel, error) {
	formats, err := formatsOf(constants[1], legacy)
	return func(c *Call) error {
		return formats.each(c, func(i int, f dateFormat) {
			m, ok := f.parseLegacy(c.Args[0].Bytes(i))
			if !ok {
				c.SetNull(i)
			}
			c.Out.Ints[i] = timefmt.FloorDiv(m.local-m.offset, timefmt.Day)
		})
	}, err
}

func toTimestamp(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		micros, ok := parseDefault(c.Args[0].Bytes(i))
		if !ok {
			c.SetNull(i)
		}
		c.Out.Ints[i] = timefmt.Floor(micros, timefmt.Millisecond)
	}
	return nil
}

// bindToTimestamp reads in a format, if that fits.
func bindToTimestamp(constants []*vector.Vector) (Kernel, error) {
	formats, err := formatsOf(constants[1], timing)
	return func(c *Call) error {
		return formats.each(c, func(i int, f dateFormat) {
			local, ok := f.parseOrDefault(c.Args[0].Bytes(i))
			if !ok {
				c.SetNull(i)
			}
			c.Out.Ints[i] = timefmt.Floor(local, timefmt.Millisecond)
		})
	}, err
}

func bindFromUnixTime(constants []*vector.Vector) (Kernel, error) {
	formats, err := formatsOf(constants[1], legacy)
	return fromUnixTime(formats), err
}

func fromUnixTime(formats formats) Kernel {
	return func(c *Call) error {
		clock := newLocalClock(c.Env.Zone)
		w := newText(c, 20*c.Rows.Count())
		err := formats.each(c, func(i int, f dateFormat) {
			seconds := c.Args[0].Int(i)
			if seconds < timefmt.FloorDiv(timefmt.MinMicros, timefmt.Second) || seconds > timefmt.FloorDiv(timefmt.MaxMicros, timefmt.Second) {
				c.SetNull(i)
			} else {
				w.buf = f.append(w.buf, clock.show(seconds*timefmt.Second, f.shows))
			}
			w.end(i)
		})
		w.done()
		return err
	}
}

// show is a moment on the clock, with the zone if it is to be written.
func (c *localClock) show(instant int64, zone bool) shown {
	s := showLocal(c.local(instant))
	if zone {
		s.offset = c.offset
		s.zone, _ = time.UnixMicro(instant).In(c.zone).Zone()
	}
	return s
}

func unixTimestamp(c *Call) error {
	c.Out.Ints[0] = timefmt.FloorDiv(c.Env.Now, timefmt.Second)
	return nil
}

func toUnixTime(formats formats) Kernel {
	return func(c *Call) error {
		clock := newLocalClock(c.Env.Zone)
		return formats.each(c, func(i int, f dateFormat) {
			c.Out.Ints[i] = math.MinInt64
			if m, ok := f.parseLegacy(c.Args[0].Bytes(i)); ok {
				c.Out.Ints[i] = timefmt.FloorDiv(clock.instantOf(m), timefmt.Second)
			}
		})
	}
}

// bindReformat is DATE_FORMAT of a string.
func bindReformat(constants []*vector.Vector) (Kernel, error) {
	formats, err := formatsOf(constants[1], legacy)
	return func(c *Call) error {
		formatOf := formats()
		return rewritingOrError(func(dst []byte, c *Call, i int) ([]byte, bool, error) {
			f, err := formatOf(c, 1, i)
			if err != nil {
				return dst, false, err
			}
			m, ok := oldTimestamp.parseLegacy(c.Args[0].Bytes(i))
			if !ok {
				return dst, false, nil
			}
			s := showLocal(m.local)
			s.zone = "UTC"
			return f.append(dst, s), true, nil
		})(c)
	}, err
}

// rewritingOrError is rewriting for a kernel that can fail.
func rewritingOrError(write func(dst []byte, c *Call, i int) (out []byte, ok bool, err error)) Kernel {
	return func(c *Call) error {
		var failed error
		err := rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			if failed != nil {
				return dst, false
			}
			out, ok, err := write(dst, c, i)
			failed = err
			return out, ok
		})(c)
		if failed != nil {
			return failed
		}
		return err
	}
}

func bindConvertZone(constants []*vector.Vector) (Kernel, error) {
	for _, v := range constants[1:] {
		if v == nil || v.IsNullConst() {
			continue
		}
		if _, err := zoneNamed(string(v.Bytes(0))); err != nil {
			return nil, err
		}
	}
	return func(c *Call) error {
		from, to := clocksByName{}, clocksByName{}
		return rewritingOrError(func(dst []byte, c *Call, i int) ([]byte, bool, error) {
			source, err := from.named(c.Args[1].Bytes(i))
			if err != nil {
				return dst, false, err
			}
			target, err := to.named(c.Args[2].Bytes(i))
			if err != nil {
				return dst, false, err
			}
			m, ok := oldTimestamp.parseLegacy(c.Args[0].Bytes(i))
			if !ok {
				return dst, false, nil
			}
			return oldTimestamp.append(dst, target.show(source.instantOf(m), false)), true, nil
		})(c)
	}, nil
}

// clocksByName are the clocks of zones that are columns of the rows. A kernel makes them once per call, so there are as many as a batch has zones.
type clocksByName map[string]*localClock

func (c clocksByName) named(name []byte) (*localClock, error) {
	if clock, ok := c[string(name)]; ok {
		return clock, nil
	}
	zone, err := zoneNamed(string(name))
	if err != nil {
		return nil, err
	}
	clock := newLocalClock(zone)
	c[string(name)] = &clock
	return &clock, nil
}

// shortZones are zones that Java knows by a short name and the zone database does not.
var shortZones = map[string]string{"PST": "America/Los_Angeles", "CST": "America/Chicago", "JST": "Asia/Tokyo", "IST": "Asia/Kolkata", "AET": "Australia/Sydney", "BST": "Asia/Dhaka",
	"CTT": "Asia/Shanghai", "ECT": "Europe/Paris", "EAT": "Africa/Addis_Ababa", "NST": "Pacific/Auckland", "AST": "America/Anchorage", "ACT": "Australia/Darwin"}

// zoneNamed finds a zone by its name, or by an offset: +05:30, GMT+5. Flink 2.3 takes a name that it does not know for GMT, here it is an error.
func zoneNamed(name string) (*time.Location, error) {
	if long, ok := shortZones[name]; ok {
		name = long
	}
	offset := strings.TrimPrefix(strings.TrimPrefix(name, "GMT"), "UTC")
	if offset != "" && (offset[0] == '+' || offset[0] == '-') {
		hours, width := leadingNumber([]byte(offset[1:]), 2)
		rest := strings.TrimPrefix(offset[1+width:], ":")
		minutes, digits := leadingNumber([]byte(rest), 2)
		if width > 0 && digits == len(rest) && (digits == 0 || digits == 2) && hours <= 18 && minutes < 60 {
			seconds := int(hours*3600 + minutes*60)
			if offset[0] == '-' {
				seconds = -seconds
			}
			return time.FixedZone(name, seconds), nil
		}
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
		return zone, nil
	}
	return nil, fault.Errorf(fault.User, "there is no time zone '%s'; name one as 'Europe/Berlin', or an offset as '+05:30'", name)
}
