package statements

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

// server is a hub over a folder, in a bubble: it can be ended and opened again.
type testServer struct {
	*testing.T
	dir string
	hub *Hub
	log []string
}

func serve(t *testing.T, f func(s *testServer)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &testServer{T: t, dir: dir}
		s.open()
		f(s)
		s.close()
	})
}

func (s *testServer) open() {
	s.Helper()
	var err error
	s.hub, err = Open(Options{Dir: filepath.Join(s.dir, "server"), Connectors: builtin.Connectors, Parallelism: 2, ResultBytes: 2_000,
		Tell: func(line string) { s.log = append(s.log, line) }})
	if err != nil {
		s.Fatal(err)
	}
	synctest.Wait()
}

func (s *testServer) close() {
	s.Helper()
	if err := s.hub.Close(); err != nil {
		s.Fatal(err)
	}
}

// run makes a statement, in which ~ is the folder of the test, and waits until there is nothing to do.
func (s *testServer) run(name, sql string) Statement {
	s.Helper()
	if _, err := s.hub.Create(name, Spec{SQL: strings.ReplaceAll(sql, "~", s.dir)}); err != nil {
		s.Fatalf("%s: %v", name, err)
	}
	return s.settled(name)
}

func (s *testServer) settled(name string) Statement {
	s.Helper()
	synctest.Wait()
	x, err := s.hub.Get(name)
	if err != nil {
		s.Fatal(err)
	}
	return x
}

// pass lets so much of the time of the bubble pass.
func (s *testServer) pass(d time.Duration) { <-time.After(d) }

func (s *testServer) phase(name string, want Phase) {
	s.Helper()
	if x := s.settled(name); x.Phase != want {
		s.Fatalf("%s is %s (%s), want %s", name, x.Phase, x.Detail, want)
	}
}

func (s *testServer) done(name, sql string) {
	s.Helper()
	s.run(name, sql)
	s.phase(name, Completed)
}

func (s *testServer) cells(name string) (rows []string) {
	s.Helper()
	p, err := s.hub.Results(name, 0, 1_000, 1<<20)
	if err != nil {
		s.Fatal(err)
	}
	for _, r := range p.Rows {
		rows = append(rows, r.Op.String()+string(r.Cells))
	}
	return rows
}

func (s *testServer) stop(name string, stopped bool) error {
	s.Helper()
	_, err := s.hub.Change(name, func(x *Statement) error { x.Spec.Stopped = stopped; return nil })
	synctest.Wait()
	return err
}

const people = "CREATE TABLE people (id BIGINT, name STRING) WITH ('connector' = 'filesystem', 'path' = '~/people', 'format' = 'json')"

func TestAStatementRunsToItsEnd(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", people)
		s.done("fill", "INSERT INTO people VALUES (1, 'Ann'), (2, 'Bo')")
		s.done("read", "SELECT name, ARRAY[id] AS ids FROM people")
		if got, want := fmt.Sprint(s.cells("read")), `[+I["Ann",["1"]] +I["Bo",["2"]]]`; got != want {
			t.Errorf("results are %s, want %s", got, want)
		}
		x := s.settled("read")
		if x.Traits.Kind != "SELECT" || !x.Traits.Bounded || len(x.Traits.Schema) != 2 {
			t.Errorf("traits are %+v", x.Traits)
		}
		s.done("show", "SHOW TABLES")
		if got := fmt.Sprint(s.cells("show")); got != `[+I["people"]]` {
			t.Errorf("tables are %s", got)
		}
		s.done("explain", "EXPLAIN SELECT * FROM people")
		if rows := s.cells("explain"); len(rows) != 1 || !strings.Contains(rows[0], "Scan") {
			t.Errorf("the plan is %s", rows)
		}
	})
}

func TestWhatCannotBeIsSaid(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", people)
		for name, sql := range map[string]string{
			"unknown-column": "SELECT age FROM people", "syntax": "SELEKT 1", "two": "SELECT 1; SELECT 2", "set": "SET 'sql.profile' = 'flink'", "use": "USE x", "temporary": "CREATE TEMPORARY VIEW v AS SELECT 1",
			"again": "CREATE TABLE people (id BIGINT) WITH ('connector' = 'datagen')",
		} {
			if x := s.run(name, sql); x.Phase != Failed || x.Detail == "" {
				t.Errorf("%s: it is %s (%s)", name, x.Phase, x.Detail)
			}
			if all, err := s.hub.Exceptions(name); err != nil || len(all) != 1 {
				t.Errorf("%s: exceptions are %v, %v", name, all, err)
			}
		}
		if x := s.settled("unknown-column"); !strings.Contains(x.Detail, "^^^") {
			t.Errorf("no caret in: %s", x.Detail)
		}
		_, err := s.hub.Create("make", Spec{SQL: "SELECT 1"})
		if there := (*Exists)(nil); !errors.As(err, &there) {
			t.Errorf("a second statement of a name: %v", err)
		}
		for _, name := range []string{"", "A", "-a", "a-", "a..b", "a/b", "../a", strings.Repeat("a", 101)} {
			_, err := s.hub.Create(name, Spec{SQL: "SELECT 1"})
			if invalid := (*Invalid)(nil); !errors.As(err, &invalid) {
				t.Errorf("name %q: %v", name, err)
			}
		}
		for _, sql := range []string{" ", strings.Repeat(" ", MaxSQL) + "SELECT 1"} {
			if _, err := s.hub.Create("x", Spec{SQL: sql}); err == nil {
				t.Errorf("a statement of %d bytes is taken", len(sql))
			}
		}
	})
}

