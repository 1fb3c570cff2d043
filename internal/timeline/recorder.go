package timeline

import (
	"slices"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Bytes is about how much memory the timeline of a statement takes at most, beside four bytes for each split. Of more than twenty sources or operators each one more adds a few kilobytes.
const Bytes = 256 << 10

const (
	mostSlots  = 512
	leastSlots = 64
	// lineBytes is what the lines of all sources have together, and firingBytes what the firings of all operators have.
	lineBytes   = 192 << 10
	firingBytes = 32 << 10
)

// Source records one source. Its methods are called by one goroutine at a time.
type Source struct {
	most int // splits that are kept
	slot int // slots of each

	// What was recorded last; whoever records owns it.
	last   watermark.Frontier
	active bool
	tryAt  int64 // when a split that is not kept may take the place of another

	mu     sync.Mutex
	line   line   // of the source; no rows
	spells spells // of the source: all splits are idle
	splits []*split
	place  []int32 // by number of a split: its place in splits and 1, 0 if it is not kept
}

type split struct {
	number   int
	line     line
	spells   spells
	since    int64 // it is kept
	read     bool  // rows of it were seen
	finished bool
	holds    bool
}

// NewSources makes the recorders of n sources, which share the memory of a statement.
func NewSources(n int) []*Source {
	slots := mostSlots
	for slots > leastSlots && 2*n*slots*slotBytes > lineBytes {
		slots /= 2
	}
	lines := lineBytes / (slots * slotBytes)
	all := make([]*Source, n)
	for i := range all {
		all[i] = &Source{most: max(1, (lines-n)/n), slot: slots, last: watermark.Unset, active: true, line: newLine(slots)}
	}
	return all
}

// Ticket is what a source did at a moment.
type Ticket struct {
	Now int64
	// Frontier is the watermark of the source, and Active whether any split takes part.
	Frontier watermark.Frontier
	Active   bool
	// Split is the number of the split of which rows were read, -1 if none were. Row is the event time of one of them, Late that of one that was late, NoTime if there is none, and Own the
	// watermark of the split, Unset if nobody knows.
	Split     int
	Row, Late int64
	Own       watermark.Frontier
}

// Note records what the source did.
func (s *Source) Note(t *Ticket) {
	same := t.Frontier == s.last && t.Active == s.active
	if same && t.Split < 0 {
		return
	}
	s.mu.Lock()
	if x := s.kept(t.Split, t.Now); x != nil {
		x.read = true
		at := x.line.slot(t.Now)
		at.add(t.Row, t.Late)
		if t.Own != watermark.Unset {
			at.mark = t.Own
		}
	}
	if !same {
		s.line.slot(t.Now).mark = t.Frontier
		if t.Active != s.active {
			s.turn(t)
		}
		s.last, s.active = t.Frontier, t.Active
	}
	s.mu.Unlock()
}

// turn begins or ends a spell in which all splits are idle.
func (s *Source) turn(t *Ticket) {
	status := watermark.Active
	if !t.Active {
		status = watermark.Idle
	}
	s.spells.turn(status, t.Now)
}

// stuckFor is how long a split has to hold the watermark without a row to be worth the place of another.
const stuckFor = 2 * timefmt.Second

// Look records what a snapshot of the core has of splits.
func (s *Source) Look(w *watermark.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.splits {
		if x.holds = false; x.number < len(w.Splits) {
			s.look(x, &w.Splits[x.number], w.At)
		}
	}
	for _, number := range w.Holders[:min(len(w.Holders), s.most)] {
		x := &w.Splits[number]
		if s.placeOf(number) < 0 && (x.Silent >= stuckFor || x.Status == watermark.Stalled && w.At-x.Since >= stuckFor) {
			s.stuck(number, w.At)
		}
		if at := s.placeOf(number); at >= 0 {
			s.splits[at].holds = true
			s.look(s.splits[at], x, w.At)
		}
	}
}

// stuck gives a split a place that holds the watermark without a row: a free one, as long as those without rows have less than half of all, or that of another.
func (s *Source) stuck(number int, now int64) {
	unread := 0
	for _, x := range s.splits {
		if !x.read {
			unread++
		}
	}
	if len(s.splits) < s.most && unread < s.most/2 {
		s.keep(number, now)
		return
	}
	s.replace(number, now, func(x *split) bool { return x.finished || !x.holds && now-x.since > Span/10 })
}

func (s *Source) look(x *split, w *watermark.SplitSnapshot, now int64) {
	x.spells.turn(w.Status, w.Since)
	x.finished = w.Status == watermark.Finished
	if w.Frontier != x.line.mark() {
		x.line.slot(now).mark = w.Frontier
	}
}

// Forget forgets a split, because another one has its number from now on.
func (s *Source) Forget(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.placeOf(number); at >= 0 {
		s.splits = slices.Delete(s.splits, at, at+1)
		s.place[number] = 0
		for i, x := range s.splits[at:] {
			s.place[x.number] = int32(at + i + 1)
		}
	}
}

// SetBack says that the clock was set back.
func (s *Source) SetBack(by int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line.setBack(by)
	s.spells.setBack(by)
	for _, x := range s.splits {
		x.line.setBack(by)
		x.spells.setBack(by)
		x.since -= by
	}
	s.tryAt -= by
}

// kept is what is kept of a split, nil if there is no place for it, or no split.
func (s *Source) kept(number int, now int64) *split {
	if number < 0 {
		return nil
	}
	if at := s.placeOf(number); at >= 0 {
		return s.splits[at]
	}
	if len(s.splits) < s.most {
		return s.keep(number, now)
	}
	if now < s.tryAt {
		return nil
	}
	s.tryAt = now + timefmt.Second
	return s.replace(number, now, func(x *split) bool { return x.finished || !x.read && !x.holds })
}

// keep gives a split a place that is free.
func (s *Source) keep(number int, now int64) *split {
	x := s.fresh(number, now)
	s.splits = append(s.splits, x)
	s.place[number] = int32(len(s.splits))
	return x
}

// placeOf is the place of a split in splits, -1 if it is not kept.
func (s *Source) placeOf(number int) int {
	if number >= len(s.place) {
		s.place = append(s.place, make([]int32, number+1-len(s.place))...)
	}
	return int(s.place[number]) - 1
}

func (s *Source) fresh(number int, now int64) *split {
	return &split{number: number, line: newLine(s.slot), since: now}
}

// replace gives a split the place of the one that was kept longest among those that may go; nil if none may.
func (s *Source) replace(number int, now int64, may func(*split) bool) *split {
	oldest := -1
	for i, x := range s.splits {
		if may(x) && (oldest < 0 || x.since < s.splits[oldest].since) {
			oldest = i
		}
	}
	if oldest < 0 {
		return nil
	}
	s.place[s.splits[oldest].number] = 0
	s.place[number] = int32(oldest + 1)
	s.splits[oldest] = s.fresh(number, now)
	return s.splits[oldest]
}
