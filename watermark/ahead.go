package watermark

import "slices"

// ahead is what a split has fetched and not completed, and how far it has completed. Batches are completed in any order: one that is not the first hands its newest time to the one before
// it, so that nothing is promised for it until the first is done.
type ahead struct {
	newest  Frontier // second of the newest row completed, Unset at first
	written Frontier // when the last row completed was written, Unset at first
	batches []batch  // in flight, oldest first
	open    batch    // what was observed since the last one
	next    int64    // its number
	// announced says that the last of batches is not let into the statement yet; see Core.Announce.
	announced bool
}

// batch is rows of a split that are fetched together. Times are whole seconds.
type batch struct {
	number                    int64
	least, most               Frontier
	collapsed                 Frontier // the newest of this and of the later ones that were completed before it
	rows                      int64    // that have a time
	writtenFirst, writtenLast Frontier // when its first row was written, and its last
	distribution              []tally  // of its times, ascending; only if it counts which of them hold
}

// tally is how many rows have a time.
type tally struct {
	at   Frontier
	rows int64
}

// take adds a row to the open batch.
func (b *batch) take(at Frontier, spread bool) {
	if b.rows == 0 {
		b.least, b.most = at, at
	}
	b.rows++
	b.least, b.most = min(b.least, at), max(b.most, at)
	if !spread {
		return
	}
	if n := len(b.distribution); n > 0 && b.distribution[n-1].at == at {
		b.distribution[n-1].rows++
		return
	}
	b.distribution = append(b.distribution, tally{at, 1})
}

// fetched closes the open batch and gives its number; ok is false if it has no row with a time, and then there is none.
func (a *ahead) fetched(first, last int64) (number int64, ok bool) {
	b := a.open
	a.open = batch{}
	if b.rows == 0 {
		return 0, false
	}
	a.inject()
	b.number, b.collapsed = a.next, b.most
	b.writtenFirst, b.writtenLast = atSecond(first), atSecond(last)
	b.distribution = tallied(b.distribution)
	a.next++
	a.batches = append(a.batches, b)
	return b.number, true
}

// tallied sorts by time and adds up equal ones.
func tallied(list []tally) []tally {
	slices.SortFunc(list, func(x, y tally) int {
		switch {
		case x.at < y.at:
			return -1
		case x.at > y.at:
			return 1
		}
		return 0
	})
	kept := list[:0]
	for _, t := range list {
		if n := len(kept); n > 0 && kept[n-1].at == t.at {
			kept[n-1].rows += t.rows
			continue
		}
		kept = append(kept, t)
	}
	return kept
}

// complete takes a batch out and reports whether it was in flight.
func (a *ahead) complete(number int64) bool {
	i, found := slices.BinarySearchFunc(a.batches, number, func(b batch, number int64) int { return int(b.number - number) })
	if !found {
		return false
	}
	collapsed := a.batches[i].collapsed
	a.written = max(a.written, a.batches[i].writtenLast)
	if i == 0 {
		a.newest = max(a.newest, collapsed)
		a.batches = a.batches[1:]
		return true
	}
	before := &a.batches[i-1]
	before.collapsed = max(before.collapsed, collapsed)
	a.batches = slices.Delete(a.batches, i, i+1)
	return true
}

// promise is the frontier that the completed batches and the first of those in flight stand for.
func (a *ahead) promise(bound int64) Frontier {
	f := a.newest.Sub(bound)
	if len(a.batches) > 0 {
		first := &a.batches[0]
		f = max(f, min(first.least, first.most.Sub(bound)))
	}
	return f
}

// hold is how far the rows in flight let the frontier go, Final if none of them counts.
func (a *ahead) hold(by Percentile) Frontier {
	rows := int64(0)
	oldest := Final
	flying := a.inFlight()
	for i := range flying {
		rows += flying[i].rows
		oldest = min(oldest, flying[i].least)
	}
	place := int64(by.place(int(rows)))
	switch place {
	case rows:
		return Final
	case 0:
		return oldest
	}
	var all []tally
	for i := range flying {
		all = append(all, flying[i].distribution...)
	}
	all = tallied(all)
	for _, t := range all {
		if place < t.rows {
			return by.bound(oldest, t.at)
		}
		place -= t.rows
	}
	panic("watermark: fewer rows in flight than counted")
}
