package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// at makes a client of a server that answers as it is told.
func at(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return &Client{URL: s.URL + "/", Key: "ann:secret", Organization: "an org", Environment: "env"}
}

// TestRequests: each method asks for what it should, with the key.
func TestRequests(t *testing.T) {
	const base = "/sql/v1/organizations/an%20org/environments/env"
	ctx := context.Background()
	for _, c := range []struct {
		want string
		ask  func(*Client) error
	}{
		{"GET /sql/v1/organizations/-/environments/-/statements/a%2Fb", func(c *Client) error { _, err := c.Get(ctx, "a/b"); return err }},
		{"POST " + base + `/statements {"name":"n",`, func(c *Client) error { _, err := c.Create(ctx, "n", "SELECT 1", nil); return err }},
		{`PATCH /sql/v1/organizations/-/environments/-/statements/n [{"op":"replace","path":"/spec/stopped","value":true}]`, func(c *Client) error { _, err := c.Stop(ctx, "n", true); return err }},
		{"DELETE /sql/v1/organizations/-/environments/-/statements/n", func(c *Client) error { return c.Delete(ctx, "n") }},
		{"GET /sql/v1/organizations/-/environments/-/statements?page_size=1", func(c *Client) error { return c.Reach(ctx) }},
		{"POST " + base + `/check {"statement":"x","properties":{"a":"b"}}`, func(c *Client) error {
			_, err := c.Check(ctx, api.Text{SQL: "x", Properties: map[string]string{"a": "b"}})
			return err
		}},
		{"POST " + base + `/complete {"statement":"x","cursor":1}`, func(c *Client) error { _, err := c.Complete(ctx, api.Text{SQL: "x", Cursor: 1}); return err }},
	} {
		var got, key string
		client := at(t, func(w http.ResponseWriter, q *http.Request) {
			var body json.RawMessage
			json.NewDecoder(q.Body).Decode(&body)
			got, key = strings.TrimSpace(q.Method+" "+q.RequestURI+" "+string(body)), q.Header.Get("Authorization")
			fmt.Fprint(w, "{}")
		})
		if err := c.ask(client); err != nil || !strings.HasPrefix(got, c.want) || key != "Bearer ann:secret" {
			t.Errorf("asks %s with %q, want %s; %v", got, key, c.want, err)
		}
	}
}

// TestPages: a list is read to its end, results from page to page.
func TestPages(t *testing.T) {
	c := at(t, func(w http.ResponseWriter, q *http.Request) {
		page := q.URL.Query().Get("page_token")
		next := map[string]string{"": "2", "2": "3"}[page]
		if next != "" {
			next = "http://elsewhere" + q.URL.Path + "?page_token=" + next
		}
		if strings.HasSuffix(q.URL.Path, "/results") {
			fmt.Fprintf(w, `{"metadata":{"next":%q},"results":{"data":[{"op":1,"row":["%s"]}]}}`, next, page)
			return
		}
		fmt.Fprintf(w, `{"metadata":{"next":%q},"data":[{"name":"page%s"}]}`, next, page)
	})
	all, err := c.List(context.Background())
	if err != nil || len(all) != 3 || all[2].Name != "page3" {
		t.Errorf("lists %+v, %v", all, err)
	}
	if lines, err := c.Overview(context.Background()); err != nil || len(lines) != 3 || lines[2].Name != "page3" {
		t.Errorf("shows %+v, %v", lines, err)
	}
	var pages []string
	for from := ""; ; {
		rows, next, err := c.Results(context.Background(), "x", from)
		if err != nil || len(rows) != 1 || rows[0].Op != 1 {
			t.Fatalf("%+v, %v", rows, err)
		}
		if pages = append(pages, string(rows[0].Row)); next == "" {
			break
		}
		from = next
	}
	if want := []string{`[""]`, `["2"]`, `["3"]`}; !slices.Equal(pages, want) {
		t.Errorf("reads %q, want %q", pages, want)
	}
}

