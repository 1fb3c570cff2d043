package timefmt

import "testing"

func TestRead(t *testing.T) {
	date := func(s string) string {
		days, ok := ReadDate([]byte(s))
		if !ok {
			return "none"
		}
		return string(AppendDate(nil, days))
	}
	clock := func(s string) string {
		micros, ok := ReadTime([]byte(s))
		if !ok {
			return "none"
		}
		return string(AppendTime(nil, micros, 6))
	}
	timestamp := func(s string) string {
		micros, ok := ReadTimestamp([]byte(s))
		if !ok {
			return "none"
		}
		return string(AppendTimestamp(nil, micros, 6, ' ', false))
	}
	for _, c := range []struct {
		read       func(string) string
		text, want string
	}{
		{date, "2024-02-29", "2024-02-29"},
		{date, "2024-2-9", "2024-02-09"},
		{date, "2024-02", "2024-02-01"},
		{date, "24", "0024-01-01"},
		{date, " 2024-02-29 ", "2024-02-29"},
		{date, "2024-02-29 or so", "2024-02-29"},
		{date, " 2024-02-29 12:00:00", "none"},
		{date, "2024-02-29T12:00:00", "none"},
		{date, "2024-02-30", "none"},
		{date, "2024-13-01", "none"},
		{date, "2024-00-01", "none"},
		{date, "2024-01-00", "none"},
		{date, "2024-01-01-", "none"},
		{date, "2024--01", "none"},
		{date, "0000-01-01", "none"},
		{date, "10000-01-01", "none"},
		{date, "-2024-01-01", "none"},
		{date, "99999999999999999999", "none"},
		{date, "", "none"},
		{date, " ", "none"},
		{clock, "12:34:56.7", "12:34:56.700000"},
		{clock, "12:34:56.123456789", "12:34:56.123456"},
		{clock, "12:34:56", "12:34:56.000000"},
		{clock, "1:2:3", "01:02:03.000000"},
		{clock, "12:34", "12:34:00.000000"},
		{clock, " 7 ", "07:00:00.000000"},
		{clock, "24:00:00", "none"},
		{clock, "12:60:00", "none"},
		{clock, "12:00:60", "none"},
		{clock, "12:00:00.", "none"},
		{clock, "12:00:00:00", "none"},
		{clock, "12:", "none"},
		{clock, ":12", "none"},
		{clock, "-1:00", "none"},
		{clock, "", "none"},
		{timestamp, "2024-02-29 12:34:56.789", "2024-02-29 12:34:56.789000"},
		{timestamp, "2024-2-9 1:2:3.5", "2024-02-09 01:02:03.500000"},
		{timestamp, "2024-02-29", "2024-02-29 00:00:00.000000"},
		{timestamp, "2024-02-30", "2024-02-29 00:00:00.000000"},
		{timestamp, "2023-02-31 10:00:00", "2023-02-28 10:00:00.000000"},
		{timestamp, "2023-02-32", "none"},
		{timestamp, "2024-02-29 24:00:00", "2024-03-01 00:00:00.000000"},
		{timestamp, "2024-02-29 24:00:00.1", "none"},
		{timestamp, "2024-02-29 25:00:00", "none"},
		{timestamp, "2024-02-29 23:59:60", "none"},
		{timestamp, "2024-02-29T12:34:56", "none"},
		{timestamp, "2024-02-29 12:34:56Z", "none"},
		{timestamp, "2024-02-29 12:34:56+01:00", "none"},
		{timestamp, "2024-02-29 12:34", "none"},
		{timestamp, "2024-02-29 12:34:56.1234567891", "none"},
		{timestamp, "2024-02-29 12:34:56.", "none"},
		{timestamp, " 2024-02-29", "none"},
		{timestamp, "2024-02-29 ", "none"},
		{timestamp, "24-02-29", "none"},
		{timestamp, "0000-01-01", "none"},
		{timestamp, "2024", "none"},
		{timestamp, "", "none"},
	} {
		if got := c.read(c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"2024-02-29", "12:34:56.7", "2024-02-29 12:34:56.789", "1-1", "-"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		if days, ok := ReadDate(s); ok {
			if again, ok := ReadDate(AppendDate(nil, days)); !ok || again != days {
				t.Errorf("%q is day %d and day %d", s, days, again)
			}
		}
		if micros, ok := ReadTime(s); ok {
			if again, ok := ReadTime(AppendTime(nil, micros, 6)); !ok || again != micros {
				t.Errorf("%q is %d and %d", s, micros, again)
			}
		}
		if micros, ok := ReadTimestamp(s); ok && micros <= MaxMicros {
			if again, ok := ReadTimestamp(AppendTimestamp(nil, micros, 6, ' ', false)); !ok || again != micros {
				t.Errorf("%q is %d and %d", s, micros, again)
			}
		}
	})
}
