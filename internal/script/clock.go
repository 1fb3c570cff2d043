package script

import "time"

// clock is the wall clock of a script, in microseconds. It starts at 0 and stands still between blocks.
type clock struct{ now int64 }

// Now implements runtime.Clock.
func (c *clock) Now() int64 { return c.now }

// At implements runtime.Clock. Nobody sleeps in a job that is stepped by hand.
func (c *clock) At(int64) (<-chan time.Time, func()) { return nil, func() {} }
