package watermark

import "testing"

// TestRecentOfAClockSetBack remembers the latest row of the last minute for the rest of that minute, whatever the clock shows.
func TestRecentOfAClockSetBack(t *testing.T) {
	const second = microsPerSecond
	for _, by := range []int64{30 * second, 3600 * second, 100_000 * second} {
		r := new(recent)
		now := 50_000 * int64(second)
		r.add(Worst{Lateness: 2, Time: 1}, now-40*second)
		r.add(Worst{Lateness: 1, Time: 2}, now)
		r.setBack(by)
		now -= by
		for _, c := range []struct{ later, lateness int64 }{{0, 2}, {19, 2}, {20, 1}, {59, 1}, {60, 0}} {
			if got := r.worst(now + c.later*second).Lateness; got != c.lateness {
				t.Errorf("set back by %d s, %d s later: lateness %d, want %d", by/second, c.later, got, c.lateness)
			}
		}
	}
}
