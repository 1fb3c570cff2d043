package advice

import "github.com/tidemark-sql/tidemark/watermark"

// Table is what is known of a table before its rows come. Lengths are microseconds.
type Table struct {
	// Name and Column are the table and its time column, as SQL writes them.
	Name, Column string
	// Watermark is the expression that the table has for that column now, empty if it has none.
	Watermark string
	// Delay is how far that is behind the column, NoDelay if it is no constant length.
	Delay int64
	// Default says that no WATERMARK clause declares it, and Declared that the table has a watermark, be it of another column.
	Default, Declared bool
	// Instant says that the column is an instant, which people are shown with a Z, and Bounded that the rows come to an end.
	Instant, Bounded bool
	// Strategy is how statements that read the table make its watermark.
	Strategy watermark.Strategy
	// Delays are lengths that somebody asked for, beside those that are looked at anyway.
	Delays []int64
}

// NoDelay is Table.Delay of a watermark that is not behind its column by a constant length.
const NoDelay int64 = -1

// asIf is the strategy of a core that is asked what would be.
func (t *Table) asIf() watermark.Strategy {
	s := t.Strategy
	if s.Candidates != nil {
		s = watermark.Strategy{Tick: s.Tick, MaxAhead: s.MaxAhead}
	}
	switch s.Emission.(type) {
	case watermark.Periodic, watermark.AtEnd, nil:
		s.Emission = watermark.OnEvent{Gap: 1}
	}
	s.Alignment = watermark.Alignment{}
	s.NullTime = watermark.SkipWatermark
	return s
}

// tick is the resolution of the time column.
func (t *Table) tick() int64 {
	if t.Strategy.Tick == 0 {
		return 1000
	}
	return t.Strategy.Tick
}

// flushes reports whether splits that turn idle raise their watermark without the delay.
func flushes(s watermark.Strategy) bool {
	switch i := s.Idleness.(type) {
	case watermark.Fixed:
		return i.Flush
	case watermark.Progressive:
		return i.Flush
	}
	return false
}

// unflushed is s without that.
func unflushed(s watermark.Strategy) watermark.Strategy {
	switch i := s.Idleness.(type) {
	case watermark.Fixed:
		i.Flush = false
		s.Idleness = i
	case watermark.Progressive:
		i.Flush = false
		s.Idleness = i
	}
	return s
}

// shifts reports whether a longer delay does nothing but put the watermark back by what it is longer, so that a core without delay tells what all others would do.
func shifts(s watermark.Strategy) bool {
	_, granular := s.Emission.(watermark.Granular)
	return !granular && !flushes(s) && s.LastRows == 0
}
