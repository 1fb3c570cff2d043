package timefmt

import (
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{-time.Hour: "up to date", 0: "up to date", 59*time.Second + 999*time.Millisecond: "up to date", time.Minute: "1 min", 3599 * time.Second: "59 min", time.Hour: "1 h",
		23*time.Hour + 59*time.Minute: "23 h", 24 * time.Hour: "1 d", 364 * 24 * time.Hour: "364 d", 365 * 24 * time.Hour: "2025-01-01"} {
		if got := Delay(now.Add(-d).UnixMicro(), now.UnixMicro()); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
