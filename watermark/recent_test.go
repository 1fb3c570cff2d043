package watermark

import "testing"

// TestRecentOfAClockSetBack remembers the late rows of the last minute for the rest of that minute, whatever the clock shows.
func TestRecentOfAClockSetBack(t *testing.T) {
	const second = microsPerSecond
	for _, by := range []int64{30 * second, 3600 * second, 100_000 * second} {
		r := new(recent)
		now := 50_000 * int64(second)
		r.add(Worst{Lateness: 2, Time: 1}, now-40*second)
		r.add(Worst{Lateness: 1, Time: 2}, now)
		r.add(Worst{Lateness: 1, Time: 2}, now)
		r.setBack(by)
		now -= by
		for _, c := range []struct{ later, lateness, rows int64 }{{0, 2, 3}, {19, 2, 3}, {20, 1, 2}, {59, 1, 2}, {60, 0, 0}} {
			if worst, rows := r.past(now + c.later*second); worst.Lateness != c.lateness || rows != c.rows {
				t.Errorf("set back by %d s, %d s later: %d rows, lateness %d, want %d, %d", by/second, c.later, rows, worst.Lateness, c.rows, c.lateness)
			}
		}
	}
}
