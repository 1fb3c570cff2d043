package watermark

import "github.com/tidemark-sql/tidemark/internal/timefmt"

// Idleness says when a silent split stops holding back its source. The set is closed: Never and Fixed.
type Idleness interface {
	String() string
	idleness()
}

// Never leaves silent splits in the minimum for ever.
type Never struct{}

func (Never) idleness() {}

func (Never) String() string { return "0" }

// Fixed makes a split idle at the first tick at which its silence has lasted for Timeout (microseconds, positive) on the
// split's idle clock, which stands still while the split cannot deliver.
//
// Flink 2.3 starts its countdown at the first silent tick and compares strictly, so it marks the same split up to three
// ticks later; a named difference.
type Fixed struct {
	Timeout int64
	// Flush raises the frontier of a split that turns idle to its newest event time, without the watermark's delay.
	Flush bool
}

func (Fixed) idleness() {}

func (f Fixed) String() string {
	if f.Flush {
		return timefmt.Length(f.Timeout) + ", flush"
	}
	return timefmt.Length(f.Timeout)
}
