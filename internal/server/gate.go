package server

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// Gate stands before a Server: from the moment at which there is an address, it tells whoever asks whether the process lives and why it does not take statements yet, or no longer. It is an http.Handler;
// any goroutine may use it.
type Gate struct {
	mu     sync.Mutex
	server *Server
	reason string
}

// NewGate is a gate that is shut, because of a reason.
func NewGate(reason string) *Gate { return &Gate{reason: reason} }

// Open lets requests through to s.
func (g *Gate) Open(s *Server) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.server, g.reason = s, ""
}

// Ending says that the server is not ready any more. Requests still come through.
func (g *Gate) Ending() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reason = "the server is ending"
}

// ServeHTTP implements http.Handler.
func (g *Gate) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	g.mu.Lock()
	s, reason := g.server, g.reason
	g.mu.Unlock()
	if s != nil && (reason == "" || q.URL.Path != "/ready") {
		s.ServeHTTP(w, q)
		return
	}
	harden(w, q)
	if q.URL.Path == "/health" {
		answer(w, http.StatusOK, alive)
		return
	}
	unavailable(w, reason)
}

var alive = api.Health{Status: "ok"}

// unavailable answers that something outside, or time, is wanting.
func unavailable(w http.ResponseWriter, reason string) {
	w.Header().Set("Retry-After", "1")
	answer(w, http.StatusServiceUnavailable, failureBody(&failure{http.StatusServiceUnavailable, "unavailable", reason}))
}

func failureBody(f *failure) api.Failure {
	return api.Failure{Errors: []api.Error{{ID: rand.Text(), Status: strconv.Itoa(f.status), Code: f.code, Title: http.StatusText(f.status), Detail: f.detail}}}
}

// readiness is what was last found out about what the server stands on. Everybody may ask, so it is not found out anew for each who does.
type readiness struct {
	ask func() error // nil if there is nothing to ask

	mu    sync.Mutex
	asked int64 // microseconds, 0 for never
	err   error
}

// fresh is for how long an answer is as good as new, in microseconds.
const fresh = 2_000_000

func (r *readiness) check(now int64) error {
	if r.ask == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == 0 || now-r.asked >= fresh || now < r.asked { // the clock may have been set back
		r.err, r.asked = r.ask(), now
	}
	return r.err
}

// health answers as long as there is somebody to answer.
func (s *Server) health(*http.Request) (int, any, error) { return http.StatusOK, alive, nil }

// readyNow answers whether statements are taken, and can do something.
func (s *Server) readyNow(*http.Request) (int, any, error) {
	if err := s.ready.check(s.clock.Now()); err != nil {
		return 0, nil, &tooMany{time.Second, &failure{http.StatusServiceUnavailable, "unavailable", err.Error()}}
	}
	if err := s.options.Hub.Taking(); err != nil {
		return 0, nil, fault.Wrap(fault.External, err)
	}
	return http.StatusOK, alive, nil
}
