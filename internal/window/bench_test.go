package window

import (
	"testing"
	"time"
)

// BenchmarkToLocal reads rows that cross a transition back and forth.
func BenchmarkToLocal(b *testing.B) {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	z := NewZone(loc)
	transition := time.Date(2025, 3, 30, 1, 0, 0, 0, time.UTC).UnixMicro()
	var sum int64
	for i := 0; b.Loop(); i++ {
		sum += z.ToLocal(transition + int64(i%64) - 32)
	}
	if sum == 0 {
		b.Fatal("no time has passed")
	}
}
