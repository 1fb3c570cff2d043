package function

import (
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// TestRoundedTime: CEIL is the first beginning of a unit that is not before a time, and FLOOR the last that is not behind it.
func TestRoundedTime(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for u := second; u <= millennium; u++ {
		for n := range 3000 {
			local := timefmt.MinMicros/2 + r.Int64N(timefmt.MaxMicros-timefmt.MinMicros)/2
			if n%3 == 0 { // what is near a beginning
				local = floorTo(local, u) + int64(n/3%3) - 1
			}
			floor, ceil := floorTo(local, u), ceilTo(local, u)
			if floor > local || floorTo(floor, u) != floor {
				t.Fatalf("%s: the floor of %d is %d", unitNames[u], local, floor)
			}
			if floor == local && ceil != local || floor < local && (ceil <= local || floorTo(ceil, u) != ceil || floorTo(ceil-1, u) != floor) {
				t.Fatalf("%s: the floor of %d is %d, the ceiling %d", unitNames[u], local, floor, ceil)
			}
		}
	}
}

// TestMonthsBetween: so many months can be added to a day without going beyond the other, and no more.
func TestMonthsBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	after := func(from, months int64) int64 { return timefmt.AddMonths(from*timefmt.Day, months) / timefmt.Day }
	for range 20_000 {
		from := r.Int64N(50_000)
		to := from + r.Int64N(1500)
		n := monthsBetweenDays(from, to)
		if after(from, n) > to || after(from, n+1) <= to || monthsBetweenDays(to, from) != -n {
			t.Fatalf("from day %d to day %d: %d months, and %d back", from, to, n, monthsBetweenDays(to, from))
		}
	}
}
