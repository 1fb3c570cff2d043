package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

var update = flag.Bool("update", false, "write the answers into the files of testdata")

const base = "/sql/v1/organizations/org/environments/env"

// ask makes a request and gives status and body.
func ask(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, path, strings.NewReader(body))
	q.Host = "localhost:8810"
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			q.Host = headers[i+1]
		}
		q.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

func inBubble(t *testing.T, keys *Keys, f func(t *testing.T, h http.Handler, dir string)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hub, err := statements.Open(statements.Options{Dir: filepath.Join(dir, "server"), Connectors: builtin.Connectors, Parallelism: 1, Tell: func(line string) { t.Log(line) }})
		if err != nil {
			t.Fatal(err)
		}
		defer hub.Close()
		f(t, truthful(t, New(Options{Hub: hub, Keys: keys})), dir)
	})
}

var (
	uid = regexp.MustCompile(`"[A-Z2-7]{26}"`)
	// size is that of a checkpoint, in which the name of the folder is.
	size = regexp.MustCompile(`"last_size_bytes": \d+`)
)

// The files of testdata are requests, each behind ">>>" with its body below, and what was answered. WAIT is no request: it lets so much time pass.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no files")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inBubble(t, nil, func(t *testing.T, h http.Handler, dir string) {
				var got strings.Builder
				head, requests, _ := strings.Cut(string(text), ">>> ")
				got.WriteString(head)
				for _, request := range strings.Split(requests, "\n>>> ") {
					asked, _, _ := strings.Cut(request, "\n<<< ")
					line, body, _ := strings.Cut(asked, "\n")
					method, path, _ := strings.Cut(strings.TrimSpace(line), " ")
					if method == "WAIT" {
						d, err := time.ParseDuration(path)
						if err != nil {
							t.Fatal(err)
						}
						<-time.After(d)
						synctest.Wait()
						fmt.Fprintf(&got, ">>> %s\n\n", line)
						continue
					}
					w := ask(h, method, strings.ReplaceAll(path, "~", base), strings.ReplaceAll(body, "FOLDER", dir))
					synctest.Wait()
					fmt.Fprintf(&got, ">>> %s\n<<< %d\n%s\n", strings.TrimRight(asked, "\n"), w.Code, pretty(w.Body.Bytes(), dir))
				}
				answer := strings.TrimRight(got.String(), "\n") + "\n"
				if *update {
					if err := os.WriteFile(file, []byte(answer), 0o644); err != nil {
						t.Fatal(err)
					}
				} else if answer != string(text) {
					t.Errorf("answers differ; write them with -update and look\n%s", answer)
				}
			})
		})
	}
}

// pretty is a body with what differs from run to run taken out.
func pretty(body []byte, dir string) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	text := size.ReplaceAllString(uid.ReplaceAllString(b.String(), `"UID"`), `"last_size_bytes": SIZE`)
	return strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(text, dir, "FOLDER"), base, "~"), "\n") + "\n"
}

func TestNobodyIsAdmittedWithoutAKey(t *testing.T) {
	keys, err := ReadKeys("# those of the laptop\n" + Hash("ann", "long and random") + "\n\n" + Hash("bo", "other"))
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, keys, func(t *testing.T, h http.Handler, _ string) {
		list := base + "/statements"
		for _, c := range []struct {
			authorization string
			want          int
		}{
			{"", 401}, {"Basic YW5uOndyb25n", 401}, {"Basic nonsense", 401}, {"Bearer ann:wrong", 401}, {"Bearer ann", 401}, {"Bearer bo:long and random", 401}, {"Bearer :", 401},
			{"Bearer ann:long and random", 200}, {"Basic YW5uOmxvbmcgYW5kIHJhbmRvbQ==", 200}, {"Bearer bo:other", 200},
		} {
			w := ask(h, "GET", list, "", "Authorization", c.authorization)
			if w.Code != c.want {
				t.Errorf("%q gets %d, want %d", c.authorization, w.Code, c.want)
			}
			if w.Code == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic") {
				t.Errorf("%q is not told how to log in", c.authorization)
			}
		}
		if w := ask(h, "GET", "/health", ""); w.Code != 200 {
			t.Errorf("health needs a key: %d", w.Code)
		}
		for _, r := range routes {
			method, pattern, _ := strings.Cut(r.pattern, " ")
			if w := ask(h, method, strings.NewReplacer("{organization}", "o", "{environment}", "e", "{name}", "n").Replace(pattern), ""); !r.open && w.Code != 401 {
				t.Errorf("%s gets %d without a key", r.pattern, w.Code)
			}
		}
	})
	for _, bad := range []string{"", "# nothing", "ann", "ann:zz", ":" + strings.Repeat("0", 64)} {
		if _, err := ReadKeys(bad); err == nil {
			t.Errorf("%q is read as keys", bad)
		}
	}
}

