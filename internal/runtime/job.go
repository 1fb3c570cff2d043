package runtime

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/timeline"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Options tune a job; none of them changes a result. The zero value works.
type Options struct {
	// Workers decode and run stateless operators; 0 means 1.
	Workers int
	// BatchRows bounds the rows of a batch; 0 means 8192.
	BatchRows int
	// Clock is the wall clock; nil means the machine's.
	Clock Clock
	// Statement names the statement to sinks that must know their own traces again; see connector.Recovery.
	Statement string
	// Restore is where to go on from; nil starts afresh.
	Restore *Snapshot
	// Positions are where reading begins where there is no Restore: the splits of tables that were read there begin where they were, and nothing else of it counts. nil: where tables say.
	Positions *Snapshot
	// LeaveOut, if it is not nil, is told of state in Restore that is of no operator, and of operators that begin without state, instead of an error. Flink 2.3: --allow-non-restored-state, and
	// operators begin without state whatever is allowed.
	LeaveOut func(*Unmatched)
	// Checkpointed says that snapshots are taken from time to time. What was read counts as completed when one that holds it is Durable, else when it is in the sink; see watermark.Lookahead.
	Checkpointed bool
	// StateMemory is about how many bytes operators that are dataflow.Spilling may hold in memory together; 0 is any number. SpillTo is a folder of this job alone for what is beyond
	// it; without one the job makes one where temporary files are.
	StateMemory int64
	SpillTo     string
	// Timeline says that the last minutes are kept, for Job.Timeline.
	Timeline bool
	// OnSnapshot is called when a snapshot is complete, by the task that completed it.
	OnSnapshot func(*Snapshot)
	// Witness, if it is not nil, makes what is shown all that the core of a table is shown; nil for a table that nobody looks at. The core may be asked in the calls of the witness.
	Witness func(table string, core *watermark.Core) Witness
	// OnFinish is called by Run or Stop behind the last row of a job that came to its end, with the last epoch of a Checkpointed sink, nil if it has no more; the job ends with its error.
	OnFinish func(last *Snapshot) error
}

const defaultBatchRows = 8192

// Job is a running statement.
type Job struct {
	graph   *Graph
	options Options
	clock   Clock
	elapsed func() int64 // what meters go by

	outer   context.Context // the caller's
	ctx     context.Context
	cancel  context.CancelCauseFunc
	group   sync.WaitGroup
	running atomic.Int32 // goroutines in group

	sources   []*source
	arrived   chan struct{} // live sources send here
	sequencer *sequencer
	workers   []*worker
	tasks     [][]*task // by fragment
	sinks     []*sinkStanding
	spill     *spill.Space // nil without a limit of memory
	before    before
	began     int64                        // by the wall clock
	firings   map[string]*timeline.Firings // by operator; nil without Options.Timeline

	wanted  atomic.Bool   // somebody wants a snapshot
	drained atomic.Bool   // somebody wants the input to end
	left    atomic.Bool   // nothing is read behind the snapshot that is wanted
	hungry  atomic.Int32  // operators whose end is that of the statement and that can take more rows
	sated   chan struct{} // closed when there is none left of them
	cut     atomic.Bool   // an error behind the last row that counts was left out, so that no ticket ends the job

	mu       sync.Mutex
	settled  sync.Cond // on mu: finished or stopped changed
	finished int64     // the last ticket that the last fragment is done with
	durable  int64     // the last one that is in a snapshot which is Durable
	stopped  bool
	partial  map[int64]*Snapshot // by barrier

	// lessons are those of the latest chunks, oldest first, at most lookahead of them. They belong to the worker that has the turn.
	lessons []lesson
}

// ErrFinished is what New returns if the statement was at its end when Options.Restore was taken.
var ErrFinished = errors.New("the statement has come to its end before")

// ErrUndone is what New returns if Options.Restore can be gone on from no more, and the snapshot before it can; see connector.ErrUndone.
var ErrUndone = connector.ErrUndone

