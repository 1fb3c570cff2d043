package statements

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	gort "runtime"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// life is one statement and what it goes through:
//
//	create ─> PENDING ─> RUNNING ⇄ DEGRADED ─> COMPLETED
//	             │          ├────────────────> FAILED
//	             └──────────┴─> STOPPING ────> STOPPED ─ resume ─> PENDING
//
// and DELETING from anywhere. All of it is guarded by the hub's mu, and changes of the phase by changing too, except that run is a goroutine beside it. At most one run is there at a time.
type life struct {
	hub  *Hub
	view Statement
	// planned is the number of the statement in the journal, 0 if it has none, and planning what was made of it; broken is why it cannot be planned again.
	planned  int64
	planning *planning
	broken   error
	next     *planning // what it is to be when it has stopped; nil for what it is
	redo     *stood    // what the journal has made of its standing query before a kill, to be carried out when it has stopped; nil for nothing
	standing *standing // nil unless it runs a standing query

	results    *results
	exceptions []Exception
	unkept     error // why the record is not what the statement is, nil if it is
	since      int64 // when it came into its phase, microseconds
	log        []Line
	job        *runtime.Job
	began      int64 // when the job was
	looks      looks
	shared     shared
	minute     minute
	history    supervisor.History

	end  context.CancelCauseFunc // ends the run; nil if there is none
	over chan struct{}           // closed when the run is over
}

// Why a run is to end.
var (
	errStop   = errors.New("the statement is to stop")
	errDelete = errors.New("the statement is to be deleted")
	errLeave  = errors.New("the server ends")
)

// keepExceptions is how many failed attempts are told of a statement.
const keepExceptions = 10

func newLife(h *Hub, view Statement) *life { return &life{hub: h, view: view, since: h.clock.Now()} }

// shown is the statement as clients see it.
func (l *life) shown() Statement {
	s := l.view
	s.Spec = s.Spec.clone()
	return s
}

// become changes the phase and keeps it.
func (l *life) become(p Phase, detail string) {
	if p != l.view.Phase {
		l.since = l.hub.clock.Now()
		l.note(p, detail)
	}
	l.view.Phase, l.view.Detail = p, detail
	if err := l.keep(); err != nil {
		l.hub.options.Tell(err.Error())
	}
}

// keep notes a change and writes the record.
func (l *life) keep() error {
	l.view.Version++
	l.view.Updated = l.hub.clock.Now()
	return l.save()
}

// save writes the record as it is now; if it cannot be written, that is tried again.
func (l *life) save() error {
	r := recordOf(l)
	l.unkept = l.hub.aside(func() error { return r.save(l.hub.folder()) })
	return l.unkept
}

// adopt takes over what the statement was planned as.
func (l *life) adopt(p *planning) {
	l.planning = p
	l.view.Traits = p.traits
	l.view.Warnings = p.warnings(l.hub.clock.Now())
	for _, w := range l.view.Warnings {
		l.write(LevelWarning, w.Message)
	}
}

// goOn starts a statement that was running when the server ended. Results of a SELECT are gone with it, so it does not run again by itself.
func (l *life) goOn() {
	if l.redo != nil {
		l.begin()
		l.stop()
		return
	}
	switch l.view.Phase {
	case Completed, Failed, Stopped:
	case Deleting:
		l.remove()
	case Stopping:
		l.become(Stopped, "")
	default:
		if l.planned == 0 && l.view.Traits != nil && l.view.Traits.Kind == "SELECT" {
			l.view.Spec.Stopped = true
			l.become(Stopped, "the server was started anew, and results that were not read are gone; resume the statement to run it from the beginning")
			return
		}
		l.begin()
	}
}

// begin starts a run. If the server ends, that is for when it starts anew.
func (l *life) begin() {
	if l.view.Phase != Pending {
		l.become(Pending, "")
	}
	if l.hub.closed {
		return
	}
	if l.standing != nil {
		l.standing.run(rand.Text())
	}
	ctx, end := context.WithCancelCause(context.Background())
	over := make(chan struct{})
	l.end, l.over = end, over
	l.hub.group.Go(func() {
		defer close(over)
		l.run(ctx)
	})
}

// stop asks a run to end.
func (l *life) stop() {
	if l.end == nil {
		if !l.view.Phase.Ended() {
			l.become(Stopped, "")
		}
		return
	}
	l.view.Phase = Stopping
	l.cancel(errStop)
}

func (l *life) cancel(cause error) {
	l.end(cause)
	if l.results != nil {
		l.results.leave()
	}
}

// leave ends a run because the server does.
func (l *life) leave() {
	if l.end != nil {
		l.cancel(errLeave)
	}
}

// resume runs a statement again that was stopped.
func (l *life) resume() error {
	switch {
	case l.hub.closed:
		return errClosing
	case l.end != nil:
		return &Invalid{"the statement is still stopping; try again when its phase is STOPPED"}
	case l.view.Phase != Stopped:
		return &Invalid{"the statement is " + string(l.view.Phase) + ", and only one that is STOPPED can be resumed"}
	}
	if err := l.hub.room(l.view.Owner, nil); err != nil {
		return err
	}
	l.begin()
	return nil
}

// delete ends a run if there is one, and then removes the statement.
func (l *life) delete() {
	if l.end == nil {
		l.remove()
		return
	}
	l.become(Deleting, "")
	l.cancel(errDelete)
}

