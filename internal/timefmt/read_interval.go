package timefmt

import (
	"math"
	"strconv"
	"strings"
)

// ReadDayInterval reads what AppendDayInterval writes.
func ReadDayInterval(s []byte) (micros int64, ok bool) {
	negative, rest, ok := cutSign(s)
	days, clock, found := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(days, 10, 64)
	of, read := ReadTime([]byte(clock))
	if !ok || !found || err != nil || !read || n < 0 || n > math.MaxInt64/Day-1 {
		return 0, false
	}
	return signed(negative, n*Day+of), true
}

// ReadMonthInterval reads what AppendMonthInterval writes.
func ReadMonthInterval(s []byte) (months int64, ok bool) {
	negative, rest, ok := cutSign(s)
	years, month, found := strings.Cut(rest, "-")
	y, err := strconv.ParseInt(years, 10, 32)
	m, err2 := strconv.ParseInt(month, 10, 8)
	if !ok || !found || err != nil || err2 != nil || m > 11 {
		return 0, false
	}
	return signed(negative, 12*y+m), true
}

func cutSign(s []byte) (negative bool, rest string, ok bool) {
	if len(s) == 0 || s[0] != '+' && s[0] != '-' {
		return false, "", false
	}
	return s[0] == '-', string(s[1:]), true
}

func signed(negative bool, n int64) int64 {
	if negative {
		return -n
	}
	return n
}
