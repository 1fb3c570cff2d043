package watermark

import "fmt"

// Status is what a split is doing, for the snapshot.
type Status uint8

const (
	// Active splits take part in the minimum.
	Active Status = iota
	// Stalled splits take part in the minimum and cannot deliver: paused or backpressured.
	Stalled
	// Idle splits were silent for too long and are left out of the minimum, stalled or not.
	Idle
	// Finished splits have delivered their last row.
	Finished
)

func (s Status) String() string {
	switch s {
	case Active:
		return "active"
	case Stalled:
		return "stalled"
	case Idle:
		return "idle"
	case Finished:
		return "finished"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Worst is the latest row of a split. The zero value means that no row was late.
type Worst struct {
	// Lateness is the emitted frontier minus the row's time in microseconds, at least 1 for a late row. People are told Past.
	Lateness int64
	// Time is its event time.
	Time int64
	// Position is its place among the rows read from the split, from 0.
	Position int64
}

// Frontier is the one that the row was behind.
func (w Worst) Frontier() Frontier { return Frontier(w.Time).Add(w.Lateness) }

// Past is how late the row was for people; see Frontier.Past.
func (w Worst) Past() int64 { return w.Frontier().Past(w.Time) }

// SplitSnapshot is one split as it was when the snapshot was published.
type SplitSnapshot struct {
	// MaxTime is the newest event time, NoTime if there was none.
	MaxTime int64
	// Frontier is the split's own, Unset before its first candidate. Under Lookahead it is what the split counted with at the last tick.
	Frontier Frontier
	Status   Status
	// Since is the wall time at which Status began, in microseconds.
	Since int64
	// Silent is how long the split had no row, in microseconds; while it cannot deliver that stands still. Of splits that take part in the minimum, IdleIn is how much longer it has to be
	// silent to be left out of it, 0 if that comes with the next tick, and NeverIdle if the strategy lets no silence do that. Under Lookahead it is how much longer until Lift lets go of it, 0 also
	// if that has been, if the others go on as they are; NeverIdle if as many are let go as may be.
	Silent, IdleIn int64
	// ActiveFor, StalledFor and IdleFor add up all spells in microseconds, the running one included.
	ActiveFor, StalledFor, IdleFor int64
	// Read and Late count rows.
	Read, Late int64
	// ReadBefore and LateBefore are how many of them were counted before the core was restored; the rest is since the last restart.
	ReadBefore, LateBefore int64
	Worst                  Worst
	// Recent is the latest row of the last minute, the zero value if none was late in it, and RecentLate how many were.
	Recent     Worst
	RecentLate int64
	// Values is how many values of the dimension it knows, and Least the first of those that have its frontier; 0 and "" if it
	// knows none.
	Values int
	Least  string
	// Upstream names the writer whose frontier was handed over, empty if there is none; see HandedOver.
	Upstream string
	// Lookahead is nil unless that is the generator.
	Lookahead *LookaheadSnapshot
}

// NeverIdle is SplitSnapshot.IdleIn of a split that does not turn idle by being silent.
const NeverIdle = -1

// LookaheadSnapshot is what the generator Lookahead knows of a split.
type LookaheadSnapshot struct {
	// Fetched is the frontier of all rows read, and Completed that of those whose effects are there for good and of the first that wait.
	Fetched, Completed Frontier
	// System is the same of the times at which rows were written, up to those that wait.
	System Frontier
	// InFlight counts the batches that wait, and Held says that one more is not let into the statement.
	InFlight int
	Held     bool
	Lifted   Lifted
	// Unreachable says that reads have failed for too long, and Group of what the split is then a part.
	Unreachable bool
	Group       string
}

// Snapshot explains a source's frontier. It is immutable and may be read from any goroutine.
type Snapshot struct {
	// At is the wall time of the snapshot in microseconds.
	At int64
	// Frontier is the one emitted last.
	Frontier Frontier
	// Reached is the highest that was emitted before the end of the input, Unset if none was; the same as Frontier until the end.
	Reached Frontier
	// Active is false when every remaining split is idle.
	Active bool
	// Holders are the splits whose frontier is the minimum, in ascending order: the ones that must speak, turn idle or finish
	// before the frontier can move. Empty when no split takes part in the minimum.
	Holders []int
	// Awaited are the expected values that hold the frontier because they have not come.
	Awaited []string
	// Splits are all splits by number. Of those whose numbers others took over, Replaced is left.
	Splits   []SplitSnapshot
	Replaced Replaced
	// Ahead counts rows that were further ahead of the clock than Strategy.MaxAhead since the core was made, of which Farthest is the time of the furthest.
	Ahead, Farthest int64
	// System is Core.System.
	System Frontier
	// Stall is the zero value if the frontier does not stand still for too many empty splits.
	Stall Stall
	// Beyond is by how many microseconds the splits promised more than Reached at the last tick, where that is held by the wall clock, as Lookahead has it; 0 if it is not.
	Beyond int64
}

// Replaced is what is left of finished splits whose numbers others have taken over.
type Replaced struct {
	// Splits is how many they are.
	Splits int64
	// Worst is the latest row of any of them, the first one of equals.
	Worst Worst
}

func (r *Replaced) add(worst Worst) {
	r.Splits++
	if worst.Lateness > r.Worst.Lateness {
		r.Worst = worst
	}
}

// Worst is the latest row over all splits, the first one of equals, and the number of its split, -1 if that was replaced; no row was late if it is the zero value.
func (s *Snapshot) Worst() (worst Worst, split int) {
	worst, split = s.Replaced.Worst, -1
	for i := range s.Splits {
		if w := s.Splits[i].Worst; w.Lateness > worst.Lateness {
			worst, split = w, i
		}
	}
	return worst, split
}

// Recent is the lateness of the latest row of the last minute over all splits, as Worst.Past counts it; 0 if none was late.
func (s *Snapshot) Recent() int64 {
	past := int64(0)
	for i := range s.Splits {
		past = max(past, s.Splits[i].Recent.Past())
	}
	return past
}

// Publish makes the state at now visible to Load.
func (c *Core) Publish(now int64) {
	s := &Snapshot{
		At:       now,
		Frontier: c.emitted,
		Reached:  c.reached(),
		Active:   c.active,
		System:   c.System(),
		Splits:   make([]SplitSnapshot, len(c.splits)),
		Replaced: c.replaced,
		Ahead:    c.ahead,
		Farthest: c.farthest,
	}
	if c.values != nil {
		s.Awaited = c.values.missingNames()
	}
	least := Final
	if c.idle < c.live {
		least = c.least()
	}
	for i := range c.splits {
		hot, log := &c.splits[i], &c.logs[i]
		status := hot.status
		spent := log.spent
		if status != Finished {
			spent[status] += max(0, now-log.since)
		}
		s.Splits[i] = SplitSnapshot{
			MaxTime:    hot.maxTime,
			Frontier:   hot.frontier,
			Status:     status,
			Since:      log.since,
			ActiveFor:  spent[Active],
			StalledFor: spent[Stalled],
			IdleFor:    spent[Idle],
			Read:       hot.read,
			Late:       log.late,
			ReadBefore: log.readThen,
			LateBefore: log.before,
			Worst:      log.worst,
		}
		s.Splits[i].Recent, s.Splits[i].RecentLate = log.recent.past(now)
		if c.flow == nil && status != Finished {
			s.Splits[i].Silent, s.Splits[i].IdleIn = c.silence(i, now)
		}
		if c.values != nil {
			s.Splits[i].Values, s.Splits[i].Least = c.members[i].holder(c.values.names)
		}
		if c.handed {
			s.Splits[i].Upstream = c.upstream[i]
		}
		if hot.takesPart() && hot.frontier == least {
			s.Holders = append(s.Holders, i)
		}
	}
	if c.flow != nil {
		c.flow.publish(s)
		c.flow.foretell(c, s.Splits, now)
	}
	c.published.Store(s)
}

// silence is SplitSnapshot.Silent and IdleIn.
func (c *Core) silence(i int, now int64) (silent, idleIn int64) {
	s := &c.splits[i]
	silent = c.quietFor(i, now)
	switch {
	case !s.takesPart():
		return silent, 0
	case c.timeout == 0:
		return silent, NeverIdle
	case c.grid == 1:
		return silent, max(0, c.timeoutAt(s.quietSince)-silent)
	}
	return silent, max(0, c.beyondGrid(s.quietSince)-s.quietSince-silent)
}

// quietFor is SplitSnapshot.Silent.
func (c *Core) quietFor(i int, now int64) int64 {
	if c.splits[i].stalls > 0 {
		now = c.logs[i].stalledAt
	}
	return max(0, now-c.splits[i].quietSince)
}

// Load returns the snapshot published last, nil before the first. It is the only method that other goroutines may call.
func (c *Core) Load() *Snapshot { return c.published.Load() }
