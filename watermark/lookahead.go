package watermark

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Lookahead is the generator of Flow. What the rows of a split promise is Bound (microseconds) behind the newest one whose effects are completed; while a fetched batch waits, the
// promise goes up to the least time of the first one that does, but not beyond its newest less Bound. Candidates of rows do not count.
//
// A source of this kind emits at ticks alone. There a split that was lifted, for one of the reasons of Lifted, counts as a clock that is Bound behind; the least split counts, up to the wall
// clock. Such a source is never idle. Splits that end between two ticks count too; when all have ended that are known, the one that came furthest does.
//
// Flow counts in whole seconds, down from times and lengths, and so does this: every frontier is a whole second. Unlike Flow's, times before 1970 are times.
type Lookahead struct {
	Bound int64
	// InFlight says which of the rows in flight hold the frontier of their split, and LateData which splits hold that of the source.
	InFlight, LateData Percentile
	Outages            Outages
}

// DefaultBound is Flow's out_of_orderness_bound, in microseconds.
const DefaultBound int64 = 60_000_000

func (Lookahead) candidates() {}

// LooksAhead reports whether the candidates are Lookahead.
func (s Strategy) LooksAhead() bool {
	_, ok := s.Candidates.(Lookahead)
	return ok
}

func (l Lookahead) String() string {
	s := "lookahead, " + timefmt.Length(l.Bound) + " behind"
	if l.InFlight != All {
		s += ", in flight " + l.InFlight.String()
	}
	if l.LateData != All {
		s += ", splits " + l.LateData.String()
	}
	if l.Outages != (Outages{}) {
		s += ", " + l.Outages.String()
	}
	return s
}

const second int64 = 1_000_000

// wholeSeconds cuts a length, which is not negative.
func wholeSeconds(d int64) int64 { return d - d%second }

// atSecond is the second that an instant is in.
func atSecond(t int64) Frontier {
	if t < math.MinInt64+second {
		return Unset
	}
	return Frontier(timefmt.Floor(t, second))
}
