package supervisor

import "github.com/tidemark-sql/tidemark/internal/checkpoint"

// UsualBackoff tries again after a second, then after two, up to a minute; five minutes without trouble make it a new one.
func UsualBackoff() Backoff { return Backoff{First: 1_000_000, Max: 60_000_000, Calm: 300_000_000} }

// UsualCadence takes checkpoints every so many microseconds, leaves a tenth of that between two, and bears ten in a row that fail.
func UsualCadence(interval int64) checkpoint.Cadence {
	return checkpoint.Cadence{Interval: interval, Pause: interval / 10, Tolerated: 10}
}

// Backoff says how long to wait before another attempt, in microseconds: First, then twice as long each time, at most Max. An attempt that lasted Calm
// makes up for those before. The zero value makes no second attempt.
type Backoff struct {
	First, Max, Calm int64
	// Attempts is how many in a row may fail, 0 for any number.
	Attempts int

	failed int
	wait   int64
}

// next tells how long to wait after an attempt that lasted so long, and whether there is another at all.
func (b *Backoff) next(lasted int64) (wait int64, ok bool) {
	if b.First <= 0 {
		return 0, false
	}
	if lasted >= b.Calm {
		b.failed, b.wait = 0, 0
	}
	b.failed++
	if b.Attempts > 0 && b.failed > b.Attempts {
		return 0, false
	}
	b.wait = min(max(b.First, 2*b.wait), b.Max)
	return b.wait, true
}
