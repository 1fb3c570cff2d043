package watermark

import "github.com/tidemark-sql/tidemark/internal/heap"

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
	var first []int64 // a heap of when those that are let go before a split are, the last of them on top; at most limit
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
		if s.empty.since == NoTime || len(s.batches) > 0 {
			continue
		}
		if first = heap.Push(first, due, later); len(first) > limit {
			_, first = heap.Pop(first, later)
		}
	}
}

func later(a, b int64) bool { return a > b }
