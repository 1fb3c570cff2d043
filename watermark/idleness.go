package watermark

import "github.com/tidemark-sql/tidemark/internal/timefmt"

// Idleness says when a silent split stops holding back its source. The set is closed: Never, Fixed, Progressive, Stepped and, for Lookahead, Lift.
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

// Progressive is Fixed with a timeout that grows with the age of the core: a young statement is not to wait for splits that have nothing, an old one not to lose rows of those that
// pause. The timeout of a silence is that of the age at which it began, on the split's idle clock: otherwise it would run away from the silence.
//
// Confluent Cloud: from 10 seconds to 5 minutes, linear in the time since the last start, whatever the reason of it. The slope is not documented; ProgressiveSlope is ours.
type Progressive struct {
	// From is the timeout at the start and To the longest, in microseconds, 0 < From <= To.
	From, To int64
	Flush    bool
}

// The timeouts of Confluent Cloud in microseconds, and how much older a core has to be for a timeout that is longer by 1.
const (
	ProgressiveFrom  int64 = 10_000_000
	ProgressiveTo    int64 = 300_000_000
	ProgressiveSlope int64 = 10
)

func (Progressive) idleness() {}

func (p Progressive) String() string {
	s := "progressive, " + timefmt.Length(p.From) + " to " + timefmt.Length(p.To)
	if p.Flush {
		s += ", flush"
	}
	return s
}

func (f Fixed) String() string {
	if f.Flush {
		return timefmt.Length(f.Timeout) + ", flush"
	}
	return timefmt.Length(f.Timeout)
}

// Stepped makes a split idle once the step of the clock has come that begins Timeout or more behind the step of its last row; both are in microseconds. When all splits are idle the
// frontier stays where it is.
//
// YDB: WATERMARK_IDLE_TIMEOUT on the grid of WATERMARK_GRANULARITY, which makes the silence up to a step longer.
type Stepped struct {
	Timeout, Step int64
}

func (Stepped) idleness() {}

func (s Stepped) String() string {
	return timefmt.Length(s.Timeout) + " in steps of " + timefmt.Length(s.Step)
}
