package runtime

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/watermark"
)

// task runs the chain of a fragment for one range of key groups.
type task struct {
	job      *Job
	spec     *Fragment
	fragment int
	index    int
	over     atomic.Bool      // its goroutine has ended, or is about to
	inputs   []*gather        // the workers first, then fragments by input
	merge    *watermark.Merge // of the fragment's inputs
	woken    []int            // inputs that count as active until the end of the ticket at hand, see Fragment.Kin
	inbox    *inbox
	now      int64 // wall clock of the ticket at hand
	ops      []dataflow.Operator
	tables   []*spill.Table // by operator what it has on the disk; nil without a limit of memory
	chain    *chain
	out      dataflow.Output
	routes   []*route // none in the last fragment
	forked   Forked   // the sink, if it is one; such a fragment has no chain
	from     map[way]*gather
	end      dataflow.Message         // the Close of the ticket at hand
	ends     bool                     // the statement ends when the operators of this task are sated
	hungry   []dataflow.Sated         // those of them that are not
	barrier  int64                    // when the first sender of the ticket at hand came to its barrier, 0 if none did; of the wall clock
	aligned  int64                    // when the last one did
	spare    []atomic.Pointer[[]byte] // by operator, for its next snapshot
	counted  []*dataflow.Counts

	meter       *meter
	in, leaving flow
	places      *chainPlaces
}

func newTask(j *Job, fragment, index int) *task {
	spec := &j.graph.Fragments[fragment]
	t := &task{job: j, spec: spec, fragment: fragment, index: index, merge: watermark.NewMerge(spec.Inputs), from: map[way]*gather{},
		inbox: newInbox(), meter: newMeter(j.elapsed, 0)}
	for _, s := range spec.Chain {
		op := s.New()
		t.ops = append(t.ops, op)
		if c, ok := op.(dataflow.Counted); ok {
			t.counted = append(t.counted, c.Counts())
		}
		if s.Ends {
			t.hungry = append(t.hungry, op.(dataflow.Sated))
		}
	}
	t.places = newPlaces(t.ops)
	t.tellFirings()
	t.spare = make([]atomic.Pointer[[]byte], len(t.ops))
	t.ends = len(t.hungry) > 0
	j.hungry.Add(int32(len(t.hungry)))
	if spec.Sink != nil {
		timed, _ := spec.Sink.(connector.Timed)
		w := &writer{sink: spec.Sink, timed: timed, sinks: j.sinksByInput()}
		t.out = w
		for _, s := range j.sinks {
			if x, ok := s.sink.(connector.Waiting); ok {
				x.OnWait(t.meter.waitForOthers)
			}
		}
		if t.forked, _ = spec.Sink.(Forked); t.forked == nil {
			w.promising, _ = spec.Sink.(connector.Promising)
		}
		t.chain = newChain(t.job, t.ops, t.out)
	}
	return t
}

// connect sets where a task that is not in the last fragment sends its results.
func (t *task) connect(routes []*route) {
	t.routes = routes
	t.chain = newChain(t.job, t.ops, t.spec.outlets(routes)...)
	if !slices.ContainsFunc(t.spec.To, func(to Target) bool { return to.Phased }) {
		return
	}
	t.ops[0].(dataflow.Phased).OnPhase(func(number uint64) {
		t.chain.settle()
		for _, r := range routes {
			r.phase = number
		}
	})
}

// last reports whether t is the task of the last fragment.
func (t *task) last() bool { return t.spec.Sink != nil }

// way is one of the targets of a fragment.
type way struct{ fragment, number int }

// edgeFromWorker adds the edge from the next worker.
func (t *task) edgeFromWorker() *edge {
	if len(t.inputs) == 0 {
		t.inputs = append(t.inputs, &gather{task: t, turns: true, input: -1})
	}
	e := t.inbox.edge()
	t.inputs[0].edges = append(t.inputs[0].edges, e)
	return e
}

// edgeFrom adds the edge from one task of another fragment.
func (t *task) edgeFrom(by way, sender, input int) *edge {
	g := t.from[by]
	if g == nil {
		g = &gather{task: t, input: input, phased: t.job.graph.Fragments[by.fragment].To[by.number].Phased}
		t.from[by] = g
		t.inputs = append(t.inputs, g)
		slices.SortStableFunc(t.inputs, func(a, b *gather) int { return cmp.Compare(a.input, b.input) })
	}
	e := t.inbox.edge()
	e.from = t.job.tasks[by.fragment][sender].meter
	g.edges = append(g.edges, e)
	return e
}

