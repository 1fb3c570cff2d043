package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// limited has a server with limits in a bubble.
func limited(t *testing.T, o Options, h statements.Options, f func(t *testing.T, h *Server)) {
	t.Helper()
	h.Dir = t.TempDir() + "/server"
	synctest.Test(t, func(t *testing.T) {
		h.Connectors, h.Parallelism, h.Tell = builtin.Connectors, 1, func(line string) { t.Log(line) }
		hub, err := statements.Open(h)
		if err != nil {
			t.Fatal(err)
		}
		defer hub.Close()
		o.Hub = hub
		f(t, New(o))
	})
}

func keysOf(t *testing.T, pairs ...string) *Keys {
	t.Helper()
	text := ""
	for i := 0; i < len(pairs); i += 2 {
		text += Hash(pairs[i], pairs[i+1]) + "\n"
	}
	keys, err := ReadKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// asFrom makes a request from an address, with a key as a bearer token unless it is "".
func asFrom(h http.Handler, address, key, method, path, body string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, path, strings.NewReader(body))
	q.Host, q.RemoteAddr = "localhost:8810", address
	if key != "" {
		q.Header.Set("Authorization", "Bearer "+key)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

// refused checks that an answer is an error in the form of all errors, and gives its code.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	var f api.Failure
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || len(f.Errors) != 1 || f.Errors[0].Status != strconv.Itoa(w.Code) || f.Errors[0].Detail == "" || w.Code != status {
		t.Fatalf("the answer is %d %s, want %d", w.Code, w.Body, status)
	}
	return f.Errors[0].Code
}

func pass(d time.Duration) { <-time.After(d) }

func TestRate(t *testing.T) {
	keys := keysOf(t, "ann", "a", "bo", "b")
	limited(t, Options{Limits: Limits{Rate: 2}, Keys: keys}, statements.Options{}, func(t *testing.T, h *Server) {
		list := base + "/statements"
		get := func(address, key string) *httptest.ResponseRecorder { return asFrom(h, address, key, "GET", list, "") }
		for i := range 4 {
			if w := get("192.0.2.1:1", "ann:a"); w.Code != 200 {
				t.Fatalf("request %d gets %d", i, w.Code)
			}
		}
		w := get("192.0.2.9:1", "ann:a")
		if code := refused(t, w, 429); code != "rate_limit_exceeded" || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%s, Retry-After %q", code, w.Header().Get("Retry-After"))
		}
		if w := get("192.0.2.1:1", "bo:b"); w.Code != 200 {
			t.Errorf("another key at the same address gets %d", w.Code)
		}
		for range 4 {
			refused(t, get("192.0.2.1:1", ""), 401)
		}
		refused(t, get("192.0.2.1:2", ""), 429)
		refused(t, get("192.0.2.2:2", ""), 401)
		for _, probe := range []string{"/health", "/ready"} {
			if w := asFrom(h, "192.0.2.1:2", "", "GET", probe, ""); w.Code != 200 {
				t.Errorf("%s gets %d", probe, w.Code)
			}
		}
		pass(time.Second)
		for _, want := range []int{200, 200, 429} {
			if w := get("192.0.2.1:1", "ann:a"); w.Code != want {
				t.Errorf("a second later a request gets %d, want %d", w.Code, want)
			}
		}
	})
}

// Who tries secrets is stopped for a while, and nobody else is: neither other keys at his address nor the key at others.
func TestWrongKeysAreLockedOut(t *testing.T) {
	limited(t, Options{Limits: Limits{WrongKeys: 3}, Keys: keysOf(t, "ann", "a", "bo", "b")}, statements.Options{}, func(t *testing.T, h *Server) {
		get := func(address, key string) *httptest.ResponseRecorder {
			return asFrom(h, address, key, "GET", base+"/statements", "")
		}
		for range 3 {
			refused(t, get("192.0.2.1:1", "ann:wrong"), 401)
		}
		for _, key := range []string{"ann:wrong", "ann:a"} {
			w := get("192.0.2.1:1", key)
			if code := refused(t, w, 429); code != "too_many_wrong_keys" || w.Header().Get("Retry-After") != "20" {
				t.Errorf("%s, Retry-After %q", code, w.Header().Get("Retry-After"))
			}
		}
		for address, key := range map[string]string{"192.0.2.1:2": "bo:b", "192.0.2.2:1": "ann:a"} {
			if w := get(address, key); w.Code != 200 {
				t.Errorf("%s at %s gets %d", key, address, w.Code)
			}
		}
		pass(20 * time.Second)
		if w := get("192.0.2.1:1", "ann:a"); w.Code != 200 {
			t.Errorf("after a while the right one gets %d", w.Code)
		}
	})
}

