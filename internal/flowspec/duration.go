package flowspec

import (
	"math"
	"strconv"
	"strings"
)

// units are those of a length of time, in microseconds.
var units = []struct {
	name   string
	micros float64
}{{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"m", 60e6}, {"h", 3600e6}, {"d", 86400e6}, {"w", 7 * 86400e6}}

// maxDuration bounds a length: some 3,000 years.
const maxDuration = 1e17

// parseDuration reads a length in microseconds. Flow: a bare number is milliseconds.
func parseDuration(n *Node) (int64, bool) {
	if n.Kind == Number {
		v, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || !(v >= 0 && v*1e3 <= maxDuration) {
			return 0, false
		}
		return int64(math.Round(v * 1e3)), true
	}
	rest, total := strings.TrimSpace(n.Text), 0.0
	if rest == "" {
		return 0, false
	}
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		v, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil {
			return 0, false
		}
		rest = strings.TrimLeft(rest[digits:], " ")
		letters := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))
		factor := 0.0
		for _, u := range units {
			if u.name == rest[:letters] {
				factor = u.micros
			}
		}
		if factor == 0 {
			return 0, false
		}
		rest = strings.TrimLeft(rest[letters:], " ")
		total += v * factor
	}
	return int64(math.Round(total)), total <= maxDuration
}
