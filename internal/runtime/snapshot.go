package runtime

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Snapshot is a statement between two tickets: where its sources are, what its operators hold. It does not depend on the number of workers
// and tasks and may be restored with others.
type Snapshot struct {
	ID        int64
	Sources   []SourceSnapshot
	Operators map[string]*OperatorSnapshot // by OperatorSpec.ID
	// Counts are those of all operators, stateful or not, and Written the rows that the sink was given.
	Counts  map[string]dataflow.Totals // by OperatorSpec.ID
	Written int64
	// Epoch is what the sink was given since the last snapshot; nil if the sink is not Checkpointed. It is for who makes the snapshot durable, and Sink what
	// it said when it was prepared.
	Epoch connector.Epoch
	Sink  []byte
	// Shown says that the sink is known to have shown what it was given until then. It is for who reads the snapshot back, and not in its file.
	Shown bool
	// Finished says that the statement is at its end; New returns ErrFinished.
	Finished bool
	// Copied says that it was another statement's, which may go on from it too.
	Copied bool
	// About is for people; nil in what programs wrote that did not know it.
	About *About

	// What the sequencer of a replay does not know yet, oldest first; see sequencer.learn.
	Chunks int
	Recent []lesson

	// Aligned is the longest that a worker or task waited for others, so that all stood between the same tickets, and Paused the longest that a task did nothing but write down its
	// state, and end the epoch of the sink; microseconds. They are for people who want to know what checkpoints cost, and not in the file.
	Aligned, Paused int64

	from    *checkpoint.Reader // from which runs can be read
	missing int                // tasks that have not reported
	ticket  int64              // of its barrier
	lent    []*lent
}

// SourceSnapshot is the state of one source.
type SourceSnapshot struct {
	Table  string
	Core   []byte
	Counts SourceTotals
	Splits []SplitSnapshot
	// Finished are the splits of a growing source that were read to their end and whose numbers others have taken over.
	Finished []connector.SplitID
}

// SplitSnapshot is where a split is.
type SplitSnapshot struct {
	Name     string
	Offset   int64  // 0 if the split is done
	Origin   []byte // of what, if the split is connector.Originated; empty if nobody knows
	Done     bool
	Frontier watermark.Frontier
}

// OperatorSnapshot is the state of one operator, in as many parts as it had tasks.
type OperatorSnapshot struct {
	Print string
	Parts [][]byte
	Size  dataflow.Size
	// Runs name the sections of what it had on the disk.
	Runs   []string
	frozen []*spill.Frozen // what that is until it is saved
}

// lent is memory that a part of a snapshot was written into, which is as large as the state: it goes back to the task, for the next one.
type lent struct {
	home *atomic.Pointer[[]byte]
	part []byte
}

// Release gives the memory of the states back, after which nobody may look at Parts, and lets go of what the snapshot has on a disk: it cannot be saved any more, nor restored. Who keeps a
// snapshot does not call it. That a file that was only read does not close is no harm.
func (s *Snapshot) Release() {
	for _, o := range s.Operators {
		for _, f := range o.frozen {
			f.Release()
		}
		o.frozen = nil
	}
	if s.from != nil {
		s.from.Close()
		s.from = nil
	}
	for _, l := range s.lent {
		l.home.Store(&l.part)
	}
	s.lent, s.Operators = nil, nil
}

// seal ends the epoch of the sink, if it has any.
func (s *Snapshot) seal(sink connector.Sink) (err error) {
	if c, ok := sink.(connector.Checkpointed); ok {
		s.Epoch, err = c.Seal()
	}
	return err
}

// recover tells the sink where the job goes on.
func (j *Job) recover() error {
	if err := j.keepsOn(); err != nil {
		return err
	}
	c, ok := j.sink().(connector.Checkpointed)
	if !ok || !j.options.Checkpointed {
		return nil
	}
	r := connector.Recovery{Statement: j.options.Statement}
	if from := j.options.Restore; from != nil {
		r.State, r.Copied, r.Shown = from.Sink, from.Copied, from.Shown
	}
	return c.Recover(r)
}

// keepsOn refuses to go on without a table in which rows were kept: what its sink has prepared would not come to light. A table that is new begins empty.
func (j *Job) keepsOn() error {
	if j.options.Restore == nil {
		return nil
	}
	known := map[string]bool{}
	for i := range j.graph.Sources {
		for _, b := range j.graph.Sources[i].Branches {
			for _, op := range b.Chain {
				known[op.ID] = true
			}
		}
	}
	for id := range j.options.Restore.Counts {
		if strings.HasPrefix(id, KeepPrefix) && !known[id] {
			return fault.Errorf(fault.User, "when its last checkpoint was taken the statement also kept rows that it left out, and now it does not, or elsewhere (%s); "+
				"let it keep them as before, or remove its state", id)
		}
	}
	return nil
}

