package runtime

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Options tune a job; none of them changes a result. The zero value works.
type Options struct {
	// Workers decode and run stateless operators; 0 means 1.
	Workers int
	// BatchRows bounds the rows of a batch; 0 means 8192.
	BatchRows int
	// Clock is the wall clock; nil means the machine's.
	Clock Clock
	// Restore is where to go on from; nil starts afresh.
	Restore *Snapshot
	// OnSnapshot is called when a snapshot is complete, by the task that completed it.
	OnSnapshot func(*Snapshot)
}

const defaultBatchRows = 8192

// Job is a running statement.
type Job struct {
	graph   *Graph
	options Options
	clock   Clock

	ctx    context.Context
	cancel context.CancelCauseFunc
	group  sync.WaitGroup

	sources   []*source
	sequencer *sequencer
	workers   []*worker
	tasks     [][]*task // by fragment

	mu       sync.Mutex
	settled  sync.Cond // on mu: finished or stopped changed
	finished int64     // the last ticket that the last fragment is done with
	stopped  bool
	partial  map[int64]*Snapshot // by barrier

	// lessons are those of the latest chunks, oldest first, at most lookahead of them. They belong to the worker that has the turn.
	lessons []lesson
}

// New prepares a job. Nothing runs before Run or Step.
func New(g *Graph, o Options) (*Job, error) {
	o.Workers = max(o.Workers, 1)
	if o.BatchRows <= 0 {
		o.BatchRows = defaultBatchRows
	}
	j := &Job{graph: g, options: o, clock: o.Clock, finished: -1, partial: map[int64]*Snapshot{}}
	if j.clock == nil {
		j.clock = WallClock{}
	}
	j.settled.L = &j.mu
	now := j.clock.Now()
	for i := range g.Sources {
		var from *SourceSnapshot
		if o.Restore != nil && i < len(o.Restore.Sources) {
			from = &o.Restore.Sources[i]
		}
		s, err := newSource(&g.Sources[i], now, from)
		if err != nil {
			return nil, err
		}
		j.sources = append(j.sources, s)
	}
	j.sequencer = newSequencer(j)
	if err := j.connect(); err != nil {
		return nil, err
	}
	if o.Restore != nil {
		if err := j.restore(o.Restore); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// edgeMessages bounds an edge. Batches are bounded in rows, so this bounds memory too.
const edgeMessages = 4

// connect makes workers, tasks and the edges between them.
func (j *Job) connect() error {
	edges := func(n int) []chan dataflow.Message {
		out := make([]chan dataflow.Message, n)
		for i := range out {
			out[i] = make(chan dataflow.Message, edgeMessages)
		}
		return out
	}
	// By sender, then receiving fragment.
	fed := make([]map[int][]chan dataflow.Message, j.options.Workers)
	for w := range fed {
		fed[w] = map[int][]chan dataflow.Message{}
		for _, s := range j.graph.Sources {
			if fed[w][s.To.Fragment] == nil {
				fed[w][s.To.Fragment] = edges(j.graph.Fragments[s.To.Fragment].Tasks)
			}
		}
		x, err := newWorker(j, w, fed[w])
		if err != nil {
			return err
		}
		j.workers = append(j.workers, x)
	}
	j.tasks = make([][]*task, len(j.graph.Fragments))
	for f := range j.graph.Fragments {
		spec := &j.graph.Fragments[f]
		for i := range spec.Tasks {
			t := newTask(j, f, i)
			if len(j.graph.Sources) > 0 && fed[0][f] != nil {
				g := &gather{job: j, turns: true}
				for w := range fed {
					g.edges = append(g.edges, fed[w][f][i])
				}
				t.inputs = append(t.inputs, g)
			}
			j.tasks[f] = append(j.tasks[f], t)
		}
	}
	for f := range j.graph.Fragments {
		spec := &j.graph.Fragments[f]
		if spec.Sink != nil {
			continue
		}
		for i, sender := range j.tasks[f] {
			out := edges(j.graph.Fragments[spec.To.Fragment].Tasks)
			sender.connect(&route{job: j, target: spec.To, edges: out, sent: dataflow.Start})
			for k, receiver := range j.tasks[spec.To.Fragment] {
				receiver.gatherFrom(f, i, spec.To.Input, out[k])
			}
		}
	}
	return nil
}

// Run runs the job to its end, or until ctx is cancelled, which is not an error.
func (j *Job) Run(ctx context.Context) error {
	j.start(ctx)
	err := j.sequencer.run()
	if err != nil {
		j.fail(err)
	}
	j.group.Wait()
	return j.stop()
}

// start starts all goroutines but the sequencer's.
func (j *Job) start(ctx context.Context) {
	j.ctx, j.cancel = context.WithCancelCause(ctx)
	context.AfterFunc(j.ctx, j.wake)
	for _, w := range j.workers {
		j.spawn(w.run)
	}
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			j.spawn(t.run)
		}
	}
}

// spawn runs f in a goroutine of the job. A panic in it is a bug that stops this statement and no other.
func (j *Job) spawn(f func() error) {
	j.group.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				j.fail(&Panic{Value: r, Stack: debug.Stack()})
			}
		}()
		if err := f(); err != nil {
			j.fail(err)
		}
	})
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

// stop ends everything and returns why the job ended: nil at the end of the input or when its context was cancelled from outside.
func (j *Job) stop() error {
	cause := context.Cause(j.ctx)
	j.cancel(nil)
	j.group.Wait()
	errs := []error{}
	if cause != nil && !errors.Is(cause, context.Canceled) {
		errs = append(errs, cause)
	}
	for _, s := range j.sources {
		errs = append(errs, s.close())
	}
	last := &j.graph.Fragments[len(j.graph.Fragments)-1]
	errs = append(errs, last.Sink.Close())
	return errors.Join(errs...)
}

func (j *Job) send(edge chan dataflow.Message, m dataflow.Message) error {
	select {
	case edge <- m:
		return nil
	case <-j.ctx.Done():
		return errStopped
	}
}

func (j *Job) receive(edge chan dataflow.Message) (dataflow.Message, error) {
	select {
	case m := <-edge:
		return m, nil
	case <-j.ctx.Done():
		return dataflow.Message{}, errStopped
	}
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
