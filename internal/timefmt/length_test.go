package timefmt

import "testing"

func TestLength(t *testing.T) {
	for micros, want := range map[int64]string{
		0: "0", 1: "1 us", 1500: "1500 us", 200_000: "200 ms", 1_000_000: "1 s", 90_000_000: "90 s", 60_000_000: "1 min",
		3_600_000_000: "1 h", 86_400_000_000: "1 d", 7 * 86_400_000_000: "7 d", -3_000_000: "-3 s",
	} {
		if got := Length(micros); got != want {
			t.Errorf("Length(%d) = %q, want %q", micros, got, want)
		}
	}
}
