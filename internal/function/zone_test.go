package function

import (
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

func TestLocalClock(t *testing.T) {
	for _, c := range []struct {
		zone, local, instant string
	}{
		{"UTC", "2026-01-01 00:00:00", "2026-01-01 00:00:00"},
		{"Asia/Kathmandu", "2026-01-01 00:00:00", "2025-12-31 18:15:00"},
		{"Europe/Berlin", "2026-07-01 12:00:00", "2026-07-01 10:00:00"},
		// The hour that spring leaves out lies behind it.
		{"Europe/Berlin", "2025-03-30 01:59:59", "2025-03-30 00:59:59"},
		{"Europe/Berlin", "2025-03-30 02:30:00", "2025-03-30 01:30:00"},
		{"Europe/Berlin", "2025-03-30 03:00:00", "2025-03-30 01:00:00"},
		// The hour that autumn repeats is the first one.
		{"Europe/Berlin", "2025-10-26 02:30:00", "2025-10-26 00:30:00"},
		{"Europe/Berlin", "2025-10-26 03:00:00", "2025-10-26 02:00:00"},
		// Half an hour, on the southern half of the world.
		{"Australia/Lord_Howe", "2025-04-06 01:45:00", "2025-04-05 14:45:00"},
		{"Australia/Lord_Howe", "2025-10-05 02:15:00", "2025-10-04 15:45:00"},
		// A zone that skipped a day.
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 22:00:00"},
		{"America/New_York", "1850-01-01 00:00:00", "1850-01-01 04:56:02"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		local, _, _ := timefmt.ParseTimestamp([]byte(c.local))
		clock := newLocalClock(zone)
		if got := string(timefmt.AppendTimestamp(nil, clock.instant(local), 0, ' ', false)); got != c.instant {
			t.Errorf("%s in %s is %s, want %s", c.local, c.zone, got, c.instant)
		}
	}
}

// TestLocalClockGoesBack reads the clock at every quarter of an hour of some years: the way back leads to the instant, or to the earlier one that shows the
// same time.
func TestLocalClockGoesBack(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Asia/Gaza"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		clock := newLocalClock(zone)
		begin := timefmt.DaysOf(2011, 1, 1) * timefmt.Day
		for instant := begin; instant < begin+3*365*timefmt.Day; instant += 15 * timefmt.Minute {
			local := clock.local(instant)
			_, offset := time.UnixMicro(instant).In(zone).Zone()
			if local != instant+int64(offset)*timefmt.Second {
				t.Fatalf("%s: the clock shows %d at %d", name, local, instant)
			}
			back := clock.instant(local)
			if back != instant && (back > instant || clock.local(back) != local) {
				t.Fatalf("%s: %d shows %d, and that is read as %d", name, instant, local, back)
			}
		}
	}
}
