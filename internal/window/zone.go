package window

import (
	"math"
	"time"
)

// Zone converts between instants and local time for windows on TIMESTAMP_LTZ. A local time is the wall clock's reading, counted
// in microseconds as if it were UTC. A Zone remembers what it looked up last and belongs to one goroutine.
type Zone struct {
	loc *time.Location
	// recent are the spans used last, the newest first. Two, because rows out of order step back and forth over a transition.
	recent [2]span
}

// span is a stretch of instants with one offset, from from up to but without until.
type span struct {
	from, until int64
	offset      int64 // local time minus UTC, microseconds
}

const (
	always = math.MaxInt64
	never  = math.MinInt64
)

// NewZone is the zone of a location.
func NewZone(loc *time.Location) *Zone {
	z := &Zone{loc: loc}
	first := z.lookUp(0)
	z.recent = [2]span{first, first}
	return z
}

// ToLocal is what the wall clock reads at an instant.
func (z *Zone) ToLocal(utc int64) int64 {
	s := z.at(utc)
	return utc + s.offset
}

// Deadline is the least instant from which on the wall clock always reads localEnd or later: the moment at which no row can
// fall into a local window with that end any more. window_time is one tick less.
//
// It follows the real transitions of the zone. Where an hour repeats, it is in the second pass; where localEnd was skipped, it
// is the transition itself. Flink 2.3 assumes shifts of one hour and is late by up to an hour elsewhere; a named difference.
func (z *Zone) Deadline(localEnd int64) int64 {
	// No clock is more than a week off UTC, so nothing after this instant reads earlier than localEnd. From there walk back to
	// the last span in which an instant does.
	const week = 7 * day
	s := z.at(saturatingAdd(localEnd, week))
	for {
		reached := saturatingAdd(localEnd, -s.offset)
		if s.from < reached || s.from == never {
			return min(reached, s.until)
		}
		s = z.at(s.from - 1)
	}
}

func (z *Zone) at(utc int64) span {
	if r := &z.recent[0]; r.from <= utc && utc < r.until {
		return *r
	}
	z.recent[0], z.recent[1] = z.recent[1], z.recent[0]
	if r := &z.recent[0]; r.from <= utc && utc < r.until {
		return *r
	}
	z.recent[0] = z.lookUp(utc)
	return z.recent[0]
}

func (z *Zone) lookUp(utc int64) span {
	t := time.UnixMicro(utc).In(z.loc)
	_, seconds := t.Zone()
	s := span{from: never, until: always, offset: int64(seconds) * second}
	// A zero bound means that there is none; one beyond the range of microseconds wraps to the wrong side.
	start, end := t.ZoneBounds()
	if from := start.UnixMicro(); !start.IsZero() && from <= utc {
		s.from = from
	}
	if until := end.UnixMicro(); !end.IsZero() && until > utc {
		s.until = until
	}
	return s
}

func saturatingAdd(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}
