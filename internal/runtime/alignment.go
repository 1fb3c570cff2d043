package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// alignment pauses the splits of a group that are too far ahead of the others; see watermark.Alignment. It is used in turn.
type alignment struct {
	sources []*source
	least   watermark.Frontier // no split of the group is behind it; Final if none has a frontier
	paused  int
	resumed func() // tells the sequencer that there may be something to read
}

// align joins the sources that are aligned with each other, where they were restored to. A replay needs none of it: it reads the split that is furthest behind.
func (j *Job) align(now int64) {
	groups := map[string]*alignment{}
	for _, s := range j.sources {
		by := s.spec.Strategy.Alignment
		if j.sequencer.replay || !s.spec.Watermarked || by.Drift == 0 {
			continue
		}
		g := groups[by.Group]
		if g == nil {
			g = &alignment{least: watermark.Final, resumed: func() {
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
				s.members = append(s.members, x)
			}
		}
	}
	for _, s := range j.sources {
		if g := s.aligned; g != nil && g.sources[0] == s {
			g.renew(now)
		}
	}
}

// read looks at a split that has just been read. It may be the one that others wait for, or too far ahead as the group was last.
func (a *alignment) read(s *source, x *split, now int64) {
	f := s.core.SplitFrontier(x.number)
	falls := f != watermark.Unset && f < a.least // others may be too far ahead of it
	if falls || a.paused > 0 || f > a.limit(s) {
		a.renew(now)
	}
}

// limit is the highest frontier with which splits of s are read on.
func (a *alignment) limit(s *source) watermark.Frontier {
	return a.least.Add(s.spec.Strategy.Alignment.Drift)
}

// renew pauses and resumes as the frontiers of the group are now.
func (a *alignment) renew(now int64) {
	a.least = watermark.Final
	for _, s := range a.sources {
		if f, ok := s.core.Behind(); ok {
			a.least = min(a.least, f)
		}
	}
	before := a.paused
	for _, s := range a.sources {
		limit := a.limit(s)
		for _, x := range s.members {
			switch ahead := s.core.SplitFrontier(x.number) > limit; {
			case ahead:
				a.pause(s, x, now)
			case x.paused.Load():
				a.resume(s, x, now)
			}
		}
	}
	if a.paused < before {
		a.resumed()
	}
}

func (a *alignment) pause(s *source, x *split, now int64) {
	if x.paused.Load() {
		return
	}
	a.paused++
	s.core.Stall(x.number, now)
	x.paused.Store(true)
	if p, ok := x.Split.(connector.Pausing); ok {
		p.Pause(true)
	}
}

func (a *alignment) resume(s *source, x *split, now int64) {
	a.paused--
	s.core.Unstall(x.number, now)
	if p, ok := x.Split.(connector.Pausing); ok {
		p.Pause(false)
	}
	x.paused.Store(false)
}

// leave takes out a split that has come to its end.
func (a *alignment) leave(s *source, x *split, now int64) {
	if x.paused.Load() {
		a.paused--
		x.paused.Store(false)
	}
	for i, m := range s.members {
		if m == x {
			s.members = append(s.members[:i], s.members[i+1:]...)
			break
		}
	}
	a.renew(now)
}
