package runtime

import (
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sequencer decides what enters the statement next, and numbers it.
type sequencer struct {
	job      *Job
	splits   []*split // of all sources; those that come late stand behind, or in the place of one that is done
	open     int      // splits not done
	replay   bool     // every source is bounded
	next     int64    // the next ticket
	nextTick int64    // the first of those of the sources and of the clock
	clockAt  int64    // the next tick of the clock alone
	latest   int64    // the clock at the last pass
	barriers int64
	started  bool
	ended    bool
	left     bool // the last snapshot is on its way, and nothing is read behind it
	queue    replayQueue
	turn     int // the split of a replay that is read until its turn is over, not in queue; nobody if there is none
	cursor   int // where the round over live splits goes on
	meter    *meter

	// learned hands over, for every chunk in the order of tickets, what its split's frontier became. Its length bounds how far the
	// sequencer may be ahead of the cores.
	learned chan lesson
	chunks  int // turns issued whose lesson has not been taken
	recent  []lesson
}

// nobody is no split.
const nobody = -1

// lesson is the frontier of a split after one turn, which is a chunk unless the split hands out parts.
type lesson struct {
	split    int // index into sequencer.splits
	frontier watermark.Frontier
}

// lookahead is how many chunks of a replay are issued before the sequencer must know what came of the first of them. It is a constant, so
// that the order of chunks does not depend on the number of workers.
const lookahead = 16

// ticket is a piece of work for a worker.
type ticket struct {
	number  int64
	now     int64
	kind    ticketKind
	source  int
	split   *split
	index   int // of split, for the lesson
	teaches bool
	chunk   connector.Chunk
	barrier *Snapshot // to be completed with the state of the cores
	stalled int64     // of a tick: see source.stalled
	setBack int64     // of a tick: see source.setBack
	takes   bool      // of a split that joins: it has the number of one that is done
	reports []report  // of a tick of a source that looks ahead, by split
	handed  watermark.Handover
}

type ticketKind uint8

const (
	readChunk    ticketKind = iota
	joinSplit               // the split is new
	handOver                // of what the writers of a split promise
	finishSplit             // the split has no more rows
	sealSource              // no split follows
	tickSource              // emit and look for idle splits
	tickClock               // nothing but the time
	startSource             // tell downstream where the source begins
	takeSnapshot            // of everything before it
	endJob                  // nothing follows
)

func newSequencer(j *Job) *sequencer {
	q := &sequencer{job: j, replay: true, turn: nobody, nextTick: connector.Never, clockAt: connector.Never, learned: make(chan lesson, lookahead+1), meter: newMeter(j.elapsed, 0)}
	for _, s := range j.sources {
		q.splits = append(q.splits, s.splits...)
		q.replay = q.replay && s.spec.Reader.Bounded()
	}
	for _, s := range j.sources {
		s.nextTick = connector.Never
		if p := s.periodic(q.replay); p > 0 {
			s.nextTick = j.clock.Now() + p
		}
		q.nextTick = min(q.nextTick, s.nextTick)
	}
	if every := j.graph.Tick; every > 0 && !q.replay {
		q.clockAt = j.clock.Now() + every
		q.nextTick = min(q.nextTick, q.clockAt)
	}
	for i, s := range q.splits {
		s.index = i
	}
	q.open = len(q.splits)
	return q
}

// run issues tickets until the input ends or the job stops.
func (q *sequencer) run() error {
	for !q.ended {
		issued, err := q.pass()
		if err != nil {
			return err
		}
		if q.left {
			<-q.job.ctx.Done()
			return errStopped
		}
		if issued || q.ended {
			continue
		}
		if err := q.sleep(); err != nil {
			return err
		}
	}
	return nil
}

// sleep waits for the next split to have something, or the next tick.
func (q *sequencer) sleep() error {
	until := q.nextTick
	for i, s := range q.splits {
		if !s.done && !s.paused.Load() && (q.turn == nobody || q.turn == i) {
			until = min(until, s.wake)
		}
	}
	for _, s := range q.job.sources {
		until = min(until, s.askAt)
	}
	timer, cancel := q.job.clock.At(until)
	defer cancel()
	select {
	case <-timer:
	case <-q.job.arrived:
		q.heard()
	case <-q.job.sated:
	case <-q.job.ctx.Done():
		return errStopped
	}
	return nil
}

// heard is what follows when a live source has told that there is something.
func (q *sequencer) heard() {
	q.rouse()
	for _, s := range q.job.sources {
		if s.growing != nil && s.live != nil {
			s.askAt = atOnce
		}
	}
}

// pass issues one round of tickets and reports whether there was anything to issue.
func (q *sequencer) pass() (issued bool, err error) {
	if q.ended {
		return false, nil
	}
	now := q.job.clock.Now()
	if now < q.latest {
		q.setBack(now)
	}
	q.latest = now
	select {
	case <-q.job.sated:
		q.ended = true
		return true, q.issue(ticket{kind: endJob, now: now})
	default:
	}
	if !q.started {
		q.started = true
		q.queue.fill(q.splits)
		for i := range q.job.sources {
			if err := q.issue(ticket{kind: startSource, source: i, now: now}); err != nil {
				return false, err
			}
		}
	}
	select {
	case <-q.job.arrived:
		q.heard()
	default:
	}
	if q.job.drained.Load() {
		return true, q.drain(now)
	}
	if now >= q.nextTick {
		if err := q.tick(now); err != nil {
			return false, err
		}
		issued = true
	}
	if q.job.wanted.Swap(false) {
		if err := q.barrier(); err != nil {
			return false, err
		}
		issued = true
		if q.left = q.job.left.Load(); q.left {
			return true, nil
		}
	}
	if q.replay {
		got, err := q.replayNext(now)
		return issued || got, err
	}
	grown, err := q.grow(now)
	if err != nil {
		return false, err
	}
	issued = issued || grown
	for range q.splits {
		q.cursor = (q.cursor + 1) % len(q.splits)
		got, err := q.poll(q.cursor, now)
		if err != nil {
			return false, err
		}
		issued = issued || got
	}
	return issued, q.endIfDone(now)
}

// tick issues the ticks that are due; every source keeps its own interval.
func (q *sequencer) tick(now int64) error {
	// Before the first tick is issued: the workers do not wait for the second.
	for _, s := range q.job.sources {
		if s.injected != nil {
			s.injected.look()
		}
	}
	q.nextTick = connector.Never
	for i, s := range q.job.sources {
		if now >= s.nextTick {
			p := s.periodic(q.replay)
			t := ticket{kind: tickSource, source: i, now: now, stalled: s.stalled, setBack: s.setBack}
			if missed := now - s.nextTick; missed >= p {
				// Nobody asked the splits since then: the process was stopped, the machine asleep, or the clock set.
				t.stalled = max(t.stalled, missed)
			}
			if s.waits() {
				t.stalled = s.sinceTick(q.replay, now)
			}
			s.stalled, s.setBack = 0, 0
			if s.looks {
				t.reports = s.survey(now)
			}
			if err := q.issue(t); err != nil {
				return err
			}
			s.nextTick += p * ((now-s.nextTick)/p + 1)
		}
		q.nextTick = min(q.nextTick, s.nextTick)
	}
	if now >= q.clockAt {
		if err := q.issue(ticket{kind: tickClock, now: now}); err != nil {
			return err
		}
		q.clockAt = now + q.job.graph.Tick
	}
	q.nextTick = min(q.nextTick, q.clockAt)
	return nil
}

// setBack is what follows when the clock has been set back to now: what was due is due as long from now, and sources that have ticks get one at once, before anything else of them.
func (q *sequencer) setBack(now int64) {
	by := q.latest - now
	if q.clockAt != connector.Never {
		q.clockAt, q.nextTick = now, now
	}
	for _, s := range q.job.sources {
		if s.nextTick != connector.Never {
			s.nextTick = now
			s.setBack += by
			q.nextTick = now
		}
		if s.askAt != connector.Never && s.askAt != atOnce {
			s.askAt -= by
		}
	}
	for _, x := range q.splits {
		if x.wake != connector.Never && x.wake != atOnce {
			x.wake -= by
		}
	}
}

// grow takes in the splits that sources got. A replay has none.
func (q *sequencer) grow(now int64) (issued bool, err error) {
	for i, s := range q.job.sources {
		if now < s.askAt {
			continue
		}
		found, wake, err := s.growing.Discover(now)
		if err != nil {
			return issued, fmt.Errorf("look for more of table '%s': %w", s.spec.Name, err)
		}
		s.askAt = wake
		for _, x := range found {
			if s.finished.read(x.Name()) {
				if err := x.Close(); err != nil {
					return issued, fmt.Errorf("close %s: %w", x.Name(), err)
				}
				continue
			}
			n, old := s.take(x, i)
			if old != nil {
				n.index = old.index
				q.splits[n.index] = n
			} else {
				n.index = len(q.splits)
				q.splits = append(q.splits, n)
			}
			q.open++
			if s.waits() {
				n.unread(1)
			}
			if err := q.issue(ticket{kind: joinSplit, source: i, split: n, takes: old != nil, now: now}); err != nil {
				return issued, err
			}
			issued = true
		}
		if len(found) > 0 {
			s.publishSplits()
		}
	}
	return issued, nil
}

// replayNext issues the next chunk of a replay: that of the split with the least frontier, or of the one whose turn is not over.
func (q *sequencer) replayNext(now int64) (bool, error) {
	if q.open == 0 {
		return false, q.endIfDone(now)
	}
	// With one split there is no choice and nothing to wait for, but lessons are taken all the same.
	if q.chunks == lookahead {
		if err := q.learn(); err != nil {
			return false, err
		}
	}
	q.queue.restock(now)
	for {
		i := q.turn
		if i == nobody {
			var ok bool
			if i, ok = q.queue.next(); !ok {
				return false, nil
			}
		}
		issued, err := q.poll(i, now)
		if err == nil && q.goesOn(i, issued) {
			q.turn = i
			return issued, nil
		}
		q.turn = nobody
		q.queue.put(i, issued)
		if issued || err != nil {
			return issued, err
		}
	}
}

// goesOn reports whether it is still the turn of split i, which was asked. One that has nothing keeps its turn, unless only a person can bring it
// to go on.
func (q *sequencer) goesOn(i int, issued bool) bool {
	s := q.splits[i]
	switch {
	case s.done || q.job.sources[s.source].waits():
		return false
	case issued:
		return s.midTurn
	}
	return s.midTurn || s.wake != connector.Never || q.job.sources[s.source].live != nil
}

// rouse lets the splits and sources be asked again that did not know when they would have something.
func (q *sequencer) rouse() {
	for _, s := range q.splits {
		if s.wake == connector.Never {
			s.wake = atOnce
		}
	}
	for _, s := range q.job.sources {
		if s.growing != nil && s.askAt == connector.Never {
			s.askAt = atOnce
		}
	}
}

// learn takes the oldest lesson.
func (q *sequencer) learn() error {
	var l lesson
	if len(q.recent) > 0 {
		l, q.recent = q.recent[0], q.recent[1:]
	} else {
		var err error
		if l, err = q.lesson(); err != nil {
			return err
		}
	}
	q.chunks--
	// One that falls, as a new value of a dimension can make it, is no reason to read a split before others.
	q.splits[l.split].frontier = max(q.splits[l.split].frontier, l.frontier)
	return nil
}

// lesson waits for the next lesson.
func (q *sequencer) lesson() (l lesson, err error) {
	select {
	case l = <-q.learned:
		return l, nil
	default:
	}
	q.meter.follow(q.receiver().meter, q.job.elapsed()) // all workers wait if one of them does for long
	defer q.meter.resume()
	select {
	case l = <-q.learned:
		return l, nil
	case <-q.job.ctx.Done():
		return l, errStopped
	}
}

// poll asks one split for a chunk and issues it.
func (q *sequencer) poll(i int, now int64) (bool, error) {
	s := q.splits[i]
	if s.done || s.wake > now || s.paused.Load() {
		return false, nil
	}
	if q.job.sources[s.source].waits() {
		s.wake = connector.Never
		return false, nil
	}
	if err := q.handOver(s, now); err != nil {
		return false, err
	}
	t := ticket{kind: readChunk, source: s.source, split: s, index: i, now: now}
	gate := q.job.sources[s.source].injected
	if s.held != nil {
		chunk, ok := gate.release(s)
		if !ok {
			s.wake = q.nextTick
			return false, nil
		}
		s.wake, t.chunk = atOnce, chunk
		return true, q.issue(t)
	}
	var from position
	if gate != nil {
		from = positionOf(s.Split)
	}
	chunk, wake, err := s.Poll(now)
	switch {
	case err == io.EOF:
		s.done = true
		q.open--
		q.letRead(now)
		if from := q.job.sources[s.source]; from.growing != nil && !from.looks { // what is in flight has the number of its split
			from.free = append(from.free, s)
		}
		t.kind, t.teaches = finishSplit, s.midTurn
	case err != nil:
		return false, ofSplit(s.Name(), err)
	case chunk == nil:
		s.wake, s.emptyAt = wake, now
		return false, nil
	case gate != nil && gate.holds(s, chunk, from, now, q.job.graph.Memory, q.job.options.BatchRows):
		s.wake, s.emptyAt = q.nextTick, watermark.NoTime
		return false, nil
	default:
		s.wake, s.emptyAt = atOnce, watermark.NoTime
		t.chunk = chunk
		part, ok := chunk.(connector.Part)
		s.midTurn = ok && !part.EndsTurn()
		t.teaches = !s.midTurn
	}
	t.teaches = t.teaches && q.replay
	if t.teaches {
		q.chunks++
	}
	return true, q.issue(t)
}

// handOver issues a ticket of its own for what is promised of the rows that s hands out next, if that is news. It is no turn of s.
func (q *sequencer) handOver(s *split, now int64) error {
	if !q.job.sources[s.source].handed {
		return nil
	}
	h := s.promised.HandedOver()
	if s.told != nil && *s.told == h {
		return nil
	}
	s.told = &h
	return q.issue(ticket{kind: handOver, source: s.source, split: s, now: now, handed: h})
}

func (q *sequencer) endIfDone(now int64) error {
	if q.open > 0 {
		return nil
	}
	for _, s := range q.job.sources {
		if !s.spec.Reader.Bounded() {
			return nil
		}
	}
	q.ended = true
	return q.issue(ticket{kind: endJob, now: now})
}

// issue numbers t and hands it to the worker whose turn it is.
func (q *sequencer) issue(t ticket) error {
	t.number = q.next
	w := q.receiver()
	select {
	case w.tickets <- t:
	default:
		if err := q.wait(w, t); err != nil {
			return err
		}
	}
	q.next++
	return nil
}

// receiver is the worker that gets the next ticket.
func (q *sequencer) receiver() *worker {
	return q.job.workers[int(q.next)%len(q.job.workers)]
}

// wait hands t to a worker that is busy. The time until then is not silence of the splits: they could not have been read.
func (q *sequencer) wait(w *worker, t ticket) error {
	from := q.job.elapsed()
	q.meter.follow(w.meter, from)
	select {
	case w.tickets <- t:
	case <-q.job.ctx.Done():
		return errStopped
	}
	to := q.job.elapsed()
	q.meter.change(working, to)
	for _, s := range q.job.sources {
		s.stalled += to - from
	}
	return nil
}

// barrier issues a snapshot behind everything issued so far.
func (q *sequencer) barrier() error {
	q.barriers++
	s := &Snapshot{ID: q.barriers, ticket: q.next, Sources: make([]SourceSnapshot, len(q.job.sources)), Chunks: q.chunks}
	for i, x := range q.job.sources {
		for _, p := range x.splits {
			saved := SplitSnapshot{Name: p.Name(), Done: p.done, Frontier: p.frontier}
			if !p.done {
				at := p.position()
				saved.Offset, saved.Origin = at.offset, at.origin
			}
			s.Sources[i].Splits = append(s.Sources[i].Splits, saved)
		}
		s.Sources[i].Finished = x.finished.list()
	}
	s.Recent = append(s.Recent, q.recent...)
	return q.issue(ticket{kind: takeSnapshot, now: q.job.clock.Now(), barrier: s})
}