// New prepares a job. Nothing runs before Run or Begin. If it fails, the sources are closed and the sink is not touched, except that one which
// was prepared for the end shows what it has.
func New(g *Graph, o Options) (*Job, error) {
	o.Workers = max(o.Workers, 1)
	if o.BatchRows <= 0 {
		o.BatchRows = defaultBatchRows
	}
	j := &Job{graph: g, options: o, clock: o.Clock, finished: -1, durable: -1, arrived: make(chan struct{}, 1), sated: make(chan struct{}), partial: map[int64]*Snapshot{}}
	if j.clock == nil {
		j.clock = WallClock{}
	}
	j.elapsed = elapsed(j.clock)
	j.settled.L = &j.mu
	j.sinks = newSinks(g)
	if o.Restore != nil && o.Restore.Finished {
		return nil, j.settleEnd()
	}
	now := j.clock.Now()
	j.began = now
	read := map[string]int{} // how often so far, by table
	for i := range g.Sources {
		var from *SourceSnapshot
		if o.Restore != nil && i < len(o.Restore.Sources) {
			from = &o.Restore.Sources[i]
		}
		s := newSource(&g.Sources[i], now)
		if o.Witness != nil {
			s.witness = o.Witness(s.spec.Name, s.core)
		}
		j.sources = append(j.sources, s)
		if s.live != nil {
			s.live.Listen(j.arrived)
		}
		if err := s.open(i, now, from); err != nil {
			return nil, join(err, j.closeSources())
		}
		if at := o.Positions; at != nil && o.Restore == nil {
			if err := s.standAt(at, read[s.spec.Name]); err != nil {
				return nil, join(err, j.closeSources())
			}
		}
		read[s.spec.Name]++
	}
	if o.Timeline {
		j.keepTimeline()
	}
	j.sequencer = newSequencer(j)
	j.follow()
	j.align()
	if err := j.inject(); err != nil {
		return nil, join(err, j.closeSources())
	}
	if err := j.connect(); err != nil {
		return nil, join(err, j.closeSources())
	}
	if err := j.recover(); err != nil {
		return nil, join(err, j.closeSources())
	}
	j.limit()
	if o.Restore != nil {
		j.before = countsBefore(o.Restore)
		if err := j.restore(o.Restore); err != nil {
			return nil, join(err, j.closeSpill(), j.closeSources())
		}
	}
	return j, nil
}

// settleEnd has the sink of a statement that was at its end show what it had prepared for it.
func (j *Job) settleEnd() error {
	if err := j.recover(); err != nil {
		return err
	}
	return join(ErrFinished, end(j.sink(), ErrFinished))
}

// connect makes workers, tasks and the edges between them.
func (j *Job) connect() error {
	j.tasks = make([][]*task, len(j.graph.Fragments))
	for f := range j.graph.Fragments {
		for i := range j.graph.Fragments[f].Tasks {
			j.tasks[f] = append(j.tasks[f], newTask(j, f, i))
		}
	}
	// A task takes what workers send first, so their edges come before those of other tasks.
	for w := range j.options.Workers {
		x, err := newWorker(j, w, j.edgesOfWorker())
		if err != nil {
			return err
		}
		j.workers = append(j.workers, x)
	}
	for f := range j.graph.Fragments {
		spec := &j.graph.Fragments[f]
		if spec.Sink != nil {
			continue
		}
		for i, sender := range j.tasks[f] {
			var routes []*route
			for k, to := range spec.To {
				receivers := j.tasks[to.Fragment]
				if to.Straight {
					receivers = receivers[i : i+1]
				}
				var out []*edge
				for _, receiver := range receivers {
					out = append(out, receiver.edgeFrom(way{f, k}, i, to.Input))
				}
				routes = append(routes, newRoute(j, to, out, &sender.leaving))
			}
			sender.connect(routes)
		}
	}
	return nil
}

// edgesOfWorker makes the edges of one more worker, by fragment and task. Sources that meet in a fragment share them.
func (j *Job) edgesOfWorker() map[int][]*edge {
	out := map[int][]*edge{}
	for i := range j.graph.Sources {
		for k := range j.graph.Sources[i].Branches {
			f := j.graph.Sources[i].Branches[k].To.Fragment
			if out[f] != nil {
				continue
			}
			for _, t := range j.tasks[f] {
				out[f] = append(out[f], t.edgeFromWorker())
			}
		}
	}
	return out
}

// Run runs the job to its end, or until ctx ends, which is not an error unless code of the program does not return: then the error is a Hang, the goroutines that are in such code are left behind, and so is
// the sink if one of them writes to it.
func (j *Job) Run(ctx context.Context) error {
	j.start(ctx)
	j.guard(j.sequencer.run)
	return j.stop(j.leave())
}

