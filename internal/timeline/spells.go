package timeline

import (
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Spell is a stretch of time in which a split, or a source, took no part; To is 0 while it lasts.
type Spell struct {
	Status   watermark.Status // Idle or Stalled
	From, To int64
}

const (
	mostSpells = 64
	spellBytes = 24
)

// spells are the last spells, in their order.
type spells struct{ all []Spell }

// turn notes what a split does since a moment.
func (s *spells) turn(status watermark.Status, since int64) {
	last := (*Spell)(nil)
	if n := len(s.all); n > 0 && s.all[n-1].To == 0 {
		last = &s.all[n-1]
	}
	if last != nil {
		if last.Status == status {
			return
		}
		if last.To = max(since, last.From); last.To == last.From {
			s.all = s.all[:len(s.all)-1]
		}
	}
	if status != watermark.Idle && status != watermark.Stalled {
		return
	}
	if len(s.all) == mostSpells {
		s.all = slices.Delete(s.all, 0, 1)
	}
	s.all = append(s.all, Spell{Status: status, From: since})
}

func (s *spells) setBack(by int64) {
	for i := range s.all {
		x := &s.all[i]
		x.From -= by
		if x.To != 0 {
			x.To -= by
		}
	}
}
