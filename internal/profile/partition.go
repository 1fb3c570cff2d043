package profile

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/why"
	"github.com/tidemark-sql/tidemark/watermark"
)

// partitions are the splits of a source.
func (v *view) partitions(source int) []api.Partition {
	s := &v.look.Stats.Sources[source]
	w := s.Watermark
	state := v.states[v.names[source]]
	holding := state == why.Held || state == why.Moving || state == why.Awaited
	all := []api.Partition{}
	for k := range w.Splits {
		if k >= len(s.Splits) {
			break // it is so new that its name is not there yet
		}
		x := &w.Splits[k]
		p := api.Partition{Split: s.Splits[k], State: stateOf(x.Status), Since: millis(x.Since), Rows: x.Read - x.ReadBefore, Late: x.Late - x.LateBefore, Behind: behind(s.Backlogs[k])}
		if s.Watermarked {
			p.Mark = v.mark(x.Frontier, s.Instant)
			_, holds := slices.BinarySearch(w.Holders, k)
			p.Holds = holding && holds
		}
		if x.MaxTime != watermark.NoTime {
			p.LastRow = new(millis(x.MaxTime))
		}
		if was := v.splitBefore(source, k); was != nil {
			p.Active, p.Blocked, p.Idle = parts(spellsOf(x, w.At, v.look.At).minus(*was))
		}
		all = append(all, p)
	}
	return all
}

// stateOf is what the page calls what a split does. Confluent Cloud calls one blocked that is not read.
func stateOf(s watermark.Status) string {
	switch s {
	case watermark.Stalled:
		return "blocked"
	case watermark.Finished:
		return "ended"
	}
	return s.String()
}

// spells are how long a split has been active, blocked and idle, in microseconds.
type spells [3]int64

// spellsOf are those of a split up to now; what was known of it was so at a moment before.
func spellsOf(x *watermark.SplitSnapshot, at, now int64) spells {
	s := spells{x.ActiveFor, x.StalledFor, x.IdleFor}
	if x.Status < watermark.Finished {
		s[x.Status] += max(0, now-at) // what it was doing then it does still, or there would be a newer word
	}
	return s
}

// minus is how much longer s is than t. What t had of a moment may have turned out to be shorter.
func (s spells) minus(t spells) (longer spells) {
	for i := range s {
		longer[i] = max(0, s[i]-t[i])
	}
	return longer
}

// parts are parts of 100 of the time that spells are together; nil if that is none.
func parts(s spells) (active, blocked, idle *float64) {
	all := s[0] + s[1] + s[2]
	if all == 0 {
		return nil, nil, nil
	}
	part := func(micros int64) *float64 { return new(float64(micros) * 100 / float64(all)) }
	return part(s[0]), part(s[1]), part(s[2])
}

// splitBefore are the spells of a split in the earlier look, nil if it was not there.
func (v *view) splitBefore(source, k int) *spells {
	was := v.sourceBefore(source)
	if was == nil || was.Watermark == nil || k >= len(was.Splits) || k >= len(was.Watermark.Splits) || was.Splits[k] != v.look.Stats.Sources[source].Splits[k] {
		return nil
	}
	return new(spellsOf(&was.Watermark.Splits[k], was.Watermark.At, v.before.At))
}
