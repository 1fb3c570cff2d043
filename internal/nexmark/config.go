package nexmark

import (
	"errors"
	"fmt"
	"time"
)

// Kind is one of the three kinds of Nexmark event.
type Kind uint8

// The kinds of event. Bids, by far the most frequent, are the zero value.
const (
	Bids Kind = iota
	Auctions
	People
)

var kindNames = [...]string{Bids: "bids", Auctions: "auctions", People: "people"}

// String returns the kind's name as ParseKind takes it.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

// ParseKind returns the kind called name: bids, auctions or people.
func ParseKind(name string) (Kind, error) {
	for kind, known := range kindNames {
		if name == known {
			return Kind(kind), nil
		}
	}
	return 0, fmt.Errorf("unknown kind of nexmark event %q: expected bids, auctions or people", name)
}

// InOrder as Config.Jitter makes rows arrive in the order of their event times.
const InOrder time.Duration = -1

// The values that stand for zero fields of a Config.
const (
	DefaultKeys   = 1000
	DefaultRate   = 10_000
	DefaultJitter = 2 * time.Second
	// DefaultStart is 2026-01-01T00:00:00Z.
	DefaultStart = 1_767_225_600_000_000
)

// Config says what to generate. Its zero value is valid and asks for no rows.
type Config struct {
	// Rows is the number of rows to write, at most 10^12.
	Rows int64
	// Seed picks one of 2^64 sequences of events.
	Seed uint64
	// Table is the kind of event to write.
	Table Kind
	// Keys is the number of distinct bidders, at most 10^12; 0 means DefaultKeys. A bidder is a person's id, so a file
	// of Keys people holds every bidder.
	Keys int64
	// Rate is the number of events of all three kinds per second of event time, at most 10^9; 0 means DefaultRate.
	// 46 of 50 events are bids, 3 are auctions, 1 is a person.
	Rate int64
	// Jitter bounds the disorder: rows arrive evenly spaced, and each row's event time is moved back from its arrival
	// by a uniform amount in [0, Jitter), so that under a watermark delayed by Jitter no row is late. It counts in whole
	// milliseconds. 0 means DefaultJitter; InOrder, or any negative value, means none.
	Jitter time.Duration
	// Start is the arrival of event 0 in microseconds since the epoch; 0 means DefaultStart. Times are written with
	// milliseconds; what is finer is cut off.
	Start int64
}

// withDefaults returns c with the default in place of every zero field.
func (c Config) withDefaults() Config {
	if c.Keys == 0 {
		c.Keys = DefaultKeys
	}
	if c.Rate == 0 {
		c.Rate = DefaultRate
	}
	switch {
	case c.Jitter == 0:
		c.Jitter = DefaultJitter
	case c.Jitter < 0:
		c.Jitter = 0
	}
	if c.Start == 0 {
		c.Start = DefaultStart
	}
	return c
}

const (
	maxRows = 1_000_000_000_000
	maxRate = 1_000_000_000
)

// Event times are written with a year of four digits: from 0001-01-01 up to, not including, 10000-01-01.
const (
	firstMicro = -62_135_596_800_000_000
	endMicro   = 253_402_300_800_000_000
)

// Validate reports every field that Write would refuse.
func (c Config) Validate() error {
	var wrong []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	c = c.withDefaults()
	check(0 <= c.Rows && c.Rows <= maxRows, "rows must be between 0 and %d, not %d", int64(maxRows), c.Rows)
	check(int(c.Table) < len(kindNames), "table must be bids, auctions or people, not %v", c.Table)
	check(1 <= c.Keys && c.Keys <= maxRows, "keys must be between 1 and %d, not %d", int64(maxRows), c.Keys)
	check(1 <= c.Rate && c.Rate <= maxRate, "rate must be between 1 and %d events per second, not %d", maxRate, c.Rate)
	check(firstMicro <= c.Start && c.Start < endMicro,
		"start must lie in the years 1 to 9999, %d microseconds since the epoch does not", c.Start)
	if len(wrong) == 0 {
		first := c.Start - c.Jitter.Microseconds()
		check(firstMicro <= first, "a jitter of %v reaches before the year 1", c.Jitter)
		check(c.lastMicro() < endMicro, "%d rows at %d events per second reach beyond the year 9999", c.Rows, c.Rate)
	}
	return errors.Join(wrong...)
}

// lastMicro returns a bound on the times that rows of c carry, in microseconds since the epoch, or endMicro if they
// reach beyond it. The span is judged in seconds first: in microseconds the longest one would overflow.
func (c Config) lastMicro() int64 {
	seconds := eventOf(c.Table, c.Rows)/c.Rate + 1
	if seconds > (endMicro-firstMicro)/1_000_000 {
		return endMicro
	}
	return c.Start + seconds*1_000_000 + longestAuction(c.Rate)*1000
}
