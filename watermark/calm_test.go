package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCalmRuns compares with the naive core where nearly every run is calm: rows in order but for a little, of few or many splits, in short runs. Of the splits some are
// slow, so that the one that holds the frontier is now ahead in the tree, now behind.
func TestCalmRuns(t *testing.T) {
	for _, e := range []Emission{Periodic{100, 0}, Periodic{100, 150}, OnEvent{1}, OnEvent{3}, OnEvent{50}, Granular{50}, AtEnd{}} {
		for _, splits := range []int{1, 2, 5, 70} {
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, uint64(splits)))
				s := Strategy{Tick: 10, Emission: e, Idleness: Fixed{400, seed%2 == 0}}
				core, model := newCore(s, 0), newNaive(s, 0)
				for range splits {
					core.AddSplit(0)
					model.add(0)
				}
				var out Observed
				for now := int64(0); now < 1500; now += 1 + rng.Int64N(4) {
					out.Reset()
					want := Observed{}
					split := rng.IntN(splits)
					split -= split * rng.IntN(2) / 2 // the first half comes oftener
					if rng.IntN(50) == 0 {
						core.Tick(now, &out)
						if model.tick(now) {
							want.Marks = append(want.Marks, Mark{0, model.emitted})
						}
					} else {
						times := make([]int64, 1+rng.IntN(4))
						for k := range times {
							times[k] = now*int64(1+split%3) + rng.Int64N(30)
							late, _, emitted := model.row(split, times[k], times[k]-20, "", now)
							if late {
								want.Late = append(want.Late, int32(k))
							}
							if emitted {
								want.Marks = append(want.Marks, Mark{int32(k + 1), model.emitted})
							}
						}
						candidates := make([]int64, len(times))
						for k := range times {
							candidates[k] = times[k] - 20
						}
						core.Observe(split, times, candidates, now, &out)
						if got, want := core.SplitFrontier(split), model.splits[split].frontier(s); got != want {
							t.Fatalf("%s, %d splits, seed %d: at %d split %d is at %d, want %d", e, splits, seed, now, split, got, want)
						}
					}
					if !slices.Equal(out.Marks, want.Marks) || !slices.Equal(out.Late, want.Late) {
						t.Fatalf("%s, %d splits, seed %d: at %d split %d has %+v, want %+v", e, splits, seed, now, split, out, want)
					}
				}
			}
		}
	}
}
