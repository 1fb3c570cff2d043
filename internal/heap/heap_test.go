package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What is pushed in any order comes out in order, also when pops come in between.
func TestHeap(t *testing.T) {
	less := func(a, b int) bool { return a < b }
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var h, in, out []int
		for range r.IntN(60) {
			x := r.IntN(20)
			h, in = Push(h, x, less), append(in, x)
			if r.IntN(4) == 0 {
				var top int
				least := slices.Min(h)
				if top, h = Pop(h, less); top != least {
					t.Fatalf("popped %d of %v", top, in)
				}
				out = append(out, top)
			}
		}
		rest := len(out)
		for len(h) > 0 {
			var top int
			top, h = Pop(h, less)
			out = append(out, top)
		}
		if !slices.IsSorted(out[rest:]) {
			t.Fatalf("%v came out as %v", in, out)
		}
		slices.Sort(in)
		slices.Sort(out)
		if !slices.Equal(in, out) {
			t.Fatalf("%v came out as %v", in, out)
		}
	}
}
