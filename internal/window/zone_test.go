package window

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata" // the test must not depend on the machine's zones
)

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// micros reads "2006-01-02 15:04:05.999", be it an instant in UTC or a wall clock.
func micros(t *testing.T, s string) int64 {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05.999999", s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMicro()
}

func show(m int64) string { return time.UnixMicro(m).UTC().Format("2006-01-02 15:04:05.999999") }

// The local end of a window and the instant at which it is over: it fires at the watermark one millisecond before.
func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		zone, localEnd, want string
	}{
		{"UTC", "2025-03-30 03:00:00", "2025-03-30 03:00:00"},
		{"Asia/Kolkata", "2025-03-30 03:00:00", "2025-03-29 21:30:00"},
		{"Europe/Berlin", "2025-01-15 12:00:00", "2025-01-15 11:00:00"},
		{"Europe/Berlin", "2025-07-15 12:00:00", "2025-07-15 10:00:00"},
		// The hour from 2 to 3 does not exist: a three-hour window ends at the transition, one millisecond before Flink's.
		{"Europe/Berlin", "2025-03-30 02:00:00", "2025-03-30 01:00:00"},
		{"Europe/Berlin", "2025-03-30 02:30:00", "2025-03-30 01:00:00"},
		{"Europe/Berlin", "2025-03-30 03:00:00", "2025-03-30 01:00:00"},
		{"Europe/Berlin", "2025-03-31 00:00:00", "2025-03-30 22:00:00"},
		// The hour from 2 to 3 comes twice: after the second pass.
		{"Europe/Berlin", "2025-10-26 02:00:00", "2025-10-26 00:00:00"},
		{"Europe/Berlin", "2025-10-26 02:30:00", "2025-10-26 01:30:00"},
		{"Europe/Berlin", "2025-10-26 03:00:00", "2025-10-26 02:00:00"},
		{"Europe/Berlin", "2025-10-27 00:00:00", "2025-10-26 23:00:00"},
		// Half an hour repeats: from 2:00 (+11:00) back to 1:30 (+10:30).
		{"Australia/Lord_Howe", "2025-04-06 01:00:00", "2025-04-05 14:00:00"},
		{"Australia/Lord_Howe", "2025-04-06 01:30:00", "2025-04-05 14:30:00"},
		{"Australia/Lord_Howe", "2025-04-06 02:00:00", "2025-04-05 15:30:00"},
		// Half an hour is skipped: from 2:00 (+10:30) to 2:30 (+11:00).
		{"Australia/Lord_Howe", "2025-10-05 02:15:00", "2025-10-04 15:30:00"},
		{"Australia/Lord_Howe", "2025-10-05 03:00:00", "2025-10-04 16:00:00"},
		// Whole hours skipped in a zone of half hours, from 2:00 (+9:30) to 3:00 (+10:30).
		{"Australia/Adelaide", "2025-10-05 02:30:00", "2025-10-04 16:30:00"},
		{"Australia/Adelaide", "2025-10-05 03:00:00", "2025-10-04 16:30:00"},
		{"Australia/Adelaide", "2025-04-06 03:00:00", "2025-04-05 17:30:00"},
		// A day that did not exist, and a change without daylight saving.
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 10:00:00"},
		{"Asia/Pyongyang", "2018-05-04 23:45:00", "2018-05-04 15:00:00"},
		// Before 1970, and far ahead, where the rules go on.
		{"Europe/Berlin", "1945-05-24 02:00:00", "1945-05-24 00:00:00"},
		{"Europe/Berlin", "2100-03-28 03:00:00", "2100-03-28 01:00:00"},
	} {
		z := NewZone(location(t, c.zone))
		if got := z.Deadline(micros(t, c.localEnd)); got != micros(t, c.want) {
			t.Errorf("%s %s: got %s, want %s", c.zone, c.localEnd, show(got), c.want)
		}
	}
}

var testZones = []string{
	"UTC", "Etc/GMT-5", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Australia/Adelaide", "Pacific/Apia", "Asia/Pyongyang",
	"America/St_Johns", "Africa/Casablanca", "Antarctica/Troll", "Asia/Manila", "Europe/Dublin", "America/Sao_Paulo",
}

// transitions are the instants at which the zone's offset changed in some years.
func transitions(loc *time.Location) []int64 {
	var all []int64
	for year := 1930; year < 2040; year += 6 {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).In(loc)
		for range 4 {
			_, end := at.ZoneBounds()
			if end.IsZero() {
				break
			}
			all = append(all, end.UnixMicro())
			at = end
		}
	}
	return all
}

