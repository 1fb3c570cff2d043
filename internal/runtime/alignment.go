package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/watermark"
)

// alignment pauses the splits of a group that are too far ahead of the others; see watermark.Alignment. It is used in turn.
//
// A read looks at the split that was read, at the one that is furthest behind and at the nearest of those that wait, however many splits there are. All of them are looked at with a tick,
// when one of them may have gone ahead without being read, as a flush has it, and when the least frontier has fallen.
type alignment struct {
	sources []*source
	least   watermark.Frontier // no split of the group is behind it; Final if none has a frontier
	// within is a frontier that no split is too far ahead of, apart from those that are paused and the one that is being read.
	within  watermark.Frontier
	behind  []standing // a heap of the splits that have a frontier and are active, and of some that were
	looks   bool       // a source looks ahead, and what it has published is not what was read last
	paused  int
	resumed func() // tells the sequencer that there may be something to read
}

// standing is a split in a heap, with a frontier that it has or had.
type standing struct {
	frontier watermark.Frontier
	source   *source
	split    *split
}

func (a standing) before(b standing) bool {
	if a.frontier != b.frontier {
		return a.frontier < b.frontier
	}
	return a.split.index < b.split.index
}

// align joins the sources that are aligned with each other. A replay needs none of it: it reads the split that is furthest behind.
func (j *Job) align() {
	groups := map[string]*alignment{}
	for _, s := range j.sources {
		by := s.spec.Strategy.Alignment
		if j.sequencer.replay || !s.spec.Watermarked || by.Drift == 0 {
			continue
		}
		g := groups[by.Group]
		if g == nil {
			g = &alignment{least: watermark.Final, within: watermark.Final, resumed: func() {
				select {
				case j.arrived <- struct{}{}:
				default:
				}
			}}
			groups[by.Group] = g
		}
		g.sources = append(g.sources, s)
		s.aligned = g
		for _, x := range s.splits {
			if !x.done {
				g.join(s, x)
			}
		}
		if s.looks {
			g.looks, g.least = true, watermark.Unset
		}
	}
	// After a restart there are frontiers already.
	now := j.clock.Now()
	for _, g := range groups {
		g.renew(now)
	}
}

// join takes in a split, which may have been read before a restart.
func (a *alignment) join(s *source, x *split) {
	x.member = true
	s.members = append(s.members, x)
	a.rank(s, x)
}

// rank puts a split into the heap that has a frontier and is not in it, or too far back: where a dimension divides its rows its frontier can fall.
func (a *alignment) rank(s *source, x *split) {
	if f, counts := s.core.Stands(x.number); counts && (!x.ranked || f < x.rankedAt) {
		x.ranked, x.rankedAt = true, f
		a.behind = heap.Push(a.behind, standing{f, s, x}, standing.before)
	}
}

// read looks at a split that has just been read. It may be the one that others wait for, or too far ahead as the group was last.
func (a *alignment) read(s *source, x *split, now int64) {
	a.rank(s, x)
	if x.paused.Load() {
		a.wait(s, x) // its frontier may have fallen
	}
	f := s.core.SplitFrontier(x.number)
	if a.looks {
		if a.paused > 0 || f > a.limit(s) {
			a.renew(now)
		}
		return
	}
	falls := f != watermark.Unset && f < a.least // others may be too far ahead of it
	if f != watermark.Unset {
		a.least = min(a.least, f)
	}
	if !falls && a.paused == 0 && f <= a.limit(s) {
		return
	}
	a.least = a.furthestBehind()
	if a.least < a.within {
		a.renew(now)
		return
	}
	a.within = a.least
	if f > a.limit(s) {
		a.pause(s, x, now)
	}
	a.resume(now)
}

// limit is the highest frontier with which splits of s are read on.
func (a *alignment) limit(s *source) watermark.Frontier {
	return a.least.Add(s.spec.Strategy.Alignment.Drift)
}

// furthestBehind is the least frontier of the splits that are active and have one, Final if there are none.
func (a *alignment) furthestBehind() watermark.Frontier {
	least := a.leastRanked()
	for _, s := range a.sources {
		if f, ok := s.core.Looks(); ok {
			least = min(least, f)
		}
	}
	return least
}

// leastRanked is furthestBehind without the sources that look ahead.
func (a *alignment) leastRanked() watermark.Frontier {
	for len(a.behind) > 0 {
		top := a.behind[0]
		f, counts := watermark.Final, false
		if top.split.member {
			f, counts = top.source.core.Stands(top.split.number)
		}
		if counts && f == top.frontier {
			return f
		}
		_, a.behind = heap.Pop(a.behind, standing.before)
		if top.frontier != top.split.rankedAt {
			continue // it has a place further in front
		}
		top.split.ranked = false
		if counts {
			a.rank(top.source, top.split)
		}
	}
	return watermark.Final
}

// renew pauses and resumes as the frontiers of the group are now.
func (a *alignment) renew(now int64) {
	a.least = a.furthestBehind()
	a.within = a.least
	for _, s := range a.sources {
		limit := a.limit(s)
		for _, x := range s.members {
			if s.core.SplitFrontier(x.number) > limit {
				a.pause(s, x, now)
			}
		}
	}
	a.resume(now)
}

func (a *alignment) pause(s *source, x *split, now int64) {
	if x.paused.Load() {
		return
	}
	a.paused++
	a.wait(s, x)
	s.core.Stall(x.number, now)
	s.turned(x, watermark.Stalled, now)
	x.paused.Store(true)
	x.unread(1)
}

// wait puts a split that is paused into the heap of those that wait, perhaps once more.
func (a *alignment) wait(s *source, x *split) {
	s.waiting = heap.Push(s.waiting, standing{s.core.SplitFrontier(x.number), s, x}, standing.before)
}

// resume lets the splits go on that others have come near to.
func (a *alignment) resume(now int64) {
	before := a.paused
	for _, s := range a.sources {
		limit := a.limit(s)
		for len(s.waiting) > 0 && s.waiting[0].frontier <= limit {
			top := s.waiting[0]
			_, s.waiting = heap.Pop(s.waiting, standing.before)
			if !top.split.member || !top.split.paused.Load() {
				continue
			}
			// What was on its way when it was paused has been read since.
			if s.core.SplitFrontier(top.split.number) > limit {
				a.wait(s, top.split)
				continue
			}
			a.release(s, top.split, now)
		}
	}
	if a.paused < before {
		a.resumed()
	}
}

func (a *alignment) release(s *source, x *split, now int64) {
	a.paused--
	s.core.Unstall(x.number, now)
	s.turned(x, watermark.Active, now)
	x.unread(-1)
	x.paused.Store(false)
}

// leave takes out a split that has come to its end.
func (a *alignment) leave(s *source, x *split, now int64) {
	if x.paused.Load() {
		a.paused--
		x.paused.Store(false)
	}
	x.member = false
	for i, m := range s.members {
		if m == x {
			s.members = append(s.members[:i], s.members[i+1:]...)
			break
		}
	}
	a.renew(now)
}
