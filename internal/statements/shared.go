package statements

import (
	"sync"

	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/summary"
	"github.com/tidemark-sql/tidemark/internal/why"
)

// Seen is a statement that was looked at, with what can be told of that. Nobody changes it.
type Seen struct {
	metrics.Look
	// Names are those of its sources, by which several readings of a table are told apart.
	Names []string
	// Why is what it waits for. Neither is there without a job.
	Why  why.Answer
	job  *runtime.Job
	once sync.Once
	text []byte
}

// Text is what make makes of it, which is asked once however many want it; they all want the same.
func (s *Seen) Text(make func() []byte) []byte {
	s.once.Do(func() { s.text = make() })
	return s.text
}

// sharedFor is how long a look is told to whoever asks, in microseconds: however many pages ask, they cost five looks a second. What a page
// shows is to be less than a second old: this, half a second from one question of the page to the next, and the way.
const sharedFor = 200_000

// shared is the look that all who ask are told.
type shared struct {
	sync.Mutex // taken before the hub's
	seen       *Seen
}

// Seen is a statement as it was at most a fifth of a second ago.
func (h *Hub) Seen(name string) (*Seen, error) {
	h.mu.Lock()
	l, err := h.find(name)
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return l.seen(), nil
}

func (l *life) seen() *Seen {
	s := &l.shared
	s.Lock()
	defer s.Unlock()
	l.hub.mu.Lock()
	job := l.job
	l.hub.mu.Unlock()
	now := l.hub.clock.Now()
	if s.seen != nil && s.seen.job == job && now >= s.seen.At && now-s.seen.At < sharedFor {
		return s.seen
	}
	s.seen = &Seen{}
	s.seen.Look, s.seen.job = l.seeJob()
	if stats := s.seen.Stats; stats != nil {
		s.seen.Names = summary.Sources(stats)
		s.seen.Why = why.Ask(stats, s.seen.Names, s.seen.At)
	}
	return s.seen
}

// Timeline is the last minutes of a statement, those since a moment, with what was seen of the same job; ok is false if none runs.
func (h *Hub) Timeline(name string, since int64) (x runtime.Timeline, seen *Seen, ok bool, err error) {
	if seen, err = h.Seen(name); err != nil || seen.Stats == nil {
		return x, seen, false, err
	}
	return seen.job.Timeline(since), seen, true, nil
}
