package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// inFlight is a batch that a core with watermark.Lookahead has been shown and that is not completed. It is used in turn.
type inFlight struct {
	ticket int64
	split  int
	batch  int64
}

// report is what a source with watermark.Lookahead is told of a split at a tick.
type report struct {
	emptyAt int64 // when it had nothing, watermark.NoTime if that is not known
	reads   connector.Reads
	held    *held
}

// survey asks the splits of s how they are. The sequencer does that.
func (s *source) survey(now int64) []report {
	all := make([]report, len(s.splits))
	for i, x := range s.splits {
		r := &all[i]
		r.emptyAt, r.held = watermark.NoTime, x.held
		if x.done {
			continue
		}
		w, watched := x.Split.(connector.Watched)
		if watched {
			r.reads = w.Reads()
		}
		switch {
		case x.paused.Load(), x.held != nil:
		case watched && r.reads.Empty, !watched && x.wake > now:
			r.emptyAt = now
		case !watched:
			r.emptyAt = x.emptyAt
		}
	}
	return all
}

// group puts split x into the group that it can be out of reach with.
func (s *source) group(x *split) {
	if w, ok := x.Split.(connector.Watched); ok && s.looks {
		s.core.SetGroup(x.number, w.Group())
	}
}

// fetched notes that the rows of a ticket have been shown to the core.
func (s *source) fetched(t *ticket) {
	first, last := t.now, t.now
	if w, ok := t.chunk.(connector.Written); ok {
		first, last = w.Written()
	}
	if batch, ok := s.core.Fetched(t.split.number, first, last); ok {
		s.flying = append(s.flying, inFlight{t.number, t.split.number, batch})
	}
}

// catchUp tells the core what has become of its splits: the batches up to ticket through are completed.
func (s *source) catchUp(through int64, reports []report, now int64) {
	n := 0
	for n < len(s.flying) && s.flying[n].ticket <= through {
		s.core.Complete(s.flying[n].split, s.flying[n].batch)
		n++
	}
	s.flying = s.flying[n:]
	for i, r := range reports {
		switch {
		case r.reads.Failed:
			s.core.ReadFailed(i, now)
		case r.reads.Worked:
			s.core.ReadWorked(i)
		}
		if h := r.held; h != nil {
			s.core.Announce(i, h.least, h.newest, h.first, h.last)
		}
		if r.emptyAt != watermark.NoTime {
			s.core.ConfirmEmpty(i, r.emptyAt)
		}
	}
}

// completed is the last ticket whose effects are there for good: in the latest snapshot, or if there are to be none, in the sink.
func (j *Job) completed() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.options.Checkpointed {
		return j.durable
	}
	return j.finished
}