// Want asks for a snapshot as soon as the sequencer comes to it. Any goroutine may call it while the job runs; a wish that is not yet met is not made twice.
func (j *Job) Want() {
	j.wanted.Store(true)
	select {
	case j.arrived <- struct{}{}:
	default:
	}
}

// Leave is Want for a last snapshot: nothing is read behind it, so that it holds all that the statement has done, and the job then waits for its context to end. It must not be called
// while another snapshot is on its way.
func (j *Job) Leave() {
	j.left.Store(true)
	j.Want()
}

// collect adds the part of one task to the snapshot of barrier id, and hands the snapshot over when it is whole.
func (j *Job) collect(id int64, t *task, parts map[string]*OperatorSnapshot, lent []*lent, epoch connector.Epoch) {
	paused := j.clock.Now() - t.aligned
	j.mu.Lock()
	s := j.partial[id]
	s.Aligned, s.Paused = max(s.Aligned, t.aligned-t.barrier), max(s.Paused, paused)
	for i, op := range t.ops {
		s.count(t.spec.Chain[i].ID, op)
	}
	if w, ok := t.out.(*writer); ok {
		s.Written += w.rows.Load()
		s.Epoch = epoch
	}
	s.lent = append(s.lent, lent...)
	for op, p := range parts {
		if have := s.Operators[op]; have != nil {
			have.Parts = append(have.Parts, p.Parts...)
			have.Size.Add(p.Size)
			have.frozen = append(have.frozen, p.frozen...)
		} else {
			s.Operators[op] = p
		}
	}
	s.missing--
	whole := s.missing == 0
	if whole {
		delete(j.partial, id)
	}
	j.mu.Unlock()
	if !whole {
		return
	}
	if j.options.OnSnapshot != nil {
		j.options.OnSnapshot(s)
	}
}

// Durable tells the job that one of its snapshots will survive a crash: what it covers has been completed. Any goroutine may call it.
func (j *Job) Durable(s *Snapshot) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.durable = max(j.durable, s.ticket)
}

func (s *Snapshot) count(id string, op dataflow.Operator) {
	t := s.Counts[id]
	t.Add(totals(op))
	s.Counts[id] = t
}

// begin registers a snapshot before the first task can report to it. It is called in turn, so the cores stand still, and when all workers
// are done with the tickets before, so their operators do too.
func (j *Job) begin(s *Snapshot) {
	s.About = j.about()
	for i, x := range j.sources {
		s.Sources[i].Table = x.spec.Name
		s.Sources[i].Core = x.core.AppendState(nil)
		s.Sources[i].Counts = x.counts.Totals()
	}
	s.Operators = map[string]*OperatorSnapshot{}
	s.Counts = map[string]dataflow.Totals{}
	for _, w := range j.workers {
		for i, l := range w.lanes {
			for x, b := range l.branches {
				for k, op := range b.ops {
					s.count(j.graph.Sources[i].Branches[x].Chain[k].ID, op)
				}
			}
		}
	}
	// The sequencer had not taken the lessons of the latest chunks when it issued the barrier.
	s.Recent = append(s.Recent, j.lessons[len(j.lessons)-(s.Chunks-len(s.Recent)):]...)
	for _, tasks := range j.tasks {
		s.missing += len(tasks)
	}
	j.mu.Lock()
	j.partial[s.ID] = s
	j.mu.Unlock()
}

// restore puts a job that has not started where s was taken.
func (j *Job) restore(s *Snapshot) error {
	made := func(f, i int) dataflow.Operator { return j.tasks[f][0].ops[i] }
	if err := j.graph.fits(s, made, j.unmatched); err != nil {
		return err
	}
	q := j.sequencer
	q.barriers, q.chunks = s.ID, s.Chunks
	q.recent = append(q.recent, s.Recent...)
	for _, p := range q.splits {
		if p.done {
			q.open--
		}
	}
	// What several instances have counted goes on in the first.
	for i, l := range j.workers[0].lanes {
		for x, b := range l.branches {
			for k, op := range b.ops {
				s.recount(j.graph.Sources[i].Branches[x].Chain[k].ID, op)
			}
		}
	}
	if err := j.restoreTasks(s); err != nil {
		return err
	}
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			if t.index == 0 {
				for i, op := range t.ops {
					s.recount(t.spec.Chain[i].ID, op)
				}
			}
			if w, ok := t.out.(*writer); ok {
				w.rows.Store(s.Written)
			}
		}
	}
	return nil
}

