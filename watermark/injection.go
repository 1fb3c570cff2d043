package watermark

// ReadDelay lets a batch of rows into a statement when the source of another table has come Delay (microseconds) further than its newest row. A batch of exactly that enters.
//
// Flow: read_delays, in whole seconds like all of Lookahead.
type ReadDelay struct {
	Table string
	Delay int64
}

// Lets reports whether a batch whose newest row is of that time may enter when the frontier of the other table is behind.
func (d ReadDelay) Lets(newest int64, behind Frontier) bool {
	return behind == Final || atSecond(newest) <= behind.Sub(wholeSeconds(d.Delay))
}

// Announce says that a split has fetched rows between two times, the last ones it has, that are not let into the statement yet: they are ahead, and not in flight. When they are, Observe and Fetched tell of them as
// of any others. It is for Lookahead.
func (c *Core) Announce(i int, least, newest, first, last int64) {
	c.looking().splits[i].announce(atSecond(least), atSecond(newest), first, last)
}

func (a *ahead) announce(least, newest Frontier, first, last int64) {
	if a.announced {
		return
	}
	a.announced = true
	a.batches = append(a.batches, batch{number: a.next, least: least, most: newest, collapsed: newest, writtenFirst: atSecond(first), writtenLast: atSecond(last)})
}

// inject takes back what was announced, since its rows are in flight now.
func (a *ahead) inject() {
	if a.announced {
		a.announced = false
		a.batches = a.batches[:len(a.batches)-1]
	}
}

// inFlight are the batches that are let into the statement.
func (a *ahead) inFlight() []batch {
	if a.announced {
		return a.batches[:len(a.batches)-1]
	}
	return a.batches
}