func TestPropertiesAreSetForOneStatement(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("db", "CREATE DATABASE other")
		for name, want := range map[string]string{"there": "other", "here": "default"} {
			spec := Spec{SQL: "SHOW CURRENT DATABASE", Properties: map[string]string{"client.x": "1"}}
			if name == "there" {
				spec.Properties["sql.current-database"] = "other"
			}
			if _, err := s.hub.Create(name, spec); err != nil {
				t.Fatal(err)
			}
			s.phase(name, Completed)
			if got := fmt.Sprint(s.cells(name)); !strings.Contains(got, want) {
				t.Errorf("%s: database %s, want %s", name, got, want)
			}
		}
		if _, err := s.hub.Create("wrong", Spec{SQL: "SELECT 1", Properties: map[string]string{"sql.profil": "flink"}}); err != nil {
			t.Fatal(err)
		}
		if x := s.settled("wrong"); x.Phase != Failed || !strings.Contains(x.Detail, "sql.profile") {
			t.Errorf("a wrong property: %s (%s)", x.Phase, x.Detail)
		}
	})
}

// endless yields ten rows a second.
const endless = "CREATE TABLE ticks (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000')"

func TestASelectWaitsForItsReader(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.run("read", "SELECT n FROM ticks")
		s.phase("read", Running)
		s.pass(20 * time.Second)
		var from, rows int64
		for range 10 {
			s.pass(10 * time.Second)
			p, err := s.hub.Results("read", from, 1_000, 1<<20)
			if err != nil || !p.More {
				t.Fatalf("more is %v, %v", p.More, err)
			}
			if len(p.Rows) > 60 {
				t.Errorf("%d rows were kept, more than fit", len(p.Rows))
			}
			for _, r := range p.Rows {
				rows++
				if got := string(r.Cells); got != fmt.Sprintf(`["%d"]`, rows) {
					t.Fatalf("row %d is %s", rows, got)
				}
			}
			from = p.Next
		}
		if rows < 100 {
			t.Errorf("only %d rows came", rows)
		}
		if _, err := s.hub.Results("read", 0, 10, 1_000); !errors.Is(err, ErrGone) {
			t.Errorf("the first page again: %v", err)
		}
		s.pass(patience*time.Microsecond - time.Second)
		s.phase("read", Running)
		s.pass(2 * time.Second)
		s.phase("read", Stopped)
		if x := s.settled("read"); !strings.Contains(x.Detail, "five minutes") || !x.Spec.Stopped {
			t.Errorf("it is stopped because of: %s", x.Detail)
		}
	})
}

func TestAStatementIsStoppedAndResumed(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.done("sink", "CREATE TABLE kept (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '~/kept', 'format' = 'json')")
		s.run("copy", "INSERT INTO kept SELECT n FROM ticks")
		s.pass(25 * time.Second)
		s.phase("copy", Running)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
		before := s.numbered("kept")
		s.pass(time.Minute)
		s.close()
		s.open()
		s.phase("copy", Stopped)
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Running)
		s.pass(15 * time.Second)
		s.close()
		s.open() // it was running, so it is again
		s.phase("copy", Running)
		s.pass(15 * time.Second)
		if err := s.hub.Delete("copy"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := s.hub.Get("copy"); err == nil {
			t.Error("a statement that was deleted is there")
		}
		if left, err := os.ReadDir(filepath.Join(s.dir, "server", stateFolder)); err != nil || len(left) > 0 {
			t.Errorf("state is left: %v, %v", left, err)
		}
		if after := s.numbered("kept"); after <= before+200 {
			t.Errorf("%d rows before it was stopped, and %d in the end", before, after)
		}
	})
}

// numbered wants the rows of a folder to be 1, 2, 3 … once each, and tells how many there are.
func (s *testServer) numbered(folder string) int {
	s.Helper()
	seen := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(s.dir, folder, "*"))
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(filepath.Base(f), ".") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			s.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			if seen[line] {
				s.Errorf("%s twice", line)
			}
			seen[line] = true
		}
	}
	for i := range len(seen) {
		if !seen[fmt.Sprintf(`{"n":%d}`, i+1)] {
			s.Fatalf("%d is missing among %d rows", i+1, len(seen))
		}
	}
	return len(seen)
}

