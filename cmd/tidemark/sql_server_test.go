package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onServer runs tidemark sql on a server.
func (s *served) sql(args ...string) (code int, stdout, stderr string) {
	return run(append([]string{"sql", "--server", s.url, "--quiet"}, args...)...)
}

// TestSQLOnAServer runs a script on a server: its statements are the server's, and what they give looks as if it were computed here.
func TestSQLOnAServer(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	script := filepath.Join(t.TempDir(), "script.sql")
	const statements = `CREATE TABLE kinds (id BIGINT NOT NULL, name STRING, price DECIMAL(30, 2), ok BOOLEAN, born DATE, seen TIMESTAMP(3), tags ARRAY<INT>, counts MAP<STRING, INT>, place ROW<x INT, y STRING>, body BYTES) DISTRIBUTED BY (id) INTO 1 BUCKETS;
INSERT INTO kinds VALUES (1, 'Änn', 1.50, TRUE, DATE '2026-01-02', TIMESTAMP '2026-01-02 03:04:05.678', ARRAY[1, 2], MAP['a', 1], ROW(7, 'z'), x'0aff'), (2, CAST(NULL AS STRING), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
`
	if err := os.WriteFile(script, []byte(statements+"SHOW TABLES;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := s.sql("-f", script)
	lines := strings.Split(out, "\n")
	if code != exitOK || len(lines) != 3 || !strings.HasPrefix(lines[0], "shell-") || !strings.HasSuffix(lines[0], ": COMPLETED") && !strings.HasSuffix(lines[0], ": RUNNING") || lines[1] != `{"table name":"kinds"}` {
		t.Fatalf("the script ends with %d\n%s%s", code, out, errs)
	}
	for _, c := range []struct {
		about, sql, want string
		args             []string
	}{
		{"all types", "SET 'sql.snapshot.mode' = 'now'; SELECT * FROM kinds",
			`{"op":"+I","id":1,"name":"Änn","price":1.50,"ok":true,"born":"2026-01-02","seen":"2026-01-02T03:04:05.678","tags":[1,2],"counts":{"a":1},"place":{"x":7,"y":"z"},"body":"Cv8="}
{"op":"+I","id":2,"name":null,"price":null,"ok":null,"born":null,"seen":null,"tags":null,"counts":null,"place":null,"body":null}
`, nil},
		{"as CSV", "SET 'sql.snapshot.mode' = 'now'; SELECT id, name FROM kinds", "op,id,name\n+I,1,Änn\n+I,2,\n", []string{"--output", "csv"}},
		{"a table", "SELECT 1 AS x", "│ +I │        1 │", []string{"--output", "table"}},
		{"a change", "SELECT COUNT(*) AS n FROM (VALUES 1, 2) AS t (x)", `{"op":"+U","n":2}`, nil},
		{"a list as a table", "SHOW TABLES", "│ kinds      │", []string{"--output", "table"}},
		{"verbatim", "SHOW CREATE TABLE kinds", "  `place` ROW<`x` INT, `y` STRING>,\n", []string{"--output", "table"}},
		{"a plan", "EXPLAIN SELECT 1", "Result\n", nil},
		{"settings", "SET 'sql.local-time-zone' = 'Asia/Tokyo'; RESET; SET 'table.local-time-zone' = 'Europe/Paris'; SELECT DATE_FORMAT(TO_TIMESTAMP_LTZ(0, 3), 'HH:mm') AS h", `"h":"01:00"`, nil},
		{"settings that are taken back", "SET 'sql.local-time-zone' = 'Asia/Tokyo'; RESET 'sql.local-time-zone'; SELECT DATE_FORMAT(TO_TIMESTAMP_LTZ(0, 3), 'HH:mm') AS h", `"h":"00:00"`, nil},
		{"a place", "CREATE DATABASE d; USE d; CREATE TABLE inner_one (a INT) WITH ('connector' = 'blackhole'); SHOW TABLES; USE default_catalog.default_database; SHOW CURRENT DATABASE",
			`{"table name":"inner_one"}` + "\n" + `{"current database name":"default_database"}`, nil},
		{"the list of settings", "CREATE DATABASE e; USE e; SET", `{"key":"sql.current-database","value":"e"`, nil},
		{"YQL, and what it sees", "$a = 3; $b = $a + 4; SELECT $b AS n", `"n":7`, nil},
		{"YQL by its name", "SELECT 1 ?? 2 AS n", `"n":1`, []string{"--language", "yql"}},
		{"YQL by a setting", "SET 'sql.language' = 'yql'; SELECT 'it\\'s' AS s", `"s":"it's"`, nil},
		{"a plan of YQL", "$a = 1; EXPLAIN SELECT $a", "Result\n", nil},
		{"a streaming query", "CREATE TABLE beats (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '10'); CREATE TABLE nowhere (s STRING) WITH ('connector' = 'blackhole'); " +
			"CREATE STREAMING QUERY Many AS DO BEGIN INSERT INTO nowhere SELECT CAST(n AS String) AS s FROM beats; END DO SELECT Path, Run FROM `.sys/streaming_queries`; DROP STREAMING QUERY Many;",
			`"Path":"/default_database/Many","Run":true`, nil},
		{"by a setting", "SET 'sql.current-catalog' = 'local'; SHOW CURRENT CATALOG", `{"current catalog name":"default_catalog"}`, nil},
	} {
		code, out, errs := s.sql(append([]string{"-e", c.sql}, c.args...)...)
		if code != exitOK || errs != "" || !strings.Contains(out, c.want) {
			t.Errorf("%s: ends with %d\n%s%swant\n%s", c.about, code, out, errs, c.want)
		}
	}
	for _, c := range []struct {
		about, sql string
		code       int
		want       string
	}{
		{"a column", "SELECT 1 AS x;\n  SELECT 'é' AS a, nope FROM kinds", exitUsage, "error: unknown column 'nope'\n  --> -e:2:20\n   |\n 2 |   SELECT 'é' AS a, nope FROM kinds\n   |                    ^^^^\n   = did you mean 'name'?\n"},
		{"syntax, which needs no server", "SELEC 1", exitUsage, "  --> -e:1:1\n"},
		{"a database", "USE dfault_database", exitUsage, "error: there is no database 'dfault_database' in catalog 'default_catalog'\n  --> -e:1:5\n   |\n 1 | USE dfault_database\n   |     ^^^^^^^^^^^^^^^\n   = did you mean 'default_database'?\n"},
		{"a catalog", "USE CATALOG nope", exitUsage, "error: there is no catalog 'nope'\n  --> -e:1:13\n"},
		{"a setting", "SET 'sql.state-ttl' = 'long'", exitUsage, "error: 'sql.state-ttl' cannot be 'long'\n  --> -e:1:23\n"},
		{"what a server refuses", "CREATE TEMPORARY TABLE x (a INT)", exitUsage, "error: TEMPORARY is not supported by a server\n  --> -e:1:1\n"},
		{"a value", "SELECT CAST(name AS INT) FROM kinds", exitData, "error: "},
	} {
		if code, out, errs := s.sql("-e", c.sql); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: ends with %d\n%s%swant %d\n%s", c.about, code, out, errs, c.code, c.want)
		}
	}
	// What was read is gone, what was declared and inserted stays.
	if _, out, _ := run("statement", "list", "--server", s.url); strings.Contains(out, "SELECT *") || strings.Contains(out, "SHOW") || strings.Contains(out, "FAILED") || !strings.Contains(out, "INSERT INTO kinds") {
		t.Errorf("the statements are\n%s", out)
	}
}

// TestLanguageOnAServer is said by the ending of a file or by a flag, wherever a text goes to a server; the hint about a text of the other language names what there is.
func TestLanguageOnAServer(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	const text = "SELECT 1 ?? 2 AS n"
	file := filepath.Join(t.TempDir(), "x.yql")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := s.sql("-f", file); code != exitOK || !strings.Contains(out, `"n":1`) {
		t.Errorf("sql -f x.yql ends with %d\n%s%s", code, out, errs)
	}
	create := []string{"statement", "--server", s.url, "--wait"}
	for name, args := range map[string][]string{
		"file": {"create", "by-file", file},
		"flag": {"--language", "yql", "-e", text, "create", "by-flag"},
	} {
		if code, out, errs := run(append(slices.Clone(create), args...)...); code != exitOK || strings.Contains(out, "FAILED") {
			t.Errorf("%s: create ends with %d\n%s%s", name, code, out, errs)
		}
	}
	if code, out, errs := run(append(create, "-e", text, "create", "unsaid")...); code != exitUsage || !strings.Contains(out+errs, "with --language yql, or where 'sql.language' is 'yql'") {
		t.Errorf("without a word it ends with %d\n%s%s", code, out, errs)
	}
	if code, _, errs := run(append(create, "--language", "sql", "--property", "sql.language=yql", "-e", text, "create", "both")...); code != exitUsage || !strings.Contains(errs, "not both") {
		t.Errorf("with both it ends with %d\n%s", code, errs)
	}
	if code, out, errs := s.sql("-f", file, "--language", "sql"); code != exitUsage || !strings.Contains(errs, "??") {
		t.Errorf("as Flink SQL it ends with %d\n%s%s", code, out, errs)
	}
}

// TestSQLOnAServerEnds: a query ends with its statement, its server, its user's patience.
func TestSQLOnAServerEnds(t *testing.T) {
	file, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", file)
	t.Setenv(keyEnv, name+":"+secret)
	if code, _, errs := s.sql("-e", "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100'); CREATE TABLE copy (a BIGINT) WITH ('connector' = 'blackhole')"); code != exitOK {
		t.Fatal(errs)
	}
	list := func() string {
		t.Helper()
		_, out, _ := run("statement", "list", "--server", s.url)
		return out
	}
	// at its first row, act; what the query says then.
	query := func(act func(cancel context.CancelFunc)) (code int, errs string) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var stderr bytes.Buffer
		code = dispatch(ctx, []string{"sql", "--server", s.url, "-e", "SELECT a FROM n; SELECT 'behind' AS b"}, &interrupter{cancel: func() { act(cancel) }}, &stderr)
		return code, stderr.String()
	}
	if code, errs := query(func(cancel context.CancelFunc) { cancel() }); code != exitInterrupted || strings.Contains(errs, "error") || !strings.Contains(errs, "out in") {
		t.Errorf("Ctrl-C ends with %d: %s", code, errs)
	}
	for out := list(); strings.Contains(out, "SELECT a"); out = list() {
		if t.Context().Err() != nil || !strings.Contains(out, "DELETING") {
			t.Fatalf("a query that was stopped is left\n%s", out)
		}
	}
	if code, errs := query(func(context.CancelFunc) {
		for _, line := range strings.Split(list(), "\n") {
			if f := strings.Fields(line); len(f) > 2 && f[2] == "SELECT" {
				run("statement", "delete", f[0], "--server", s.url)
			}
		}
	}); code != exitUsage || !strings.Contains(errs, "error: there is no statement 'shell-") {
		t.Errorf("a statement that somebody has deleted ends the query with %d: %s", code, errs)
	}

	code, out, errs := s.sql("-e", "INSERT INTO copy SELECT a FROM n; SELECT 'next' AS b")
	if code != exitOK || !strings.Contains(out, ": RUNNING\n") || !strings.Contains(out, "next") {
		t.Errorf("an endless INSERT ends with %d\n%s%s", code, out, errs)
	}
	for _, c := range []struct {
		about, key, want string
		code             int
	}{{"a wrong key", name + ":wrong", "an API key is needed", exitUsage}, {"no key", "", "an API key is needed", exitUsage}} {
		t.Setenv(keyEnv, c.key)
		if code, _, errs := s.sql("-e", "SELECT 1"); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: ends with %d: %s", c.about, code, errs)
		}
	}
	t.Setenv(keyEnv, name+":"+secret)
	if code, errs := query(func(context.CancelFunc) { s.end() }); code != exitExternal && code != exitUsage || !strings.Contains(errs, "error: ") {
		t.Errorf("a server that ends ends the query with %d: %s", code, errs)
	}
	s.stop(t)
	if code, _, errs := s.sql("-e", "SELECT 1"); code != exitExternal || !strings.Contains(errs, "is tidemark server running there?") {
		t.Errorf("without a server: %d: %s", code, errs)
	}
	if code, _, errs := s.sql("--brokers", "127.0.0.1:1", "-e", "SELECT 1"); code != exitUsage || !strings.Contains(errs, "not of a server") {
		t.Errorf("brokers: %d: %s", code, errs)
	}
}
