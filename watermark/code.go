package watermark

// Generator makes the watermarks of one split in code. Flink 2.3: WatermarkGenerator.
//
// A source makes one for every split and asks them one at a time, in the order of the rows, so a generator needs no locks unless several share something. It lives as long as the reading of its split: after a
// restart it begins anew, while what the split had promised stays promised. An Output is valid until the call returns.
type Generator interface {
	// OnEvent is called with every row that has an event time, late ones included. What it emits leaves at once, behind the row.
	OnEvent(e Event, out Output)
	// OnPeriodic is called with every tick and when a split of the source ends; where rows emit, under OnEvent and Granular and in the eager phase of Periodic, also behind every row of its split. What it emits leaves
	// when the strategy says so. It is not called for a split that is idle for its timeout.
	OnPeriodic(out Output)
}

// Event is a row as a Generator sees it.
type Event struct {
	// Time is its event time in microseconds.
	Time int64
	// Candidate is the value of the watermark expression in microseconds, NoTime if that is NULL. In SQL it is what WATERMARK FOR says of the row, so it can tell rows apart.
	Candidate int64
	// Position is its place among the rows read from the split, from 0, rows without a time included.
	Position int64
}

// Output takes what a Generator says of its split. Flink 2.3: WatermarkOutput.
type Output interface {
	// Emit promises that no later row of the split is before f. The frontier of a split never falls: an f behind it changes nothing. Either way the split is active. f is floored to the tick of the source.
	//
	// Flink's watermark of w milliseconds is Frontier(w + 1) * 1000: it includes its own instant.
	Emit(f Frontier)
	// MarkIdle leaves the split out of the minimum, until it emits or is marked active; rows alone do not wake it.
	MarkIdle()
	// MarkActive takes back MarkIdle.
	MarkActive()
	// Now is the wall time in microseconds that the source was told: a generator that needs a clock looks at this one, and works under virtual time too.
	Now() int64
}

// Code has the promises of splits made by generators. The frontier of a split is the greatest that its generator has emitted; minimum, idle timeouts, alignment and the late test are as ever.
//
// Flink 2.3: WatermarkStrategy.forGenerator.
type Code struct {
	// Name is what EXPLAIN shows; "" is "code".
	Name string
	// New makes the generator of a split.
	New func() Generator

	wrong string // why there can be none
}

func (Code) candidates() {}

func (c Code) String() string {
	if c.Name == "" {
		return "code"
	}
	return c.Name
}

// code is what a core has beside for Code.
type code struct {
	by     Code
	splits []coded
	voice  voice
}

// coded is parallel to split.
type coded struct {
	generator Generator
	idle      bool // because the generator says so
}

// voice is the Output of all generators of a core.
type voice struct {
	said     bool
	frontier Frontier
	idle     bool
	now      int64
}

// Emit implements Output.
func (v *voice) Emit(f Frontier) {
	v.frontier = max(v.frontier, f)
	v.said, v.idle = true, false
}

// MarkIdle implements Output.
func (v *voice) MarkIdle() { v.said, v.idle = true, true }

// MarkActive implements Output.
func (v *voice) MarkActive() { v.said, v.idle = true, false }

// Now implements Output.
func (v *voice) Now() int64 { return v.now }

// hush begins a call to the generator of a split.
func (c *code) hush(i int) {
	c.voice.said, c.voice.frontier, c.voice.idle = false, Unset, c.splits[i].idle
}

// byCode reads rows of split i of which every gap-th emits, none if gap is 0.
func (r *run) byCode(i int, times, candidates []int64, gap int64) {
	c, s, own := r.core, r.split, &r.core.code.splits[i]
	v := &c.code.voice
	v.now = r.now
	toEmission := gap
	if gap > 0 {
		toEmission = gap - s.read%gap
	}
	candidates = candidates[:len(times)]
	for k, t := range times {
		if t < int64(max(c.emitted, nullBound)) {
			if t == NoTime {
				r.null(k)
			} else {
				r.late(k, t)
			}
		}
		emits := false
		if t != NoTime {
			s.maxTime = max(s.maxTime, t)
			c.code.hush(i)
			own.generator.OnEvent(Event{Time: t, Candidate: candidates[k], Position: s.read + int64(k)}, v)
			rose, turned := c.heed(i)
			emits = rose || turned
		}
		if gap > 0 {
			c.code.hush(i)
			own.generator.OnPeriodic(v)
			_, turned := c.heed(i)
			emits = emits || turned
			if toEmission--; toEmission == 0 {
				toEmission, emits = gap, true
			}
		}
		// Short of the frontier that was emitted a split that takes part holds the source where it is.
		if emits && (s.status == Idle || s.frontier > c.emitted) && c.combine() {
			r.out.Marks = append(r.out.Marks, Mark{Row: r.row + int32(k) + 1, F: c.emitted})
		}
	}
	r.advance(len(times))
}

// askGenerators calls OnPeriodic for the splits that are not idle for their timeout, and reports whether one of them turned idle or active.
func (c *Core) askGenerators(now int64) bool {
	c.code.voice.now = now
	any := false
	for i := range c.code.splits {
		s, own := &c.splits[i], &c.code.splits[i]
		if s.status == Finished || s.status == Idle && !own.idle {
			continue
		}
		c.code.hush(i)
		own.generator.OnPeriodic(&c.code.voice)
		_, turned := c.heed(i)
		any = any || turned
	}
	return any
}

// heed does what the generator of split i has said: rose tells that its frontier did, turned that it is idle or active now and was not.
func (c *Core) heed(i int) (rose, turned bool) {
	s, own, v := &c.splits[i], &c.code.splits[i], &c.code.voice
	if !v.said {
		return false, false
	}
	if f := v.frontier; f > s.frontier {
		f = FromInclusive(int64(f.Sub(c.step)), c.step) // f floored to the step
		rose = f > s.frontier
		s.frontier = max(s.frontier, f)
	}
	own.idle = v.idle
	switch {
	case v.idle && s.status != Idle:
		c.logs[i].turn(s, v.now, Idle)
		c.tree.set(i, Final)
		c.idle++
		return rose, true
	case !v.idle && s.status == Idle:
		c.wake(i, v.now)
		return rose, true
	}
	return rose, false
}

// rouse wakes a split up that has a row, unless its generator has put it to sleep.
func (c *Core) rouse(i int, now int64) {
	if c.code == nil || !c.code.splits[i].idle {
		c.wake(i, now)
	}
}
