package watermark

// naive is the core as its contract reads: it keeps the whole history, takes one row at a time and works everything out anew
// whenever it is asked. The property tests compare Core with it.
type naive struct {
	strategy Strategy
	splits   []*naiveSplit
	sealed   bool
	emitted  Frontier
	active   bool
	firstRow []int64 // wall time of the first record, once there is one
	replaced []*naiveSplit
}

type naiveSplit struct {
	times, candidates []int64
	flushed           []int64 // event times taken as candidates at idleness
	history           []naiveEvent
	idle, finished    bool
	late              []Worst
}

// naiveEvent is what the idle clock looks at.
type naiveEvent struct {
	now  int64
	kind string // "join", "row", "stall", "unstall"
}

func newNaive(s Strategy) *naive { return &naive{strategy: s, emitted: Unset, active: true} }

func (n *naive) add(now int64) {
	n.splits = append(n.splits, &naiveSplit{history: []naiveEvent{{now, "join"}}})
	n.active = true
}

func (n *naive) replace(i int, now int64) {
	n.replaced = append(n.replaced, n.splits[i])
	n.splits[i] = &naiveSplit{history: []naiveEvent{{now, "join"}}}
	n.active = true
}

func (n *naive) finish(i int) { n.splits[i].finished = true; n.combine() }
func (n *naive) seal()        { n.sealed = true; n.combine() }

func (n *naive) note(i int, kind string, now int64) {
	n.splits[i].history = append(n.splits[i].history, naiveEvent{now, kind})
}

// row returns whether the row is late or null and whether it emitted.
func (n *naive) row(i int, t, candidate, now int64) (late, null, emitted bool) {
	s := n.splits[i]
	if s.idle {
		s.idle, n.active = false, true
	}
	n.note(i, "row", now)
	if len(n.firstRow) == 0 {
		n.firstRow = append(n.firstRow, now)
	}
	null = t == NoTime
	if late = !null && n.emitted != Unset && t < int64(n.emitted); late {
		s.late = append(s.late, Worst{int64(n.emitted) - t, t, int64(len(s.times))})
	}
	s.times = append(s.times, t)
	s.candidates = append(s.candidates, candidate)
	switch e := n.strategy.Emission.(type) {
	case Periodic:
		emitted = now-n.firstRow[0] < e.EagerFor && n.combine()
	case OnEvent:
		emitted = int64(len(s.times))%e.Gap == 0 && n.combine()
	}
	return late, null, emitted
}

func (n *naive) tick(now int64) (emitted bool) {
	turned := false
	if fixed, ok := n.strategy.Idleness.(Fixed); ok {
		for _, s := range n.splits {
			if s.finished || s.idle || s.silence(now) < fixed.Timeout {
				continue
			}
			s.idle, turned = true, true
			if fixed.Flush && s.maxTime() != NoTime {
				s.flushed = append(s.flushed, s.maxTime())
			}
		}
	}
	if _, periodic := n.strategy.Emission.(Periodic); periodic || turned {
		return n.combine()
	}
	return false
}

func (n *naive) combine() bool {
	live, awake := 0, 0
	lowest, highest := Final, Unset
	for _, s := range n.splits {
		if s.finished {
			continue
		}
		live++
		f := s.frontier(n.strategy.Tick)
		highest = max(highest, f)
		if !s.idle {
			awake++
			lowest = min(lowest, f)
		}
	}
	f := n.emitted
	switch {
	case live == 0 && n.sealed:
		f, n.active = Final, true
	case live == 0:
	case awake == 0:
		f, n.active = highest, false
	default:
		f, n.active = lowest, true
	}
	if f <= n.emitted {
		return false
	}
	n.emitted = f
	return true
}

func (s *naiveSplit) maxTime() int64 {
	newest := NoTime
	for _, t := range s.times {
		newest = max(newest, t)
	}
	return newest
}

func (s *naiveSplit) frontier(tick int64) Frontier {
	f := Unset
	take := func(c int64) {
		floor := c - c%tick
		if floor > c {
			floor -= tick
		}
		f = max(f, Frontier(floor+tick))
	}
	for i, c := range s.candidates {
		if c != NoTime && s.times[i] != NoTime {
			take(c)
		}
	}
	for _, t := range s.flushed {
		take(t)
	}
	return f
}

// silence walks the history: the time since the last row in which no stall was on.
func (s *naiveSplit) silence(now int64) int64 {
	var quiet, from int64
	stalls := 0
	for _, e := range s.history {
		if stalls == 0 {
			quiet += e.now - from
		}
		from = e.now
		switch e.kind {
		case "join", "row":
			quiet = 0
		case "stall":
			stalls++
		case "unstall":
			stalls--
		}
	}
	if stalls == 0 {
		quiet += now - from
	}
	return quiet
}

func (s *naiveSplit) worst() Worst {
	var worst Worst
	for _, w := range s.late {
		if w.Lateness > worst.Lateness {
			worst = w
		}
	}
	return worst
}
