package runtime

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// predecessors are what a source stands behind.
type predecessors struct {
	left  []*source              // of which the first has not come to its end; the sequencer's
	first atomic.Pointer[source] // that one, nil if all have: anybody reads it
}

// follow finds which sources each one stands behind. It is called before the job begins.
func (j *Job) follow() {
	for _, s := range j.sources {
		for _, i := range s.spec.After {
			s.predecessors.left = append(s.predecessors.left, j.sources[i])
		}
		if s.waits() {
			for _, x := range s.splits {
				x.unread(1)
			}
		}
	}
}

// waits reports whether a source that s stands behind has not come to its end, so that s is not read. It belongs to the sequencer.
func (s *source) waits() bool {
	b := &s.predecessors
	if len(b.left) == 0 {
		return false
	}
	for len(b.left) > 0 && b.left[0].over() {
		b.left = b.left[1:]
	}
	if len(b.left) == 0 {
		b.first.Store(nil)
		return false
	}
	if b.left[0] != b.first.Load() {
		b.first.Store(b.left[0])
	}
	return true
}

// over reports whether a bounded source has been read.
func (s *source) over() bool {
	for _, x := range s.splits {
		if !x.done {
			return false
		}
	}
	return true
}

// letRead lets those sources be read that have waited for the end of another, which has come.
func (q *sequencer) letRead(now int64) {
	for _, s := range q.job.sources {
		if len(s.predecessors.left) == 0 || s.waits() {
			continue
		}
		s.stalled += s.sinceTick(q.replay, now)
		for _, x := range s.splits {
			x.unread(-1)
			x.wake = atOnce
		}
	}
}

// sinceTick is how long ago the last tick of s was due, or its beginning; 0 if it has no ticks.
func (s *source) sinceTick(replay bool, now int64) int64 {
	if s.nextTick == connector.Never {
		return 0
	}
	return max(now-(s.nextTick-s.periodic(replay)), 0)
}
