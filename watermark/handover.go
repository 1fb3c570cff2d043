package watermark

// HandedOver is of a source whose rows are written by pipelines that say how far event time has come. Candidates of rows do not count, and no split falls idle by
// itself: what holds is what Core.HandOver tells of a split, and it is emitted at once.
//
// Flow plans such a protocol. There a frontier goes with the rows of every partition; here it holds behind offsets.
type HandedOver struct{}

func (HandedOver) candidates() {}

func (HandedOver) String() string { return "handed over" }

// Handover is what those who write the rows of a split promise of the ones not yet read.
type Handover struct {
	// Frontier is the least of theirs.
	Frontier Frontier
	// Active is false while all of them are idle or have come to the end of their input: then nobody need wait for the split.
	Active bool
	// Writer names the one whose frontier it is, for people; empty if there is none.
	Writer string
}

// HandOver tells what holds for the rows of split i that were not read yet. A frontier below the one that the split has is passed over. It may raise the frontier of the source or change its status at once, so read
// Frontier and Active afterwards.
func (c *Core) HandOver(i int, h Handover, now int64) {
	if !c.handed {
		panic("watermark: handed over to a source that makes its own")
	}
	s := c.unfinished(i)
	if f := h.Frontier; f != Unset && f != Final {
		s.frontier = max(s.frontier, FromInclusive(int64(f)-c.tick, c.tick))
	}
	c.upstream[i] = h.Writer
	switch {
	case h.Active && s.status == Idle:
		c.wake(i, now)
	case !h.Active && s.status != Idle:
		c.logs[i].turn(s, now, Idle)
		c.tree.set(i, Final)
		c.idle++
	}
	c.combine()
}

// handed reads rows whose candidates do not count.
func (r *run) handed(times []int64) {
	bound := int64(max(r.core.emitted, nullBound))
	newest := r.split.maxTime
	for k, t := range times {
		if t < bound {
			if t == NoTime {
				r.null(k)
				continue
			}
			r.late(k, t)
		}
		newest = max(newest, t)
	}
	r.split.maxTime = newest
	r.advance(len(times))
}