// TestNamesAreMadeUp: whoever makes up names of keys is held back as one who does not, and so he is with more addresses than there is room for.
func TestNamesAreMadeUp(t *testing.T) {
	limited(t, Options{Limits: Limits{WrongKeys: 3}, Keys: keysOf(t, "ann", "a")}, statements.Options{}, func(t *testing.T, h *Server) {
		get := func(address, key string) int { return asFrom(h, address, key, "GET", base+"/statements", "").Code }
		tried := 0
		for i := range 10_000 {
			if get("192.0.2.1:1", fmt.Sprintf("name%d:wrong", i)) == http.StatusUnauthorized {
				tried++
			}
		}
		if tried != 3*nameSlots {
			t.Errorf("one address tries %d secrets in no time", tried)
		}
		if code := get("192.0.2.2:1", "ann:a"); code != http.StatusOK {
			t.Errorf("another address gets %d", code)
		}
		for i := range mostBuckets {
			get(fmt.Sprintf("10.0.%d.%d:1", i/256, i%256), "name:wrong")
		}
		tried = 0
		for i := range 1_000 {
			if get(fmt.Sprintf("10.1.%d.%d:1", i/256, i%256), "ann:wrong") == http.StatusUnauthorized {
				tried++
			}
		}
		if tried > 3 {
			t.Errorf("addresses for which there is no room try %d secrets", tried)
		}
	})
}

func TestRequestsAtOneTime(t *testing.T) {
	limited(t, Options{Limits: Limits{Requests: 1}}, statements.Options{}, func(t *testing.T, h *Server) {
		body, end := io.Pipe()
		answered := make(chan int, 1)
		go func() {
			q := httptest.NewRequest("POST", base+"/statements", body)
			q.Host = "localhost"
			q.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, q)
			answered <- w.Code
		}()
		synctest.Wait()
		w := ask(h, "GET", base+"/statements", "")
		if code := refused(t, w, 503); code != "overloaded" || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s, Retry-After %q", code, w.Header().Get("Retry-After"))
		}
		end.CloseWithError(io.ErrUnexpectedEOF)
		if code := <-answered; code != 400 {
			t.Errorf("half a body gets %d", code)
		}
		if w := ask(h, "GET", base+"/statements", ""); w.Code != 200 {
			t.Errorf("the next request gets %d", w.Code)
		}
	})
}

func TestStatementsAreCounted(t *testing.T) {
	limited(t, Options{Keys: keysOf(t, "ann", "a", "bo", "b", "cy", "c")}, statements.Options{Running: 3, RunningOfOwner: 2, Statements: 5}, func(t *testing.T, h *Server) {
		n := 0
		create := func(key, sql string) *httptest.ResponseRecorder {
			n++
			w := asFrom(h, "192.0.2.1:1", key, "POST", base+"/statements", fmt.Sprintf(`{"name":"s%d","spec":{"statement":"%s"}}`, n, sql))
			synctest.Wait()
			return w
		}
		failing := "SELECT * FROM (VALUES (1)) AS t (a), LATERAL TABLE (nothing(a))" // fails: a statement that has ended takes no place
		if w := create("ann:a", failing); w.Code != 201 {
			t.Fatalf("gets %d %s", w.Code, w.Body)
		}
		running := "CREATE TABLE g (id BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1')"
		if w := create("ann:a", running); w.Code != 201 {
			t.Fatalf("gets %d %s", w.Code, w.Body)
		}
		for _, c := range []struct {
			key  string
			want int
		}{{"ann:a", 201}, {"ann:a", 201}, {"ann:a", 403}, {"bo:b", 201}, {"bo:b", 403}, {"cy:c", 403}} {
			w := create(c.key, "SELECT * FROM g")
			if w.Code != c.want {
				t.Fatalf("%s gets %d %s, want %d", c.key, w.Code, w.Body, c.want)
			}
			if w.Code == 403 {
				if code := refused(t, w, 403); code != "quota_exceeded" {
					t.Error(code)
				}
			}
		}
		// s3, s4 and s5 run: with s1 and s2 there are five.
		stop := func(name, key string, stopped bool) int {
			w := asFrom(h, "192.0.2.1:1", key, "PATCH", base+"/statements/"+name, fmt.Sprintf(`[{"op":"replace","path":"/spec/stopped","value":%t}]`, stopped))
			synctest.Wait()
			return w.Code
		}
		if code := stop("s3", "ann:a", true); code != 200 {
			t.Fatalf("stop gets %d", code)
		}
		refused(t, create("ann:a", "SELECT * FROM g"), 403) // there are still five
		if w := asFrom(h, "192.0.2.1:1", "ann:a", "DELETE", base+"/statements/s1", ""); w.Code != 202 {
			t.Fatalf("delete gets %d", w.Code)
		}
		if w := create("ann:a", "SELECT * FROM g"); w.Code != 201 {
			t.Fatalf("gets %d %s", w.Code, w.Body)
		}
		if code := stop("s3", "ann:a", false); code != 403 {
			t.Errorf("one that is resumed has a place beyond the limit: %d", code)
		}
	})
}

