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
	made     int64
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

func newNaive(s Strategy, now int64) *naive {
	return &naive{strategy: s, emitted: Unset, active: true, made: now}
}

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
	if ahead := n.strategy.MaxAhead; ahead > 0 && t > now+int64(ahead) {
		t, candidate = NoTime, NoTime
	} else {
		null = t == NoTime
	}
	if late = t != NoTime && n.emitted != Unset && t < int64(n.emitted); late {
		s.late = append(s.late, Worst{int64(n.emitted) - t, t, int64(len(s.times))})
	}
	s.times = append(s.times, t)
	s.candidates = append(s.candidates, candidate)
	switch e := n.strategy.Emission.(type) {
	case Periodic:
		emitted = now-n.firstRow[0] < e.EagerFor && n.combine()
	case OnEvent:
		emitted = int64(len(s.times))%e.Gap == 0 && n.combine()
	case Granular:
		emitted = n.combine()
	}
	return late, null, emitted
}

func (n *naive) tick(now int64) (emitted bool) {
	turned := false
	for _, s := range n.splits {
		timeout, flush, ok := n.timeout(s)
		if !ok || s.finished || s.idle || s.silence(now) < timeout {
			continue
		}
		if g, ok := n.strategy.Idleness.(Stepped); ok {
			// The steps of the clock that the silence began in and that it has come to.
			until := s.begun() + s.silence(now)
			if until/g.Step*g.Step < s.begun()/g.Step*g.Step+g.Step+g.Timeout {
				continue
			}
		}
		s.idle, turned = true, true
		if flush && s.maxTime() != NoTime {
			s.flushed = append(s.flushed, s.maxTime())
		}
	}
	if _, periodic := n.strategy.Emission.(Periodic); periodic || turned {
		return n.combine()
	}
	return false
}

// timeout is how long s may be silent now.
func (n *naive) timeout(s *naiveSplit) (timeout int64, flush, ok bool) {
	switch i := n.strategy.Idleness.(type) {
	case Fixed:
		return i.Timeout, i.Flush, true
	case Stepped:
		return i.Timeout, false, true
	case Progressive:
		return min(i.To, i.From+(s.begun()-n.made)/10), i.Flush, true
	}
	return 0, false, false
}

// begun is when the present silence would have begun, had there been no stalls in it that are over.
func (s *naiveSplit) begun() int64 {
	var begun, stalledAt int64
	stalls := 0
	for _, e := range s.history {
		switch e.kind {
		case "join", "row":
			begun, stalledAt = e.now, e.now
		case "stall":
			if stalls == 0 {
				stalledAt = e.now
			}
			stalls++
		case "unstall":
			if stalls--; stalls == 0 {
				begun += e.now - stalledAt
			}
		}
	}
	return begun
}

func (n *naive) combine() bool {
	live, awake := 0, 0
	lowest, highest := Final, Unset
	for _, s := range n.splits {
		if s.finished {
			continue
		}
		live++
		f := s.frontier(n.strategy)
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
	case n.strategy.Emission == AtEnd{}:
	case awake == 0:
		n.active = false
		if _, stays := n.strategy.Idleness.(Stepped); !stays {
			f = highest
		}
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

func (s *naiveSplit) frontier(by Strategy) Frontier {
	f := Unset
	step, beyond := by.Tick, by.Tick
	if g, ok := by.Emission.(Granular); ok {
		step, beyond = g.Step, 0
	}
	take := func(c int64) {
		floor := c - c%step
		if floor > c {
			floor -= step
		}
		f = max(f, Frontier(floor+beyond))
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
