package runtime

import "github.com/tidemark-sql/tidemark/internal/connector"

// follow finds which sources each one stands behind. It is called before the job begins.
func (j *Job) follow() {
	for _, s := range j.sources {
		for _, i := range s.spec.After {
			s.after = append(s.after, j.sources[i])
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
	for len(s.after) > 0 && s.after[0].over() {
		s.after = s.after[1:]
	}
	return len(s.after) > 0
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
		if len(s.after) == 0 || s.waits() {
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
