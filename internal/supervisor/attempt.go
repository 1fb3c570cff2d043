package supervisor

import (
	"context"
	"errors"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// attempt is one job and its checkpoints. The job runs in the caller's goroutine; a keeper beside it asks for snapshots, one at a time, and makes them durable.
type attempt struct {
	*supervisor
	job      *runtime.Job
	schedule *checkpoint.Schedule
	wanted   int64                  // when the snapshot on its way was asked for
	bytes    int64                  // of the checkpoint that was written last
	asked    chan<- error           // of who asked for it, nil if nobody did
	taken    chan *runtime.Snapshot // from the job
	last     chan *runtime.Snapshot // from the job, at the end of the input
	ended    chan error             // the answer to that
	kept     chan error             // from the keeper, when it has nothing more to do
}

// attempt runs the statement from a snapshot until it ends, fails or is left.
func (s *supervisor) attempt(ctx context.Context, from *runtime.Snapshot) error {
	a := &attempt{supervisor: s, schedule: checkpoint.NewSchedule(s.Cadence, s.clock.Now()),
		taken: make(chan *runtime.Snapshot, 1), last: make(chan *runtime.Snapshot), ended: make(chan error, 1), kept: make(chan error, 1)}
	o := s.Job
	o.Restore, o.Checkpointed = from, true
	if o.Statement == "" {
		o.Statement = s.Folder.Identity()
	}
	o.OnSnapshot = func(x *runtime.Snapshot) { a.taken <- x }
	o.OnFinish = a.finish
	job, err := s.start(o)
	if from != nil {
		from.Release()
	}
	if err != nil {
		return err
	}
	a.job = job
	s.Tell(Started{job})
	if s.drained {
		job.Drain()
	}

	// The job does not end with ctx: first it is asked for a last snapshot.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	gone := make(chan struct{})
	go func() {
		a.kept <- a.keep(ctx, gone)
		stop()
	}()
	err = job.Run(running)
	byItself := running.Err() == nil
	close(gone)
	failed := <-a.kept
	select {
	case x := <-a.taken: // nobody keeps it any more
		x.Release()
	default:
	}
	if errors.Is(failed, connector.ErrClosed) && err != nil {
		return err // a checkpoint that was on its way when the job failed has lost its sink, and may have told so before the job did
	}
	if failed != nil && (err == nil || !byItself) {
		return failed
	}
	return err
}

// keep takes checkpoints until the job is gone, or ctx has ended and the last one, behind which nothing was read, is durable. It does not wait for that one if code of the program does not return: that is a
// runtime.Hang.
func (a *attempt) keep(ctx context.Context, gone <-chan struct{}) error {
	defer a.answer(errOver)
	leaving, ending, ended := false, false, ctx.Done()
	var calls runtime.Calls
	for {
		due, free := a.schedule.Due()
		var timer, look <-chan time.Time
		var leave <-chan struct{}
		var requests <-chan Request
		cancel, unlook := func() {}, func() {}
		if free {
			timer, cancel = a.clock.At(due)
			leave, requests = ctx.Done(), a.Requests
		}
		if ending {
			look, unlook = a.clock.At(a.clock.Now() + runtime.Patience/10)
		}
		var err error
		over := false
		select {
		case r := <-requests:
			a.take(r)
		case <-timer:
			a.want()
		case <-ended:
			ended, ending = nil, true
		case <-leave:
			leaving = true
			a.begin()
			a.job.Leave()
		case <-look:
			if hang := calls.Hanging(a.job, a.clock.Now()); hang != nil {
				err = hang
			}
		case x := <-a.taken:
			err = a.made(x)
			over = leaving
		case last := <-a.last:
			a.ended <- a.end(last)
		case <-gone:
			over = true
		}
		cancel()
		unlook()
		if err != nil || over {
			return err
		}
	}
}

func (a *attempt) want() {
	a.begin()
	a.job.Want()
}

// begin notes that a snapshot is asked for.
func (a *attempt) begin() {
	a.wanted = a.clock.Now()
	a.schedule.Begin(a.wanted)
}

// made makes a snapshot durable. If that fails the statement goes on without it, unless that has happened too often, or the sink holds rows back for it.
func (a *attempt) made(x *runtime.Snapshot) error {
	err := a.save(x)
	giveUp := a.schedule.End(a.clock.Now(), err == nil)
	a.answer(err)
	switch {
	case err == nil:
		a.Tell(Taken{ID: x.ID, Took: duration(a.clock.Now() - a.wanted), Aligned: duration(x.Aligned), Paused: duration(x.Paused), Bytes: a.bytes})
	case giveUp || x.Epoch != nil:
		return err
	default:
		a.Tell(Missed{err})
	}
	return nil
}

func duration(microseconds int64) time.Duration {
	return time.Duration(microseconds) * time.Microsecond
}

// save prepares what the sink was given, writes the checkpoint, and has the sink show it.
func (a *attempt) save(x *runtime.Snapshot) error {
	defer x.Release()
	if err := a.write(x); err != nil {
		if r, ok := x.Epoch.(connector.Revocable); ok && a.Folder.Lacks(x.ID) {
			r.Revoke()
		}
		return err
	}
	a.job.Durable(x)
	if x.Epoch == nil {
		return nil
	}
	if err := x.Epoch.Commit(); err != nil {
		return err
	}
	a.Folder.Show(x.ID)
	return nil
}

// write makes a snapshot durable.
func (a *attempt) write(x *runtime.Snapshot) error {
	if x.Epoch != nil {
		var err error
		if x.Sink, err = x.Epoch.Prepare(); err != nil {
			return err
		}
	}
	w, err := a.Folder.Begin(x.ID)
	if err != nil {
		return err
	}
	if err := x.Save(w); err != nil {
		w.Abort()
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	a.bytes = w.Bytes()
	return nil
}

// finish is called by the job at the end of the input, and waits for the keeper to make that durable. A keeper that is done has an error, or has left the statement where
// a checkpoint has it; then the end comes another time.
func (a *attempt) finish(last *runtime.Snapshot) error {
	select {
	case a.last <- last:
		return <-a.ended
	case err := <-a.kept:
		a.kept <- err
		return runtime.ErrLeft
	}
}

// end makes the end of the input durable: the checkpoint says that there is nothing left to do. One that is on its way comes before.
func (a *attempt) end(last *runtime.Snapshot) error {
	select {
	case x := <-a.taken:
		if err := a.made(x); err != nil {
			return err
		}
	default:
	}
	return a.save(last)
}
