package statements

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// advised is what is known of a table, of which something must be known.
func (s *testServer) advised(table, column string) Advice {
	s.Helper()
	a, err := s.hub.Advise(Spec{}, table, column)
	if err != nil {
		s.Fatalf("%s: %v", table, err)
	}
	return a
}

// A table with an end is read to it, beside the statements, and what was found stays until somebody wants it to be found anew.
func TestAdviceAboutAFile(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", "CREATE TABLE `my clicks` (id BIGINT, ts TIMESTAMP(3), at_ TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'filesystem', 'path' = '~/clicks', 'format' = 'json')")
		s.done("fill", "INSERT INTO `my clicks` VALUES (1, TIMESTAMP '2026-01-01 00:00:10', TIMESTAMP '2026-01-01 00:00:00'), (2, TIMESTAMP '2026-01-01 00:00:04', TIMESTAMP '2026-01-01 00:00:01'), (3, TIMESTAMP '2026-01-01 00:00:20', TIMESTAMP '2026-01-01 00:00:02')")
		if a := s.advised("my clicks", ""); a.State != StudyRunning && a.State != StudyDone {
			t.Errorf("it begins as %q", a.State)
		}
		synctest.Wait()
		for _, table := range []string{"my clicks", "`my clicks`"} {
			s.advised(table, "")
			synctest.Wait()
			a := s.advised(table, "")
			if r := a.Report; a.State != StudyDone || a.Detail != "" || r == nil || r.Rows != 3 || r.Column != "ts" || r.Disorder.Rows != 1 || int64(r.Disorder.Worst.By) != 6_000_000 {
				t.Errorf("%s: %+v", table, a)
			}
		}
		s.advised("my clicks", "at_")
		synctest.Wait()
		if a := s.advised("my clicks", "at_"); a.State != StudyDone || a.Report.Column != "at_" || a.Report.Disorder.Rows != 0 {
			t.Errorf("the other column: %+v", a)
		}
		s.done("more", "INSERT INTO `my clicks` VALUES (4, TIMESTAMP '2026-01-01 00:00:30', TIMESTAMP '2026-01-01 00:00:30')")
		if a := s.advised("my clicks", ""); a.Report.Rows != 3 {
			t.Errorf("what was found has changed: %+v", a)
		}
		s.hub.ForgetAdvice("", "my clicks", "")
		s.advised("my clicks", "")
		synctest.Wait()
		if a := s.advised("my clicks", ""); a.Report.Rows != 4 {
			t.Errorf("found anew: %+v", a)
		}
		for i := range 2 * keptStudies {
			if _, err := s.hub.Advise(Spec{Environment: fmt.Sprint("env", i)}, "my clicks", ""); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if n := len(s.hub.studies.all); n != keptStudies || len(s.hub.studies.order) != n {
			t.Errorf("%d are kept, in an order of %d", n, len(s.hub.studies.order))
		}
	})
}

// A table without end is read for a while, and only so many are at once.
func TestAdviceIsBounded(t *testing.T) {
	serve(t, func(s *testServer) {
		for i := range 4 {
			s.done(fmt.Sprint("make", i), fmt.Sprintf("CREATE TABLE t%d (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'rows-per-second' = '10')", i))
		}
		s.advised("t0", "")
		s.advised("t1", "")
		s.pass(10 * time.Second)
		a := s.advised("t0", "")
		if a.State != StudyRunning || a.Report == nil || a.Report.Rows < 90 || a.Report.Rows > 110 {
			t.Errorf("after ten seconds: %+v", a)
		}
		if _, err := s.hub.Advise(Spec{}, "t2", ""); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "2 tables") {
			t.Errorf("a third one: %v", err)
		}
		s.hub.ForgetAdvice("", "t1", "")
		s.advised("t2", "")
		s.pass(25 * time.Second)
		a = s.advised("t0", "")
		if a.State != StudyDone || !strings.Contains(a.Detail, "30 s") || a.Report.Rows < 290 || a.Report.Rows > 310 {
			t.Errorf("after 35 s: %+v", a)
		}
		s.done("beside", "SELECT 1")
		s.advised("t3", "")
		s.pass(time.Second) // and the server ends while two are read
	})
}

func TestAdviceThatCannotBeGiven(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("people", people)
		s.done("gone", "CREATE TABLE gone (ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '~/nowhere', 'format' = 'json')")
		for _, c := range []struct{ table, column, want string }{
			{"peple", "", "did you mean 'people'?"}, {"people", "", "has no watermark"}, {"people", "nope", "nope"}, {"people; DROP TABLE people", "", ""}, {"", "", ""}, {"people", "id", ""}, {strings.Repeat("x", MaxSQL+1), "", "bytes"},
		} {
			_, err := s.hub.Advise(Spec{}, c.table, c.column)
			if _, ok := err.(*Invalid); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.40q %q: %T %v", c.table, c.column, err, err)
			}
		}
		s.advised("gone", "")
		synctest.Wait()
		if a := s.advised("gone", ""); a.State != StudyFailed || !strings.Contains(a.Detail, "nowhere") || a.Report != nil {
			t.Errorf("a file that is not there: %+v", a)
		}
	})
}

// A text that is looked at, and a table that is read for advice, are kept within the folders of the server as statements are, hints and all.
func TestLooksAreConfined(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte(`{"ts": "2026-01-01 00:00:00"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		connectors := slices.Clone(builtin.Connectors)
		for i := range connectors {
			if connectors[i].Name == "filesystem" {
				connectors[i] = filesystem.Confined(connectors[i], []string{inside})
			}
		}
		h, err := Open(Options{Dir: t.TempDir(), Connectors: connectors, Tell: func(line string) { t.Log(line) }})
		if err != nil {
			t.Fatal(err)
		}
		with := func(dir string) string {
			return "CREATE TABLE clicks (ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '" + dir + "/secret', 'format' = 'json')"
		}
		refused := "outside of what statements may read"
		if _, err := h.Explain(Spec{SQL: with(outside) + "; SELECT * FROM clicks"}); err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("explain: %v", err)
		}
		if found, err := h.Check(Spec{SQL: with(outside)}); err != nil || len(found) == 0 || !strings.Contains(found[0].Message, refused) {
			t.Errorf("check: %v %v", found, err)
		}
		if _, err := h.Create("make", Spec{SQL: with(inside)}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		hint := " /*+ OPTIONS('path' = '" + outside + "/secret') */"
		if _, err := h.Explain(Spec{SQL: "SELECT * FROM clicks" + hint}); err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("explain with a hint: %v", err)
		}
		if _, err := h.Advise(Spec{}, "clicks"+hint, ""); err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("advice with a hint: %v", err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}
