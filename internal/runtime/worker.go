package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// worker works off the tickets t with t mod N = index.
type worker struct {
	job     *Job
	index   int
	tickets chan ticket
	// turn receives when all tickets before the one at hand have had their turn. Worker 0 has it first.
	turn  chan struct{}
	lanes []lane          // by source
	done  int64           // the last ticket worked off; guarded by job.mu
	out   map[int][]*edge // by receiving fragment, then task
	meter *meter
	at    doing // work for which source it did last

	// Of the chunk at hand:
	read    []reading
	decoded connector.Decoded
}

// lane is what one worker has for one source.
type lane struct {
	decoder  connector.Decoder
	intake   Intake
	numbers  numbering // of the values that the intake found, with a dimension
	branches []branch
	last     int // of the branches that take rows

	in, out *flow // chunks that were decoded, and rows for tasks
}

// reading is a decoded batch on its way to the core.
type reading struct {
	batch             *dataflow.Batch
	times, candidates []int64
	values            []int32            // by row, with a dimension
	marks             [][]watermark.Mark // by branch; nil if no row has a time
	late              []int32            // rows, if a branch wants to know
	lateness          *lateness          // of those, if a branch tells
	owner             int                // the branch that the batch is given to
}

func newWorker(j *Job, index int, out map[int][]*edge) (*worker, error) {
	w := &worker{job: j, index: index, done: -1, tickets: make(chan ticket, 1), turn: make(chan struct{}, 1), out: out,
		lanes: make([]lane, len(j.graph.Sources)), meter: newMeter(j.elapsed, len(j.graph.Sources)), at: working}
	for _, edges := range out {
		for _, e := range edges {
			e.from = w.meter
		}
	}
	if index == 0 {
		w.turn <- struct{}{}
	}
	for i := range j.graph.Sources {
		spec := &j.graph.Sources[i]
		l := &w.lanes[i]
		l.in, l.out = &flow{}, &flow{}
		var err error
		if l.decoder, err = spec.Reader.NewDecoder(); err != nil {
			return nil, fmt.Errorf("read table '%s': %w", spec.Name, err)
		}
		if l.intake, err = spec.NewIntake(); err != nil {
			return nil, fmt.Errorf("read table '%s': %w", spec.Name, err)
		}
		for k := range spec.Branches {
			l.branches = append(l.branches, newBranch(j, &spec.Branches[k], out, l.out))
			if spec.Branches[k].Misread == nil {
				l.last = k
			}
		}
	}
	return w, nil
}

func (w *worker) run() error {
	w.meter.turn(working)
	defer w.meter.turn(resting)
	for {
		t, more := w.next()
		if !more {
			return nil
		}
		if err := w.work(&t); err != nil {
			return err
		}
		w.job.worked(w, t.number)
		if t.kind == endJob {
			return nil
		}
	}
}

// next takes the next ticket; there is none at the end. While the sequencer waits for another worker, which has no room, none comes here either.
func (w *worker) next() (t ticket, more bool) {
	select {
	case t, more = <-w.tickets:
		return t, more
	default:
	}
	w.meter.follow(w.job.sequencer.meter, w.job.elapsed())
	select {
	case t, more = <-w.tickets:
		return t, more
	case <-w.job.ctx.Done():
		return t, false
	}
}

