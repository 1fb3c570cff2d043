package statements

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Looking at a text leaves no trace, whatever is in it, and sees what is there at the time.
func TestDraftsLeaveNothing(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("people", people)
		s.done("names", "CREATE VIEW names AS SELECT name FROM people")
		before := snapshotOf(t, s.dir)
		for _, text := range []string{
			"DROP TABLE people", "CREATE TABLE more (a BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO more SELECT id FROM people", "DROP VIEW names; DROP TABLE people; CREATE DATABASE d",
			"CREATE TABLE copy WITH ('connector' = 'filesystem', 'path' = '" + s.dir + "/copy', 'format' = 'json') AS SELECT * FROM people",
			"ALTER TABLE people ADD (extra INT)", "EXPLAIN SELECT * FROM names",
		} {
			if _, err := s.hub.Check(Spec{SQL: text}); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if _, err := s.hub.Explain(Spec{SQL: text}); err != nil && fault.Of(err) != fault.User {
				t.Errorf("%s: %v", text, err)
			}
		}
		if after := snapshotOf(t, s.dir); after != before {
			t.Errorf("the folder was\n%s\nand is\n%s", before, after)
		}
		s.done("tables", "SHOW TABLES")
		if got := strings.Join(s.cells("tables"), " "); got != `+I["names"] +I["people"]` {
			t.Errorf("the tables are %s", got)
		}
		if _, err := s.hub.Check(Spec{SQL: strings.Repeat("x", MaxSQL+1)}); fmt.Sprintf("%T", err) != "*statements.Invalid" {
			t.Errorf("a text that is too long: %v", err)
		}
	})
}

func snapshotOf(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s: %s\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Texts are looked at while the catalog changes; the race detector has its eye on it.
func TestDraftsBesideStatements(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("people", people)
		s.done("names", "CREATE VIEW names AS SELECT name, id FROM people")
		var asked sync.WaitGroup
		for range 3 {
			asked.Go(func() {
				for range 20 {
					if found, err := s.hub.Check(Spec{SQL: "SELECT a.name FROM names AS a JOIN people AS b ON a.id = b.id"}); err != nil || slices.ContainsFunc(found, func(f check.Finding) bool { return f.Severity.String() == "error" }) {
						t.Error(found, err)
					}
					if found, err := s.hub.Complete(Spec{}, "SELECT na", " FROM names"); err != nil || !slices.Contains(found.Options, "name") || found.Start != 7 {
						t.Error(found, err)
					}
				}
			})
		}
		for i := range 10 {
			s.done(fmt.Sprintf("alter-%d", i), fmt.Sprintf("ALTER TABLE people ADD (extra%d INT)", i))
			s.done(fmt.Sprintf("view-%d", i), fmt.Sprintf("CREATE VIEW v%d AS SELECT * FROM names", i))
		}
		asked.Wait()
	})
}

// A text that takes too long, or in which a bug shows, harms neither statements nor, when it is over, other texts.
func TestDraftsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		odd := connector.Connector{Name: "odd", NewSource: func(table connector.Table, _ connector.Options) (connector.Source, error) {
			if table.Name == "bug" {
				panic("this is a bug")
			}
			<-release
			return nil, connector.NotReadable("odd", "do not")
		}, NewSink: func(connector.Table, connector.Options) (connector.Sink, error) {
			return nil, connector.NotWritable("odd", "do not")
		}}
		var log []string
		h, err := Open(Options{Dir: t.TempDir(), Connectors: append(slices.Clone(builtin.Connectors), odd), Tell: func(line string) { log = append(log, line) }})
		if err != nil {
			t.Fatal(err)
		}
		text := func(table string) Spec {
			return Spec{SQL: "CREATE TABLE " + table + " (a INT) WITH ('connector' = 'odd'); SELECT a FROM " + table}
		}
		if _, err := h.Check(text("bug")); fault.Of(err) != fault.Internal || len(log) != 1 || !strings.Contains(log[0], "this is a bug") {
			t.Errorf("a bug is told as %v, and logged as %q", err, log)
		}
		began := time.Now()
		var asked sync.WaitGroup
		for range maxDrafts {
			asked.Go(func() {
				if _, err := h.Check(text("slow")); err != errSlow {
					t.Errorf("a slow text: %v", err)
				}
			})
		}
		synctest.Wait()
		if _, err := h.Create("one", Spec{SQL: "SELECT 1"}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if x, _ := h.Get("one"); x.Phase != Completed {
			t.Errorf("a statement is %s while texts are looked at", x.Phase)
		}
		if _, err := h.Check(Spec{SQL: "SELECT 1"}); err != errBusy {
			t.Errorf("one more text: %v", err)
		}
		asked.Wait()
		if len(log) > 1 {
			t.Errorf("it is logged: %q", log[1:])
		}
		if passed := time.Since(began); passed.Microseconds() != draftTime {
			t.Errorf("whoever asked waited for %v", passed)
		}
		close(release)
		synctest.Wait()
		if _, err := h.Check(Spec{SQL: "SELECT 1"}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if _, err := h.Check(Spec{SQL: "SELECT 1"}); err != errClosing {
			t.Errorf("a hub that is closed: %v", err)
		}
	})
}

// A bug that shows while a statement is planned is that statement's end, and of nothing else.
func TestABugWhileAStatementIsPlanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := connector.Connector{Name: "odd", NewSource: func(connector.Table, connector.Options) (connector.Source, error) { panic("this is a bug") },
			NewSink: func(connector.Table, connector.Options) (connector.Sink, error) { panic("this is a bug") }}
		var log []string
		h, err := Open(Options{Dir: t.TempDir(), Connectors: append(slices.Clone(builtin.Connectors), odd), Tell: func(line string) { log = append(log, line) }})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			name, sql string
			phase     Phase
		}{{"bug", "CREATE TABLE t (a INT) WITH ('connector' = 'odd')", Failed}, {"next", "SELECT 1", Completed}} {
			if _, err := h.Create(x.name, Spec{SQL: x.sql}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got, _ := h.Get(x.name); got.Phase != x.phase || got.Phase == Failed && !strings.Contains(got.Detail, "this is a bug") {
				t.Errorf("%s is %s: %s", x.name, got.Phase, got.Detail)
			}
		}
		if len(log) != 2 || !strings.Contains(log[0], "planned") {
			t.Errorf("told: %q", log)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