// What is held of clients does not grow with names that they make up.
func TestBucketsAreBounded(t *testing.T) {
	b := newBuckets(1, 2)
	for i := range 3 * mostBuckets {
		b.take(fmt.Sprint("a", i), 1)
	}
	if len(b.named) > mostBuckets {
		t.Errorf("there are %d buckets", len(b.named))
	}
	if b.take("another", 1) == 0 {
		t.Error("who comes when there is no room is not counted with the others that have none")
	}
	if b.take("another", 10_000_000) != 0 || len(b.named) != 1 {
		t.Errorf("later there is no room: %d", len(b.named))
	}
}

func TestAddressOfAClient(t *testing.T) {
	for remote, want := range map[string]string{"192.0.2.1:5": "192.0.2.1", "[2001:db8:1:2:3:4:5:6]:5": "2001:db8:1:2::/64", "[::ffff:192.0.2.1]:5": "::ffff:192.0.2.1", "[fe80::1%eth0]:5": "fe80::/64", "pipe": "pipe"} {
		if got := from(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s is %s, want %s", remote, got, want)
		}
	}
}

func TestReadinessWhenTheClockIsSetBack(t *testing.T) {
	asked := 0
	r := readiness{ask: func() error { asked++; return nil }}
	for _, now := range []int64{10 * fresh, 10*fresh + 1, 5 * fresh, 5*fresh + 1, 6 * fresh} {
		r.check(now)
	}
	if asked != 3 {
		t.Errorf("it was asked %d times", asked)
	}
}

// A server can be asked from the moment at which it listens, and tells why it is not ready.
func TestHealthIsNotReadiness(t *testing.T) {
	gate := NewGate("statements are being read")
	get := func(path string) *httptest.ResponseRecorder { return ask(gate, "GET", path, "") }
	check := func(path string, want int, says string) {
		t.Helper()
		w := get(path)
		if w.Code != want || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s gets %d %s, want %d %q", path, w.Code, w.Body, want, says)
		}
		if want == 503 {
			refused(t, w, 503)
		}
	}
	check("/health", 200, "ok")
	check("/ready", 503, "statements are being read")
	check(base+"/statements", 503, "statements are being read")
	var trouble error
	asked := 0
	ready := func() error { asked++; return trouble }
	limited(t, Options{Ready: ready}, statements.Options{}, func(t *testing.T, h *Server) {
		gate.Open(h)
		check("/ready", 200, "ok")
		trouble = errors.New("no broker can be reached")
		check("/ready", 200, "ok")
		pass(2 * time.Second)
		for range 5 {
			check("/ready", 503, "no broker can be reached")
		}
		if asked != 2 {
			t.Errorf("the broker was asked %d times", asked)
		}
		check("/health", 200, "ok")
		trouble = nil
		pass(2 * time.Second)
		check("/ready", 200, "ok")
		gate.Ending()
		check("/ready", 503, "ending")
		check("/health", 200, "ok")
		check(base+"/statements", 200, "data")
	})
}
