package watermark

// MaxAhead is how far the time of a row may be ahead of the clock, in microseconds, for the row to move the frontier; 0 is no bound. A row from further ahead flows on and counts, but says
// nothing of time: neither its candidate nor its time is that of its split. One row with a date of the next century would close every window otherwise.
type MaxAhead int64

// observeGuarded reads a run, apart from the rows that are too far ahead of the clock.
func (c *Core) observeGuarded(i int, times, candidates []int64, values []int32, now int64, out *Observed) {
	base := out.Base
	observe := func(from, to int) {
		out.Base = base + int32(from)
		var of []int32
		if values != nil {
			of = values[from:to]
		}
		c.observe(i, times[from:to], candidates[from:to], of, now, out)
	}
	limit := now + int64(c.maxAhead)
	from := 0
	for k, t := range times {
		if t <= limit {
			continue
		}
		observe(from, k)
		out.Base = base + int32(k)
		c.observeAhead(i, t, now, out)
		from = k + 1
	}
	observe(from, len(times))
	out.Base = base
}

// observeAhead reads a row as one without a time, of which nobody is told.
func (c *Core) observeAhead(i int, t, now int64, out *Observed) {
	nothing, null := [1]int64{NoTime}, out.Null
	c.observe(i, nothing[:], nothing[:], make([]int32, 1), now, out)
	out.Null = null
	c.ahead++
	c.farthest = max(c.farthest, t)
}