func (w *worker) work(t *ticket) error {
	switch t.kind {
	case takeSnapshot, tickClock, endJob:
	default:
		w.at = w.meter.work(t.source)
	}
	w.meter.turn(w.at)
	end := dataflow.Message{Kind: dataflow.Close, Ticket: t.number, Now: t.now}
	switch t.kind {
	case takeSnapshot:
		end.Barrier = t.barrier.ID
		if err := w.inTurn(func() {
			from := w.job.clock.Now()
			w.awaitOthers(t.number)
			t.barrier.Aligned = w.job.clock.Now() - from
			w.job.begin(t.barrier)
		}); err != nil {
			return err
		}
	case tickClock:
		if err := w.inTurn(func() {}); err != nil {
			return err
		}
	case endJob:
		end.End = true
		if err := w.inTurn(func() { w.job.publish(t.now) }); err != nil {
			return err
		}
		// A worker that has no ticket left must not wait for one.
		w.job.ending(t.number)
	default:
		if err := w.workSource(t); errors.Is(err, errStopped) {
			return err
		} else if err != nil {
			end.End, end.Err = true, err
		}
	}
	for _, edges := range w.out {
		for _, e := range edges {
			if err := e.send(w.job.ctx.Done(), end); err != nil {
				return err
			}
		}
	}
	return nil
}

// inTurn runs f when all tickets before the one at hand have had their turn, and passes the turn on.
func (w *worker) inTurn(f func()) error {
	select {
	case <-w.turn:
	default:
		w.meter.follow(w.before(), w.job.elapsed())
		select {
		case <-w.turn:
		case <-w.job.ctx.Done():
			return errStopped
		}
		w.meter.resume()
	}
	f()
	w.job.workers[(w.index+1)%len(w.job.workers)].turn <- struct{}{}
	return nil
}

// before is the meter of the worker that has its turn before this one.
func (w *worker) before() *meter {
	n := len(w.job.workers)
	return w.job.workers[(w.index+n-1)%n].meter
}