// A page of somebody else that a browser shows must not be able to ask for anything.
func TestStrangePagesAreRefused(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		create := `{"name":"a","spec":{"statement":"SELECT 1"}}`
		for _, c := range []struct {
			about   string
			headers []string
			want    int
		}{
			{"another origin", []string{"Origin", "http://evil.example"}, 403},
			{"the origin of a file", []string{"Origin", "null"}, 403},
			{"another port of this host", []string{"Origin", "http://localhost:1"}, 403},
			{"a name that somebody pointed here", []string{"Host", "evil.example"}, 421},
			{"a form", []string{"Content-Type", "text/plain"}, 415},
			{"a form", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
			{"our own page", []string{"Origin", "http://localhost:8810"}, 201},
		} {
			if w := ask(h, "POST", base+"/statements", create, c.headers...); w.Code != c.want {
				t.Errorf("%s gets %d, want %d: %s", c.about, w.Code, c.want, w.Body)
			}
		}
		// A browser says no origin with GET, but where the page is that has it ask.
		for _, c := range []struct {
			path, site, mode, dest string
			want                   int
		}{
			{base + "/tables/t/advice", "cross-site", "no-cors", "image", 403},
			{base + "/statements/a/results", "same-site", "no-cors", "script", 403}, // another port of this host
			{base + "/statements", "cross-site", "navigate", "document", 403},
			{"/v2/metrics/cloud/descriptors/metrics", "cross-site", "navigate", "document", 403},
			{"/metrics", "cross-site", "no-cors", "image", 403},
			{"/health", "cross-site", "navigate", "iframe", 403},
			{"/health", "cross-site", "navigate", "document", 200}, // a link
			{"/health", "none", "navigate", "document", 200},
			{base + "/statements", "same-origin", "cors", "empty", 200},
			{base + "/statements", "none", "navigate", "document", 200},
		} {
			if w := ask(h, "GET", c.path, "", "Sec-Fetch-Site", c.site, "Sec-Fetch-Mode", c.mode, "Sec-Fetch-Dest", c.dest); w.Code != c.want {
				t.Errorf("%+v gets %d", c, w.Code)
			}
		}
		w := ask(h, "GET", "/health", "")
		if w.Code != 200 {
			t.Errorf("health gets %d", w.Code)
		}
	})
}

// Browsers are told with every answer, also with refusals, what they may do with it: nothing.
func TestEveryAnswerIsHardened(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		wanted := map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Strict-Transport-Security": "", "Access-Control-Allow-Origin": ""}
		for _, answerer := range []http.Handler{h, NewGate("not yet")} {
			for _, path := range []string{"/health", "/ready", base + "/statements", base + "/statements/none", "/metrics", "/nothing"} {
				w := ask(answerer, "GET", path, "")
				for name, want := range wanted {
					if got := w.Header().Get(name); got != want {
						t.Errorf("%s: %s is %q, want %q", path, name, got, want)
					}
				}
				if !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
					t.Errorf("%s can be shown in pages of others", path)
				}
			}
		}
		q := httptest.NewRequest("GET", "https://localhost/health", nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if w.Header().Get("Strict-Transport-Security") == "" {
			t.Error("a browser that has come by TLS is not told to keep to it")
		}
	})
}

func TestBodiesAreBounded(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		for _, c := range []struct {
			body string
			want int
		}{
			{strings.Repeat(" ", maxBody+1) + "{}", 413},
			{`{"name":"a","spec":{"statement":"` + strings.Repeat("x", statements.MaxSQL+1) + `"}}`, 400},
			{`{"name":"a"`, 400}, {`{} {}`, 400}, {`[]`, 400}, {`null`, 400}, {`{"name":1}`, 400}, {`{"name":"a","spec":{"statement":"SELECT 1","properties":{"a":[]}}}`, 400},
		} {
			if w := ask(h, "POST", base+"/statements", c.body); w.Code != c.want {
				t.Errorf("%.60q gets %d, want %d: %.200s", c.body, w.Code, c.want, w.Body)
			}
		}
	})
}

