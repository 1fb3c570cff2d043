package watermark

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Core makes the watermarks of one source of a statement. There is one per source whatever the parallelism: the late test, the
// eager phase, the gap counters and the idle clocks belong to the source and its splits, so results do not depend on how many
// tasks read them.
//
// The frontier of a split is that of its greatest candidate, or, where a Dimension divides its rows, the least of its members'; the
// frontier of the source is the minimum over its active splits. It is emitted when the strategy says so and only if it rises. A
// split without a candidate blocks the source; so does a split that wakes up behind the emitted frontier, until it has caught up.
// When all remaining splits are idle the source takes the maximum over them and becomes inactive.
//
// All times are microseconds; now is wall time and does not go back but by SetBack. A core belongs to one goroutine, except for Load.
// Calls for unknown splits are bugs and panic, and so is a row of a finished one.
type Core struct {
	tick     int64
	step     int64 // candidates are rounded down to a multiple of it
	beyond   int64 // how much further the frontier is: a tick if candidates are inclusive
	gap      int64 // on event: emit with every gap-th row; 0: periodic
	eagerFor int64
	timeout  int64 // of idleness; 0: never
	longest  int64 // what the timeout grows to with age
	flush    bool
	grid     int64 // of the idle clocks; 1 is none
	quiet    bool  // nothing is emitted before the end
	forgets  bool  // late rows, see ForgetLate
	stays    bool  // the frontier when all splits are idle
	maxAhead MaxAhead
	ahead    int64 // rows that were further ahead
	farthest int64 // the time of the furthest of them

	splits   []split
	logs     []splitLog // parallel to splits
	tree     minTree    // frontiers of the splits that take part; may lag behind, see least
	flow     *flow      // nil unless the candidates are Lookahead
	code     *code      // nil unless they are Code
	handed   bool       // they are HandedOver
	upstream []string   // parallel to splits, if they are: the writer that holds each

	replaced Replaced
	values   *values    // nil without a dimension
	members  []members  // parallel to splits, with a dimension
	lastN    int64      // candidates are at most the least time of so many rows; 0 is any
	last     []lastRows // parallel to splits, if there is such a number
	scratch  []int64

	live   int // splits that are not finished
	idle   int // live splits that are idle
	sealed bool

	calm      calm
	witness   int // the split that held the minimum when it was last worked out
	emitted   Frontier
	beforeEnd Frontier // emitted before Final; Unset until then
	active    bool

	armedAt   int64 // when the core was made; what it restores is as young as that
	delivered bool  // a record came since then
	firstAt   int64 // when

	published atomic.Pointer[Snapshot]
}

// New makes a core without splits. now is the wall time, from which ages count. The error is that of Strategy.Validate.
func New(s Strategy, now int64) (*Core, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.whole()
	c := &Core{tick: s.Tick, step: s.Tick, beyond: s.Tick, grid: 1, maxAhead: s.MaxAhead, emitted: Unset, beforeEnd: Unset, active: true, armedAt: now}
	switch e := s.Emission.(type) {
	case Periodic:
		c.eagerFor = e.EagerFor
	case AtEnd:
		c.quiet = true
	case OnEvent:
		c.gap = e.Gap
	case Granular:
		c.gap, c.step, c.beyond = 1, e.Step, 0
	}
	switch by := s.Candidates.(type) {
	case Lookahead:
		c.flow = newFlow(by, s)
		c.eagerFor = 0
		return c, nil
	case Code:
		c.code = &code{by: by}
	case HandedOver:
		c.handed = true
	}
	switch i := s.Idleness.(type) {
	case Fixed:
		c.timeout, c.longest, c.flush = i.Timeout, i.Timeout, i.Flush
	case Progressive:
		c.timeout, c.longest, c.flush = i.From, i.To, i.Flush
	case Stepped:
		c.timeout, c.longest, c.grid, c.stays = i.Timeout, i.Timeout, i.Step, true
	}
	c.lastN = s.LastRows
	if s.Dimension != nil {
		c.values = newValues(s.Dimension)
	}
	return c, nil
}

// ForgetLate has the core keep nothing of late rows: an Observed has them, and snapshots show none. It spares memory where a core is only asked what it would make of rows.
func (c *Core) ForgetLate() { c.forgets = true }

// AddSplit registers a split and returns its number: 0, 1, 2 and so on. It joins active and without a candidate: it holds the
// frontier where it is, and an idle source becomes active. All splits known at the start must be added before the first row of
// any of them is observed.
func (c *Core) AddSplit(now int64) int {
	if c.sealed {
		panic("watermark: split added after the last one")
	}
	i := len(c.splits)
	c.splits, c.logs = append(c.splits, split{}), append(c.logs, splitLog{})
	c.widen()
	c.tree.grow(i + 1)
	c.join(i, now)
	return i
}

