package remote

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/server"
	"github.com/tidemark-sql/tidemark/internal/shell"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// serve makes a place of a server; asked, if it is there, is told of each request and can refuse it.
func serve(t *testing.T, asked func(w http.ResponseWriter, q *http.Request) bool) (*Place, *statements.Hub) {
	t.Helper()
	hub, err := statements.Open(statements.Options{Dir: filepath.Join(t.TempDir(), "server"), Connectors: builtin.Connectors, Parallelism: 1, Tell: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	h := server.New(server.Options{Hub: hub})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if asked == nil || !asked(w, q) {
			h.ServeHTTP(w, q)
		}
	}))
	t.Cleanup(func() {
		s.Close()
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(&client.Client{URL: s.URL, Organization: "local", Environment: "local"}, false), hub
}

// execute executes the one statement of a text.
func execute(ctx context.Context, p *Place, body string) (*shell.Outcome, error) {
	text := source.Text{Name: "test", Body: body}
	script, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	return p.Execute(ctx, text, script.Statements[0])
}

func must(t *testing.T, p *Place, body string) *shell.Outcome {
	t.Helper()
	o, err := execute(t.Context(), p, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return o
}

// names are the statements of a hub.
func names(h *statements.Hub) (all []string) {
	for _, s := range h.List() {
		all = append(all, s.SQL)
	}
	return all
}

// TestBoundedInsert is waited for like a query; who has no patience stops it, and it can go on.
func TestBoundedInsert(t *testing.T) {
	p, hub := serve(t, nil)
	must(t, p, "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'number-of-rows' = '10')")
	must(t, p, "CREATE TABLE slow (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1', 'number-of-rows' = '1000')")
	must(t, p, "CREATE TABLE copy (a BIGINT) WITH ('connector' = 'blackhole')")
	o := must(t, p, "INSERT INTO copy SELECT a FROM n")
	if o.Query == nil || !strings.HasPrefix(o.Query.Into(), "shell-") {
		t.Fatalf("gives %+v", o)
	}
	run, err := o.Query.Start(nil)
	if err == nil {
		err = run.Run(t.Context())
	}
	if s, _ := hub.Get(o.Query.Into()); err != nil || s.Phase != statements.Completed {
		t.Errorf("it is %s, %v", s.Phase, err)
	}
	var said bytes.Buffer
	run.Summarize(&said, 1500*time.Millisecond)
	if said.String() != o.Query.Into()+": 1.5s\n" || run.Progress(2*time.Second) != o.Query.Into()+" runs since 2s" {
		t.Errorf("it says %q and %q", said.String(), run.Progress(2*time.Second))
	}

	ctx, cancel := context.WithCancel(t.Context())
	o = must(t, p, "INSERT INTO copy SELECT a FROM slow")
	if run, err = o.Query.Start(nil); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := run.Run(ctx); err != nil {
		t.Error(err)
	}
	if s, _ := hub.Get(o.Query.Into()); s.Phase != statements.Stopping && s.Phase != statements.Stopped {
		t.Errorf("it is %s", s.Phase)
	}
}

// TestCompletion asks the server, in its own count of characters; without an answer there is nothing.
func TestCompletion(t *testing.T) {
	var silent atomic.Bool
	p, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) bool {
		if silent.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
		return silent.Load()
	})
	must(t, p, "CREATE TABLE ticks (`größe` BIGINT) WITH ('connector' = 'blackhole')")
	before := "SELECT '🙂é', * FROM tic"
	if got, at := p.Complete(before, ""); !slices.Equal(got, []string{"ticks"}) || at != len(before)-3 {
		t.Errorf("completes %q at %d", got, at)
	}
	must(t, p, "CREATE DATABASE d")
	must(t, p, "USE d")
	if got, _ := p.Complete(before, ""); len(got) != 0 {
		t.Errorf("in another database it completes %q", got)
	}
	silent.Store(true)
	if got, at := p.Complete(before, ""); len(got) != 0 || at != len(before) {
		t.Errorf("without a server it completes %q at %d", got, at)
	}
}

// TestPatience: a query that is given up while it is made is gone from the server.
func TestPatience(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, hub := serve(t, func(_ http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodGet {
			cancel()
			<-q.Context().Done()
		}
		return false
	})
	if _, err := execute(ctx, p, "SELECT 1"); err == nil || ctx.Err() == nil {
		t.Errorf("it ends with %v", err)
	}
	for len(names(hub)) > 0 {
		<-time.After(time.Millisecond)
	}
}

// TestCurrentDatabaseThatIsGone: USE mends what every other statement is refused for.
func TestCurrentDatabaseThatIsGone(t *testing.T) {
	p, hub := serve(t, nil)
	must(t, p, "CREATE DATABASE d")
	must(t, p, "USE d")
	other := New(p.client, true)
	must(t, other, "DROP DATABASE d")
	if _, err := execute(t.Context(), p, "SHOW TABLES"); err == nil || !strings.Contains(err.Error(), "'sql.current-database' cannot be 'd'") {
		t.Errorf("it is refused with %v", err)
	}
	must(t, p, "USE CATALOG default_catalog")
	if o := must(t, p, "SHOW CURRENT DATABASE"); o.Rows.Values[0][0] != "default_database" {
		t.Errorf("the database is %q", o.Rows.Values)
	}
	if all := names(hub); len(all) != 2 {
		t.Errorf("left are %q", all)
	}
}

// TestStrangeServer: what no server of ours answers is an error, and no panic.
func TestStrangeServer(t *testing.T) {
	const traits = `"traits":{"sql_kind":"SELECT","schema":{"columns":[{"name":"a","type":{"type":"INTEGER"}}]}}`
	for _, c := range []struct{ statement, results, want string }{
		{`{"name":"s","status":{"phase":"RUNNING","traits":{"sql_kind":"SELECT","schema":{"columns":[{"name":"a","type":{"type":"JSON"}}]}}}}`, `{}`, "'JSON'"},
		{`{"name":"s","status":{"phase":"COMPLETED",` + traits + `}}`, `{"results":{"data":[{"op":0,"row":["x"]}]}}`, "cannot be read"},
		{`{"name":"s","status":{"phase":"COMPLETED",` + traits + `}}`, `{"results":{"data":[{"op":9,"row":["1"]}]}}`, "op 9"},
		{`{"name":"s","status":{"phase":"STOPPED",` + traits + `}}`, `{}`, "somebody has stopped the statement"},
		{`{"name":"s","status":{"phase":"FAILED","detail":"there is no room\nhere",` + traits + `}}`, `{}`, "there is no room"},
		{`[]`, `{}`, "no server of this kind"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if strings.HasSuffix(q.URL.Path, "/results") {
				w.Write([]byte(c.results))
				return
			}
			w.Write([]byte(c.statement))
		}))
		p := New(&client.Client{URL: s.URL}, true)
		o, err := execute(t.Context(), p, "SELECT a FROM t")
		if err == nil {
			var r shell.Run
			if r, err = o.Query.Start(&lister{}); err == nil {
				err = r.Run(t.Context())
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", c.statement, err, c.want)
		}
		s.Close()
	}
}
