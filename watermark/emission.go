package watermark

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Emission says when a source sends the watermark it has. The set is closed: Periodic, OnEvent, Granular and AtEnd.
type Emission interface {
	String() string
	emission()
}

// The defaults of Periodic, in microseconds.
const (
	DefaultInterval int64 = 200_000
	DefaultEagerFor int64 = 200_000
)

// Periodic emits at every tick of the runtime's clock.
type Periodic struct {
	// Interval is the time between two calls of Core.Tick in microseconds; the runtime keeps it. Flink 2.3: 0 switches the
	// ticks off, and no watermark leaves before the end of the input.
	Interval int64
	// EagerFor, in microseconds: while less than this has passed since the first record that the source delivered, every row
	// that raises the watermark emits too. 0 never does.
	EagerFor int64
}

func (Periodic) emission() {}

func (p Periodic) String() string {
	s := "on-periodic, every " + timefmt.Length(p.Interval)
	if p.EagerFor > 0 {
		s += ", with every row for " + timefmt.Length(p.EagerFor)
	}
	return s
}

// OnEvent emits with the Gap-th, 2·Gap-th, ... row read from a split; every row counts, be it late, null or filtered away
// later. Gap is at least 1, which means every row.
type OnEvent struct {
	Gap int64
}

func (OnEvent) emission() {}

func (e OnEvent) String() string {
	if e.Gap == 1 {
		return "on-event"
	}
	return "on-event, gap " + strconv.FormatInt(e.Gap, 10)
}

// Granular emits with every row that takes the frontier to a further multiple of Step, in microseconds, a multiple of the tick. The frontier is the candidate itself, rounded down: unlike
// Flink's, a watermark of YDB does not include its own instant.
//
// YDB: WATERMARK_GRANULARITY.
type Granular struct {
	Step int64
}

func (Granular) emission() {}

func (g Granular) String() string { return "in steps of " + timefmt.Length(g.Step) }

// AtEnd emits nothing before the end of the input, so that no row is late and nothing is answered before all rows were read.
//
// Confluent Cloud: 'sql.snapshot.mode' = 'now'.
type AtEnd struct{}

func (AtEnd) emission() {}

func (AtEnd) String() string { return "at the end" }