// ReplaceSplit registers a split under the number of a finished one, of which only Replaced is left: the splits of a source that gets ever more of them
// take as much memory as there were at a time. It joins as AddSplit has it.
func (c *Core) ReplaceSplit(i int, now int64) {
	switch {
	case c.sealed:
		panic("watermark: split added after the last one")
	case c.splits[i].status != Finished:
		panic(fmt.Sprintf("watermark: split %d replaced before it was finished", i))
	}
	c.replaced.add(c.logs[i].worst)
	c.join(i, now)
}

// join begins split i.
func (c *Core) join(i int, now int64) {
	c.splits[i] = split{maxTime: NoTime, frontier: Unset, quietSince: now}
	c.logs[i] = splitLog{since: now}
	c.blank(i, now)
	c.tree.set(i, Unset)
	if c.flow != nil {
		c.flow.join(i)
		c.flow.departed.enter(now)
	}
	c.live++
	c.active = true
}

// widen makes room for what is kept of one more split if the strategy asks for it.
func (c *Core) widen() {
	if c.handed {
		c.upstream = append(c.upstream, "")
	}
	if c.values != nil {
		c.members = append(c.members, members{})
	}
	if c.lastN > 0 {
		c.last = append(c.last, lastRows{})
	}
	if c.code != nil {
		c.code.splits = append(c.code.splits, coded{})
	}
}

// blank begins that anew.
func (c *Core) blank(i int, now int64) {
	if c.code != nil {
		c.code.splits[i] = coded{}
		if c.splits[i].status != Finished {
			c.code.splits[i].generator = c.code.by.New()
		}
	}
	if c.handed {
		c.upstream[i] = ""
	}
	if c.values != nil {
		c.members[i] = newMembers(now)
	}
	if c.lastN > 0 {
		c.last[i] = lastRows{}
	}
}

// FinishSplit takes a split that has delivered its last row out of the minimum. This may raise the frontier or change the
// status at once, so read Frontier and Active afterwards.
func (c *Core) FinishSplit(i int, now int64) {
	s := c.unfinished(i)
	if c.code != nil {
		c.askGenerators(now)
	}
	if s.status == Idle {
		c.idle--
	}
	c.live--
	c.logs[i].turn(s, now, Finished)
	c.blank(i, now)
	c.tree.set(i, Final)
	if c.flow != nil {
		c.flow.left(i)
	}
	c.combine()
}

// SealSplits says that no split will be added any more: when all are finished the frontier is Final. Read Frontier and Active
// afterwards.
func (c *Core) SealSplits() {
	c.sealed = true
	c.combine()
}

// Splits is the number of splits, finished ones that were not replaced included.
func (c *Core) Splits() int { return len(c.splits) }

// Frontier is the frontier emitted last.
func (c *Core) Frontier() Frontier { return c.emitted }

// Active is false while every remaining split is idle.
func (c *Core) Active() bool { return c.active }

// Stall stops the idle clock of a split that cannot deliver, paused or backpressured. Every reason stalls and unstalls on its
// own; the clock goes on when none is left.
func (c *Core) Stall(i int, now int64) {
	s, l := &c.splits[i], &c.logs[i]
	if s.stalls == 0 {
		l.stalledAt = now
	}
	s.stalls++
	if s.takesPart() {
		l.turn(s, now, Stalled)
	}
}

// Unstall takes back one Stall.
func (c *Core) Unstall(i int, now int64) {
	s, l := &c.splits[i], &c.logs[i]
	if s.stalls == 0 {
		panic(fmt.Sprintf("watermark: split %d unstalled more often than stalled", i))
	}
	s.stalls--
	if s.takesPart() {
		l.turn(s, now, s.awake())
	}
	if s.stalls == 0 {
		lost := max(0, now-l.stalledAt)
		s.quietSince += lost
		if c.values != nil {
			c.members[i].lost += lost
		}
	}
}

// SetBack says that the clock was set back by so many microseconds: all that is measured by it, idle clocks above all, goes on as if it had not been. What is called with times of the
// old clock comes before, what is called with those of the new one after.
func (c *Core) SetBack(by int64) {
	c.armedAt -= by
	c.firstAt -= by
	for i := range c.splits {
		c.splits[i].quietSince -= by
		c.logs[i].setBack(by)
		if c.values != nil {
			c.members[i].lost -= by // so that their clock shows what it showed
		}
	}
	if c.flow != nil {
		c.flow.setBack(by)
	}
}

// Tick detects idle splits and, under a periodic strategy, emits. An emission is a mark at row out.Base.
func (c *Core) Tick(now int64, out *Observed) {
	if c.flow != nil {
		if c.flow.aggregate(c, now) {
			out.Marks = append(out.Marks, Mark{Row: out.Base, F: c.emitted})
		}
		return
	}
	turned := c.values != nil && c.forget(now)
	if c.code != nil {
		turned = c.askGenerators(now)
	}
	turned = c.timeout > 0 && c.detectIdle(now) || turned
	if (turned || c.gap == 0) && c.combine() {
		out.Marks = append(out.Marks, Mark{Row: out.Base, F: c.emitted})
	}
}

