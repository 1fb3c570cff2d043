package watermark

// MaxAhead is how far the time of a row may be ahead of the clock, in microseconds, for the row to move the frontier; 0 is no bound. A row from further ahead flows on and counts, but says
// nothing of time: neither its candidate nor its time is that of its split. One row with a date of the next century would close every window otherwise.
type MaxAhead int64

// observeGuarded reads a run, apart from the rows that are too far ahead of the clock.
func (c *Core) observeGuarded(i int, times, candidates []int64, now int64, out *Observed) {
	base := out.Base
	limit := now + int64(c.maxAhead)
	from := 0
	for k, t := range times {
		if t <= limit {
			continue
		}
		out.Base = base + int32(from)
		c.observe(i, times[from:k], candidates[from:k], now, out)
		out.Base = base + int32(k)
		c.observeAhead(i, t, now, out)
		from = k + 1
	}
	out.Base = base + int32(from)
	c.observe(i, times[from:], candidates[from:], now, out)
	out.Base = base
}

// observeAhead reads a row as one without a time, of which nobody is told.
func (c *Core) observeAhead(i int, t, now int64, out *Observed) {
	nothing, null := [1]int64{NoTime}, out.Null
	c.observe(i, nothing[:], nothing[:], now, out)
	out.Null = null
	c.ahead++
	c.farthest = max(c.farthest, t)
}
