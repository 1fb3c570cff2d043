package timefmt

import "testing"

func TestReadIntervals(t *testing.T) {
	for _, micros := range []int64{0, 1, -1, Day, -Day, Day - 1, 3*Day + 4*Hour + 5*Minute + 6*Second + 7_008, -9_000_000 * Day} {
		text := AppendDayInterval(nil, micros)
		if got, ok := ReadDayInterval(text); !ok || got != micros {
			t.Errorf("%s is read as %d, %t, want %d", text, got, ok, micros)
		}
	}
	for _, months := range []int64{0, 1, -1, 11, 12, -25, 120_001} {
		text := AppendMonthInterval(nil, months)
		if got, ok := ReadMonthInterval(text); !ok || got != months {
			t.Errorf("%s is read as %d, %t, want %d", text, got, ok, months)
		}
	}
	for _, bad := range []string{"", "+", "1 00:00:00.000", "+1", "+1 ", "+x 00:00:00", "+-1 00:00:00.000", "+1 24:00:00.000", "+999999999999999 00:00:00.000", "+1-12", "+1-", "+-1-02"} {
		if _, ok := ReadDayInterval([]byte(bad)); ok {
			t.Errorf("%q is read as a day interval", bad)
		}
		if _, ok := ReadMonthInterval([]byte(bad)); ok && bad != "" {
			t.Errorf("%q is read as a month interval", bad)
		}
	}
}