// restoreTasks gives all tasks their state, side by side. Of several errors the first task's is told.
func (j *Job) restoreTasks(s *Snapshot) error {
	var all sync.WaitGroup
	tasks := slices.Concat(j.tasks...)
	failed := make([]error, len(tasks))
	for i, t := range tasks {
		all.Go(func() { failed[i] = caught(func() error { return t.restore(s) }) })
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// unmatched is an error, unless state that does not fit may be left out.
func (j *Job) unmatched(u *Unmatched) error {
	if j.options.LeaveOut == nil {
		return u
	}
	j.options.LeaveOut(u)
	return nil
}

func (s *Snapshot) recount(id string, op dataflow.Operator) {
	if c, ok := op.(dataflow.Counted); ok {
		c.Counts().Restore(s.Counts[id])
	}
}

// restore puts the splits where s has them.
func (x *source) restore(s *SourceSnapshot, now int64) error {
	come := 0 // splits that came after s
	if x.growing != nil {
		var err error
		if come, err = x.match(s); err != nil {
			return err
		}
	}
	if s.Table != x.spec.Name {
		return fault.Errorf(fault.User, "the statement reads table '%s', and read '%s' when the snapshot was taken", x.spec.Name, s.Table)
	}
	known := len(x.splits) - come
	if len(s.Splits) != known {
		return fault.Errorf(fault.User, "table '%s' has %d splits, and had %d when the snapshot was taken", x.spec.Name, known, len(s.Splits))
	}
	if err := x.core.Restore(s.Core); err != nil {
		return fmt.Errorf("restore the watermarks of table '%s': %w", x.spec.Name, err)
	}
	for _, p := range x.splits[known:] {
		x.core.AddSplit(now)
		if r, ok := p.Split.(connector.Rewinder); ok {
			if err := r.Rewind(); err != nil {
				return fmt.Errorf("begin %s: %w", p.Name(), err)
			}
		}
	}
	x.counts.set(s.Counts)
	for i, p := range x.splits[:known] {
		from := s.Splits[i]
		if p.Name() != from.Name {
			return fault.Errorf(fault.User, "table '%s' has split %s where the snapshot has %s", x.spec.Name, p.Name(), from.Name)
		}
		p.done, p.frontier = from.Done, from.Frontier
		if from.Done {
			if x.growing != nil {
				x.free = append(x.free, p)
			}
			continue
		}
		if err := p.resumeAt(from.Origin, from.Offset); err != nil {
			return fmt.Errorf("resume %s at %d: %w", p.Name(), from.Offset, err)
		}
	}
	return nil
}

// match brings the splits of a growing source into the order that they have in s, with those that came since behind them, and tells how many
// those are. A split that was done may be gone.
func (x *source) match(s *SourceSnapshot) (come int, err error) {
	x.finished.restore(s)
	byName := make(map[string]*split, len(x.splits))
	for _, p := range x.splits {
		byName[p.Name()] = p
	}
	var ordered []*split
	for _, from := range s.Splits {
		p := byName[from.Name]
		switch {
		case p != nil:
			delete(byName, from.Name)
		case from.Done:
			p = &split{Split: gone(from.Name), emptyAt: watermark.NoTime}
		default:
			return 0, fault.Errorf(fault.User, "table '%s' had split %s when the snapshot was taken, which was not read to its end and is gone", x.spec.Name, from.Name)
		}
		ordered = append(ordered, p)
	}
	for _, p := range x.splits {
		switch {
		case byName[p.Name()] != p:
		case x.finished.read(p.Name()):
			if err := p.shut(); err != nil {
				return 0, err
			}
		default:
			ordered = append(ordered, p)
			come++
		}
	}
	for i, p := range ordered {
		p.number = i
	}
	x.splits = ordered
	return come, nil
}

// gone is a split that was read to its end and is not there any more.
type gone string

func (g gone) Name() string                             { return string(g) }
func (gone) Poll(int64) (connector.Chunk, int64, error) { return nil, connector.Never, io.EOF }
func (gone) Offset() int64                              { return 0 }
func (gone) Resume(int64) error                         { return nil }
func (gone) Close() error                               { return nil }

// restore gives the operators of t their state.
func (t *task) restore(s *Snapshot) error {
	owns := func(hash uint64) bool { return state.Owner(hash, len(t.job.tasks[t.fragment])) == t.index }
	for i, spec := range t.spec.Chain {
		_, ok := t.ops[i].(dataflow.Stateful)
		have := s.Operators[spec.ID]
		if !ok || have == nil || have.Print != spec.Print {
			continue
		}
		if err := have.restore(s, t, i, owns); err != nil {
			return fmt.Errorf("restore %s: %w", spec.ID, err)
		}
	}
	return nil
}
