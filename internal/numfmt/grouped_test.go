package numfmt

import (
	"math"
	"testing"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 999: "999 rows", 1000: "1,000 rows", -999: "-999 rows", -1000: "-1,000 rows", 1234567: "1,234,567 rows",
		math.MinInt64: "-9,223,372,036,854,775,808 rows"} {
		if got := Plural(n, "row", "rows"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
