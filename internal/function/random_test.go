package function

import "testing"

// The numbers are those that Flink 2.3 gives for a seed, in their order.
func TestJavaRandom(t *testing.T) {
	r := newJavaRandom(42)
	for i, want := range []float64{0.7275636800328681, 0.6832234717598454, 0.30871945533265976} {
		if got := float64(r.next(26)<<27+r.next(27)) / (1 << 53); got != want {
			t.Errorf("number %d of seed 42 is %v, want %v", i, got, want)
		}
	}
	r = newJavaRandom(42)
	for i, want := range []int64{30, 63, 48} {
		if got := r.below(100); got != want {
			t.Errorf("number %d below 100 of seed 42 is %d, want %d", i, got, want)
		}
	}
}
