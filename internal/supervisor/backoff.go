package supervisor

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
