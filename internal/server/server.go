package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/page"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// Options make a Server.
type Options struct {
	Hub *statements.Hub
	// Keys are who may ask; without any everybody may.
	Keys *Keys
	// Hosts are the names under which browsers may reach the server, beside addresses of loopback: others are refused, since a name that somebody else has made point here is no friend.
	Hosts []string
	// Limits are for every client, and all together.
	Limits Limits
	// Ready tells why the server could do nothing for a statement now, nil if it can: a broker does not answer. It may take a while. Nil stands for one that always can.
	Ready func() error
	// Clock is the wall clock unless a test has another.
	Clock runtime.Clock
	// UnsetWatermarks says that a watermark that is not set is in the metrics, as the least number there is.
	UnsetWatermarks bool
}

// Server answers requests. It is an http.Handler.
type Server struct {
	options Options
	clock   runtime.Clock
	mux     *http.ServeMux
	guard   *guard
	ready   readiness
	numbers http.Handler
}

// route is one thing that can be asked. Pattern is that of package http. A body that is a http.Handler writes the answer itself.
type route struct {
	pattern string
	doc     string
	handle  func(*Server, *http.Request) (status int, body any, err error)
	open    bool // for everybody
	wire    wire
}

const prefix = "/sql/v1/organizations/{organization}/environments/{environment}"

var routes = []route{
	{"POST " + prefix + "/statements", "make a statement", (*Server).create, false, wire{takes: api.StatementRequest{}, status: http.StatusCreated, gives: api.Statement{}}},
	{"GET " + prefix + "/statements", "list statements", (*Server).list, false, wire{gives: api.StatementList{}, query: listing}},
	{"GET " + prefix + "/statements/{name}", "tell of a statement", (*Server).get, false, wire{gives: api.Statement{}}},
	{"PUT " + prefix + "/statements/{name}", "change a statement", (*Server).put, false, wire{takes: api.StatementRequest{}, status: http.StatusAccepted, gives: api.Statement{}}},
	{"PATCH " + prefix + "/statements/{name}", "change a statement by a JSON patch", (*Server).patch, false, wire{takes: []api.Patch{}, gives: api.Statement{}}},
	{"DELETE " + prefix + "/statements/{name}", "delete a statement", (*Server).delete, false, wire{status: http.StatusAccepted}},
	{"GET " + prefix + "/statements/{name}/results", "read results", (*Server).results, false, wire{gives: api.StatementResults{}, query: paging(mostRows)}},
	{"GET " + prefix + "/statements/{name}/exceptions", "tell why attempts failed", (*Server).exceptions, false, wire{gives: api.StatementExceptionList{}}},
	{"GET " + prefix + "/statements/{name}/log", "tell what has happened to a statement", (*Server).log, false, wire{gives: api.StatementLog{}}},
	{"GET " + prefix + "/statements/{name}/why", "tell what a statement waits for", (*Server).why, false, wire{gives: api.Why{}}},
	{"GET " + prefix + "/statements/{name}/profile", "tell all that the job of a statement tells", (*Server).profile, false, wire{gives: api.Profile{}}},
	{"GET " + prefix + "/statements/{name}/timeline", "tell event time against wall clock over the last minutes", (*Server).timeline, false, wire{gives: api.Timeline{}, query: []parameter{{name: "since", doc: "milliseconds since the epoch: only what came after", most: math.MaxInt}}}},
	{"GET " + prefix + "/statements/{name}/task-graph", "tell which tasks a statement runs as", (*Server).taskGraph, false, wire{gives: api.TaskGraph{}}},
	{"GET " + prefix + "/statements/{name}/metrics", "tell the numbers of a statement", (*Server).metrics, false, wire{gives: api.Metrics{}}},
	{"GET " + prefix + "/statements/{name}/history", "tell what a statement was like minute by minute", (*Server).history, false, wire{gives: api.History{}, query: span}},
	{"GET " + prefix + "/overview", "list statements with what they do", (*Server).overview, false, wire{gives: api.Overview{}, query: listing}},
	{"GET " + prefix + "/tables/{table}/advice", "find out what delays of its watermark would do to a table", (*Server).advice, false, wire{gives: api.Advice{}, query: []parameter{{name: "column", doc: "a time column, if not that of the watermark"}}}},
	{"DELETE " + prefix + "/tables/{table}/advice", "end finding that out, and forget it", (*Server).forgetAdvice, false, wire{status: http.StatusNoContent, query: []parameter{{name: "column", doc: "as it was asked for"}}}},
	{"POST " + prefix + "/check", "tell what is wrong with SQL", (*Server).check, false, wire{takes: api.Text{}, gives: api.Checked{}}},
	{"POST " + prefix + "/explain", "tell what SQL would run as", (*Server).explain, false, wire{takes: api.Text{}, gives: api.Explained{}}},
	{"POST " + prefix + "/complete", "tell what could stand at the cursor in SQL", (*Server).complete, false, wire{takes: api.Text{}, gives: api.Completions{}}},
	{"POST /v2/metrics/cloud/query", "tell how a series is now", (*Server).queryMetrics, false, wire{takes: api.MetricQuery{}, gives: api.MetricData{}}},
	{"GET /v2/metrics/cloud/descriptors/metrics", "list the series", (*Server).describeMetrics, false, wire{gives: api.MetricDescriptors{}}},
	{"GET /v2/metrics/cloud/descriptors/resources", "list what there are series of", (*Server).describeResources, false, wire{gives: api.ResourceDescriptors{}}},
	{"GET /health", "tell whether the process lives", (*Server).health, true, wire{gives: api.Health{}}},
	{"GET /ready", "tell whether statements are taken", (*Server).readyNow, true, wire{gives: api.Health{}}},
	{"GET /metrics", "answer Prometheus", (*Server).prometheus, false, wire{gives: plain("")}},
	{"GET /openapi.json", "tell what can be asked", (*Server).openAPI, true, wire{gives: json.RawMessage{}}},
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{options: o, clock: o.Clock, mux: http.NewServeMux(), numbers: metrics.Handler(o.Hub.Looks, o.UnsetWatermarks), guard: newGuard(o.Limits), ready: readiness{ask: o.Ready}}
	if s.clock == nil {
		s.clock = runtime.WallClock{}
	}
	for _, r := range routes {
		s.mux.HandleFunc(r.pattern, func(w http.ResponseWriter, q *http.Request) {
			if !r.open {
				if err := callerOf(q).err; err != nil {
					s.refuse(w, err)
					return
				}
			}
			status, body, err := r.handle(s, q)
			if err != nil {
				s.refuse(w, err)
				return
			}
			if itself, ok := body.(http.Handler); ok {
				itself.ServeHTTP(w, q)
				return
			}
			answer(w, status, body)
		})
	}
	shown := page.Handler()
	for _, p := range page.Patterns {
		s.mux.Handle(p, shown)
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		s.refuse(w, &failure{http.StatusNotFound, "resource_not_found", fmt.Sprintf("nothing is at %s", q.URL.Path)})
	})
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	harden(w, q)
	if err := s.friendly(q); err != nil {
		s.refuse(w, err)
		return
	}
	if q.URL.Path != "/health" && q.URL.Path != "/ready" { // who watches the server is to get an answer whatever others do
		c := s.admit(q)
		who := "address " + from(q)
		if c.key != "" {
			who = "key " + c.key
		}
		leave, err := s.guard.enter(who, s.clock.Now())
		if err != nil {
			s.refuse(w, err)
			return
		}
		defer leave()
		q = c.with(q)
	}
	s.mux.ServeHTTP(w, q)
}

