package timefmt

import "strconv"

// Length writes a length of time as an option's value does: a whole number of the largest unit that needs no fraction, "0" for none.
func Length(micros int64) string {
	if micros == 0 {
		return "0"
	}
	for _, u := range [...]struct {
		micros int64
		name   string
	}{{Day, "d"}, {Hour, "h"}, {Minute, "min"}, {Second, "s"}, {Millisecond, "ms"}} {
		if micros%u.micros == 0 {
			return strconv.FormatInt(micros/u.micros, 10) + " " + u.name
		}
	}
	return strconv.FormatInt(micros, 10) + " us"
}