// TestTrouble: whose fault it is when a request comes to nothing, and what is said.
func TestTrouble(t *testing.T) {
	say := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	gone := at(t, say(200, "{}"))
	gone.URL = "http://127.0.0.1:1"
	strange := httptest.NewTLSServer(say(200, "{}"))
	defer strange.Close()
	strange.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted := at(t, say(200, "{}"))
	untrusted.URL = strange.URL
	nonsense := at(t, say(200, "{}"))
	nonsense.URL = "127.0.0.1:x\n"
	for _, c := range []struct {
		about  string
		client *Client
		class  fault.Class
		want   string
	}{
		{"refused", at(t, say(404, `{"errors":[{"detail":"there is no statement 'x'"}]}`)), fault.User, "there is no statement 'x'"},
		{"no key", at(t, say(401, `{"errors":[{"detail":"an API key is needed"}]}`)), fault.User, "an API key is needed; give it with --key name:secret, or in TIDEMARK_KEY"},
		{"a certificate that nobody trusts", untrusted, fault.External, "name a file with its certificate in SSL_CERT_FILE"},
		{"a failure of the server", at(t, say(500, `{"errors":[{"detail":"a bug"}]}`)), fault.External, "a bug"},
		{"an error of something between", at(t, say(502, "<html>")), fault.External, "the server answers 502 Bad Gateway"},
		{"something else that answers", at(t, say(200, "<html>")), fault.External, "no server of this kind"},
		{"nobody", gone, fault.External, "is tidemark server running there?"},
		{"no address", nonsense, fault.User, "write http://host:port"},
	} {
		if _, err := c.client.Get(context.Background(), "x"); err == nil || fault.Of(err) != c.class || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, of class %s; want %q, %s", c.about, err, fault.Of(err), c.want, c.class)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := gone.Reach(ended); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

// TestLife follows a statement on a server.
func TestLife(t *testing.T) {
	hub, err := statements.Open(statements.Options{Dir: filepath.Join(t.TempDir(), "server"), Connectors: builtin.Connectors, Parallelism: 1, Tell: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server.New(server.Options{Hub: hub}))
	defer func() {
		s.Close()
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := &Client{URL: s.URL, Organization: "local", Environment: "local"}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	until := func(name, phase string) api.Statement {
		t.Helper()
		for {
			s, err := c.Get(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			if s.Status.Phase == phase {
				return s
			}
			<-time.After(5 * time.Millisecond)
		}
	}
	for _, x := range []struct{ name, sql, phase string }{
		{"ticks", "CREATE TABLE ticks (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '50')", "COMPLETED"},
		{"sink", "CREATE TABLE sink (n BIGINT) WITH ('connector' = 'blackhole')", "COMPLETED"},
		{"copy", "INSERT INTO sink SELECT n FROM ticks", "RUNNING"},
		{"read", "SELECT n FROM ticks", "RUNNING"},
		{"wrong", "SELECT nope FROM ticks", "FAILED"},
	} {
		if _, err := c.Create(ctx, x.name, x.sql, map[string]string{"sql.state-ttl": "1 h"}); err != nil {
			t.Fatal(err)
		}
		until(x.name, x.phase)
	}
	if all, err := c.Exceptions(ctx, "wrong"); err != nil || len(all) != 1 || !strings.Contains(all[0].Message, "nope") {
		t.Errorf("exceptions are %+v, %v", all, err)
	}
	rows, next := []api.Row{}, ""
	for len(rows) == 0 {
		if rows, next, err = c.Results(ctx, "read", next); err != nil || next == "" {
			t.Fatalf("results end: %v", err)
		}
	}
	if all, err := c.Overview(ctx); err != nil || !slices.ContainsFunc(all, func(l api.OverviewLine) bool { return l.Name == "copy" && l.In != nil }) {
		t.Errorf("the overview is %+v, %v", all, err)
	}
	if w, err := c.Why(ctx, "copy"); err != nil || !w.Running || w.Text == "" {
		t.Errorf("why is %+v, %v", w, err)
	}
	if found, err := c.Check(ctx, api.Text{SQL: "SELECT nope FROM ticks"}); err != nil || len(found.Problems) == 0 || found.Problems[0].From != 7 {
		t.Errorf("check finds %+v, %v", found, err)
	}
	if found, err := c.Complete(ctx, api.Text{SQL: "SELECT * FROM tic", Cursor: 17}); err != nil || !slices.Equal(found.Options, []string{"ticks"}) || found.From != 14 {
		t.Errorf("completes %+v, %v", found, err)
	}
	if _, err := c.Stop(ctx, "copy", true); err != nil {
		t.Error(err)
	}
	until("copy", "STOPPED")
	if _, err := c.Stop(ctx, "copy", false); err != nil {
		t.Error(err)
	}
	until("copy", "RUNNING")
	if all, err := c.List(ctx); err != nil || len(all) != 5 {
		t.Errorf("lists %d, %v", len(all), err)
	}
	if err := c.Delete(ctx, "read"); err != nil {
		t.Error(err)
	}
	for {
		if _, err := c.Get(ctx, "read"); err != nil {
			if refused, ok := err.(*Refused); !ok || refused.Status != http.StatusNotFound {
				t.Errorf("what is deleted is %v", err)
			}
			break
		}
		<-time.After(5 * time.Millisecond)
	}
}