func (t *task) run() error {
	t.meter.turn(working)
	defer t.meter.turn(resting)
	if err := t.promise(watermark.Unset); err != nil {
		return err
	}
	for ticket := int64(0); ; ticket++ {
		for _, r := range t.routes {
			r.begin(ticket, t.index)
		}
		t.inbox.begin(ticket)
		failed := t.gather(ticket)
		if t.sated() && failed != nil && failed == t.end.Err {
			// Behind the last row that counts nothing can go wrong.
			failed, t.end.Err, t.end.End = nil, nil, true
			t.job.cut.Store(true)
		}
		if failed == nil {
			failed = t.close(ticket)
		}
		if errors.Is(failed, errStopped) {
			return failed
		}
		if failed != nil {
			return t.fail(failed)
		}
		if t.end.End && t.last() && t.job.cut.Load() {
			t.job.cancel(errSated)
		}
		if t.end.End {
			return nil
		}
	}
}

// sated reports whether the statement needs no more rows by way of this task, and tells the job when that comes to be.
func (t *task) sated() bool {
	if len(t.hungry) == 0 {
		return t.ends
	}
	before := len(t.hungry)
	t.hungry = slices.DeleteFunc(t.hungry, func(s dataflow.Sated) bool { return s.Sated() })
	if fed := int32(before - len(t.hungry)); fed > 0 && t.job.hungry.Add(-fed) == 0 {
		close(t.job.sated)
	}
	return len(t.hungry) == 0
}

// hasEnough reports whether the statement ends because it needs no more rows, and not because there are none.
func (j *Job) hasEnough() bool {
	select {
	case <-j.sated:
		return true
	default:
		return j.cut.Load()
	}
}

// gather takes all that belongs to a ticket, up to an error in it.
func (t *task) gather(ticket int64) error {
	for _, g := range t.inputs {
		if err := g.ticket(ticket); err != nil {
			return err
		}
		if t.end.Err != nil {
			return t.end.Err
		}
	}
	return nil
}

// fail passes an error on to the last fragment, behind everything that came before it; there it ends the job.
func (t *task) fail(err error) error {
	t.inbox.close()
	if t.last() {
		return join(err, t.out.(*writer).idle())
	}
	return t.send(dataflow.Message{Kind: dataflow.Close, End: true, Err: err})
}

// receive takes the next message of an edge. All messages of a ticket carry its time, so that operators know it before its rows.
func (t *task) receive(e *edge) (_ dataflow.Message, err error) {
	m, ok := e.take()
	if !ok {
		t.show()
		t.meter.wait(idling)
		m, err = e.receive(t.job.ctx.Done())
		t.meter.resume()
	}
	if m.Kind == dataflow.Rows && err == nil {
		t.in.add(int64(m.Batch.Rows().Count()), m.Bytes)
	}
	if m.Barrier != 0 && t.barrier == 0 {
		t.barrier = t.job.clock.Now()
	}
	if err == nil && m.Now != t.now {
		t.now = m.Now
		tellTime(t.ops, m.Now)
		for _, c := range t.counted {
			c.SetNow(m.Now)
		}
		for _, r := range t.routes {
			r.now = m.Now
		}
		if w, ok := t.out.(*writer); ok && w.timed != nil {
			err = w.timed.SetNow(m.Now)
		}
	}
	return m, err
}

// tellTime hands the wall clock to the operators that have a use for it.
func tellTime(ops []dataflow.Operator, now int64) {
	for _, op := range ops {
		if c, ok := op.(dataflow.Clocked); ok {
			c.SetNow(now)
		}
	}
}

// wake is called before an input is told something. If it becomes active so do those that rows of the same ticket may come by: their own word is on its way, and until it is here they hold the frontier
// back, so that these rows are not late.
func (t *task) wake(input int, active bool) error {
	t.woken = slices.DeleteFunc(t.woken, func(i int) bool { return i == input })
	if _, was := t.merge.Input(input); was || !active {
		return nil
	}
	for _, k := range t.spec.Kin[input] {
		f, awake := t.merge.Input(k)
		if awake {
			continue
		}
		t.woken = append(t.woken, k)
		if err := t.reach(k, dataflow.Progress{Frontier: f, System: t.merge.InputSystem(k), Active: true}); err != nil {
			return err
		}
	}
	return nil
}

// rest puts inputs to rest again that were woken and of which nothing came.
func (t *task) rest() error {
	for _, k := range t.woken {
		f, _ := t.merge.Input(k)
		if err := t.reach(k, dataflow.Progress{Frontier: f, System: t.merge.InputSystem(k)}); err != nil {
			return err
		}
	}
	t.woken = t.woken[:0]
	return nil
}