// Around transitions the deadline is found by reading the clock backwards, a quarter of an hour at a time. That is exact where
// all offsets are multiples of it.
func TestDeadlineAgreesWithClock(t *testing.T) {
	const step = 15 * minute
	for _, name := range testZones {
		loc := location(t, name)
		z := NewZone(loc)
		clock := func(utc int64) int64 {
			_, offset := time.UnixMicro(utc).In(loc).Zone()
			return utc + int64(offset)*second
		}
		checked := 0
		for _, transition := range append(transitions(loc), 0) {
			around := clock(transition)
			if transition%step != 0 || around%step != 0 || floorMod(clock(transition-1), step) != step-1 {
				continue
			}
			for localEnd := around - 4*hour; localEnd <= around+4*hour; localEnd += step {
				want := localEnd + 16*hour
				for clock(want-step) >= localEnd {
					want -= step
				}
				if got := z.Deadline(localEnd); got != want {
					t.Fatalf("%s %s: got %s, want %s", name, show(localEnd), show(got), show(want))
				}
				checked++
			}
		}
		if checked == 0 {
			t.Errorf("%s: no transition was checked", name)
		}
	}
}

func TestToLocalAgreesWithTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, name := range testZones {
		loc := location(t, name)
		z := NewZone(loc)
		check := func(utc int64) {
			t.Helper()
			at := time.UnixMicro(utc).In(loc)
			want := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC).UnixMicro()
			if got := z.ToLocal(utc); got != want {
				t.Fatalf("%s %s: got %s, want %s", name, show(utc), show(got), show(want))
			}
		}
		for _, transition := range transitions(loc) {
			for range 10 {
				check(transition + rng.Int64N(4*hour) - 2*hour)
			}
			check(transition - 1)
			check(transition)
		}
		for range 500 {
			check(rng.Int64N(400*366*day) - 200*366*day)
		}
	}
}

// The hourly window from 2 to 3 of the autumn night holds both passes of the hour, and the spring day has 23 hours.
func TestLocalWindows(t *testing.T) {
	z := NewZone(location(t, "Europe/Berlin"))
	hourly, daily := tumble(hour, 0), tumble(day, 0)
	autumn := Window{micros(t, "2025-10-26 02:00:00"), micros(t, "2025-10-26 03:00:00")}
	for utc, in := range map[string]bool{
		"2025-10-25 23:59:59.999": false,
		"2025-10-26 00:00:00":     true,
		"2025-10-26 01:00:00":     true,
		"2025-10-26 01:59:59.999": true,
		"2025-10-26 02:00:00":     false,
	} {
		if got := hourly.Assign(z.ToLocal(micros(t, utc)), nil)[0]; (got == autumn) != in {
			t.Errorf("%s is in [%s, %s)", utc, show(got.Start), show(got.End))
		}
	}
	spring := daily.Assign(micros(t, "2025-03-30 12:00:00"), nil)[0]
	if hours := (z.Deadline(spring.End) - z.Deadline(spring.Start)) / hour; hours != 23 {
		t.Errorf("30 March 2025 has %d hours", hours)
	}
}

// Every row of a local window comes before its deadline, whatever the zone does.
func TestRowsComeBeforeTheirDeadline(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	spec := tumble(30*minute, 0)
	for _, name := range testZones {
		loc := location(t, name)
		z := NewZone(loc)
		for _, transition := range transitions(loc) {
			for range 50 {
				utc := transition + rng.Int64N(6*hour) - 3*hour
				if end := spec.SliceEnd(z.ToLocal(utc)); z.Deadline(end) <= utc {
					t.Fatalf("%s: row at %s falls into the window until %s, which was over at %s",
						name, show(utc), show(end), show(z.Deadline(end)))
				}
			}
		}
	}
}

// No input makes it loop or overflow.
func TestZoneExtremes(t *testing.T) {
	for _, loc := range []*time.Location{location(t, "Europe/Berlin"), time.UTC, time.FixedZone("far", 300*3600)} {
		z := NewZone(loc)
		for _, at := range []int64{-1 << 63, -1<<63 + 1, -1 << 62, 1 << 62, 1<<63 - 1} {
			z.ToLocal(at)
			z.Deadline(at)
		}
	}
}
