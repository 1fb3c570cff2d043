package watermark

import (
	"fmt"
	"slices"
)

// flow is what a core has beside for Lookahead.
type flow struct {
	by       Lookahead
	bound    int64 // of by, in whole seconds
	lift     Lift  // without a ratio there is none
	splits   []flowSplit
	groups   []string // of splits that fail together, by number
	stall    Stall
	system   Frontier // see system.go
	beyond   int64    // Snapshot.Beyond
	departed departed

	// Of the aggregation at hand:
	taking []int // splits that take part
	sorted []Frontier
}

// flowSplit is parallel to split, whose frontier is that of all rows fetched.
type flowSplit struct {
	ahead
	empty   emptiness
	outage  outage
	group   int
	counted Frontier // with what it was part of the last minimum, Unset before
	lifted  Lifted
}

func newFlow(by Lookahead, s Strategy) *flow {
	f := &flow{by: by, system: Unset, bound: wholeSeconds(by.Bound), groups: []string{""}, departed: nobodyDeparted()}
	f.lift, _ = s.Idleness.(Lift)
	return f
}

// join begins split i, under the number of a finished one or the next.
func (f *flow) join(i int) {
	x := flowSplit{ahead: ahead{newest: Unset, written: Unset}, empty: noEmptiness, counted: Unset}
	if i == len(f.splits) {
		f.splits = append(f.splits, x)
		return
	}
	if n := len(f.splits[i].batches); n > 0 {
		panic(fmt.Sprintf("watermark: split %d replaced with %d batches in flight", i, n))
	}
	f.splits[i] = x
}

// resume is join of a split that has completed all it had, up to the time newest, of which the last row was written then.
func (f *flow) resume(i int, newest int64, written Frontier) {
	f.join(i)
	f.splits[i].written = written
	if newest != NoTime {
		f.splits[i].newest = atSecond(newest)
	}
}

// setBack moves what is known of the clock with it.
func (f *flow) setBack(by int64) {
	for i := range f.splits {
		s := &f.splits[i]
		if s.empty != noEmptiness {
			s.empty.since -= by
			s.empty.until -= by
		}
		s.outage.failedAt -= by
	}
}

// observe is Observe under Lookahead: a row is late if it is before what the split had promised when its batch began, or before what the source has.
func (f *flow) observe(c *Core, i int, times []int64, now int64, out *Observed) {
	s, open := &c.splits[i], &f.splits[i].open
	f.splits[i].empty = noEmptiness
	promised := max(s.frontier, c.emitted)
	bound := int64(max(promised, nullBound))
	spread := f.by.InFlight != All
	for k, t := range times {
		if t < bound {
			if t == NoTime {
				out.Null = append(out.Null, out.Base+int32(k))
				continue
			}
			out.Late = append(out.Late, out.Base+int32(k))
			out.Behind = append(out.Behind, promised)
			c.logs[i].tooLate(promised, t, s.read+int64(k), now)
		}
		s.maxTime = max(s.maxTime, t)
		open.take(atSecond(t), spread)
	}
	s.read += int64(len(times))
}

// looking is what only a core with Lookahead has.
func (c *Core) looking() *flow {
	if c.flow == nil {
		panic("watermark: a call for Lookahead, and the strategy has none")
	}
	return c.flow
}

// Fetched says that what was observed of a split since the last call is a batch, in flight until Complete is told its number. Without a row with a time there is none, and ok is false. Its
// rows were written between first and last. It is for Lookahead.
func (c *Core) Fetched(i int, first, last int64) (number int64, ok bool) {
	a := &c.looking().splits[i].ahead
	if number, ok = a.fetched(first, last); ok {
		s := &c.splits[i]
		s.frontier = max(s.frontier, a.batches[len(a.batches)-1].most.Sub(c.looking().bound))
	}
	return number, ok
}

// Complete says that the effects of a batch are there for good. Batches may be completed in any order, also after the end of their split. It is for Lookahead.
func (c *Core) Complete(i int, number int64) {
	if !c.looking().splits[i].complete(number) {
		panic(fmt.Sprintf("watermark: batch %d of split %d is not in flight", number, i))
	}
	if c.splits[i].status == Finished {
		c.flow.left(i)
	}
}

// ConfirmEmpty says that at that time a split had nothing to be read. One from before its last row says nothing. It is for Lookahead.
func (c *Core) ConfirmEmpty(i int, at int64) {
	if at >= c.splits[i].quietSince {
		c.looking().splits[i].empty.confirm(at)
	}
}

// ReadFailed says that a try to read a split failed then, and ReadWorked that the last one did not. They are for Lookahead.
func (c *Core) ReadFailed(i int, at int64) {
	c.looking().splits[i].outage.fail(at, c.looking().by.Outages.HalfLife)
}

// ReadWorked takes back all that ReadFailed said of the split.
func (c *Core) ReadWorked(i int) { c.looking().splits[i].outage = outage{} }