// maxBody is how long the body of a request can be, in bytes: the text of a statement, every character of it escaped, and as much again.
const maxBody = 8 * statements.MaxSQL

// failure is an answer that is an error.
type failure struct {
	status       int
	code, detail string
}

func (f *failure) Error() string { return f.detail }

// refuse answers with an error.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	f := failureOf(err)
	if f.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="tidemark", charset="UTF-8"`)
	}
	var later *tooMany
	if errors.As(err, &later) {
		w.Header().Set("Retry-After", later.seconds())
	}
	answer(w, f.status, failureBody(f))
}

// failureOf is the answer for an error.
func failureOf(err error) *failure {
	var f *failure
	var missing *statements.NotFound
	var there *statements.Exists
	var invalid *statements.Invalid
	var full *statements.Full
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &full):
		return &failure{http.StatusForbidden, "quota_exceeded", err.Error()}
	case errors.As(err, &missing):
		return &failure{http.StatusNotFound, "resource_not_found", err.Error()}
	case errors.As(err, &there):
		return &failure{http.StatusConflict, "resource_already_exists", err.Error()}
	case errors.As(err, &invalid):
		return &failure{http.StatusBadRequest, "invalid_request", err.Error()}
	case errors.Is(err, statements.ErrGone):
		return &failure{http.StatusGone, "results_gone", err.Error()}
	case errors.As(err, &long):
		return &failure{http.StatusRequestEntityTooLarge, "request_too_large", fmt.Sprintf("the body of a request can have %d bytes", long.Limit)}
	}
	switch fault.Of(err) {
	case fault.External, fault.Resource:
		return &failure{http.StatusServiceUnavailable, "unavailable", err.Error()}
	}
	return &failure{http.StatusInternalServerError, "internal", err.Error()}
}

// encoded is a body that is JSON already.
type encoded []byte

func answer(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if text, ok := body.(encoded); ok {
		w.Write(text)
		return
	}
	json.NewEncoder(w).Encode(body) // whoever asked may have gone
}

// read reads the body of a request, which has to be one JSON value of that form.
func read(q *http.Request, into any) error {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && kind != "application/json-patch+json" {
		return &failure{http.StatusUnsupportedMediaType, "unsupported_media_type", "the body has to be JSON, and Content-Type has to say so"}
	}
	d := json.NewDecoder(http.MaxBytesReader(nil, q.Body, maxBody))
	if err := d.Decode(into); err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return err
		}
		return &failure{http.StatusBadRequest, "invalid_request", "the body is not what is expected: " + err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &failure{http.StatusBadRequest, "invalid_request", "there is more in the body than one JSON value"}
	}
	return nil
}

// address is how the client reaches a path, as far as the request tells.
func address(q *http.Request, path string, query url.Values) string {
	u := url.URL{Scheme: "http", Host: q.Host, Path: path, RawQuery: query.Encode()}
	if q.TLS != nil {
		u.Scheme = "https"
	}
	return u.String()
}

// instant spells microseconds since the epoch.
func instant(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.000000Z07:00")
}

// number is a whole number among the parameters of a request, from 1 to most; usual if it is not there.
func number(q *http.Request, name string, usual, most int) (int, error) {
	text := q.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, &failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf("%s is '%s'; it must be a number from 1 to %d", name, strings.ToValidUTF8(text, "?"), most)}
	}
	return min(n, most), nil
}