// remove forgets the statement and its state.
func (l *life) remove() {
	delete(l.hub.lives, l.view.Name) // who looks does not find it any more while the disk is busy
	err := l.hub.aside(func() error {
		if err := forget(l.hub.folder(), l.view.Name); err != nil {
			return err
		}
		return os.RemoveAll(l.state())
	})
	if err != nil {
		l.hub.lives[l.view.Name] = l
		l.become(Deleting, err.Error())
		return
	}
	l.show(nil)
	l.hub.removed = append(l.hub.removed, l.view.UID)
}

// state is the folder of its checkpoints.
func (l *life) state() string { return filepath.Join(l.hub.options.Dir, stateFolder, l.view.Name) }

// run plans the statement, unless it is, and runs it.
func (l *life) run(ctx context.Context) {
	err := l.prepare(ctx)
	if err == nil {
		err = l.planning.run(ctx, l)
	}
	defer l.hub.change()()
	defer l.takeOver()
	l.end, l.job = nil, nil
	switch cause := context.Cause(ctx); {
	case cause == errDelete:
		l.remove()
	case cause == errLeave:
		// The record says that it is running, and it will be.
	case cause == errStop && (err == nil || errors.Is(err, errUnread) || errors.Is(err, context.Canceled)): // the last one if it was not planned yet
		l.become(Stopped, "")
	case cause == errStop && (fault.Of(err) == fault.Resource || fault.Of(err) == fault.External):
		l.fail(err)
		l.become(Stopped, "it was stopped without what is done at the end; resumed, it goes on from the checkpoint before that: "+render(err))
	case errors.Is(err, errUnread):
		l.view.Spec.Stopped = true
		l.become(Stopped, "nobody has read the results for five minutes")
	case err != nil:
		l.takeBack()
		l.fail(err)
		l.become(Failed, render(err))
	default:
		l.become(Completed, "")
	}
}

// takeOver has a statement that has stopped go on as what it is to be.
func (l *life) takeOver() {
	if st := l.redo; st != nil && (l.view.Phase == Stopped || l.view.Phase == Failed) {
		l.redo, l.standing.changing = nil, false
		if err := l.redoChanges(st); err != nil {
			l.become(Failed, render(err))
		} else if !l.view.Spec.Stopped {
			l.begin()
		}
		return
	}
	p := l.next
	if l.next = nil; p == nil || l.view.Phase != Stopped {
		return
	}
	l.adopt(p)
	if !l.view.Spec.Stopped {
		l.begin()
	}
}

// takeBack takes the statement out of the journal if it is a CREATE TABLE … AS that never began: its table is gone.
func (l *life) takeBack() {
	p := l.planning
	if p == nil || !p.declares || !p.background() || p.began {
		return
	}
	if err := l.hub.aside(func() error {
		_, err := l.hub.journal.add(entry{Undone: l.planned})
		return err
	}); err != nil {
		l.hub.options.Tell(err.Error())
	}
	l.planned, l.planning = 0, nil
}

// fail notes an attempt that failed.
func (l *life) fail(err error) {
	if l.standing != nil {
		l.standing.failed++
	}
	l.exceptions = append(l.exceptions, Exception{l.hub.clock.Now(), nameOf(err), render(err)})
	l.write(LevelError, render(err))
	if n := len(l.exceptions) - keepExceptions; n > 0 {
		l.exceptions = l.exceptions[n:]
	}
}

// prepare plans a statement that is not planned yet, unless ctx ends before.
func (l *life) prepare(ctx context.Context) error {
	h := l.hub
	h.mu.Lock()
	spec, broken, done := l.view.Spec, l.broken, l.planning != nil
	h.mu.Unlock()
	switch {
	case broken != nil:
		return broken
	case done:
		return nil
	}
	if err := h.plans.lockUntil(ctx); err != nil {
		return err
	}
	defer h.plans.unlock()
	p, err := h.plan(ctx, spec)
	if err != nil {
		return err
	}
	var number int64
	if p.declares || p.background() {
		number, err = h.journal.add(entry{Statement: l.view.Name, UID: l.view.UID, SQL: spec.SQL, Properties: spec.Properties, Environment: spec.Environment, Declares: p.declares})
		if err != nil {
			if s := p.result.Standing; s != nil {
				h.engine.Revert(s)
				h.release(s.Path.String())
			}
			return err
		}
	}
	defer h.change()()
	l.planned = number
	l.adopt(p)
	if err := l.keep(); err != nil && (!p.declares || p.background()) {
		return err
	}
	return nil // what it declares is there, and in the journal; its record is written when there is room
}

// started notes the job of a new attempt.
func (l *life) started(job *runtime.Job) {
	defer l.hub.change()()
	l.job, l.began = job, l.hub.clock.Now()
	if l.standing != nil {
		l.standing.until = 0
	}
	l.minute.began(job)
	if l.view.Phase == Pending {
		l.become(Running, "")
	}
}

// tasks is the parallelism of a statement that asks for n, 0 if it does not say.
func (h *Hub) tasks(n int) int {
	if n == 0 {
		n = h.options.Parallelism
	}
	if n == 0 {
		n = gort.GOMAXPROCS(0)
	}
	if h.options.MaxParallelism > 0 {
		n = min(n, h.options.MaxParallelism)
	}
	return n
}

// memory is how much memory a statement gets for its state that asks for n bytes, 0 for any amount.
func (h *Hub) memory(n int64) int64 {
	if most := h.options.MaxMemory; most > 0 && (n == 0 || n > most) {
		return most
	}
	return n
}

// show has clients read these results, and lets go of those before.
func (l *life) show(r *results) {
	if l.results != nil {
		l.results.drop()
	}
	l.results = r
}