// A statement keeps the tables that there were when it was planned, whatever others have made of them since, also when the server starts anew.
func TestAStatementIsPlannedAgainAtItsPlace(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.done("sink", "CREATE TABLE kept (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '~/kept', 'format' = 'json')")
		s.run("copy", "INSERT INTO kept SELECT n FROM ticks")
		s.phase("copy", Running)
		s.done("drop", "DROP TABLE ticks")
		s.done("anew", "CREATE TABLE ticks (other STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '1')")
		s.pass(25 * time.Second)
		s.close()
		s.open()
		s.phase("copy", Running)
		s.pass(25 * time.Second)
		if n := s.numbered("kept"); n < 300 {
			t.Errorf("only %d rows", n)
		}
		s.done("describe", "DESCRIBE ticks")
		if got := fmt.Sprint(s.cells("describe")); !strings.Contains(got, "other") {
			t.Errorf("the table is %s", got)
		}
	})
}

func TestATableThatWasFilledIsNotMadeTwice(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.run("fill", "CREATE TABLE kept WITH ('connector' = 'filesystem', 'path' = '~/kept', 'format' = 'json') AS SELECT n FROM ticks")
		s.phase("fill", Running)
		s.pass(25 * time.Second)
		s.close()
		s.open()
		s.phase("fill", Running)
		s.pass(25 * time.Second)
		if n := s.numbered("kept"); n < 300 {
			t.Errorf("only %d rows", n)
		}
		if len(s.log) > 0 {
			t.Logf("told: %q", s.log)
		}
		// One that never began leaves nothing behind.
		s.done("nowhere", "CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '~/nowhere', 'format' = 'json')")
		s.run("never", "CREATE TABLE gone WITH ('connector' = 'filesystem', 'path' = '~/gone', 'format' = 'json') AS SELECT n FROM nowhere")
		s.phase("never", Failed)
		s.close()
		s.open()
		s.run("read", "SELECT * FROM gone")
		s.phase("read", Failed)
	})
}

func TestAJournalThatWasTornIsReadToThere(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", people)
		s.close()
		path := filepath.Join(s.dir, "server", journalFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, `{"number":2,"sql":"DROP TAB`...), 0o600); err != nil {
			t.Fatal(err)
		}
		s.open()
		s.done("read", "DESCRIBE people")
		s.close()
		if err := os.WriteFile(path, append([]byte("nonsense\n"), text...), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(s.hub.options); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("a journal that makes no sense: %v", err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, "server", statementsFolder, "bad.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.open()
		if len(s.log) == 0 || !strings.Contains(s.log[len(s.log)-1], "bad.json") {
			t.Errorf("a record that makes no sense is not told: %q", s.log)
		}
		s.done("again", "DESCRIBE people")
	})
}

// TestAwaitResults: who asks for results that are not there yet waits for the next row, for the end, or a little while, and no longer.
func TestAwaitResults(t *testing.T) {
	serve(t, func(s *testServer) {
		s.run("ticks", "CREATE TABLE ticks (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10', 'number-of-rows' = '2', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '9')")
		s.run("slow", "CREATE TABLE slow (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1')")
		if _, err := s.hub.Create("read", Spec{SQL: "SELECT n FROM ticks"}); err != nil {
			s.Fatal(err)
		}
		began, from := time.Now(), int64(0)
		for rows := 0; ; {
			asked := time.Now()
			p, err := s.hub.AwaitResults(s.Context(), "read", from, 100, 1<<20)
			if err != nil {
				s.Fatal(err)
			}
			if took := time.Since(asked); took > resultsTime*time.Microsecond || len(p.Rows) == 0 && p.More && took < resultsTime*time.Microsecond {
				s.Errorf("%d rows after %s, more %t", len(p.Rows), took, p.More)
			}
			from, rows = p.Next, rows+len(p.Rows)
			if !p.More {
				if took := time.Since(began); rows != 2 || took > time.Second {
					s.Errorf("%d rows in %s", rows, took)
				}
				break
			}
		}
		s.run("wait", "SELECT n FROM slow")
		p, err := s.hub.Results("wait", 0, 100, 1<<20)
		if err != nil || !p.More {
			s.Fatal(p, err)
		}
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		asked := time.Now()
		if _, err := s.hub.AwaitResults(ctx, "wait", p.Next, 100, 1<<20); err != nil || time.Since(asked) != 0 {
			s.Errorf("who has gone waits %s, %v", time.Since(asked), err)
		}
		if p, err := s.hub.AwaitResults(s.Context(), "slow", 0, 1, 1); err != nil || p.More || len(p.Rows) != 0 {
			s.Errorf("of what has no results there is %+v, %v", p, err)
		}
	})
}