// detectIdle reports whether any split turned idle.
func (c *Core) detectIdle(now int64) bool {
	turned := false
	for i := range c.splits {
		s := &c.splits[i]
		if !s.takesPart() {
			continue
		}
		clock := now
		if s.stalls > 0 {
			clock = c.logs[i].stalledAt
		}
		if !c.silent(s.quietSince, clock) {
			continue
		}
		if c.flush && s.maxTime != NoTime {
			c.lift(i, c.promise(s.maxTime))
		}
		c.logs[i].turn(s, now, Idle)
		c.tree.set(i, Final)
		c.idle++
		turned = true
	}
	return turned
}

// lift raises the frontier of a split to f.
func (c *Core) lift(i int, f Frontier) {
	s := &c.splits[i]
	s.frontier = max(s.frontier, f)
	if c.values != nil {
		c.members[i].lift(f)
	}
}

// silent reports whether a silence from since to now is long enough.
func (c *Core) silent(since, now int64) bool {
	if now-since < c.timeout { // no timeout is shorter, and most splits are done with here
		return false
	}
	if c.grid == 1 {
		return now-since >= c.timeoutAt(since)
	}
	return now >= c.beyondGrid(since)
}

// beyondGrid is when a silence that began then is long enough, of a timeout in steps.
func (c *Core) beyondGrid(since int64) int64 {
	return timefmt.Floor(since, c.grid) + c.grid + timefmt.Floor(c.timeout+c.grid-1, c.grid)
}

// promise is the frontier that a candidate stands for.
func (c *Core) promise(candidate int64) Frontier {
	return promised(candidate, c.step, c.beyond)
}

// timeoutAt is the idle timeout of a silence that began then.
func (c *Core) timeoutAt(begun int64) int64 {
	return min(c.longest, c.timeout+max(0, begun-c.armedAt)/ProgressiveSlope)
}

// wake returns an idle split to the minimum.
func (c *Core) wake(i int, now int64) {
	s := &c.splits[i]
	c.logs[i].turn(s, now, s.awake())
	c.tree.set(i, s.frontier)
	c.idle--
	c.active = true
}

// combine works out frontier and status anew and reports whether the frontier rose. Without any live split it leaves both as
// they are, unless no split will come any more.
func (c *Core) combine() bool {
	f := Unset
	switch {
	case c.live == 0:
		if c.sealed {
			f, c.active = Final, true
		}
	case c.flow != nil:
		// Nothing rises between two ticks.
	case c.quiet:
	case c.idle == c.live:
		c.active = false
		for i := range c.splits {
			if !c.stays && c.splits[i].status != Finished {
				f = max(f, c.splits[i].frontier)
			}
		}
	default:
		c.active = true
		f = c.least()
	}
	if f != Final && c.waits() {
		return false
	}
	return c.raise(f)
}

// least is the minimum over the splits that take part. The tree is told of a rising frontier only when that split holds the
// minimum, since no other can change it: what the tree has for the rest is a lower bound, which is made good here.
func (c *Core) least() Frontier {
	for behind := 0; c.tree.min() != Final; behind++ {
		i := c.tree.holder()
		f := c.splits[i].frontier
		if f == c.tree.at(i) {
			c.witness = i
			break
		}
		if behind*leastShare > len(c.splits) {
			c.renewTree()
			break
		}
		c.tree.set(i, f)
	}
	return c.tree.min()
}

// leastShare is the part of the splits of which one by one is told to the tree in a row. If more are behind, to tell it of all in one pass is cheaper.
const leastShare = 32

// renewTree tells the tree all frontiers, but for those of splits that it has as absent.
func (c *Core) renewTree() {
	for i := range c.splits {
		if c.tree.at(i) != Final {
			c.tree.put(i, c.splits[i].frontier)
		}
	}
	c.tree.build()
}

// raise emits f if that is progress.
func (c *Core) raise(f Frontier) bool {
	if f <= c.emitted {
		return false
	}
	if f == Final {
		c.beforeEnd = c.emitted
	}
	c.emitted = f
	return true
}

// reached is the highest frontier that rows and splits led to, short of the end of the input.
func (c *Core) reached() Frontier {
	if c.emitted == Final {
		return c.beforeEnd
	}
	return c.emitted
}

// eager reports whether rows emit although the strategy is periodic. Once over, the phase stays over.
func (c *Core) eager(now int64) bool {
	if now-c.firstAt >= c.eagerFor {
		c.eagerFor = 0
	}
	return c.eagerFor > 0
}

func (c *Core) unfinished(i int) *split {
	s := &c.splits[i]
	if s.status == Finished {
		panic(fmt.Sprintf("watermark: split %d is finished", i))
	}
	return s
}

// nullBound is the least late bound: no row but a NULL one is below it.
const nullBound Frontier = math.MinInt64 + 1

// SplitRead is how many rows of a split were observed, of every sort.
func (c *Core) SplitRead(i int) int64 { return c.splits[i].read }

// SplitFrontier is the frontier of one split: that of its greatest candidate, Unset before the first. Under Lookahead that is the newest row fetched, completed or not, less the bound.
func (c *Core) SplitFrontier(i int) Frontier { return c.splits[i].frontier }
