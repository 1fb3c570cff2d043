package supervisor

import (
	"context"
	"errors"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// Start makes a job of the statement, ready to run. It is called once for every attempt, each with options that say where to go on.
type Start func(runtime.Options) (*runtime.Job, error)

// Options are how a statement is kept going.
type Options struct {
	// Folder holds its checkpoints; nobody else uses it meanwhile.
	Folder  *checkpoint.Folder
	Cadence checkpoint.Cadence
	Backoff Backoff
	// Requests are what people ask of the statement while it runs; one that comes between two attempts waits for the next. It may be nil.
	Requests <-chan Request
	// Job is handed to every job; Restore, Checkpointed and the functions are the supervisor's.
	Job runtime.Options
	// Tell gets what happens, in order, from one goroutine at a time.
	Tell func(Event)
}

// supervisor is one call of Run.
type supervisor struct {
	Options
	start   Start
	clock   runtime.Clock
	drained bool // every attempt is from now on
}

// Run runs a statement to its end, or until ctx ends, which is not an error: then a last checkpoint is taken, from which the next Run goes on.
// If it had come to its end before, the error is runtime.ErrFinished. Errors of class External, and no others, are followed by another attempt, after a time that Backoff says.
func Run(ctx context.Context, start Start, o Options) error {
	s := &supervisor{Options: o, start: start, clock: o.Job.Clock}
	if s.clock == nil {
		s.clock = runtime.WallClock{}
	}
	for {
		from, err := s.newest()
		if err != nil {
			return err
		}
		begun := s.clock.Now()
		err = s.attempt(ctx, from)
		if from != nil && errors.Is(err, runtime.ErrUndone) {
			if err := s.Folder.Undo(from.ID); err != nil {
				return err
			}
			s.Tell(Undone{from.ID})
			continue
		}
		if err == nil || ctx.Err() != nil || fault.Of(err) != fault.External {
			return err
		}
		wait, ok := s.Backoff.next(s.clock.Now() - begun)
		if !ok {
			return err
		}
		s.Tell(Failed{Err: err, Wait: time.Duration(wait) * time.Microsecond})
		if !s.sleep(ctx, wait) {
			return nil
		}
	}
}

// newest reads the newest checkpoint that is whole, nil if there is none yet.
func (s *supervisor) newest() (*runtime.Snapshot, error) {
	missing, err := s.Folder.Missing()
	if err != nil {
		return nil, err
	}
	r, passed, err := s.Folder.Newest()
	if err != nil {
		return nil, err
	}
	if r == nil && missing == nil {
		return nil, nil
	}
	if r == nil {
		return nil, fault.Errorf(fault.Resource, "%w; to begin anew, and write everything again, remove the folder of the statement", missing[0])
	}
	for _, d := range append(missing, passed...) {
		s.Tell(PassedOver{d})
	}
	from, err := runtime.LoadSnapshot(r)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	from.Shown = s.Folder.Shown(from.ID)
	s.Tell(Restored{from.ID})
	return from, nil
}

// sleep waits microseconds, or until ctx ends.
func (s *supervisor) sleep(ctx context.Context, wait int64) bool {
	timer, cancel := s.clock.At(s.clock.Now() + wait)
	defer cancel()
	select {
	case <-timer:
		return true
	case <-ctx.Done():
		return false
	}
}
