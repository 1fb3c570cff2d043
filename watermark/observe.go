package watermark

// Observe reads a run: rows of one split in arrival order. times holds event times and candidates the values of the watermark
// expression, both in microseconds, of equal length, with NoTime for NULL; candidates of rows without a time do not count. What
// is found is appended to out. Cutting a run in two with the same now changes nothing.
//
// For each row in turn: an idle split wakes up; the row is tested against the frontier that the source had emitted before it;
// the split's newest time and frontier rise; the source's frontier is emitted if the strategy lets this row do so.
func (c *Core) Observe(i int, times, candidates []int64, now int64, out *Observed) {
	n := len(times)
	times, candidates = times[:n:n], candidates[:n:n] // three numbers fewer to carry through the loop
	s := &c.splits[i]
	if n == 0 || s.status != Active || !c.isCalm(s, n) {
		c.observeAny(i, times, candidates, now, out)
		return
	}
	bound := int64(max(c.emitted, nullBound))
	newest, greatest := s.maxTime, NoTime
	for k, t := range times {
		if t < bound {
			c.observeAny(i, times, candidates, now, out)
			return
		}
		newest = max(newest, t)
		greatest = max(greatest, candidates[k])
	}
	s.maxTime, s.quietSince = newest, now
	s.read += int64(n)
	if greatest >= int64(s.frontier) && greatest != NoTime { // or else it promises nothing new
		s.frontier = c.promise(greatest)
	}
}

// observeAny reads a run that need not be calm.
func (c *Core) observeAny(i int, times, candidates []int64, now int64, out *Observed) {
	if c.maxAhead > 0 {
		c.observeGuarded(i, times, candidates, nil, now, out)
		return
	}
	c.observe(i, times, candidates, nil, now, out)
}

func (c *Core) observe(i int, times, candidates []int64, values []int32, now int64, out *Observed) {
	if len(times) == 0 {
		return
	}
	s := c.unfinished(i)
	if !c.delivered {
		c.delivered, c.firstAt = true, now
	}
	if s.status == Idle && !c.handed {
		c.rouse(i, now)
	}
	s.quietSince = now
	if s.stalls > 0 {
		if c.values != nil {
			c.members[i].lost += max(0, now-c.logs[i].stalledAt)
		}
		c.logs[i].stalledAt = now
	}
	if c.lastN > 0 {
		candidates = c.capped(i, times, candidates)
	}

	if c.flow != nil {
		c.flow.observe(c, i, times, now, out)
		return
	}

	// Field by field: a literal would be built aside and copied in wider loads than its stores, which stall for a dozen ns.
	var r run
	r.core, r.split, r.log, r.out, r.row, r.now = c, s, &c.logs[i], out, out.Base, now

	if c.handed {
		r.handed(times)
		return
	}
	everyRow := c.gap == 1 || c.gap == 0 && c.eager(now)
	c.calm = c.calmFrom(everyRow)
	if c.code != nil {
		gap := c.gap
		if everyRow {
			gap = 1
		}
		r.byCode(i, times, candidates, gap)
		return
	}
	if c.values != nil {
		gap := c.gap
		if everyRow {
			gap = 1
		}
		r.byValue(i, times, candidates, values, gap, now)
		return
	}
	if !everyRow && c.gap == 0 {
		r.quiet(times, candidates)
		return
	}
	// Where calm runs raise a split that holds the minimum, which one holds it shows only when the tree is told.
	apart := c.calm == runsHeld || c.tree.holds(i)
	ceiling := c.tree.min()
	if apart {
		c.tree.set(i, Final)
		ceiling = c.least()
	}
	switch {
	case ceiling <= c.emitted:
		r.quiet(times, candidates)
	case everyRow:
		r.eachRow(times, candidates, ceiling)
	default:
		r.eachGap(times, candidates, ceiling)
	}
	if apart {
		c.tree.set(i, s.frontier)
	}
}

