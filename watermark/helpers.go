package watermark

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// BoundedOutOfOrderness is for rows that are up to d behind the newest of their split: no later row is before the newest less d. It is counted in whole microseconds, and not negative.
//
// Flink 2.3: forBoundedOutOfOrderness, which takes off one millisecond more than `ts - INTERVAL` does in SQL. So a row of exactly the newest less d is on time here, and late there.
func BoundedOutOfOrderness(d time.Duration) Strategy {
	bound := d.Microseconds()
	c := Code{Name: "bounded out-of-orderness, " + timefmt.Length(bound), New: func() Generator { return &bounded{bound: bound, newest: Unset} }}
	if d < 0 {
		c.wrong = "rows cannot be less than 0 out of order"
	}
	return Strategy{Candidates: c}
}

// Monotonous is for rows whose times never fall within a split.
//
// Flink 2.3: forMonotonousTimestamps. A row of the same time as the newest is on time.
func Monotonous() Strategy {
	return FromGenerator("monotonous", func() Generator { return &bounded{newest: Unset} })
}

// FromGenerator has the watermarks made in code; EXPLAIN shows the name. The function is called for every split.
//
// Flink 2.3: forGenerator.
func FromGenerator(name string, new func() Generator) Strategy {
	return Strategy{Candidates: Code{Name: name, New: new}}
}

// WithIdleness is s with splits left out that have been silent for so long; 0 never leaves one out. The frontier of such a split stays where it is.
//
// Flink 2.3: withIdleness, where 0 is an error.
func (s Strategy) WithIdleness(timeout time.Duration) Strategy {
	s.Idleness = Fixed{Timeout: timeout.Microseconds()}
	if timeout == 0 {
		s.Idleness = Never{}
	}
	return s
}

// WithAlignment is s with the splits of all sources of a group kept together, as Alignment has it. Here the limit follows at once, so the interval says only one thing: 0 is no alignment.
//
// Flink 2.3: withWatermarkAlignment.
func (s Strategy) WithAlignment(group string, drift, interval time.Duration) Strategy {
	s.Alignment = Alignment{Group: group, Drift: drift.Microseconds()}
	if interval == 0 {
		s.Alignment = Alignment{}
	}
	return s
}

// bounded is the generator of BoundedOutOfOrderness.
type bounded struct {
	bound  int64
	newest Frontier // as a time
}

// OnEvent implements Generator.
func (b *bounded) OnEvent(e Event, _ Output) { b.newest = max(b.newest, Frontier(e.Time)) }

// OnPeriodic implements Generator.
func (b *bounded) OnPeriodic(out Output) {
	if b.newest != Unset {
		out.Emit(min(b.newest, Final-1).Sub(b.bound))
	}
}
