package watermark

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

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
	came     map[string]bool // expected values that came or that nobody waits for any more
}

type naiveSplit struct {
	times, candidates []int64
	flushed           []int64 // event times taken as candidates at idleness
	history           []naiveEvent
	members           map[string][]int64 // candidates by value
	handed            Frontier           // the greatest that was handed over
	idle, finished    bool
	late              []Worst
}

// naiveEvent is what the idle clock looks at.
type naiveEvent struct {
	now  int64
	kind string // "join", "row", "stall", "unstall"
	of   string // the value of a row that has a candidate
}

func newNaive(s Strategy, now int64) *naive {
	return &naive{strategy: s, emitted: Unset, active: true, made: now, came: map[string]bool{}}
}

func newNaiveSplit(now int64) *naiveSplit {
	return &naiveSplit{history: []naiveEvent{{now: now, kind: "join"}}, members: map[string][]int64{}, handed: Unset}
}

// handOver takes a frontier, and whether anybody is to be waited for.
func (n *naive) handOver(i int, f Frontier, active bool) {
	s := n.splits[i]
	if f != Unset {
		floor := int64(f) % n.strategy.Tick
		if floor < 0 {
			floor += n.strategy.Tick
		}
		s.handed = max(s.handed, f-Frontier(floor))
	}
	n.active = n.active || s.idle && active
	s.idle = !active
	n.combine()
}

func (n *naive) add(now int64) {
	n.splits = append(n.splits, newNaiveSplit(now))
	n.active = true
}

func (n *naive) replace(i int, now int64) {
	n.replaced = append(n.replaced, n.splits[i])
	n.splits[i] = newNaiveSplit(now)
	n.active = true
}

func (n *naive) finish(i int) { n.splits[i].finished = true; n.combine() }
func (n *naive) seal()        { n.sealed = true; n.combine() }

func (n *naive) note(i int, kind string, now int64) {
	n.splits[i].history = append(n.splits[i].history, naiveEvent{now: now, kind: kind})
}

func (n *naive) setBack(by int64) {
	n.made -= by
	for i := range n.firstRow {
		n.firstRow[i] -= by
	}
	for _, s := range n.splits {
		for i := range s.history {
			s.history[i].now -= by
		}
	}
}

// row returns whether the row is late or null and whether it emitted.
func (n *naive) row(i int, t, candidate int64, value string, now int64) (late, null, emitted bool) {
	s := n.splits[i]
	if _, handed := n.strategy.Candidates.(HandedOver); s.idle && !handed {
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
	if k := n.strategy.LastRows; k > 0 && t != NoTime {
		candidate = min(candidate, t)
		for _, before := range slices.Backward(s.times) {
			if k == 1 {
				break
			}
			if before != NoTime {
				candidate = min(candidate, before)
				k--
			}
		}
	}
	if n.strategy.Dimension != nil && t != NoTime && candidate != NoTime {
		s.history[len(s.history)-1].of = value
		s.members[value] = append(s.members[value], candidate)
		n.came[value] = true
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
	turned := n.forget(now)
	for _, s := range n.splits {
		timeout, flush, ok := n.timeout(s)
		if !ok || s.finished || s.idle || s.silence(now) < timeout {
			continue
		}
		if g, ok := n.strategy.Idleness.(Stepped); ok {
			// The steps of the clock that the silence began in and that it has come to.
			until := s.begun() + s.silence(now)
			if timefmt.Floor(until, g.Step) < timefmt.Floor(s.begun(), g.Step)+g.Step+g.Timeout {
				continue
			}
		}
		s.idle, turned = true, true
		if flush && s.maxTime() != NoTime {
			s.flushed = append(s.flushed, s.maxTime())
			for v := range s.members {
				s.members[v] = append(s.members[v], s.maxTime())
			}
		}
	}
	if _, periodic := n.strategy.Emission.(Periodic); periodic || turned {
		return n.combine()
	}
	return false
}

func (n *naive) forget(now int64) bool {
	d := n.strategy.Dimension
	if d == nil {
		return false
	}
	turned, longest := false, int64(0)
	for _, s := range n.splits {
		if s.finished {
			continue
		}
		longest = max(longest, s.silenceSince(now, func(e naiveEvent) bool { return e.kind == "join" }))
		for v := range s.members {
			timeout := d.timeoutOf(v)
			if timeout > 0 && s.silenceSince(now, func(e naiveEvent) bool { return e.of == v && e.kind == "row" }) >= timeout {
				delete(s.members, v)
				turned = true
			}
		}
	}
	for _, v := range d.Expected {
		if timeout := d.timeoutOf(v); timeout > 0 && !n.came[v] && longest >= timeout {
			n.came[v], turned = true, true
		}
	}
	return turned
}

// awaited are the expected values that hold the source, each once.
func (n *naive) awaited() []string {
	var names []string
	if d := n.strategy.Dimension; d != nil {
		for _, v := range d.Expected {
			if !n.came[v] && !slices.Contains(names, v) {
				names = append(names, v)
			}
		}
	}
	return names
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
	if f <= n.emitted || f != Final && n.awaited() != nil {
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
	if by.Candidates == (HandedOver{}) {
		return s.handed
	}
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
	if len(s.members) > 0 {
		least := Final
		for _, candidates := range s.members {
			f = Unset
			for _, c := range candidates {
				take(c)
			}
			least = min(least, f)
		}
		return least
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

// silence is the time since the last row in which no stall was on.
func (s *naiveSplit) silence(now int64) int64 {
	return s.silenceSince(now, func(e naiveEvent) bool { return e.kind == "join" || e.kind == "row" })
}

// silenceSince walks the history: the time in which no stall was on, since the last event that ends a silence.
func (s *naiveSplit) silenceSince(now int64, ends func(naiveEvent) bool) int64 {
	var quiet, from int64
	stalls := 0
	for _, e := range s.history {
		if stalls == 0 {
			quiet += e.now - from
		}
		from = e.now
		if ends(e) {
			quiet = 0
		}
		switch e.kind {
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

// isLeast reports whether a value is a member with the split's frontier, or "" if there is none.
func (s *naiveSplit) isLeast(value string, by Strategy) bool {
	if len(s.members) == 0 {
		return value == ""
	}
	alone := naiveSplit{members: map[string][]int64{value: s.members[value]}}
	return s.members[value] != nil && alone.frontier(by) == s.frontier(by)
}
