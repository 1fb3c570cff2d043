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

// isCalm reports whether a run of so many rows of an active split emits nothing, if none of them is late or NULL.
func (c *Core) isCalm(s *split, rows int) bool {
	switch c.calm {
	case allRuns:
		return true
	case runsAhead:
		return s.frontier > c.emitted
	case runsHeld:
		return c.isHeld(s, rows)
	}
	return false
}

// isHeld is that for runsHeld. The division of unsigned numbers leaves more registers to the loop of Observe.
func (c *Core) isHeld(s *split, rows int) bool {
	witness := &c.splits[c.witness]
	return witness != s && witness.frontier <= c.emitted && witness.takesPart() || uint64(s.read)%uint64(c.gap)+uint64(rows) < uint64(c.gap)
}
