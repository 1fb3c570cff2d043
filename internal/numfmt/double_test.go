package numfmt

import (
	"math"
	"strconv"
	"testing"
)

func TestAppendDouble(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0.0"},
		{math.Copysign(0, -1), "-0.0"},
		{1, "1.0"},
		{-1.5, "-1.5"},
		{0.1, "0.1"},
		{0.001, "0.001"},
		{0.00099, "9.9E-4"},
		{9999999, "9999999.0"},
		{1e7, "1.0E7"},
		{-12345678.9, "-1.23456789E7"},
		{1e21, "1.0E21"},
		{1e100, "1.0E100"},
		{math.MaxFloat64, "1.7976931348623157E308"},
		{math.SmallestNonzeroFloat64, "4.9E-324"},
		{2e-323, "2.0E-323"},
		{5e-323, "4.9E-323"},
		{3e8, "3.0E8"},
		{math.NaN(), "NaN"},
		{math.Inf(1), "Infinity"},
		{math.Inf(-1), "-Infinity"},
	} {
		got := string(AppendDouble(nil, c.v))
		if got != c.want {
			t.Errorf("%g: got %s, want %s", c.v, got, c.want)
		}
		if back, err := strconv.ParseFloat(got, 64); err != nil || back != c.v && !math.IsNaN(c.v) {
			t.Errorf("%s reads back as %g", got, back)
		}
	}
}
