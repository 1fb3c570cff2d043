package supervisor

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// Event is something that happened to a statement, as a sentence without its end.
type Event interface{ String() string }

// Started is a job that is about to run.
type Started struct{ Job *runtime.Job }

// Restored says from which checkpoint a statement goes on.
type Restored struct{ ID int64 }

// PassedOver is a checkpoint that could not be used, so that an older one is.
type PassedOver struct{ *checkpoint.Damaged }

// Undone is a checkpoint whose rows were given up by the system to which they were written, so that the one before is used and they are written again.
type Undone struct{ ID int64 }

// Taken is a checkpoint that is durable, with the time from the wish to that, and of it what the rows waited for: see runtime.Snapshot.
type Taken struct {
	ID                    int64
	Took, Aligned, Paused time.Duration
	// Bytes is how large its file is.
	Bytes int64
}

// Missed is a checkpoint that could not be written; the statement goes on without it.
type Missed struct{ Err error }

// Failed is the end of an attempt that is followed by another.
type Failed struct {
	Err  error
	Wait time.Duration
}

func (Started) String() string    { return "started" }
func (e Restored) String() string { return fmt.Sprintf("going on from checkpoint %d", e.ID) }
func (e PassedOver) String() string {
	return e.Error() + "; going on from an older one, so sinks that had shown what it covers show it twice"
}
func (e Undone) String() string {
	return fmt.Sprintf("the brokers have given up the transaction of checkpoint %d; going on from the one before", e.ID)
}
func (e Taken) String() string { return fmt.Sprintf("checkpoint %d took %s", e.ID, e.Took) }
func (e Missed) String() string {
	return fmt.Sprintf("no checkpoint: %s; the statement goes on", e.Err)
}
func (e Failed) String() string { return fmt.Sprintf("%s; trying again in %s", e.Err, e.Wait) }
