package runtime

import "time"

// Clock tells wall time in microseconds since the epoch and wakes sleepers.
type Clock interface {
	Now() int64
	// At returns a channel that receives once at time t, and a function that gives the timer up.
	At(t int64) (<-chan time.Time, func())
}

// WallClock is the machine's clock.
type WallClock struct{}

// Now implements Clock.
func (WallClock) Now() int64 { return time.Now().UnixMicro() }

// At implements Clock.
func (WallClock) At(t int64) (<-chan time.Time, func()) {
	timer := time.NewTimer(time.Until(time.UnixMicro(t)))
	return timer.C, func() { timer.Stop() }
}
