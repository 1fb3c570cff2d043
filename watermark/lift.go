package watermark

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Lift lets go of silent splits, but not of too many. A split that has nothing in flight and was confirmed to be empty for After (microseconds) or longer is lifted as of the last
// confirmation; of n splits at most Ratio·n, rounded down, the first by number. The rest hold: if a producer breaks and nothing is written anywhere, the watermark has to wait for it.
//
// It belongs to Lookahead. Flow: idle_partitions, where the ones that are lifted are in no order, and where one that was never looked at counts as empty at once; here that one is not empty.
type Lift struct {
	After int64
	Ratio float64
}

// Flow's duration, in microseconds, and its max_ratio: enough for one of three data centres and some slack.
const (
	DefaultLiftAfter int64   = 60_000_000
	DefaultLiftRatio float64 = 0.4
)

func (Lift) idleness() {}

func (l Lift) String() string {
	return timefmt.Length(l.After) + ", up to " + strconv.FormatFloat(l.Ratio, 'g', -1, 64) + " of the splits"
}

// limit is how many of n splits may be lifted.
func (l Lift) limit(n int) int { return int(math.Floor(l.Ratio * float64(n))) }

// Lifted says why a split counts as a clock.
type Lifted uint8

const (
	// NotLifted splits count with what they promise.
	NotLifted Lifted = iota
	// LiftedForOutage is for those of a group that is out of reach; see Outages.
	LiftedForOutage
	// LiftedEmpty is for those that have nothing; see Lift.
	LiftedEmpty
	// LiftedLate is for those that are far behind the others; see Lookahead.LateData.
	LiftedLate
)

func (l Lifted) String() string {
	switch l {
	case NotLifted:
		return "not lifted"
	case LiftedForOutage:
		return "lifted for an outage"
	case LiftedEmpty:
		return "lifted, empty"
	case LiftedLate:
		return "lifted, late data"
	}
	return fmt.Sprintf("Lifted(%d)", uint8(l))
}

// Stall is a source that stands still because more splits are empty than may be let go. The zero value is none. Flow: idle_partitions_watermark_stall, which is not raised when all are empty.
type Stall struct {
	// Empty splits there are, of Total; Gating of them hold.
	Empty, Total, Gating int
	Ratio                float64
}

// emptiness is the time in which a split was confirmed to have nothing to read.
type emptiness struct{ since, until int64 }

// noEmptiness is that of a split that was read, or that nobody has looked at.
var noEmptiness = emptiness{NoTime, NoTime}

func (e *emptiness) confirm(at int64) {
	if e.since == NoTime {
		e.since = at
	}
	e.until = max(e.until, at)
}

func (e *emptiness) lasts(after int64) bool { return e.since != NoTime && e.until-e.since >= after }
