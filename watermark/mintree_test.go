package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinTree compares with a slice: members that rise, fall, leave and come back, while their number grows past that of every level.
func TestMinTree(t *testing.T) {
	for _, step := range []int{1, 7, 100} {
		rng := rand.New(rand.NewPCG(1, uint64(step)))
		var tree minTree
		var members []Frontier
		for len(members) < 5000 {
			tree.grow(len(members) + step)
			for range step {
				members = append(members, Final)
			}
			for range 3 * step {
				i, f := rng.IntN(len(members)), Frontier(rng.IntN(1000))
				switch rng.IntN(10) {
				case 0:
					f = Unset
				case 1:
					f = Final
				}
				members[i] = f
				tree.set(i, f)
			}
			least := slices.Min(members)
			if got, want := tree.holder(), slices.Index(members, least); tree.min() != least || got != want {
				t.Fatalf("of %d members %d has the least, %d; want %d with %d", len(members), got, tree.min(), want, least)
			}
			if i := rng.IntN(len(members)); tree.at(i) != members[i] || tree.holds(i) != (members[i] == least) {
				t.Fatalf("member %d of %d: has %d and holds %t; want %d, least is %d", i, len(members), tree.at(i), tree.holds(i), members[i], least)
			}
			if rng.IntN(20) == 0 {
				for i := range members {
					members[i] = Frontier(rng.IntN(1000))
					tree.put(i, members[i])
				}
				tree.build()
			}
		}
	}
}
