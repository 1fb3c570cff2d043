package window

import "fmt"

// Microseconds of the units of intervals.
const (
	second = 1_000_000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// interval writes a length as the literal that a user would put into the statement.
func interval(micros int64) string {
	units := [...]struct {
		micros int64
		name   string
	}{
		{day, "DAY"}, {hour, "HOUR"}, {minute, "MINUTE"}, {second, "SECOND"},
	}
	if micros == 0 {
		return "INTERVAL '0' SECOND"
	}
	for _, u := range units {
		if micros%u.micros == 0 {
			return fmt.Sprintf("INTERVAL '%d' %s", micros/u.micros, u.name+digits(micros/u.micros))
		}
	}
	sign, seconds, fraction := "", micros/second, micros%second
	if micros < 0 {
		sign, seconds, fraction = "-", -seconds, -fraction
	}
	width := 6
	for width > 1 && fraction%10 == 0 {
		fraction /= 10
		width--
	}
	return fmt.Sprintf("INTERVAL '%s%d.%0*d' SECOND%s", sign, seconds, width, fraction, digits(seconds))
}

// digits is what stands behind a unit of which there are n: Flink 2.3 takes two digits unless more are asked for.
func digits(n int64) string {
	wide := len(fmt.Sprint(max(n, -n)))
	if wide <= 2 {
		return ""
	}
	return fmt.Sprintf("(%d)", wide)
}
