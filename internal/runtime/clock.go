package runtime

import "time"

// Clock tells wall time in microseconds since the epoch and wakes sleepers.
type Clock interface {
	Now() int64
	// At returns a channel that receives once at time t, and a function that gives the timer up.
	At(t int64) (<-chan time.Time, func())
}

// Steady is a Clock that also measures: Elapsed is microseconds since some moment, and nobody sets it.
type Steady interface {
	Clock
	Elapsed() int64
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

var begun = time.Now()

// Elapsed implements Steady.
func (WallClock) Elapsed() int64 { return time.Since(begun).Microseconds() }

// elapsed is what c measures with: the time that it shows, unless it is steady.
func elapsed(c Clock) func() int64 {
	if s, ok := c.(Steady); ok {
		return s.Elapsed
	}
	return c.Now
}
