package function

import (
	"math"
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// localClock converts between instants and the wall clock of one zone. It remembers the period between two changes of the zone's offset, in which neighbouring
// rows mostly lie. A kernel makes one per call.
type localClock struct {
	zone         *time.Location
	offset       int64 // microseconds east of Greenwich
	begin, until int64 // the instants for which offset holds
}

func newLocalClock(zone *time.Location) localClock { return localClock{zone: zone} }

// local is what a clock on the wall shows at instant.
func (c *localClock) local(instant int64) int64 { return instant + c.offsetAt(instant) }

func (c *localClock) offsetAt(instant int64) int64 {
	if instant < c.begin || instant >= c.until {
		c.load(instant)
	}
	return c.offset
}

func (c *localClock) load(instant int64) {
	t := time.UnixMicro(instant).In(c.zone)
	_, seconds := t.Zone()
	begin, end := t.ZoneBounds()
	c.offset = int64(seconds) * timefmt.Second
	c.begin, c.until = math.MinInt64, math.MaxInt64
	if !begin.IsZero() {
		c.begin = begin.UnixMicro()
	}
	if !end.IsZero() {
		c.until = end.UnixMicro()
	}
}

// instant is when the wall clock shows local. Flink 2.3, as java.time: what a spring gap leaves out lies behind it by the length of the gap, what an autumn
// overlap repeats is the first time.
func (c *localClock) instant(local int64) int64 {
	before := c.offsetAt(addSaturating(local, -timefmt.Day))
	first := addSaturating(local, -before)
	if c.offsetAt(first) == before {
		return first
	}
	after := c.offsetAt(addSaturating(local, timefmt.Day))
	second := addSaturating(local, -after)
	if c.offsetAt(second) == after {
		return second
	}
	return first
}
