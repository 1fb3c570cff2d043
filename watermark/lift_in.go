package watermark

import (
	"container/heap"
	"slices"
)

// foretell fills Silent and IdleIn under Lookahead. A split that is confirmed to be empty from now on is let go when that has lasted, unless the splits with lower numbers that are let go by then are as many as
// may be; one that was never confirmed has all of the time before it. One of which reads fail is not confirmed.
func (f *flow) foretell(c *Core, all []SplitSnapshot, now int64) {
	n := 0
	for i := range all {
		if all[i].Status == Finished && len(f.splits[i].batches) == 0 {
			continue
		}
		n++
		all[i].Silent, all[i].IdleIn = c.quietFor(i, now), NeverIdle
	}
	limit := 0
	if f.lift.Ratio > 0 {
		limit = f.lift.limit(n)
	}
	if limit == 0 {
		return
	}
	var first soonest // when those that are let go before a split are, the last of them on top; at most limit
	for i := range all {
		s := &f.splits[i]
		if all[i].Status == Finished || s.outage.failing && !s.empty.lasts(f.lift.After) {
			continue
		}
		due := now + f.lift.After
		if s.empty.since != NoTime {
			due = max(now, s.empty.since+f.lift.After)
		}
		if len(first) < limit || due < first[0] {
			all[i].IdleIn = due - now
		}
		switch {
		case s.empty.since == NoTime || len(s.batches) > 0:
		case len(first) < limit:
			heap.Push(&first, due)
		case due < first[0]:
			first[0] = due
			heap.Fix(&first, 0)
		}
	}
}

// soonest is a heap of times, the latest on top.
type soonest []int64

func (h soonest) Len() int           { return len(h) }
func (h soonest) Less(i, j int) bool { return h[i] > h[j] }
func (h soonest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *soonest) Push(x any)        { *h = append(*h, x.(int64)) }
func (h *soonest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = slices.Delete(*h, len(*h)-1, len(*h))
	return last
}
