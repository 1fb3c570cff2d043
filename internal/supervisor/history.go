package supervisor

import (
	"sync"
	"time"
)

// History is what became of the checkpoints of a statement and of its attempts, as far as one process knows. Whoever is told of events notes them; any goroutine may ask. The zero value
// is that of a statement that has not begun.
type History struct {
	mu  sync.Mutex
	now Past
}

// Past is a History at one moment. Times are of the wall clock in microseconds, 0 for what has not happened.
type Past struct {
	// Checkpoint is the newest one that is durable, the zero value if there is none.
	Checkpoint struct {
		ID, At, Bytes int64
		Took          time.Duration
	}
	// Taken counts checkpoints, and Missed those that could not be written, of which Miss is the last.
	Taken, Missed int64
	Miss          Trouble
	// Attempts counts jobs that were started, each but the first of which is a restart; the last of them Began then. From is the checkpoint that one goes on from, 0 if it began afresh.
	Attempts, Began, From int64
	// Failed counts attempts that were followed by another, of which Failure is the last.
	Failed  int64
	Failure Trouble
}

// Trouble is an error and when it came.
type Trouble struct {
	At  int64
	Err error
}

// Note adds an event that happened at a time.
func (h *History) Note(e Event, at int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.now
	switch e := e.(type) {
	case Restored:
		p.From = e.ID
	case Started:
		p.Attempts, p.Began = p.Attempts+1, at
	case Taken:
		p.Taken++
		p.Checkpoint.ID, p.Checkpoint.At, p.Checkpoint.Bytes, p.Checkpoint.Took = e.ID, at, e.Bytes, e.Took
	case Missed:
		p.Missed++
		p.Miss = Trouble{at, e.Err}
	case Failed:
		p.Failed++
		p.Failure = Trouble{at, e.Err}
	}
}

// Past is what has been noted so far.
func (h *History) Past() Past {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}
