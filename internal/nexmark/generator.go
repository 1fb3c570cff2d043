package nexmark

import (
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Classic Nexmark: of every 50 events the first is a person, the next three are auctions, the rest are bids.
const (
	cycle            = 50
	auctionsPerCycle = 3
	bidsPerCycle     = cycle - 1 - auctionsPerCycle
)

// firstID is the id of the first person and of the first auction, as in classic Nexmark.
const firstID = 1000

// eventOf returns the number of the row-th event of a kind among the events of all kinds.
func eventOf(kind Kind, row int64) int64 {
	switch kind {
	case People:
		return row * cycle
	case Auctions:
		return row/auctionsPerCycle*cycle + 1 + row%auctionsPerCycle
	default:
		return row/bidsPerCycle*cycle + 1 + auctionsPerCycle + row%bidsPerCycle
	}
}

// peopleBy and auctionsBy return how many people have registered and auctions have opened before event or with it.
// The first auction finds one person, the first bid finds three auctions.
func peopleBy(event int64) int64 { return event/cycle + 1 }

func auctionsBy(event int64) int64 {
	return event/cycle*auctionsPerCycle + min(event%cycle, auctionsPerCycle)
}

// generator is the state from which the rows of one table come.
type generator struct {
	Config
	random
	stamper
	channels channels
}

func newGenerator(cfg Config) *generator {
	g := &generator{Config: cfg, stamper: newStamper(), channels: channels{seed: cfg.Seed}}
	// Each table draws from a sequence of its own: without that the first bid, auction and person would be alike.
	g.pcg.Seed(cfg.Seed, uint64(cfg.Table))
	return g
}

// eventMillis draws the event time of an event, in milliseconds since the epoch.
func (g *generator) eventMillis(event int64) int64 {
	arrival := timefmt.FloorDiv(g.Start+event/g.Rate*1_000_000+event%g.Rate*1_000_000/g.Rate, 1000)
	// Milliseconds are cut before the time is moved back: the other way round a row could fall exactly Jitter behind an
	// earlier one and be late.
	if jitter := g.Jitter.Milliseconds(); jitter > 0 {
		return arrival - g.below(jitter)
	}
	return arrival
}

// appendRow appends one row, without the line's end.
func (g *generator) appendRow(dst []byte, row int64) []byte {
	event := eventOf(g.Table, row)
	switch g.Table {
	case People:
		return g.appendPerson(dst, event)
	case Auctions:
		return g.appendAuction(dst, event)
	default:
		return g.appendBid(dst, event)
	}
}

const (
	chunkSize = 256 << 10
	// longestRow bounds the length of a line; an auction, the longest kind, stays below 700 bytes.
	longestRow = 1 << 10
)

// Write writes the rows that cfg asks for to w, one JSON object per line, in calls of up to 256 KB that hold whole
// lines. It fails if cfg is not valid or w fails; what reached w before that stays there.
func Write(w io.Writer, cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("nexmark: %w", err)
	}
	cfg = cfg.withDefaults()
	g := newGenerator(cfg)
	chunk := make([]byte, 0, chunkSize)
	for row := range cfg.Rows {
		if cap(chunk)-len(chunk) < longestRow {
			if _, err := w.Write(chunk); err != nil {
				return fmt.Errorf("write nexmark %v: %w", cfg.Table, err)
			}
			chunk = chunk[:0]
		}
		chunk = append(g.appendRow(chunk, row), '\n')
	}
	if len(chunk) == 0 {
		return nil
	}
	if _, err := w.Write(chunk); err != nil {
		return fmt.Errorf("write nexmark %v: %w", cfg.Table, err)
	}
	return nil
}
