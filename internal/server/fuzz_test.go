package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// answers holds what is asked, and its answer, to what every client can count on: an answer is JSON, and one that is an error has the form of all errors; nobody is told that the server is broken, and no secret.
func answers(t *testing.T, h http.Handler, method, path, body string) {
	t.Helper()
	q, err := http.NewRequest(method, "http://localhost"+base+path, strings.NewReader(body))
	if err != nil {
		return
	}
	q.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	text := w.Body.Bytes()
	switch {
	case w.Code >= 300 && w.Code < 400: // package http mends the path
	case w.Code >= 400:
		var f api.Failure
		if err := json.Unmarshal(text, &f); err != nil || len(f.Errors) != 1 || f.Errors[0].Status != strconv.Itoa(w.Code) || f.Errors[0].Code == "" || f.Errors[0].Detail == "" {
			if w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s %q: %d %s", method, path, body, w.Code, text)
			}
		}
		if w.Code == http.StatusInternalServerError {
			t.Errorf("%s %s %q: %s", method, path, body, text)
		}
	case len(text) > 0 && !json.Valid(text):
		t.Errorf("%s %s %q: %d and no JSON: %s", method, path, body, w.Code, text)
	}
	if strings.Contains(string(text), canary) {
		t.Errorf("%s %s %q: a secret in %s", method, path, body, text)
	}
}

const secretProperty = `'properties.ssl.key.password' = '` + canary + `'`

// FuzzCreate makes a statement of a body, and changes and reads what came of it.
func FuzzCreate(f *testing.F) {
	f.Add(`{"name":"a","spec":{"statement":"SELECT 1"}}`)
	f.Add(`{"name":"a","spec":{"statement":"CREATE TABLE t (a INT) WITH (` + secretProperty + `)","properties":{"sql.profile":"flink","n":1,"b":true}},"metadata":{"labels":{"a":"b"}}}`)
	f.Add(`{"name":"a","spec":{"statement":"SELECT * FROM t /*+ OPTIONS(` + secretProperty + `) */","stopped":true,"compute_pool_id":"p","principal":"u"}}`)
	f.Add(`{"name":"a.b-c","spec":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Count(body, canary) != strings.Count(body, secretProperty) {
			return // the secret stands where nobody would take it for one
		}
		inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
			answers(t, h, "POST", "/statements", body)
			synctest.Wait()
			for _, path := range []string{"/statements", "/statements/a", "/statements/a/exceptions", "/statements/a/results", "/statements/a/log", "/statements/a/task-graph"} {
				answers(t, h, "GET", path, "")
			}
		})
	})
}

// FuzzChange changes a statement that runs, by a patch and by a whole statement.
func FuzzChange(f *testing.F) {
	f.Add("PATCH", `[{"op":"replace","path":"/spec/stopped","value":true}]`)
	f.Add("PATCH", `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}},{"op":"test","path":"/spec/principal"}]`)
	f.Add("PUT", `{"name":"a","spec":{"statement":"SELECT 1","stopped":true}}`)
	f.Add("PUT", `{"name":"b","spec":{"statement":"SELECT 1 /*+ OPTIONS(`+secretProperty+`) */","properties":{"a":[]}}}`)
	f.Fuzz(func(t *testing.T, method, body string) {
		if method != "PATCH" && method != "PUT" || strings.Count(body, canary) != strings.Count(body, secretProperty) {
			return
		}
		inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
			answers(t, h, "POST", "/statements", `{"name":"a","spec":{"statement":"SELECT 1 /*+ OPTIONS(`+secretProperty+`) */"}}`)
			synctest.Wait()
			answers(t, h, method, "/statements/a", body)
			synctest.Wait()
			answers(t, h, "GET", "/statements/a", "")
		})
	})
}

// FuzzPaths asks for anything.
func FuzzPaths(f *testing.F) {
	f.Add("GET", "/statements?page_token=MTc5&page_size=2&label_selector=a=b,c!=d")
	f.Add("GET", "/statements/a/results?page_token=-1&page_size=x")
	f.Add("DELETE", "/statements/%00")
	f.Add("OPTIONS", "/../..//statements/a")
	f.Fuzz(func(t *testing.T, method, path string) {
		limited(t, Options{}, statements.Options{}, func(t *testing.T, h *Server) { answers(t, h, method, path, "") })
	})
}

// FuzzSecretsInText sends a body to every route that takes the text of a statement and runs nothing.
func FuzzSecretsInText(f *testing.F) {
	f.Add(`{"statement":"SELECT 1","cursor":3}`)
	f.Add(`{"statement":"CREATE TABLE t (a INT) WITH (` + secretProperty + `, 'no' = 'such')","properties":{"a":"b"},"cursor":-1}`)
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Count(body, canary) != strings.Count(body, secretProperty) {
			return
		}
		inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
			for _, r := range routes {
				if path, ok := strings.CutPrefix(r.pattern, "POST "+prefix); ok && path != "/statements" {
					answers(t, h, "POST", path, body)
				}
			}
		})
	})
}
