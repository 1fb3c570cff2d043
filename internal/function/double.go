package function

import (
	"math"
	"strconv"
)

// roundDouble rounds the decimal digits that v prints as (Flink 2.3), so that 2.345 to two digits is 2.35 although the nearest double is a little less. r is
// roundHalf or roundToZero.
func roundDouble(v float64, digits int64, r rounding) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || digits > 330 {
		return v
	}
	if digits < -330 {
		return 0
	}
	text := strconv.AppendFloat(nil, math.Abs(v), 'e', -1, 64)
	at := 0
	for text[at] != 'e' {
		at++
	}
	exponent, err := strconv.Atoi(string(text[at+1:]))
	if err != nil {
		panic("tidemark bug: exponent of " + string(text))
	}
	mantissa := append(text[:1:1], text[min(2, at):at]...)
	// The mantissa is d.ddd: its digit number k counts 10^(exponent-k).
	keep := exponent + int(digits) + 1
	if keep >= len(mantissa) {
		return v
	}
	if keep < 0 {
		return 0
	}
	up := r == roundHalf && mantissa[keep] >= '5'
	if keep == 0 && !up {
		return 0
	}
	kept := append([]byte{'0'}, mantissa[:keep]...)
	for k := len(kept) - 1; up; k-- {
		if up = kept[k] == '9'; up {
			kept[k] = '0'
			continue
		}
		kept[k]++
	}
	kept = append(kept, 'e')
	rounded, err := strconv.ParseFloat(string(strconv.AppendInt(kept, -digits, 10)), 64)
	if err != nil {
		return v // beyond the range of DOUBLE
	}
	return math.Copysign(rounded, v) + 0
}

// doubleToInt cuts off the fraction as Java does: out of range gives the nearest end, NaN gives 0.
func doubleToInt(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}
