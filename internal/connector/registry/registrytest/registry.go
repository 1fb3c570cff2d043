// Package registrytest is a schema registry for tests: as much of Confluent's interface as a client of messages needs, on this machine.
package registrytest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
)

// Registry is a registry that runs as long as its test.
type Registry struct {
	URL string

	mu       sync.Mutex
	schemas  []Schema
	requests []*http.Request
	broken   int
}

// Schema is a schema as the registry keeps it. Its number is its place, from 1 on.
type Schema struct {
	Subject    string            `json:"subject,omitempty"`
	Text       string            `json:"schema"`
	Type       string            `json:"schemaType,omitempty"` // none: AVRO
	References []json.RawMessage `json:"references,omitempty"`
}

// Start starts one.
func Start(tb testing.TB) *Registry {
	tb.Helper()
	r := &Registry{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /schemas/ids/{id}", r.get)
	mux.HandleFunc("POST /subjects/{subject}/versions", r.post)
	s := httptest.NewServer(mux)
	tb.Cleanup(s.Close)
	r.URL = s.URL
	return r
}

// Add gives a schema a number.
func (r *Registry) Add(s Schema) (id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, known := range r.schemas {
		if known.Subject == s.Subject && known.Text == s.Text && known.Type == s.Type {
			return i + 1
		}
	}
	r.schemas = append(r.schemas, s)
	return len(r.schemas)
}

// Schemas are those that there are.
func (r *Registry) Schemas() []Schema {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.schemas
}

// Requests are those that came.
func (r *Registry) Requests() []*http.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

// Break lets every request to come fail with a status; 0 mends the registry.
func (r *Registry) Break(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = status
}

// broke notes a request and answers it if the registry is broken.
func (r *Registry) broke(w http.ResponseWriter, q *http.Request) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, q)
	if r.broken != 0 {
		refuse(w, r.broken)
	}
	return r.broken != 0
}

func refuse(w http.ResponseWriter, status int) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error_code": status * 100, "message": http.StatusText(status)}) // the client is gone
}

func (r *Registry) get(w http.ResponseWriter, q *http.Request) {
	if r.broke(w, q) {
		return
	}
	id, err := strconv.Atoi(q.PathValue("id"))
	all := r.Schemas()
	if err != nil || id < 1 || id > len(all) {
		refuse(w, http.StatusNotFound)
		return
	}
	s := all[id-1]
	s.Subject = ""
	_ = json.NewEncoder(w).Encode(s) // the client is gone
}

func (r *Registry) post(w http.ResponseWriter, q *http.Request) {
	if r.broke(w, q) {
		return
	}
	var s Schema
	if json.NewDecoder(q.Body).Decode(&s) != nil {
		refuse(w, http.StatusUnprocessableEntity)
		return
	}
	s.Subject = q.PathValue("subject")
	_ = json.NewEncoder(w).Encode(map[string]int{"id": r.Add(s)}) // the client is gone
}
