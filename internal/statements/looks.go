package statements

import (
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// lookEvery is the time from one look at all statements to the next, in microseconds: shares of time are told over that and up to twice as long.
const lookEvery = 5_000_000

// looks are the last two looks at a job.
type looks struct {
	job        *runtime.Job
	last, then *metrics.Look
}

// watch looks at all statements from time to time, until the hub is closed.
func (h *Hub) watch() {
	for {
		timer, cancel := h.clock.At(h.clock.Now() + lookEvery)
		select {
		case <-timer:
		case <-h.living.Done():
			cancel()
			return
		}
		for _, l := range h.all() {
			l.look()
		}
		h.tend()
		h.noteMinute()
	}
}

// all are the statements there are, in no order.
func (h *Hub) all() []*life {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*life, 0, len(h.lives))
	for _, l := range h.lives {
		all = append(all, l)
	}
	return all
}

// look looks at the job of a statement, if it has one, and keeps what it sees.
func (l *life) look() {
	now := l.see()
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.job == nil || now.Stats == nil {
		l.looks = looks{}
		return
	}
	if l.looks.job != l.job {
		l.looks = looks{job: l.job}
	}
	now.Before = nil
	l.looks.then, l.looks.last = l.looks.last, &now
}

// see looks at a statement as it is now, with an earlier look at the same job if there is one.
func (l *life) see() metrics.Look {
	x, _ := l.seeJob()
	return x
}

// seeJob is see with the job that was looked at, nil if none runs.
func (l *life) seeJob() (x metrics.Look, job *runtime.Job) {
	l.hub.mu.Lock()
	job, topics := l.job, l.topics()
	x = metrics.Look{Statement: l.view.Name, Pool: l.view.Pool, Phase: string(l.view.Phase), At: l.hub.clock.Now(), Began: l.began, Past: l.history.Past(), Topics: topics}
	if job != nil && l.looks.job == job {
		if x.Before = l.looks.then; x.Before == nil {
			x.Before = l.looks.last
		}
	}
	l.hub.mu.Unlock()
	if job != nil {
		stats := job.Stats()
		x.Stats = &stats
	}
	return x, job
}

// topics tells which tables of the statement are topics.
func (l *life) topics() func(string) bool {
	if l.planning == nil || l.planning.result.Query == nil {
		return func(string) bool { return false }
	}
	return l.planning.result.Query.IsTopic
}

// Looks are all statements as they are now.
func (h *Hub) Looks() []metrics.Look {
	var all []metrics.Look
	for _, l := range h.all() {
		all = append(all, l.see())
	}
	return all
}

// Look is one statement as it is now.
func (h *Hub) Look(name string) (metrics.Look, error) {
	h.mu.Lock()
	l, err := h.find(name)
	h.mu.Unlock()
	if err != nil {
		return metrics.Look{}, err
	}
	return l.see(), nil
}
