package watermark

import "strconv"

// duration writes microseconds as an option value does: in the largest unit that needs no fraction.
func duration(micros int64) string {
	units := [...]struct {
		micros int64
		name   string
	}{
		{86_400_000_000, "d"}, {3_600_000_000, "h"}, {60_000_000, "min"}, {1_000_000, "s"}, {1_000, "ms"},
	}
	if micros == 0 {
		return "0"
	}
	for _, u := range units {
		if micros%u.micros == 0 {
			return strconv.FormatInt(micros/u.micros, 10) + " " + u.name
		}
	}
	return strconv.FormatInt(micros, 10) + " us"
}
