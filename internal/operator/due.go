package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// next is the first window of h, whose edges deadline makes instants.
func (h windowHeap) next(deadline func(window.Window) int64) (dataflow.Due, bool) {
	if len(h) == 0 {
		return dataflow.Due{}, false
	}
	end := deadline(h[0])
	return dataflow.Due{What: dataflow.WaitsWindow, Start: deadline(window.Window{End: h[0].Start}), At: end, Deadline: end}, true
}

// Next implements dataflow.Awaiting.
func (w *WindowAggregate) Next() (dataflow.Due, bool) { return w.pending.next(w.spec.Windows.deadline) }

// Next implements dataflow.Awaiting.
func (w *WindowTopN) Next() (dataflow.Due, bool) { return w.pending.next(w.spec.Windows.deadline) }

// Next implements dataflow.Awaiting.
func (w *WindowJoin) Next() (dataflow.Due, bool) { return w.pending.next(w.spec.Windows[0].deadline) }

// renewals is how many ends of sessions that have grown are brought up to date when the operator is asked what is due.
const renewals = 64

// Next implements dataflow.Awaiting. With very many sessions that have grown it may tell too early an end.
func (s *SessionAggregate) Next() (dataflow.Due, bool) {
	for range renewals {
		if len(s.pending) == 0 {
			break
		}
		first := s.pending[0]
		x := &s.sessions[first.id]
		if !x.dead && x.End == first.end {
			break
		}
		s.pending.pop()
		if !x.dead {
			s.pending.push(due{x.End, first.id})
		}
	}
	end, ok := s.firstEnd()
	return dataflow.Due{What: dataflow.WaitsSession, Start: watermark.NoTime, At: end, Deadline: end}, ok
}

// Next implements dataflow.Awaiting.
func (s *Sort) Next() (dataflow.Due, bool) {
	if len(s.waiting) == 0 {
		return dataflow.Due{}, false
	}
	return dataflow.DueWith(dataflow.WaitsRows, s.waiting[0].time), true
}

// Next implements dataflow.Awaiting. A row that came late leaves with the next frontier.
func (o *Over) Next() (dataflow.Due, bool) {
	if len(o.waiting) == 0 {
		return dataflow.Due{}, false
	}
	first := &o.waiting[0]
	d := dataflow.DueWith(dataflow.WaitsRows, first.place)
	d.At = first.time
	return d, true
}

// Next implements dataflow.Awaiting.
func (j *TemporalJoin) Next() (dataflow.Due, bool) {
	if len(j.waiting) == 0 {
		return dataflow.Due{}, false
	}
	return dataflow.DueWith(dataflow.WaitsRows, j.waiting[0].time), true
}

// Next implements dataflow.Awaiting. Of an inner join nothing leaves when the frontier comes by.
func (j *IntervalJoin) Next() (dataflow.Due, bool) {
	if len(j.due) == 0 || !j.spec.Kind.outer(0) && !j.spec.Kind.outer(1) {
		return dataflow.Due{}, false
	}
	return dataflow.DueWith(dataflow.WaitsRows, j.due[0].until), true
}

// Next implements dataflow.Awaiting.
func (m *Match) Next() (dataflow.Due, bool) {
	if len(m.waiting) == 0 {
		return dataflow.Due{}, false
	}
	what := dataflow.WaitsRows
	if m.waiting[0].row < 0 {
		what = dataflow.WaitsMatch
	}
	return dataflow.DueWith(what, m.waiting[0].time), true
}