// The example that the editor of the page offers runs as it is.
func TestLabelsAreReplacedAsAWhole(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		ask(h, "POST", base+"/statements", `{"name":"a","spec":{"statement":"SELECT 1"},"metadata":{"labels":{"old":"1","both":"1"}}}`)
		for _, op := range []string{"replace", "add"} {
			w := ask(h, "PATCH", base+"/statements/a", `[{"op":"`+op+`","path":"/metadata/labels","value":{"both":"2"}}]`)
			if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, `"labels":{"both":"2"}`) {
				t.Errorf("%s gets %d %s", op, w.Code, got)
			}
		}
	})
}

// Who sends back the version that he was shown changes the statement only if nobody else has.
func TestAVersionThatIsOldIsRefused(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		ask(h, "POST", base+"/statements", `{"name":"a","spec":{"statement":"SELECT 1","stopped":true}}`)
		for _, c := range []struct {
			version string
			want    int
		}{{"1", 202}, {"1", 409}, {"2", 202}, {"x", 409}, {"", 202}} {
			if w := ask(h, "PUT", base+"/statements/a", `{"metadata":{"resource_version":"`+c.version+`"},"spec":{"statement":"SELECT 1","stopped":true}}`); w.Code != c.want {
				t.Errorf("version '%s' gets %d %s, want %d", c.version, w.Code, w.Body, c.want)
			}
		}
	})
}

// What stands beside the text of a statement is kept with it, so that it is bounded too.
func TestWhatStandsBesideTheTextIsBounded(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		long := strings.Repeat("x", statements.MaxBeside)
		ask(h, "POST", base+"/statements", `{"name":"a","spec":{"statement":"SELECT 1"}}`)
		for _, c := range []struct{ method, path, body string }{
			{"POST", "/statements", `{"name":"b","spec":{"statement":"SELECT 1","properties":{"client.x":"` + long + `"}}}`},
			{"POST", "/statements", `{"name":"b","spec":{"statement":"SELECT 1"},"metadata":{"labels":{"` + long + `":""}}}`},
			{"POST", "/statements", `{"name":"b","spec":{"statement":"SELECT 1","principal":"` + long + `"}}`},
			{"PUT", "/statements/a", `{"name":"a","spec":{"statement":"SELECT 1","compute_pool_id":"` + long + `"}}`},
			{"PATCH", "/statements/a", `[{"op":"replace","path":"/metadata/labels","value":{"a":"` + long + `"}}]`},
			{"POST", "/check", `{"statement":"SELECT 1","properties":{"a":"` + long + `"}}`},
		} {
			if w := ask(h, c.method, base+c.path, c.body); w.Code != 400 || !strings.Contains(w.Body.String(), "beside the text") {
				t.Errorf("%s %s gets %d %s", c.method, c.path, w.Code, w.Body)
			}
		}
	})
}

func TestExampleOfThePage(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "page", "src", "views", "editor", "example.sql"))
	if err != nil {
		t.Fatal(err)
	}
	text := source.Text{Body: string(b)}
	spans := sql.Statements(text)
	if len(spans) != 2 {
		t.Fatalf("there are %d statements", len(spans))
	}
	inBubble(t, nil, func(t *testing.T, h http.Handler, _ string) {
		for i, span := range spans {
			body, err := json.Marshal(map[string]any{"name": fmt.Sprintf("s%d", i), "spec": map[string]any{"statement": text.Slice(span)}})
			if err != nil {
				t.Fatal(err)
			}
			if w := ask(h, "POST", base+"/statements", string(body)); w.Code != http.StatusCreated {
				t.Fatal(w.Body)
			}
			synctest.Wait()
		}
		<-time.After(10 * time.Second)
		synctest.Wait()
		w := ask(h, "GET", base+"/statements/s1/results", "")
		if !strings.Contains(w.Body.String(), `"op":0`) {
			t.Errorf("no row comes: %s; %s", w.Body, ask(h, "GET", base+"/statements/s1", "").Body)
		}
	})
}
