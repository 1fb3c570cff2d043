package connector

import "github.com/tidemark-sql/tidemark/internal/vector"

// Sink is a table being written by one statement. One call at a time.
type Sink interface {
	// Write takes the selected rows of b, which stays the caller's.
	Write(b *vector.Batch) error
	// Flush hands on what Write kept back. It is called when the statement has nothing more to write for now.
	Flush() error
	// Close ends the output; nothing follows.
	Close() error
}

// Timed sinks do something when time has passed. They are told what time it is before Write, and when the statement looks at the clock.
type Timed interface {
	// SetNow tells the wall clock in microseconds.
	SetNow(now int64) error
}

// Waiting sinks say when they wait for whoever takes what they write, so that it does not count as work.
type Waiting interface {
	// OnWait comes before the first Write. Write, Flush and SetNow call wait when they begin to wait, and what it returned when that is over.
	OnWait(wait func() (over func()))
}

// Weighed sinks know how many bytes they have made of what was written since they were opened. Any goroutine may ask.
type Weighed interface{ Weight() int64 }

// Aborting sinks end differently when a statement has failed.
type Aborting interface {
	// Abort is called instead of Close; nothing follows. What was written since the last Flush need not be there.
	Abort() error
}
