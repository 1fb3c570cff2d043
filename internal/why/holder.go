package why

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Doing is what a split does.
type Doing string

// What splits do.
const (
	Reading     Doing = "reading"     // it has rows
	Empty       Doing = "empty"       // it never had one
	Timeless    Doing = "timeless"    // it has rows, and none of them moved its watermark
	Silent      Doing = "silent"      // it had rows, and has none now
	Paused      Doing = "paused"      // it is too far ahead of others, so it is not read
	Stalled     Doing = "stalled"     // what it has cannot be taken: what is behind it is slower
	Unreachable Doing = "unreachable" // reads of it fail
	InFlight    Doing = "in flight"   // what was read of it is not completed yet
	Upstream    Doing = "upstream"    // it waits for the watermark of who writes it
)

// breath is how long a split may have no row without being called silent: a reader fetches several times in it.
const breath = 2_000_000

// holder tells of split i; one beyond limit is too far ahead to be read.
func holder(stats *runtime.SourceStats, i int, limit watermark.Frontier, now int64) Holder {
	p := &stats.Watermark.Splits[i]
	h := Holder{Frontier: p.Frontier, LastTime: p.MaxTime, Read: p.Read, IdleIn: p.IdleIn, Upstream: p.Upstream, Value: p.Least, Since: p.Since}
	if i < len(stats.Splits) {
		h.Split = stats.Splits[i]
	}
	_, handed := stats.Strategy.Candidates.(watermark.HandedOver)
	quiet := now - p.Silent
	switch l := p.Lookahead; {
	case l != nil && l.Unreachable:
		h.Doing, h.Since = Unreachable, quiet
	case p.Status == watermark.Stalled && p.Frontier > limit:
		h.Doing = Paused
	case l != nil && l.InFlight > 0 && l.Fetched > l.Completed:
		h.Doing = InFlight
	case l != nil && l.Held:
		h.Doing = Paused
	case p.Status == watermark.Stalled:
		h.Doing = Stalled
	case handed:
		h.Doing = Upstream
	case p.Read == 0:
		h.Doing, h.Since = Empty, quiet
	case p.Silent >= breath:
		h.Doing, h.Since = Silent, quiet
	case p.Frontier == watermark.Unset:
		h.Doing = Timeless
	default:
		h.Doing = Reading
	}
	return h
}

// aligned is how far a split may be by the alignment of its source: a drift ahead of the least. Splits of other sources of the group are not known here, so that a split that cannot be read and
// is the least of its own source is said to be stalled.
func aligned(stats *runtime.SourceStats) watermark.Frontier {
	drift := stats.Strategy.Alignment.Drift
	if drift == 0 {
		return watermark.Final
	}
	least := watermark.Final
	for i := range stats.Watermark.Splits {
		if x := &stats.Watermark.Splits[i]; x.Status <= watermark.Stalled && x.Frontier != watermark.Unset {
			least = min(least, x.Frontier)
		}
	}
	return least.Add(drift)
}

// order puts those first that do not move, then those that have held for longest.
func order(all []Holder) {
	slices.SortStableFunc(all, func(a, b Holder) int {
		if x, y := a.Doing == Reading, b.Doing == Reading; x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Since, b.Since)
	})
}
