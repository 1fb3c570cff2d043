package watermark

// departed is what splits that have left still say under Lookahead: those that are finished and have nothing in flight. The source emits at ticks alone, so one that joins, is read and leaves between two of them
// would count for nothing. While others take part they say how far the source is. When none does any more, all that was there is completed, and the source is as far as the furthest, whichever was read first. What joins
// then holds it there.
//
// Flow's partitions do not end. Flink 2.3 forgets what a split promised since the last periodic emission.
type departed struct {
	inside            int      // splits that take part
	furthest, reached Frontier // the greatest promise of those that left, and what the source has come to when none was inside; Unset before
	written, system   Frontier // the same of when rows were written, and of the system frontier
}

func nobodyDeparted() departed {
	return departed{furthest: Unset, reached: Unset, written: Unset, system: Unset}
}

// enter says that a split joins. It holds the source where that is, which is no further than the clock.
func (d *departed) enter(now int64) {
	if d.inside == 0 {
		d.reached = min(d.reached, atSecond(now))
	}
	d.inside++
}

// leave says that one of those inside is no more.
func (d *departed) leave() {
	if d.inside--; d.inside == 0 {
		d.alone()
	}
}

// alone says that none is inside.
func (d *departed) alone() {
	d.reached, d.system = max(d.reached, d.furthest), max(d.system, d.written)
}

// left has split i leave, which is finished, if it has nothing in flight.
func (f *flow) left(i int) {
	if len(f.splits[i].batches) == 0 {
		f.remember(i)
		f.departed.leave()
	}
}

func (f *flow) remember(i int) {
	s, d := &f.splits[i], &f.departed
	d.furthest, d.written = max(d.furthest, s.promise(f.bound)), max(d.written, s.written)
}

// restored begins with the splits of a state, all of which is completed.
func (f *flow) restored(splits []split, now int64) {
	for i := range splits {
		if splits[i].status == Finished {
			f.remember(i)
		} else {
			f.departed.enter(now)
		}
	}
	if f.departed.inside == 0 {
		f.departed.alone()
	}
}
