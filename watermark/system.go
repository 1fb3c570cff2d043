package watermark

// The system frontier says of the times at which rows were written what the frontier says of their event times: every row that was written before it is completed. It is kept beside the frontier of a source
// with Lookahead, at its ticks, and nothing waits for it: it tells how far behind the reading is.
//
// Of a split it is the time at which the first batch in flight was written. With nothing in flight it is that of the last row completed, or when the split was last confirmed to be empty. The source
// has the least of its splits, no later than the clock, and it never falls. Like Flow's it is in whole seconds. Flow does not look at emptiness here; a split that has never had a row would hold the source for good.
//
// A row without a time is in no batch, so it holds nobody.
//
// A source that is restored goes on from where it was: what is in the state is completed. That a split was empty measures a process, and is not kept.

// system is what the completed rows and the first batch in flight say.
func (s *flowSplit) system() Frontier {
	switch {
	case len(s.batches) > 0:
		return s.batches[0].writtenFirst
	case s.empty.until != NoTime:
		return max(s.written, atSecond(s.empty.until))
	}
	return s.written
}

// aggregateSystem makes the system frontier of the source anew.
func (f *flow) aggregateSystem(now int64) {
	least := f.departed.system
	if len(f.taking) > 0 {
		least = Final
		for _, i := range f.taking {
			least = min(least, f.splits[i].system())
		}
		least = max(least, f.departed.system)
	}
	f.system = max(f.system, min(least, atSecond(now)))
}

// System is the system frontier of the source: no row that comes from now on was written before it, and those that were are completed. It is Unset without Lookahead, Final once the frontier is, and rises in Tick alone
// apart from that.
func (c *Core) System() Frontier {
	switch {
	case c.emitted == Final:
		return Final
	case c.flow == nil:
		return Unset
	}
	return c.flow.system
}