// SetGroup says which splits are out of reach together. Those that nobody has put into a group are one. It is for Lookahead.
func (c *Core) SetGroup(i int, name string) {
	f := c.looking()
	group := slices.Index(f.groups, name)
	if group < 0 {
		group = len(f.groups)
		f.groups = append(f.groups, name)
	}
	f.splits[i].group = group
}

// aggregate makes the frontier of the source anew and reports whether it rose. Flow: first outages, then empty splits, then late data; then the least.
func (f *flow) aggregate(c *Core, now int64) bool {
	f.taking = f.taking[:0]
	for i := range f.splits {
		s := &f.splits[i]
		s.lifted = NotLifted
		if c.splits[i].status == Finished && len(s.batches) == 0 {
			s.counted = Final
			continue
		}
		s.counted = min(s.promise(f.bound), s.hold(f.by.InFlight))
		f.taking = append(f.taking, i)
	}
	f.aggregateSystem(now)
	f.liftOutages()
	f.liftEmpty()
	f.liftLate()
	least := f.departed.reached
	if len(f.taking) > 0 {
		least = Final
		for _, i := range f.taking {
			least = min(least, f.splits[i].counted)
		}
		least = max(least, f.departed.reached)
	}
	present := atSecond(now)
	rose := c.raise(min(least, present))
	if f.beyond = 0; least > present {
		f.beyond = max(0, int64(least-c.emitted))
	}
	return rose
}

// liftTo lets a split count as the clock that t is of, unless it is further.
func (f *flow) liftTo(i int, t Frontier, why Lifted) {
	s := &f.splits[i]
	s.counted, s.lifted = max(s.counted, t.Sub(f.bound)), why
}

func (f *flow) liftOutages() {
	half := f.by.Outages.HalfLife
	if half == 0 {
		return
	}
	// By group: how many splits are within reach, how many are not, and since when those are not.
	type group struct {
		up, down int
		since    int64
	}
	groups := make([]group, len(f.groups))
	down, up := 0, 0
	for _, i := range f.taking {
		s := &f.splits[i]
		g := &groups[s.group]
		if !s.outage.beyond(half) {
			g.up++
			continue
		}
		if g.down == 0 || s.outage.failedAt < g.since {
			g.since = s.outage.failedAt
		}
		g.down++
	}
	for _, g := range groups {
		switch {
		case g.up > 0:
			up++
		case g.down > 0:
			down++
		}
	}
	if down > f.by.Outages.MaxDown || up < f.by.Outages.MinUp {
		return
	}
	for _, i := range f.taking {
		if g := groups[f.splits[i].group]; g.up == 0 {
			f.liftTo(i, atSecond(g.since), LiftedForOutage)
		}
	}
}

func (f *flow) liftEmpty() {
	f.stall = Stall{}
	if f.lift.Ratio == 0 {
		return
	}
	limit, empty := f.lift.limit(len(f.taking)), 0
	for _, i := range f.taking {
		s := &f.splits[i]
		if len(s.batches) > 0 || !s.empty.lasts(f.lift.After) {
			continue
		}
		if empty++; empty <= limit {
			f.liftTo(i, atSecond(s.empty.until), LiftedEmpty)
		}
	}
	if empty > limit && empty < len(f.taking) {
		f.stall = Stall{Empty: empty, Total: len(f.taking), Gating: empty - limit, Ratio: f.lift.Ratio}
	}
}

func (f *flow) liftLate() {
	n := len(f.taking)
	place := f.by.LateData.place(n)
	if place == n {
		return
	}
	f.sorted = f.sorted[:0]
	for _, i := range f.taking {
		f.sorted = append(f.sorted, f.splits[i].counted)
	}
	slices.Sort(f.sorted)
	bound := f.by.LateData.bound(f.sorted[0], f.sorted[place])
	for _, i := range f.taking {
		if f.splits[i].counted < bound {
			f.liftTo(i, bound, LiftedLate)
		}
	}
}

// publish adds to s what Lookahead knows. The splits stand as they did at the last tick, apart from what was fetched and completed since.
func (f *flow) publish(s *Snapshot) {
	s.Stall, s.Beyond, s.Holders = f.stall, f.beyond, nil
	all := make([]LookaheadSnapshot, len(f.splits))
	least := Final
	for i := range f.splits {
		x := &f.splits[i]
		if s.Splits[i].Status == Finished && len(x.batches) == 0 {
			x.counted = Final
		}
		all[i] = LookaheadSnapshot{Fetched: s.Splits[i].Frontier, Completed: x.promise(f.bound), InFlight: len(x.inFlight()), Held: x.announced, System: x.system(), Lifted: x.lifted,
			Unreachable: x.outage.beyond(f.by.Outages.HalfLife), Group: f.groups[x.group]}
		s.Splits[i].Lookahead, s.Splits[i].Frontier = &all[i], x.counted
		least = min(least, x.counted)
	}
	for i := range f.splits {
		if f.splits[i].counted == least && least != Final {
			s.Holders = append(s.Holders, i)
		}
	}
}
