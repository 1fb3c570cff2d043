package watermark

import (
	"math/rand/v2"
	"testing"
)

// TestSnapshotForetellsLift: a split is let go when its snapshot says so, if it and all others stay empty, and never where it says never.
func TestSnapshotForetellsLift(t *testing.T) {
	const second = 1_000_000
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		lift := Lift{After: (1 + random.Int64N(20)) * second, Ratio: float64(1+random.IntN(5)) / 5}
		c := newCore(Strategy{Tick: 1000, Emission: Periodic{Interval: second}, Idleness: lift,
			Candidates: Lookahead{Bound: 10 * second, InFlight: All, LateData: All, Outages: DefaultOutages}}, 0)
		splits := 1 + random.IntN(6)
		since := make([]int64, splits) // when its emptiness was confirmed first
		for i := range splits {
			c.AddSplit(0)
			since[i] = 1 + random.Int64N(30)
		}
		now := int64(1)
		step := func() {
			for i := range splits {
				if now >= since[i] {
					c.ConfirmEmpty(i, now*second)
				}
			}
			c.Tick(now*second, new(Observed))
			c.Publish(now * second)
			now++
		}
		for range 30 + random.IntN(10) {
			step()
		}
		said := c.Load()
		let := make([]bool, splits)
		for passed := int64(0); passed <= 25; passed++ {
			for i, x := range c.Load().Splits {
				let[i] = let[i] || x.Lookahead.Lifted == LiftedEmpty
				if want := said.Splits[i].IdleIn != NeverIdle && said.Splits[i].IdleIn <= passed*second; let[i] != want {
					t.Fatalf("%v: split %d, empty since %v, is to be let go in %d µs; after %d s that is %t", lift, i, since, said.Splits[i].IdleIn, passed, let[i])
				}
			}
			step()
		}
	}
}