// close ends a ticket.
func (t *task) close(ticket int64) error {
	end := t.end
	if err := t.rest(); err != nil {
		return err
	}
	if end.End {
		if invariant.Enabled && !t.job.hasEnough() {
			invariant.Check(t.merge.System() == watermark.Final, "the inputs of fragment %d end at system frontier %d", t.fragment, t.merge.System())
		}
		for i := range t.spec.Inputs {
			t.merge.UpdateSystem(i, watermark.Final)
		}
		if err := t.chain.advance(dataflow.Over); err != nil {
			return err
		}
		if t.forked != nil {
			if err := t.promise(watermark.Final); err != nil {
				return err
			}
		}
		if invariant.Enabled {
			for _, r := range t.routes {
				invariant.Check(r.latest == dataflow.Over, "fragment %d ends at %+v", t.fragment, r.latest)
			}
		}
		if t.last() {
			t.job.reach(t.merge)
		}
	} else if err := t.chain.tick(); err != nil {
		return err
	}
	if end.End || stale(t.now, t.places.at) {
		t.places.at = t.now
		t.show()
		if end.End || t.now >= t.places.weigh {
			t.weigh()
		}
	}
	if end.Barrier != 0 {
		if err := t.report(end.Barrier); err != nil {
			return err
		}
	}
	if !t.last() {
		return t.send(dataflow.Message{Kind: dataflow.Close, Barrier: end.Barrier, End: end.End})
	}
	if err := t.out.(*writer).idle(); err != nil {
		return err
	}
	t.job.finish(ticket)
	return nil
}

// send closes a ticket on all ways.
func (t *task) send(end dataflow.Message) error {
	for _, r := range t.routes {
		if err := r.close(end); err != nil {
			return err
		}
	}
	return nil
}

// report writes down the state of t for the snapshot of a barrier, and ends the epoch of the sink. If that fails, nobody has use for what the operators have frozen.
func (t *task) report(barrier int64) (err error) {
	t.aligned = t.job.clock.Now()
	parts := map[string]*OperatorSnapshot{}
	var used []*lent
	defer func() {
		if err != nil {
			(&Snapshot{Operators: parts, lent: used}).Release()
		}
	}()
	for i, op := range t.ops {
		if s, ok := op.(dataflow.Stateful); ok {
			spec := t.spec.Chain[i]
			part := t.snapshot(i, s)
			used = append(used, part)
			parts[spec.ID] = &OperatorSnapshot{Print: spec.Print, Parts: [][]byte{part.part}}
			if sized, ok := op.(dataflow.Sized); ok {
				parts[spec.ID].Size = sized.Size()
			}
			if err := parts[spec.ID].freeze(t, i); err != nil {
				return err
			}
		}
	}
	var epoch connector.Epoch
	if w, ok := t.out.(*writer); ok {
		if epoch, err = w.seal(t.job.options.Checkpointed); err != nil {
			return err
		}
	}
	t.job.collect(barrier, t, parts, used, epoch)
	t.barrier = 0
	return nil
}

// snapshot writes the state of operator i into the memory of the one before, if that is back and not far too large.
func (t *task) snapshot(i int, s dataflow.Stateful) *lent {
	var room []byte
	if before := t.spare[i].Swap(nil); before != nil && cap(*before) <= 4*max(len(*before), minSpare) {
		room = (*before)[:0]
	}
	return &lent{&t.spare[i], s.Snapshot(room)}
}

// minSpare is memory for a state that is not worth letting go of.
const minSpare = 1 << 16

// Forked is a sink that wants to know by which input of its fragment the rows come that it is written next.
type Forked interface {
	connector.Sink
	From(input int)
	// Reached tells how far an input has come with what was written, as Promise of connector.Promising does.
	Reached(input int, f watermark.Frontier, active bool) error
}

// promise tells a sink that passes it on that all its inputs have come to f.
func (t *task) promise(f watermark.Frontier) error {
	if t.forked != nil {
		for input := range t.spec.Inputs {
			if err := t.forked.Reached(input, f, true); err != nil {
				return err
			}
		}
		return nil
	}
	if w, ok := t.out.(*writer); ok && w.promising != nil {
		return w.promising.Promise(f, true)
	}
	return nil
}