func (w *worker) workSource(t *ticket) error {
	s, l := w.job.sources[t.source], &w.lanes[t.source]
	w.read = w.read[:0]
	l.intake.SetNow(t.now)
	for _, b := range l.branches {
		tellTime(b.ops, t.now)
	}
	var failed error
	if t.kind == readChunk {
		failed = w.decode(t, l)
	}
	var progress dataflow.Progress
	show := false
	err := w.inTurn(func() {
		// Other workers have told the receivers more since this one did.
		l.told(s.progress())
		if t.kind == startSource {
			l.told(dataflow.Start)
		}
		if wrong := w.observe(t, s); wrong != nil {
			failed = wrong // an earlier row than the one that could not be decoded
		}
		progress, show = s.progress(), s.shows(t.now)
	})
	if err != nil {
		return err
	}
	for k, b := range l.branches {
		// Branches that meet again keep their order.
		b.route.begin(t.number, k)
		b.route.now = t.now
	}
	if err := l.emit(w.read, w.job.graph.Memory); err != nil {
		return err
	}
	if left := w.decoded.Misread; t.kind == readChunk && left != nil {
		if err := l.emitMisread(left, t.now, w.job.graph.Memory); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	for _, b := range l.branches {
		if err := b.chain.advance(progress); err != nil {
			return err
		}
		if err := b.route.flush(show); err != nil {
			return err
		}
	}
	s.pass(progress.Frontier)
	return nil
}

// told notes what the receivers know.
func (l *lane) told(p dataflow.Progress) {
	for _, b := range l.branches {
		b.chain.tell(p)
		b.route.sent, b.route.latest = p, p
	}
}

// ofSplit says which split an error is about, unless the error does.
func ofSplit(name string, err error) error {
	if strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("read %s: %w", name, err)
}

func (w *worker) decode(t *ticket, l *lane) (err error) {
	w.decoded, err = l.decoder.Decode(t.chunk, w.job.graph.Memory, w.job.options.BatchRows, func(b *vector.Batch) error {
		if err := l.intake.Prepare(b, func(b *vector.Batch, times, candidates []int64) { w.take(l, b, times, candidates) }); err != nil {
			return ofSplit(t.split.Name(), err)
		}
		return nil
	})
	return err
}

// take notes a batch that was decoded.
func (w *worker) take(l *lane, b *vector.Batch, times, candidates []int64) {
	r := reading{batch: &dataflow.Batch{Batch: *b, Released: watermark.Unset}, times: times, candidates: candidates}
	if d, ok := l.intake.(Dividing); ok {
		r.values = d.Values()
	}
	w.read = append(w.read, r)
}

// observe has the core of the source look at what the ticket brought. It runs in turn.
func (w *worker) observe(t *ticket, s *source) error {
	switch t.kind {
	case readChunk:
		s.counts.skipped.Add(w.decoded.Skipped)
		s.counts.bytes.Add(t.chunk.Size())
		w.lanes[t.source].in.add(0, t.chunk.Size())
		for i := range w.read {
			if err := w.observeBatch(t, s, &w.read[i]); err != nil {
				w.read = w.read[:i+1]
				return err
			}
		}
		if s.looks {
			s.fetched(t)
		}
		if s.aligned != nil {
			s.aligned.read(s, t.split, t.now)
		}
	case handOver:
		s.core.HandOver(t.split.number, t.handed, t.now)
		if s.aligned != nil {
			s.aligned.read(s, t.split, t.now)
		}
	case joinSplit:
		if t.takes {
			s.core.ReplaceSplit(t.split.number, t.now)
			if s.timeline != nil {
				s.timeline.Forget(t.split.number)
			}
		} else {
			s.core.AddSplit(t.now)
		}
		s.turned(t.split, watermark.Active, t.now)
		s.group(t.split)
		if s.aligned != nil {
			s.aligned.join(s, t.split)
		}
	case finishSplit:
		s.core.FinishSplit(t.split.number, t.now)
		s.turned(t.split, watermark.Finished, t.now)
		if s.aligned != nil {
			s.aligned.leave(s, t.split, t.now)
		}
		if s.growing != nil { // all that was read of it has been decoded
			if err := t.split.shut(); err != nil {
				return err
			}
		}
	case sealSource:
		s.core.SealSplits()
	case tickSource:
		if t.setBack > 0 {
			s.core.SetBack(t.setBack)
			if s.timeline != nil {
				s.timeline.SetBack(t.setBack)
			}
		}
		if t.stalled > 0 {
			for i := range s.core.Splits() {
				s.core.Stall(i, t.now-t.stalled)
				s.core.Unstall(i, t.now)
			}
		}
		if s.looks {
			s.catchUp(w.job.completed(), t.reports, t.now)
		}
		s.seen.Reset()
		s.core.Tick(t.now, &s.seen)
		if s.witness != nil {
			s.witness.Ticked(t.stalled, t.setBack, t.now)
		}
		if s.aligned != nil {
			s.aligned.renew(t.now)
		}
	}
	if t.teaches {
		w.job.teach(lesson{t.index, s.core.SplitFrontier(t.split.number)})
	}
	if t.now-s.published >= publishEvery || t.kind == startSource || t.kind == tickSource {
		s.published = t.now
		s.core.Publish(t.now)
		if s.timeline != nil {
			s.timeline.Look(s.core.Load())
		}
	}
	if s.timeline != nil {
		s.record(t)
	}
	return nil
}

// publishEvery is how old the published state of a core may get while rows come, in microseconds.
const publishEvery = 100_000

func (w *worker) observeBatch(t *ticket, s *source, r *reading) error {
	since, first := s.core.Frontier(), s.core.SplitRead(t.split.number)
	s.counts.rows.Add(int64(r.batch.N))
	w.lanes[t.source].in.add(int64(r.batch.N), 0)
	if r.times == nil {
		return nil
	}
	s.seen.Reset()
	rows, failed := r.batch.N, error(nil)
	if r.values != nil {
		rows, failed = w.observeValues(t, s, r)
	} else {
		s.core.Observe(t.split.number, r.times, r.candidates, t.now, &s.seen)
	}
	if s.timeline != nil {
		s.sample(r.times[:rows])
	}
	if s.witness != nil {
		s.witness.Read(t.split.number, r.times[:rows], r.values[:min(rows, len(r.values))], &s.seen, t.now)
	}
	r.marks = make([][]watermark.Mark, len(s.spec.Branches))
	for k := range r.marks {
		branch := &s.spec.Branches[k]
		r.marks[k] = branch.Grain.And(branch.To.Grain).Keep(s.seen.Marks, since)
	}
	s.counts.late.Add(int64(len(s.seen.Late)))
	if s.sorts {
		r.late = slices.Clone(s.seen.Late)
	}
	if s.tells && len(r.late) > 0 {
		r.lateness = &lateness{t.split.Name(), first, slices.Clone(s.seen.Behind)}
	}
	if failed != nil {
		r.cut(int32(rows))
	}
	if len(s.seen.Null) == 0 {
		return failed
	}
	switch s.spec.Strategy.NullTime {
	case watermark.Fail:
		r.cut(s.seen.Null[0])
		before := s.core.SplitRead(t.split.number) - int64(r.batch.N)
		return fault.Errorf(fault.Data, "row %d of %s, table '%s', has no event time (NULL); "+
			"SET 'table.exec.source.rowtime-null-handling' = 'DROP' to leave such rows out, or 'SKIP_WATERMARK' to let them pass",
			before+int64(s.seen.Null[0])+1, t.split.Name(), s.spec.Name)
	case watermark.Drop:
		s.counts.nullTime.Add(int64(len(s.seen.Null)))
		r.batch.Sel = without(r.batch.Arena.Sel(rows), rows, s.seen.Null)
	}
	return failed
}

// cut leaves what stands before a row.
func (r *reading) cut(row int32) {
	r.batch.Sel = make([]int32, row)
	for i := range row {
		r.batch.Sel[i] = i
	}
	for k, marks := range r.marks {
		r.marks[k] = slices.DeleteFunc(marks, func(m watermark.Mark) bool { return m.Row > row })
	}
}

// without lists the numbers below n that are not in gone, which ascends.
func without(sel []int32, n int, gone []int32) []int32 {
	sel = sel[:0]
	for i := range int32(n) {
		if len(gone) > 0 && gone[0] == i {
			gone = gone[1:]
			continue
		}
		sel = append(sel, i)
	}
	return sel
}

// publish shows how all cores stand. It is called in turn, or while the job is settled.
func (j *Job) publish(now int64) {
	for _, s := range j.sources {
		s.core.Publish(now)
	}
}

// teach tells the sequencer what came of a chunk, and remembers it for a snapshot. It is called in turn.
func (j *Job) teach(l lesson) {
	if len(j.lessons) == lookahead {
		copy(j.lessons, j.lessons[1:])
		j.lessons = j.lessons[:lookahead-1]
	}
	j.lessons = append(j.lessons, l)
	j.sequencer.learned <- l
}

// ending stops the workers that will get no ticket after the last one.
func (j *Job) ending(last int64) {
	for _, w := range j.workers {
		if w.index != int(last)%len(j.workers) {
			close(w.tickets)
		}
	}
}

// worked notes that a worker is done with a ticket.
func (j *Job) worked(w *worker, ticket int64) {
	j.mu.Lock()
	w.done = ticket
	j.settled.Broadcast()
	j.mu.Unlock()
}

// awaitOthers returns when every ticket before the given one, which is this worker's, is worked off, or the job has stopped. The others wait
// for no later ticket, so they come to that.
func (w *worker) awaitOthers(ticket int64) {
	j, n := w.job, int64(len(w.job.workers))
	j.mu.Lock()
	defer j.mu.Unlock()
	for before := max(0, ticket-n+1); before < ticket; before++ {
		other := j.workers[before%n]
		if other.done >= before || j.stopped {
			continue
		}
		w.meter.follow(other.meter, j.elapsed())
		for other.done < before && !j.stopped {
			j.settled.Wait()
		}
		w.meter.resume()
	}
}
