package server

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// strict is the document as clients may rely on it: an answer has nothing in it that the document does not tell of.
var strict = sync.OnceValues(func() (routers.Router, error) {
	d, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, err
	}
	open := []string{"StatementRequest", "RequestMetadata", "RequestSpec", "Patch"}
	for name, s := range d.Components.Schemas {
		if no := false; !slices.Contains(open, name) {
			s.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &no}
		}
	}
	return legacy.NewRouter(d)
})

// truthful is a server whose every answer is held against the document: its form, and, if it did what was asked, the form of the request.
func truthful(t *testing.T, h http.Handler) http.Handler {
	t.Helper()
	router, err := strict()
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		kept := httptest.NewRecorder()
		h.ServeHTTP(kept, q)
		for name, values := range kept.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(kept.Code)
		w.Write(kept.Body.Bytes())

		route, parameters, err := router.FindRoute(q)
		if err != nil {
			if kept.Code < 400 {
				t.Errorf("%s %s is answered and not in the document: %v", q.Method, q.URL, err)
			}
			return
		}
		told := route.Operation.Responses.Status(kept.Code)
		if told == nil {
			told = route.Operation.Responses.Default()
		}
		if kept.Body.Len() > 0 && len(told.Value.Content) == 0 {
			t.Errorf("the answer to %s %s is something, and nothing by the document: name its type in the route", q.Method, q.URL)
		}
		if len(body) > 0 && route.Operation.RequestBody == nil && kept.Code < 400 {
			t.Errorf("%s %s takes a body, and none by the document: name its type in the route", q.Method, q.URL)
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		asked := &openapi3filter.RequestValidationInput{Request: q, PathParams: parameters, Route: route, Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
		if err := openapi3filter.ValidateRequest(q.Context(), asked); err != nil && kept.Code < 400 {
			t.Errorf("%s %s is done, and the document does not allow it: %v", q.Method, q.URL, err)
		}
		answered := &openapi3filter.ResponseValidationInput{RequestValidationInput: asked, Status: kept.Code, Header: kept.Header(), Options: asked.Options}
		if err := openapi3filter.ValidateResponse(q.Context(), answered.SetBodyBytes(kept.Body.Bytes())); err != nil {
			t.Errorf("the answer to %s %s is not that of the document: %v", q.Method, q.URL, err)
		}
	})
}

// Whatever can be asked without a body is asked for, of a statement that runs and of one that is not there.
func TestEveryRouteIsTrue(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, dir string) {
		made := ask(h, "POST", base+"/statements", `{"name":"run","spec":{"statement":"SELECT 1"},"more":"is not read"}`)
		if made.Code != http.StatusCreated {
			t.Fatal(made.Body)
		}
		synctest.Wait()
		for _, r := range routes {
			method, path, _ := strings.Cut(r.pattern, " ")
			if method != http.MethodGet || strings.Contains(path, "{table}") {
				continue
			}
			for _, name := range []string{"run", "nobody"} {
				w := ask(h, method, strings.NewReplacer("{organization}", "org", "{environment}", "env", "{name}", name).Replace(path), "")
				if w.Code >= 500 || name == "run" && w.Code != http.StatusOK {
					t.Errorf("%s of %s gets %d: %s", r.pattern, name, w.Code, w.Body)
				}
			}
		}
	})
}