// rows takes a batch of one input. Its marks are the input's; the chain gets those of all inputs together.
func (t *task) rows(input int, b *dataflow.Batch) error {
	if t.spec.Kin != nil {
		if err := t.wake(input, len(b.Marks) > 0); err != nil {
			return err
		}
		if t.spec.Tasks == 1 {
			// Rows come by the one input and then by the other, in no order of deadlines. What is behind has a single sender, whose order is theirs.
			b.Released, b.Rank = watermark.Unset, [2]int64{}
		}
	}
	own := watermark.Unset // of this input; the marks give way to those of all
	if n := len(b.Marks); n > 0 {
		own = b.Marks[n-1].F
	}
	if t.chain != nil && t.chain.apart != nil {
		return t.rowsApart(input, b, own)
	}
	if t.spec.Inputs > 1 {
		kept, woken := b.Marks[:0], !t.merge.Active() && len(b.Marks) > 0
		for _, m := range b.Marks {
			before := t.merge.Frontier()
			if f, _, _ := t.merge.Update(input, m.F, true); f > before {
				kept = append(kept, watermark.Mark{Row: m.Row, F: f})
			}
		}
		b.Marks = kept
		if woken && len(kept) == 0 {
			// A mark tells that there is activity, and none is left that could.
			if err := t.chain.head().Advance(dataflow.Progress{Frontier: t.merge.Frontier(), Active: true}); err != nil {
				return err
			}
		}
	} else if n := len(b.Marks); n > 0 {
		t.merge.Update(input, b.Marks[n-1].F, true)
	}
	b.Input = input
	if len(t.job.tasks[t.fragment]) == 1 {
		b.Order = nil // what a single task sends is in order
	}
	if t.forked != nil {
		t.forked.From(input)
	}
	if err := t.chain.head().Emit(b); err != nil || t.forked == nil || own == watermark.Unset {
		return err
	}
	return t.forked.Reached(input, own, true)
}

// rowsApart takes a batch of one input for an operator that tells them apart; own is its last mark.
func (t *task) rowsApart(input int, b *dataflow.Batch, own watermark.Frontier) error {
	if own != watermark.Unset {
		t.merge.Update(input, own, true)
	}
	b.Input = input
	if len(t.job.tasks[t.fragment]) == 1 {
		b.Order = nil
	}
	return t.chain.rowsApart(b)
}

// advance takes the progress of one input.
func (t *task) advance(input int, p dataflow.Progress) error {
	if t.spec.Kin != nil {
		if err := t.wake(input, p.Active); err != nil {
			return err
		}
	}
	return t.reach(input, p)
}

// reach takes the progress of one input, and nothing of its kin.
func (t *task) reach(input int, p dataflow.Progress) error {
	if t.forked != nil {
		if err := t.forked.Reached(input, p.Frontier, p.Active); err != nil {
			return err
		}
	}
	f, active, _ := t.merge.Update(input, p.Frontier, p.Active)
	was := t.merge.InputSystem(input)
	if invariant.Enabled {
		invariant.Check(p.System >= was, "system frontier of input %d of fragment %d fell from %d to %d", input, t.fragment, was, p.System)
	}
	system, _ := t.merge.UpdateSystem(input, p.System)
	all := dataflow.Progress{Frontier: f, System: system, Active: active}
	if t.chain.apart != nil {
		return t.chain.advanceApart(input, p, all)
	}
	if err := t.chain.advance(all); err != nil {
		return err
	}
	if t.last() && p.System != was {
		t.job.reach(t.merge)
	}
	return nil
}

// writer is the end of the last chain.
type writer struct {
	sink  connector.Sink
	timed connector.Timed // the sink, if it asks for the time
	// promising is the sink, if it passes on how far it is; a fork is told by input.
	promising connector.Promising
	rows      atomic.Int64
	sinks     []*sinkStanding // by input
	dirty     bool
}

// Emit implements dataflow.Output.
func (w *writer) Emit(b *dataflow.Batch) error {
	marks, n := b.Marks, int64(b.Rows().Count())
	w.rows.Add(n)
	w.sinks[b.Input].rows.Add(n)
	w.dirty = true
	if err := w.sink.Write(&b.Batch); err != nil {
		return err
	}
	b.Release()
	if w.promising == nil || len(marks) == 0 {
		return nil
	}
	return w.promising.Promise(marks[len(marks)-1].F, true)
}

// Advance implements dataflow.Output.
func (w *writer) Advance(p dataflow.Progress) error {
	if w.promising == nil {
		return nil
	}
	return w.promising.Promise(p.Frontier, p.Active)
}

// seal ends an epoch of a sink that has some, if checkpoints are taken.
func (w *writer) seal(checkpointed bool) (connector.Epoch, error) {
	c, ok := w.sink.(connector.Checkpointed)
	if !ok || !checkpointed {
		return nil, nil
	}
	if err := w.idle(); err != nil {
		return nil, err
	}
	return c.Seal()
}

// idle flushes what was written for the ticket that is over.
func (w *writer) idle() error {
	if !w.dirty {
		return nil
	}
	w.dirty = false
	return w.sink.Flush()
}