// run is the reading of a run. All rows are of one split, so the minimum over the others is a constant, the ceiling: once the
// source has reached it, no row of this run can raise it further.
type run struct {
	core  *Core
	split *split
	log   *splitLog
	out   *Observed
	row   int32 // position in the batch of the first row not yet read
	now   int64
}

// quiet reads rows that emit nothing: a late test against a constant and two maxima.
func (r *run) quiet(times, candidates []int64) {
	candidates = candidates[:len(times)]
	bound := int64(max(r.core.emitted, nullBound))
	newest, greatest := r.split.maxTime, NoTime
	for k, t := range times {
		if t < bound {
			if t == NoTime {
				r.null(k)
				continue
			}
			r.late(k, t)
		}
		newest = max(newest, t)
		greatest = max(greatest, candidates[k])
	}
	r.split.maxTime = newest
	if greatest != NoTime {
		r.split.frontier = max(r.split.frontier, r.core.promise(greatest))
	}
	r.advance(len(times))
}

// eachRow reads rows of which every one may emit. What does not raise the frontier of the split emits nothing, but for the first row.
func (r *run) eachRow(times, candidates []int64, ceiling Frontier) {
	candidates = candidates[:len(times)]
	newest, bound := r.split.maxTime, int64(max(r.core.emitted, nullBound))
	rises := int64(max(r.split.frontier, nullBound)) // the least candidate that may make a row emit
	if min(r.split.frontier, ceiling) > r.core.emitted {
		rises = NoTime // the first row will
	}
	read := len(times)
	for k, t := range times {
		candidate := candidates[k]
		if t < bound {
			if t == NoTime {
				r.null(k)
				candidate = NoTime
			} else {
				r.late(k, t)
			}
		}
		newest = max(newest, t)
		if candidate < rises {
			continue
		}
		bound, rises = r.rise(k, candidate, ceiling)
		if r.core.emitted == ceiling {
			read = k + 1
			break
		}
	}
	r.split.maxTime = newest
	r.advance(read)
	if read < len(times) {
		r.quiet(times[read:], candidates[read:])
	}
}

// rise raises split and source by the row at k, and says anew what bounds late rows and what the least candidate is that may make a row emit. Inlined it would have the index of the loop
// in memory.
//
//go:noinline
func (r *run) rise(k int, candidate int64, ceiling Frontier) (bound, rises int64) {
	s, c := r.split, r.core
	if candidate >= int64(s.frontier) && candidate != NoTime {
		s.frontier = c.promise(candidate)
	}
	if f := min(s.frontier, ceiling); f > c.emitted {
		c.emitted = f
		r.out.Marks = append(r.out.Marks, Mark{Row: r.row + int32(k) + 1, F: f})
	}
	return int64(max(c.emitted, nullBound)), int64(max(s.frontier, nullBound))
}

// eachGap reads rows of which every gap-th of the split may emit.
func (r *run) eachGap(times, candidates []int64, ceiling Frontier) {
	for len(times) > 0 {
		toEmission := r.core.gap - r.split.read%r.core.gap
		if toEmission > int64(len(times)) {
			r.quiet(times, candidates)
			return
		}
		r.quiet(times[:toEmission], candidates[:toEmission])
		times, candidates = times[toEmission:], candidates[toEmission:]
		if r.core.raise(min(r.split.frontier, ceiling)) {
			r.out.Marks = append(r.out.Marks, Mark{Row: r.row, F: r.core.emitted})
		}
	}
}

func (r *run) advance(rows int) {
	r.row += int32(rows)
	r.split.read += int64(rows)
}

// null and late are rare. Inlined they would cost the loops registers.
//
//go:noinline
func (r *run) null(k int) { r.out.Null = append(r.out.Null, r.row+int32(k)) }

//go:noinline
func (r *run) late(k int, t int64) {
	r.out.Late = append(r.out.Late, r.row+int32(k))
	r.out.Behind = append(r.out.Behind, r.core.emitted)
	if !r.core.forgets {
		r.log.tooLate(r.core.emitted, t, r.split.read+int64(k), r.now)
	}
}
