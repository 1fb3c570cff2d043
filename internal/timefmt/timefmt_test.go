package timefmt

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestParseTimestamp(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  string // as RFC 3339 with nanoseconds; "" if it is no timestamp
		zoned bool
	}{
		{"2026-01-01 00:00:00", "2026-01-01T00:00:00Z", false},
		{"2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.123Z", true},
		{"2026-01-01 23:59:59.1", "2026-01-01T23:59:59.1Z", false},
		{"2026-01-01 23:59:59.123456", "2026-01-01T23:59:59.123456Z", false},
		{"2026-01-01 23:59:59.123456789", "2026-01-01T23:59:59.123456Z", false},
		{"1969-12-31 23:59:59.999999", "1969-12-31T23:59:59.999999Z", false},
		{"0001-01-01 00:00:00", "0001-01-01T00:00:00Z", false},
		{"9999-12-31 23:59:59.999999", "9999-12-31T23:59:59.999999Z", false},
		{"2024-02-29 12:00:00", "2024-02-29T12:00:00Z", false},
		{"2000-02-29 12:00:00", "2000-02-29T12:00:00Z", false},
		{"2026-07-01T12:00:00+02:00", "2026-07-01T10:00:00Z", true},
		{"2026-07-01T12:00:00.5-0730", "2026-07-01T19:30:00.5Z", true},
		{"2026-07-01T12:00:00+02", "2026-07-01T10:00:00Z", true},
		{"2026-01-01T00:00:00+18:00", "2025-12-31T06:00:00Z", true},

		{"", "", false},
		{"2026-01-01", "", false},
		{"2026-01-01 00:00", "", false},
		{"2026-01-01 00:00:00.", "", false},
		{"2026-01-01 00:00:00.1234567890", "", false},
		{"2026-01-01 00:00:00x", "", false},
		{"2026-01-01 00:00:00Zx", "", false},
		{"2026-01-01 00:00:00+2:00", "", false},
		{"2026-01-01 00:00:00+02:60", "", false},
		{"2026-01-01 00:00:00+19:00", "", false},
		{"2026-01-01 00:00:00 02:00", "", false},
		{"2026-01-01t00:00:00", "", false},
		{"2026-01-01_00:00:00", "", false},
		{"2026/01-01 00:00:00", "", false},
		{"2026-01-01 00-00:00", "", false},
		{"2026-01-01 00:00-00", "", false},
		{"2026-00-01 00:00:00", "", false},
		{"2026-13-01 00:00:00", "", false},
		{"2026-01-00 00:00:00", "", false},
		{"2026-01-32 00:00:00", "", false},
		{"2026-04-31 00:00:00", "", false},
		{"2026-02-29 00:00:00", "", false},
		{"1900-02-29 00:00:00", "", false},
		{"0000-01-01 00:00:00", "", false},
		{"2026-01-01 24:00:00", "", false},
		{"2026-01-01 00:60:00", "", false},
		{"2026-01-01 00:00:60", "", false},
		{"2026-01-01 00:00:0/", "", false},
		{"2026-01-01 00:00:0:", "", false},
		{"20a6-01-01 00:00:00", "", false},
		{"202\xb6-01-01 00:00:00", "", false},
		{"2026-01-01 00:00:00\xff", "", false},
	} {
		micros, zoned, ok := ParseTimestamp([]byte(c.text))
		if c.want == "" {
			if ok {
				t.Errorf("%q was read as %d", c.text, micros)
			}
			continue
		}
		want, err := time.Parse(time.RFC3339Nano, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || zoned != c.zoned || micros != want.UnixMicro() {
			t.Errorf("%q: %d, zoned %v, ok %v; want %d, zoned %v", c.text, micros, zoned, ok, want.UnixMicro(), c.zoned)
		}
	}
}

// TestEveryByte changes each byte of a timestamp to every value: only what package time accepts too may be accepted.
func TestEveryByte(t *testing.T) {
	const text = "2026-11-19T12:14:17.123Z"
	for i := range len(text) {
		for v := range 256 {
			s := []byte(text)
			s[i] = byte(v)
			micros, _, ok := ParseTimestamp(s)
			want, err := time.Parse("2006-01-02T15:04:05.000Z", string(s))
			blank := i == 10 && v == ' '
			offset := i == 23 || i == 19              // other lengths of fraction and offsets are tested above
			sign := i == 20 && (v == '+' || v == '-') // package time takes one in a fraction
			if offset || blank || sign || (err == nil && want.Year() == 0) {
				continue
			}
			if ok != (err == nil) || (ok && micros != want.UnixMicro()) {
				t.Errorf("%q: %d %v, package time: %v %v", s, micros, ok, want, err)
			}
		}
	}
}

