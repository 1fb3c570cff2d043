package runtime

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/timeline"
	"github.com/tidemark-sql/tidemark/watermark"
)

// source is a table being read: its splits, which belong to the sequencer, and its watermark core, which belongs to the worker that has
// the turn.
type source struct {
	spec   *Source
	splits []*split // the sequencer's, by number
	// free are those that are done and whose numbers others may take over, and finished what is known of those that had them before. Both are the sequencer's and
	// of a growing source.
	free     []*split
	finished finished
	// known are the splits, for whoever reports.
	known atomic.Pointer[[]*split]
	core  *watermark.Core
	// seen is used in turn, like core.
	seen      watermark.Observed
	counts    SourceCounts
	published int64 // wall time of the last snapshot of the core
	// shown is what tasks that do not look at frontiers were told last, at shownAt by the wall clock. They are used in turn.
	shown   watermark.Frontier
	shownAt int64
	passed  atomic.Int64 // the frontier that has passed the operators of the workers
	// growing is nil if there are no splits to come. It, askAt, nextTick and stalled belong to the sequencer.
	growing  connector.Growing
	live     connector.Live // nil if the source is none
	askAt    int64          // when to look for more splits
	nextTick int64
	aligned  *alignment       // nil if the source waits for nobody
	members  []*split         // those that are aligned
	waiting  []standing       // a heap of those that are paused, and of some that came to their end
	sorts    bool             // it matters which rows are late
	tells    bool             // and what is known of them
	looks    bool             // the watermark is of watermark.Lookahead
	flying   []inFlight       // if so, by ticket; used in turn
	handed   bool             // the watermark is of watermark.HandedOver
	witness  Witness          // nil if nobody looks
	timeline *timeline.Source // nil if it is not kept
	// row and late are event times of rows of the ticket at hand for it, NoTime if there are none; used in turn.
	row, late    int64
	injected     *injection // nil unless the source waits for others to have read
	predecessors predecessors
	stalled      int64 // time since the source's last tick in which workers were busy, microseconds
	setBack      int64 // by how much the clock was set back since then, microseconds
}

// split is one split as the sequencer sees it.
type split struct {
	connector.Split
	source   int                 // index into Job.sources
	number   int                 // in its core
	index    int                 // in sequencer.splits
	wake     int64               // when to ask it for a chunk: wall clock, microseconds
	promised connector.Promised  // the split, if it is one
	told     *watermark.Handover // what the core was told of it last; nil before that
	// emptyAt is when it was last asked in vain, watermark.NoTime if it has had something since.
	emptyAt int64
	held    *held // what is not let into the statement yet
	done    bool
	// midTurn is whether the last chunk was a part that did not end the split's turn.
	midTurn bool
	// frontier is the highest of the split's own, as far as the sequencer lets itself know; see sequencer.learn.
	frontier watermark.Frontier
	// paused says that others are too far behind. It is written in turn.
	paused atomic.Bool
	// pauses are the reasons why it is not read.
	pauses struct {
		sync.Mutex
		n int
	}
	// member says that the split is aligned, and ranked that it is in alignment.behind, at rankedAt. They are used in turn.
	member, ranked bool
	rankedAt       watermark.Frontier
	closed         bool // written in turn, or when the job is over
}

// shut closes the split once.
func (s *split) shut() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if err := s.Close(); err != nil {
		return fmt.Errorf("close %s: %w", s.Name(), err)
	}
	return nil
}

// unread gives the split one reason more not to be read, or one less, and tells it.
func (s *split) unread(reasons int) {
	s.pauses.Lock()
	defer s.pauses.Unlock()
	s.pauses.n += reasons
	if p, ok := s.Split.(connector.Pausing); ok {
		p.Pause(s.pauses.n > 0)
	}
}

// atOnce is the wake-up time of a split that may be asked now.
const atOnce = math.MinInt64

func newSource(spec *Source, now int64) *source {
	core, err := watermark.New(blaming(spec.Strategy, spec.Name), now)
	if err != nil {
		panic("tidemark bug: table '" + spec.Name + "': " + err.Error())
	}
	s := &source{spec: spec, core: core, askAt: connector.Never, shown: watermark.Unset, shownAt: watermark.NoTime, row: watermark.NoTime, late: watermark.NoTime}
	s.passed.Store(int64(watermark.Unset))
	if g, ok := spec.Reader.(connector.Growing); ok && !spec.Reader.Bounded() {
		s.growing, s.askAt = g, atOnce
	}
	s.live, _ = spec.Reader.(connector.Live)
	s.sorts = spec.sends(watermark.DivertLate) || spec.sends(watermark.OnlyLate)
	s.tells = slices.ContainsFunc(spec.Branches, func(b Branch) bool { return b.Tells })
	_, s.handed = spec.Strategy.Candidates.(watermark.HandedOver)
	if l, ok := spec.Strategy.Candidates.(watermark.Lookahead); ok && spec.Watermarked {
		s.looks = true
		if r, ok := spec.Reader.(connector.Tenacious); ok && l.Outages.HalfLife > 0 {
			r.KeepTrying()
		}
	}
	return s
}

