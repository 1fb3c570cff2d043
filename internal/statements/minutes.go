package statements

import (
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/history"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

const historyFolder = "history"

// minute is what a statement did since the last minute was noted; the hub's mu guards it.
type minute struct {
	// jobs are those that ran, the last ones of them; before is what the first had counted when the minute began, nil if it began later.
	jobs   []*runtime.Job
	before *runtime.Stats
	past   supervisor.Past
}

// mostJobs is how many jobs of a minute are looked at.
const mostJobs = 8

// began notes a job.
func (m *minute) began(job *runtime.Job) {
	if m.jobs = append(m.jobs, job); len(m.jobs) > mostJobs {
		m.jobs, m.before = m.jobs[1:], nil
	}
}

// minutes is the history of all statements, and what the goroutine that watches them needs for it.
type minutes struct {
	store *history.Store
	noted int64 // the minute in which statements were looked at last
	// failed says that the last minute could not be written, which is told once.
	failed bool
}

// openMinutes opens the history of the statements that there are.
func (h *Hub) openMinutes() (err error) {
	known := map[string]bool{}
	for _, l := range h.lives {
		known[l.view.UID] = true
	}
	h.minutes.noted = h.clock.Now() / history.Minute
	h.minutes.store, err = history.Open(filepath.Join(h.options.Dir, historyFolder), h.options.HistoryBytes, func(id string) bool { return known[id] })
	return err
}

// noteMinute adds the minute that is over, if one is, to the history of all statements.
func (h *Hub) noteMinute() {
	at := h.clock.Now()
	now := at / history.Minute
	if now == h.minutes.noted {
		return
	}
	h.minutes.noted = now
	h.mu.Lock()
	removed := h.removed
	h.removed = nil
	h.mu.Unlock()
	var all []history.Minutes
	for _, l := range h.all() { // what is removed from here on is forgotten the next time, with the minute that is noted of it now
		all = append(all, l.passed(at))
	}
	for _, id := range removed {
		h.minutes.store.Forget(id)
	}
	err := h.minutes.store.Add(now-1, all)
	if err != nil && !h.minutes.failed {
		h.options.Tell(err.Error() + "; it is tried again each minute")
	}
	h.minutes.failed = err != nil
}

// passed is what the statement had in the minute that ends now.
func (l *life) passed(at int64) history.Minutes {
	h := l.hub
	h.mu.Lock()
	was := l.minute
	look := history.Look{At: at, Before: was.past, Past: l.history.Past()}
	l.minute = minute{past: look.Past}
	if n := len(was.jobs); n > 0 && was.jobs[n-1] == l.job {
		look.Running, l.minute.jobs = true, []*runtime.Job{l.job}
	}
	h.mu.Unlock()
	for i, job := range was.jobs {
		stats := job.Stats()
		ran := history.Ran{Now: &stats}
		if i == 0 {
			ran.Before = was.before
		}
		look.Jobs = append(look.Jobs, ran)
	}
	if look.Running {
		h.mu.Lock()
		l.minute.before = look.Jobs[len(look.Jobs)-1].Now
		h.mu.Unlock()
	}
	return history.Minutes{ID: l.view.UID, Values: look.Values()}
}

// History tells what a statement was like, minute by minute; its ID need not be in the question.
func (h *Hub) History(name string, q history.Question) (history.Answer, error) {
	found, err := h.Get(name)
	if err != nil {
		return history.Answer{}, err
	}
	q.ID = found.UID
	return h.minutes.store.Read(q)
}

// Minute is the number of the minute that has not ended, by the clock.
func (h *Hub) Minute() int64 { return h.clock.Now() / history.Minute }
