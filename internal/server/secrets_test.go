package server

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// Secrets that are put in: of a table, of a property, of a key.
const (
	canary    = "canary-4242"
	keySecret = "the-secret-of-ann"
)

const secretTable = "CREATE TABLE %s (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json', 'scan.startup.mode' = 'earliest-offset', " +
	"'properties.bootstrap.servers' = '127.0.0.1:1', 'properties.sasl.jaas.config' = 'org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"" + canary + "\";', " +
	"'properties.security.protocol' = 'SASL_PLAINTEXT', 'properties.sasl.mechanism' = 'PLAIN'%s)"

// TestNoSecretIsTold: whatever is asked, and whatever is told to who runs the server, no secret of a statement or of a key is in it.
func TestNoSecretIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "server")
	var mu sync.Mutex
	var told strings.Builder
	synctest.Test(t, func(t *testing.T) {
		hub, err := statements.Open(statements.Options{Dir: dir, Connectors: builtin.Connectors, Parallelism: 1, Tell: func(line string) {
			mu.Lock()
			defer mu.Unlock()
			told.WriteString(line + "\n")
		}})
		if err != nil {
			t.Fatal(err)
		}
		h := New(Options{Hub: hub, Keys: keysOf(t, "ann", keySecret)})
		table := func(name, rest string) string {
			return strings.Replace(strings.Replace(secretTable, "%s", name, 1), "%s", rest, 1)
		}
		names := []string{}
		create := func(name, sql string, properties map[string]string) {
			body, err := json.Marshal(map[string]any{"name": name, "spec": map[string]any{"statement": sql, "properties": properties}})
			if err != nil {
				t.Fatal(err)
			}
			silent(t, "create "+name, asFrom(h, "192.0.2.1:1", "ann:"+keySecret, "POST", base+"/statements", string(body)).Body.String())
			synctest.Wait()
			names = append(names, name)
		}
		create("make", table("t", ""), map[string]string{"client.secret": canary})
		create("read", "SELECT * FROM t", nil)
		create("hinted", "SELECT * FROM t /*+ OPTIONS('properties.ssl.key.password' = '"+canary+"') */", nil)
		create("show", "SHOW CREATE TABLE t", nil)
		create("describe", "DESCRIBE EXTENDED t", nil)
		create("explain", "EXPLAIN SELECT * FROM t", nil)
		create("options", "SELECT * FROM INFORMATION_SCHEMA.TABLE_OPTIONS", nil)
		create("sink", "CREATE TABLE s (id BIGINT) WITH ('connector' = 'blackhole')", nil)
		create("copy", "INSERT INTO s SELECT id FROM t", nil)
		create("as", strings.Replace(table("u", ""), "(id BIGINT) ", "", 1)+" AS SELECT id FROM t", nil)
		create("wrong-option", table("w", ", 'no' = 'such'"), nil)
		create("wrong-text", table("w", " oops"), nil)
		create("wrong-set", "SET 'my.password' = '"+canary+"'", nil)
		create("wrong-property", "SELECT 1", map[string]string{"my.password": canary})
		create("wrong-end", strings.TrimSuffix(table("w", ""), "')"), nil)
		pass(30 * time.Second) // until attempts have failed a few times

		asked := 0
		for _, r := range routes {
			method, pattern, _ := strings.Cut(r.pattern, " ")
			for _, name := range names {
				path := strings.NewReplacer("{organization}", "org", "{environment}", "env", "{name}", name, "{table}", "t").Replace(pattern)
				body := ""
				switch {
				case method == "DELETE":
					continue
				case method == "POST" || method == "PUT":
					x, err := hub.Get(name)
					if err != nil {
						t.Fatal(err)
					}
					text, err := json.Marshal(map[string]any{"statement": x.SQL, "name": name, "properties": x.Properties, "cursor": 1, "spec": map[string]any{"statement": x.SQL, "properties": x.Properties}})
					if err != nil {
						t.Fatal(err)
					}
					body = string(text)
				case method == "PATCH":
					body = `[{"op":"replace","path":"/spec/principal","value":"bo"}]`
				}
				for _, credentials := range []string{"ann:" + keySecret, "ann:" + keySecret + "x"} {
					w := asFrom(h, "192.0.2.1:1", credentials, method, path, body)
					all := w.Body.String()
					for k, v := range w.Header() {
						all += "\n" + k + ": " + strings.Join(v, ", ")
					}
					silent(t, r.pattern+" of "+name, all)
					asked++
				}
			}
			synctest.Wait()
		}
		silent(t, "metrics", asFrom(h, "192.0.2.1:1", "ann:"+keySecret, "GET", "/metrics", "").Body.String())
		if asked < 100 {
			t.Errorf("only %d requests", asked)
		}
		var failed api.StatementExceptionList
		if err := json.Unmarshal(asFrom(h, "192.0.2.1:1", "ann:"+keySecret, "GET", base+"/statements/copy/exceptions", "").Body.Bytes(), &failed); err != nil || len(failed.Data) == 0 {
			t.Errorf("the statement whose broker is away has not failed: %v", err)
		}
		if err := hub.Close(); err != nil {
			t.Fatal(err)
		}
	})
	if told.Len() == 0 {
		t.Error("nothing is told")
	}
	silent(t, "the log", told.String())
	private(t, dir)
}

func silent(t *testing.T, about, text string) {
	t.Helper()
	for _, secret := range []string{canary, keySecret} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("%s: a secret in …%s…", about, text[max(0, at-200):min(len(text), at+40)])
		}
	}
}

// private checks that nobody but the owner reads what may have secrets in it.
func private(t *testing.T, dir string) {
	t.Helper()
	n := 0
	for _, pattern := range []string{"journal.jsonl", "statements", "statements/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			n++
			if mode := modeOf(t, f); mode.Perm()&0o077 != 0 {
				t.Errorf("%s is %s", f, mode)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d files", n)
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}