// open opens the splits of source number index, and goes to where from is if that is not nil. After an error, close still closes what is
// open.
func (s *source) open(index int, now int64, from *SourceSnapshot) (err error) {
	defer fault.Blamed(&err)
	splits, err := s.spec.Reader.Open()
	if err != nil {
		return fmt.Errorf("open table '%s': %w", s.spec.Name, err)
	}
	for _, x := range splits {
		s.add(x, index)
	}
	defer s.publishSplits()
	if from != nil {
		err = s.restore(from, now)
	} else {
		for range splits {
			s.core.AddSplit(now)
		}
	}
	if err != nil {
		return err
	}
	for _, x := range s.splits {
		s.group(x)
		s.turned(x, watermark.Active, now)
	}
	if from != nil {
		return nil
	}
	if s.spec.Reader.Bounded() {
		s.core.SealSplits()
	}
	return nil
}

// add appends a split; its number in the core is its place.
func (s *source) add(x connector.Split, index int) *split {
	n := newSplit(x, index, len(s.splits))
	s.splits = append(s.splits, n)
	return n
}

func newSplit(x connector.Split, source, number int) *split {
	promised, _ := x.(connector.Promised)
	return &split{Split: x, promised: promised, source: source, number: number, wake: atOnce, emptyAt: watermark.NoTime, frontier: watermark.Unset}
}

// take gives x the number of a split that is done, or a new one if there is none. The split that it takes the number of is old.
func (s *source) take(x connector.Split, index int) (n, old *split) {
	if len(s.free) == 0 {
		return s.add(x, index), nil
	}
	last := len(s.free) - 1
	old, s.free = s.free[last], s.free[:last]
	s.finished.add(old.Name())
	n = newSplit(x, index, old.number)
	s.splits[n.number] = n
	return n, old
}

// publishSplits lets others know which splits there are.
func (s *source) publishSplits() {
	known := slices.Clone(s.splits)
	s.known.Store(&known)
}

// tellSplits adds to stats what splits tell of themselves.
func (s *source) tellSplits(stats *SourceStats) {
	known := *s.known.Load()
	stats.Splits, stats.Backlogs = make([]string, len(known)), make([]connector.Backlog, len(known))
	stats.Pending = connector.Backlog{Records: -1, Bytes: -1}
	for i, x := range known {
		stats.Splits[i], stats.Backlogs[i] = x.Name(), connector.Backlog{Records: -1, Bytes: -1}
		if b, ok := x.Split.(connector.Backlogged); ok {
			stats.Backlogs[i] = b.Backlog()
			stats.Pending.Add(stats.Backlogs[i])
		}
	}
}

func (s *source) progress() dataflow.Progress {
	if _, never := s.spec.Strategy.Idleness.(watermark.Never); never && !s.handed && invariant.Enabled { // handed over, it is idle when its writers are
		invariant.Check(s.core.Active(), "table '%s', whose idle timeout is 0, is idle", s.spec.Name)
	}
	return dataflow.Progress{Frontier: s.core.Frontier(), System: s.core.System(), Active: s.core.Active()}
}

// shows reports whether the tasks that do not look at frontiers are told now, for people. It is called in turn.
func (s *source) shows(now int64) bool {
	f := s.core.Frontier()
	if f == s.shown || !stale(now, s.shownAt) {
		return false
	}
	s.shown, s.shownAt = f, now
	return true
}

// pass notes that a frontier has passed the operators of a worker. Workers come to that in any order.
func (s *source) pass(f watermark.Frontier) {
	for {
		was := s.passed.Load()
		if int64(f) <= was || s.passed.CompareAndSwap(was, int64(f)) {
			return
		}
	}
}

func (s *source) close() error {
	var first error
	for _, x := range s.splits {
		if err := x.shut(); err != nil && first == nil {
			first = err
		}
	}
	if s.live != nil {
		if err := s.live.Close(); err != nil && first == nil {
			first = fmt.Errorf("close table '%s': %w", s.spec.Name, err)
		}
	}
	return first
}

// periodic is the interval of the source's ticks in microseconds, 0 if it needs none. A replay is not aligned.
func (s *source) periodic(replay bool) int64 {
	interval := int64(0)
	if p, ok := s.spec.Strategy.Emission.(watermark.Periodic); ok {
		interval = p.Interval
	} else if _, never := s.spec.Strategy.Idleness.(watermark.Never); !never || s.spec.Strategy.Dimension.Ticks() {
		interval = watermark.DefaultInterval
	} else if s.spec.Strategy.Alignment.Drift > 0 && !replay {
		interval = watermark.DefaultInterval
	}
	return interval
}
