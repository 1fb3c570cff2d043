package watermark

import "testing"

// TestForgetLate: late rows are found as ever, and snapshots know nothing of them.
func TestForgetLate(t *testing.T) {
	for _, s := range []Strategy{{}, {Dimension: &Dimension{}}, {Emission: OnEvent{Gap: 2}}} {
		for _, forgets := range []bool{false, true} {
			c, err := New(s, 0)
			if err != nil {
				t.Fatal(err)
			}
			if forgets {
				c.ForgetLate()
			}
			c.AddSplit(0)
			var found Observed
			times := []int64{9_000_000, 9_000_000, 1_000_000, 2_000_000}
			if s.Dimension != nil {
				c.Value("a")
				c.ObserveValues(0, times, times, make([]int32, len(times)), 0, &found)
			} else {
				c.Observe(0, times, times, 0, &found)
			}
			c.Publish(0)
			split := c.Load().Splits[0]
			if len(found.Late) < 2 || forgets != (split.Late == 0) || forgets != (split.Worst == Worst{}) || forgets != (split.Recent == Worst{}) {
				t.Errorf("%v, forgets %v: found %v, and the snapshot has %+v", s, forgets, found.Late, split)
			}
		}
	}
}