// start starts all goroutines but the sequencer's.
func (j *Job) start(ctx context.Context) {
	j.outer = ctx
	j.ctx, j.cancel = context.WithCancelCause(ctx)
	context.AfterFunc(j.ctx, j.wake)
	for _, w := range j.workers {
		j.running.Add(1)
		j.group.Go(func() {
			defer j.running.Add(-1)
			j.guard(w.run)
		})
	}
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			j.running.Add(1)
			j.group.Go(func() { j.work(t) })
		}
	}
}

// work runs a task. Code of the program may end the goroutine in which it is called.
func (j *Job) work(t *task) {
	defer j.running.Add(-1)
	returned := false
	defer func() {
		t.over.Store(true)
		if !returned {
			j.fail(goneWith(t))
		}
	}()
	j.guard(t.run)
	returned = true
}

// guard runs f and stops the job if it fails.
func (j *Job) guard(f func() error) {
	if err := caught(f); err != nil {
		j.fail(err)
	}
}

// caught is the error of f. A panic, but one of the program's own code, is a bug that stops this statement and no other.
func caught(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *vector.TooLarge:
			err = r
		case *fault.ProgramPanic:
			err = r
		default:
			err = &Panic{Value: r, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Panic is a bug in Tidemark that showed while a statement ran.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string {
	return fmt.Sprintf("the engine has a bug and stopped this statement: %v", p.Value)
}

// Fault is fault.Internal.
func (p *Panic) Fault() fault.Class { return fault.Internal }

// errSated is the cause of the end of a job that needs no more rows and was not ended by a ticket.
var errSated = errors.New("the statement has all its rows")

// errStopped is what sends and receives return once the job's context has ended; the cause is kept there.
var errStopped = errors.New("the job has stopped")

func (j *Job) fail(err error) {
	if errors.Is(err, errStopped) {
		return
	}
	j.cancel(err)
}

func (j *Job) wake() {
	j.mu.Lock()
	j.stopped = true
	j.settled.Broadcast()
	j.mu.Unlock()
}

// stop ends everything, all goroutines but those that hang, and returns why the job ended: nil at the end of the input or when the caller's context ended.
func (j *Job) stop(hangs *Hang) error {
	cause := context.Cause(j.ctx)
	j.cancel(nil)
	if hangs == nil {
		j.group.Wait()
	}
	j.publish(j.clock.Now())
	ended := cause == errSated || cause == nil && j.sequencer.ended
	if cause == errSated || cause != nil && errors.Is(context.Cause(j.outer), cause) {
		cause = nil
	}
	if hangs != nil {
		cause = join(cause, hangs)
	}
	sink := j.sink()
	if j.options.OnFinish != nil && cause == nil {
		cause = ErrLeft
		if ended {
			cause = j.complete(sink)
		}
	}
	var closed error
	if hangs == nil || !hangs.sink {
		closed = end(sink, cause)
	}
	if errors.Is(cause, ErrLeft) {
		cause = nil
	}
	return join(cause, j.closeSources(), j.closeSpill(), closed)
}

// ErrLeft is why the sink of a statement is ended that goes on another time. OnFinish may return it as well.
var ErrLeft = errors.New("the statement goes on another time")

func (j *Job) sink() connector.Sink { return j.graph.Fragments[len(j.graph.Fragments)-1].Sink }

// complete hands over what a job that has come to its end leaves.
func (j *Job) complete(sink connector.Sink) error {
	last := &Snapshot{ID: j.sequencer.barriers + 1, Finished: true, About: j.about()}
	if err := last.seal(sink); err != nil {
		return err
	}
	return j.options.OnFinish(last)
}

// end closes a sink as the job ended.
func end(s connector.Sink, cause error) error {
	if a, ok := s.(connector.Aborting); ok && cause != nil {
		return a.Abort()
	}
	return s.Close()
}

func (j *Job) closeSources() error {
	var errs []error
	for _, s := range j.sources {
		errs = append(errs, s.close())
	}
	return join(errs...)
}

// finish notes that the last fragment is done with a ticket.
func (j *Job) finish(ticket int64) {
	j.mu.Lock()
	j.finished = ticket
	j.settled.Broadcast()
	j.mu.Unlock()
}

// Settle returns when every ticket issued so far has passed the whole graph, and so every queue is empty and every task waits. It must
// not be called while Run is running in another goroutine. The error is the one that stopped the job, if one did.
func (j *Job) Settle() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.finished < j.sequencer.next-1 && !j.stopped {
		j.settled.Wait()
	}
	if j.stopped {
		return context.Cause(j.ctx)
	}
	return nil
}