func TestAppendTimestamp(t *testing.T) {
	at := func(s string) int64 { n, _, _ := ParseTimestamp([]byte(s)); return n }
	for _, c := range []struct {
		micros    int64
		precision int
		sep       byte
		zulu      bool
		want      string
	}{
		{at("2026-01-02 03:04:05.678901"), 0, ' ', false, "2026-01-02 03:04:05"},
		{at("2026-01-02 03:04:05.678901"), 3, 'T', true, "2026-01-02T03:04:05.678Z"},
		{at("2026-01-02 03:04:05.678901"), 6, ' ', false, "2026-01-02 03:04:05.678901"},
		{at("2026-01-02 03:04:05.678901"), 9, ' ', false, "2026-01-02 03:04:05.678901000"},
		{-1, 6, ' ', false, "1969-12-31 23:59:59.999999"},
		{-1, 0, ' ', false, "1969-12-31 23:59:59"},
		{MinMicros, 3, ' ', false, "0001-01-01 00:00:00.000"},
		{MaxMicros, 6, ' ', false, "9999-12-31 23:59:59.999999"},
		{MinMicros - 1, 3, ' ', false, "0000-12-31 23:59:59.999"},
		{MaxMicros + 1, 3, ' ', false, "+10000-01-01 00:00:00.000"},
		{DaysOf(-1, 3, 1) * Day, 0, ' ', false, "-0001-03-01 00:00:00"},
		{math.MaxInt64, 6, ' ', false, "+294247-01-10 04:00:54.775807"},
		{math.MinInt64, 6, ' ', false, "-290308-12-21 19:59:05.224192"},
	} {
		if got := string(AppendTimestamp(nil, c.micros, c.precision, c.sep, c.zulu)); got != c.want {
			t.Errorf("%d: %s, want %s", c.micros, got, c.want)
		}
	}
}

// TestAgainstPackageTime walks instants of all years: both directions must agree with package time and with each other.
func TestAgainstPackageTime(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		micros := MinMicros + random.Int64N(MaxMicros-MinMicros)
		text := AppendTimestamp(nil, micros, 6, 'T', true)
		if want := time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.000000Z"); string(text) != want {
			t.Fatalf("%d: %s, package time writes %s", micros, text, want)
		}
		if back, _, ok := ParseTimestamp(text); !ok || back != micros {
			t.Fatalf("%s: read as %d %v, want %d", text, back, ok, micros)
		}
	}
}

func TestCalendarDayByDay(t *testing.T) {
	year, month, day := int64(-401), int64(12), int64(31)
	for days := DaysOf(year, month, day); year < 2801; days++ {
		if y, m, d := DateOf(days); y != year || m != month || d != day || DaysOf(y, m, d) != days {
			t.Fatalf("day %d is %d-%d-%d and counts %d, want %d-%d-%d", days, y, m, d, DaysOf(y, m, d), year, month, day)
		}
		if day++; day > DaysIn(year, month) {
			day = 1
			if month++; month > 12 {
				month = 1
				year++
			}
		}
	}
}

func TestAddMonths(t *testing.T) {
	for _, c := range []struct {
		from   string
		months int64
		want   string
	}{
		{"2026-01-31 10:00:00", 1, "2026-02-28 10:00:00"},
		{"2024-01-31 10:00:00", 1, "2024-02-29 10:00:00"},
		{"2024-02-29 10:00:00", 12, "2025-02-28 10:00:00"},
		{"2026-01-15 10:00:00", -1, "2025-12-15 10:00:00"},
		{"2026-03-31 10:00:00", -13, "2025-02-28 10:00:00"},
		{"1969-12-31 23:59:59", 2, "1970-02-28 23:59:59"},
	} {
		from, _, _ := ParseTimestamp([]byte(c.from))
		if got := string(AppendTimestamp(nil, AddMonths(from, c.months), 0, ' ', false)); got != c.want {
			t.Errorf("%s and %d months: %s, want %s", c.from, c.months, got, c.want)
		}
	}
}

func TestAppendIntervals(t *testing.T) {
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{AppendDayInterval(nil, 0), "+0 00:00:00.000"},
		{AppendDayInterval(nil, Day+2*Hour+3*Minute+4*Second+5*Millisecond), "+1 02:03:04.005"},
		{AppendDayInterval(nil, -1), "-0 00:00:00.000001"},
		{AppendDayInterval(nil, math.MinInt64), "-106751991 04:00:54.775808"},
		{AppendMonthInterval(nil, 14), "+1-02"},
		{AppendMonthInterval(nil, -1), "-0-01"},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func FuzzParseTimestamp(f *testing.F) {
	f.Add([]byte("2026-01-01T00:00:00.123Z"))
	f.Add([]byte("2026-01-01 00:00:00+01:00"))
	f.Fuzz(func(t *testing.T, s []byte) {
		micros, _, ok := ParseTimestamp(s)
		if !ok {
			return
		}
		text := AppendTimestamp(nil, micros, 6, 'T', true)
		if back, zoned, ok := ParseTimestamp(text); micros >= MinMicros && micros <= MaxMicros && (!ok || !zoned || back != micros) {
			t.Errorf("%q was read as %d, which prints as %s and reads as %d", s, micros, text, back)
		}
	})
}

var sink int64

func BenchmarkParseTimestamp(b *testing.B) {
	text := []byte("2026-01-01T00:00:00.123Z")
	for b.Loop() {
		micros, _, _ := ParseTimestamp(text)
		sink += micros
	}
}

func BenchmarkAppendTimestamp(b *testing.B) {
	buf := make([]byte, 0, 64)
	for b.Loop() {
		buf = AppendTimestamp(buf[:0], 1767225600123000, 3, 'T', true)
	}
}
