package runtime

import (
	"context"
	"errors"

	"github.com/tidemark-sql/tidemark/watermark"
)

// A job can be driven by hand under a virtual clock, for scripts and tests: Begin, then Step as often as wanted, then Stop.

// Begin starts the job without a sequencer of its own.
func (j *Job) Begin(ctx context.Context) { j.start(ctx) }

// Step issues tickets for everything that the sources have at the clock's time, for the tick if one is due, and settles. It reports
// whether the job has come to its end.
func (j *Job) Step() (ended bool, err error) {
	j.sequencer.rouse()
	for {
		issued, err := j.sequencer.pass()
		if err != nil {
			return j.satisfied(j.cause(err))
		}
		if !issued {
			break
		}
	}
	if err := j.Settle(); err != nil {
		return j.satisfied(err)
	}
	select {
	case <-j.sated:
		if !j.sequencer.ended {
			return j.Step()
		}
	case <-j.arrived:
		return j.Step()
	default:
	}
	// While the job is settled the cores stand still, so what Stats tells of them can be exact.
	j.publish(j.clock.Now())
	return j.sequencer.ended, nil
}

// satisfied tells the end of a job that has all its rows from a failure.
func (j *Job) satisfied(err error) (ended bool, _ error) {
	if err != errSated {
		return false, err
	}
	j.sequencer.ended = true
	return true, nil
}

// NextTick is when the next tick is due, or connector.Never.
func (j *Job) NextTick() int64 { return j.sequencer.nextTick }

// Stall tells the watermark of a table that one of its splits cannot deliver, as if what follows it were busy, or that it can again; the calls alternate. It keeps nothing from being
// read: whoever drives the job does. The job is settled or has not begun.
func (j *Job) Stall(table, split string, stalled bool) {
	now := j.clock.Now()
	for _, s := range j.sources {
		for _, x := range s.splits {
			switch {
			case s.spec.Name != table || x.Name() != split || x.done:
			case stalled:
				s.core.Stall(x.number, now)
				s.turned(x, watermark.Stalled, now)
			default:
				s.core.Unstall(x.number, now)
				s.turned(x, watermark.Active, now)
			}
		}
	}
}

// Checkpoint takes a snapshot behind everything issued so far, and settles; Options.OnSnapshot gets it.
func (j *Job) Checkpoint() error {
	if j.sequencer.ended {
		return errors.New("the job has come to its end and has nothing to save")
	}
	if err := j.sequencer.barrier(); err != nil {
		return j.cause(err)
	}
	return j.Settle()
}

// cause is why the job has stopped, if that is what err says.
func (j *Job) cause(err error) error {
	if errors.Is(err, errStopped) {
		return context.Cause(j.ctx)
	}
	return err
}

// Stop ends a job that was begun, as a crash would: nothing is flushed but the sink is closed.
func (j *Job) Stop() error { return j.stop(nil) }
