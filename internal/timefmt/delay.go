package timefmt

import (
	"strconv"
	"time"
)

// Delay says how far a watermark is behind the clock, both in microseconds. Confluent Cloud: up to date below a minute, and then whole units; where it gives a date, here that is beyond a year.
func Delay(mark, now int64) string {
	switch d := now - mark; {
	case d < Minute:
		return "up to date"
	case d < Hour:
		return strconv.FormatInt(d/Minute, 10) + " min"
	case d < Day:
		return strconv.FormatInt(d/Hour, 10) + " h"
	case d < 365*Day:
		return strconv.FormatInt(d/Day, 10) + " d"
	}
	return time.UnixMicro(mark).UTC().Format(time.DateOnly)
}
