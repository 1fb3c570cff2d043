package watermark

// calm says of which runs it is known beforehand that they emit nothing. Nearly all are: their way is short.
type calm uint8

const (
	noRuns calm = iota
	// allRuns is periodic emission once the eager phase is over.
	allRuns
	// runsAhead is emission with every row: those of a split that is ahead of the emitted frontier. What holds the frontier is another split then, since after every run
	// the frontier has been emitted as far as it is.
	runsAhead
	// runsHeld is emission with every so many rows: those while another split that takes part is not ahead of the emitted frontier, the witness, and those that end before the
	// next row that may emit.
	runsHeld
)

// calmFrom is what holds from the end of a run on. What must look at each row for other reasons is never calm.
func (c *Core) calmFrom(everyRow bool) calm {
	switch {
	case c.maxAhead > 0 || c.lastN > 0 || c.values != nil || c.flow != nil || c.code != nil:
		return noRuns
	case c.gap == 0 && !everyRow:
		return allRuns
	case c.gap == 1:
		return runsAhead
	case c.gap > 1:
		return runsHeld
	}
	return noRuns
}

// observeCalm reads a run of which nothing has to be told: it emits nothing, no row is late or NULL, and its split is awake and not stalled. It reports false, and has
// changed nothing, if the run is not like that.
func (c *Core) observeCalm(s *split, times, candidates []int64, now int64) bool {
	emitted := c.emitted
	if s.stalls != 0 || s.idle || s.finished || len(times) == 0 {
		return false
	}
	switch c.calm {
	case runsAhead:
		if s.frontier <= emitted {
			return false
		}
	case runsHeld:
		witness := &c.splits[c.witness]
		held := witness != s && witness.frontier <= emitted && witness.takesPart()
		if !held && s.read%c.gap+int64(len(times)) >= c.gap {
			return false
		}
	}
	candidates = candidates[:len(times)]
	bound := int64(max(emitted, nullBound))
	newest, greatest := s.maxTime, NoTime
	for k, t := range times {
		if t < bound {
			return false
		}
		newest = max(newest, t)
		greatest = max(greatest, candidates[k])
	}
	s.maxTime, s.quietSince = newest, now
	s.read += int64(len(times))
	if greatest >= int64(s.frontier) && greatest != NoTime { // or else it promises nothing new
		s.frontier = c.promise(greatest)
	}
	return true
}
