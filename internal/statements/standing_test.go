package statements

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ticks and lines are what the streaming queries of these tests read and write: a number ten times a second, and lines of text.
func (s *testServer) declare() {
	s.Helper()
	s.done("ticks", strings.Replace(endless, "n BIGINT", "n BIGINT NOT NULL", 1))
	s.done("lines", "CREATE TABLE lines (s STRING) WITH ('connector' = 'filesystem', 'path' = '~/lines', 'format' = 'raw')")
}

// standing is a streaming query that writes numbers behind a word.
func standingText(word string) string {
	return fmt.Sprintf("AS DO BEGIN INSERT INTO lines SELECT %q || CAST(n AS String) FROM ticks; END DO", word)
}

// lines are what was written, by words, in the order of the numbers.
func (s *testServer) lines() []string {
	s.Helper()
	var all []string
	files, err := filepath.Glob(filepath.Join(s.dir, "lines", "*"))
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			s.Fatal(err)
		}
		all = append(all, strings.Fields(string(text))...)
	}
	slices.SortFunc(all, func(a, b string) int { return numberOf(a) - numberOf(b) })
	return all
}

func numberOf(line string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))
	return n
}

// whole asserts that every number from 1 on was written once, and tells which words were.
func (s *testServer) whole(words string) {
	s.Helper()
	var found []string
	for i, line := range s.lines() {
		if numberOf(line) != i+1 {
			s.Fatalf("line %d is %s", i+1, line)
		}
		if w := strings.TrimRight(line, "0123456789"); len(found) == 0 || found[len(found)-1] != w {
			found = append(found, w)
		}
	}
	if got := strings.Join(found, " "); got != words {
		s.Fatalf("words are %s, want %s", got, words)
	}
}

// TestAStreamingQuery is the life of one: it is a statement of its own, stops and goes on, is given another text, and goes.
func TestAStreamingQuery(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.done("create", "CREATE STREAMING QUERY `Team/Q` "+standingText("a"))
		s.phase("team-q", Running)
		x := s.settled("team-q")
		if x.Traits.Kind != kindStanding || !x.Traits.Bounded || !strings.Contains(x.SQL, standingText("a")) {
			t.Errorf("it is %+v %+v", x, x.Traits)
		}
		s.pass(3 * time.Second)
		s.done("look", "SELECT Path, Status, Issues, Run, RetryCount, LastFailAt, CHAR_LENGTH(LastExecutionId) > 0, PreviousExecutionIds, Text FROM `.sys/streaming_queries`")
		if got, want := fmt.Sprint(s.cells("look")), `[+I["/default_database/Team/Q","RUNNING","{}","TRUE","0",null,"TRUE","[]"," INSERT INTO lines SELECT \"a\" || CAST(n AS String) FROM ticks; "]]`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		s.done("stop", "ALTER STREAMING QUERY `Team/Q` SET (RUN = FALSE)")
		s.phase("team-q", Stopped)
		s.whole("a")
		n := len(s.lines())
		if n < 20 {
			t.Errorf("%d lines were written", n)
		}
		s.pass(3 * time.Second)
		s.done("start", "ALTER STREAMING QUERY `Team/Q` SET (RUN = TRUE)")
		s.pass(3 * time.Second)
		s.phase("team-q", Running)

		s.done("force", "ALTER STREAMING QUERY `Team/Q` SET (FORCE = TRUE) "+standingText("b"))
		s.phase("team-q", Running)
		s.pass(3 * time.Second)
		s.close()
		s.open()
		s.phase("team-q", Running)
		s.pass(3 * time.Second)
		s.done("replace", "CREATE OR REPLACE STREAMING QUERY `Team/Q` WITH (RUN = FALSE) "+standingText("c"))
		s.phase("team-q", Stopped)
		s.whole("a b")
		s.close()
		s.open()
		s.phase("team-q", Stopped)
		if x := s.settled("team-q"); !strings.Contains(x.SQL, standingText("c")) {
			t.Errorf("its text is %s", x.SQL)
		}
		if err := s.stop("team-q", false); err != nil {
			t.Error(err)
		}
		s.pass(3 * time.Second)
		s.done("stop-again", "ALTER STREAMING QUERY `Team/Q` SET (RUN = FALSE)")
		s.whole("a b c")

		if err := s.hub.Delete("team-q"); err == nil || !strings.Contains(err.Error(), "DROP STREAMING QUERY") {
			t.Errorf("it was deleted by itself: %v", err)
		}
		s.done("drop", "DROP STREAMING QUERY `Team/Q`")
		if _, err := s.hub.Get("team-q"); err == nil {
			t.Error("it is still there")
		}
		if _, err := os.Stat(filepath.Join(s.dir, "server", stateFolder, "team-q")); err == nil {
			t.Error("its state is still there")
		}
		s.close()
		s.open()
		if _, err := s.hub.Get("team-q"); err == nil {
			t.Error("it is there again")
		}
	})
}

// TestStatementsAtOnce: of statements that come at once, each is carried out as a whole or refused with its class, whatever the order, and there is one query at most, which does what its record says.
func TestStatementsAtOnce(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		create := "CREATE STREAMING QUERY q " + standingText("a")
		replace := "CREATE OR REPLACE STREAMING QUERY q " + standingText("b")
		force := "ALTER STREAMING QUERY q SET (FORCE = TRUE) " + standingText("c")
		for n, c := range []struct {
			at          []string
			least, most int  // are COMPLETED
			there       bool // the query is for sure, when all have ended
			said        []string
		}{
			{[]string{create, create, create, create}, 1, 1, true, []string{"ALREADY_EXISTS", "PRECONDITION_FAILED"}},
			{[]string{replace, replace, force, replace}, 1, 4, true, []string{"PRECONDITION_FAILED"}},
			{[]string{"ALTER STREAMING QUERY q SET (RUN = FALSE)", "ALTER STREAMING QUERY q SET (RUN = TRUE)", force}, 1, 3, true, []string{"PRECONDITION_FAILED"}},
			{[]string{"DROP STREAMING QUERY q", "ALTER STREAMING QUERY q SET (RUN = TRUE)", force, replace}, 1, 4, false, []string{"NOT_FOUND", "PRECONDITION_FAILED"}},
			{[]string{"DROP STREAMING QUERY IF EXISTS q", "DROP STREAMING QUERY IF EXISTS q", "DROP STREAMING QUERY IF EXISTS q"}, 1, 3, false, []string{"PRECONDITION_FAILED"}},
			{[]string{"CREATE TABLE t (a BIGINT) WITH ('connector' = 'blackhole')", "CREATE TABLE t (a STRING) WITH ('connector' = 'blackhole')"}, 1, 1, false, []string{"'t' is there already"}},
		} {
			for k, sql := range c.at {
				if _, err := s.hub.Create(fmt.Sprintf("at-%d-%d", n, k), Spec{SQL: sql}); err != nil {
					t.Fatal(err)
				}
			}
			s.pass(time.Second)
			completed := 0
			for k, sql := range c.at {
				switch x := s.settled(fmt.Sprintf("at-%d-%d", n, k)); {
				case x.Phase == Completed:
					completed++
				case x.Phase != Failed || !slices.ContainsFunc(c.said, func(why string) bool { return strings.Contains(x.Detail, why) }):
					t.Errorf("%s is %s: %s", sql, x.Phase, x.Detail)
				}
			}
			if completed < c.least || completed > c.most {
				t.Errorf("%d of %q are COMPLETED", completed, c.at)
			}
			queries := 0
			for _, x := range s.hub.List() {
				if x.Traits == nil || x.Traits.Kind != kindStanding || strings.HasPrefix(x.Name, "at-") {
					continue
				}
				if queries++; x.Phase != Running && x.Phase != Stopped || x.Spec.Stopped != (x.Phase == Stopped) {
					t.Errorf("behind %q it is %s: %s", c.at, x.Phase, x.Detail)
				}
			}
			if queries > 1 || c.there && queries == 0 {
				t.Errorf("behind %q there are %d", c.at, queries)
			}
		}
	})
}

// TestStreamingQueriesThatCannotBe tells the class of an error, and changes nothing.
func TestStreamingQueriesThatCannotBe(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.done("create", "CREATE STREAMING QUERY q "+standingText("a"))
		for class, sql := range map[string]string{
			"ALREADY_EXISTS":      "CREATE STREAMING QUERY q " + standingText("a"),
			"NOT_FOUND":           "DROP STREAMING QUERY p",
			"PRECONDITION_FAILED": "ALTER STREAMING QUERY q " + standingText("b"),
			"BAD_REQUEST":         "CREATE STREAMING QUERY lines " + standingText("a"),
		} {
			if x := s.run(strings.ToLower(strings.ReplaceAll(class, "_", "-")), sql); x.Phase != Failed || !strings.Contains(x.Detail, class) {
				t.Errorf("%s: %s %s", class, x.Phase, x.Detail)
			}
		}
		s.phase("q", Running)
	})
}

// TestStreamingQueriesOfOneName share no name with other statements.
func TestStreamingQueriesOfOneName(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.done("q", "CREATE STREAMING QUERY Q WITH (RUN = FALSE) "+standingText("a"))
		s.phase("q-2", Stopped)
		s.done("look", "$x = 1; SELECT Status, Run FROM `.sys/streaming_queries`")
		if got := fmt.Sprint(s.cells("look")); got != `[+I["CREATED","FALSE"]]` {
			t.Errorf("states are %s", got)
		}
		s.done("more", "CREATE STREAMING QUERY q WITH (RUN = FALSE) "+standingText("a"))
		s.phase("q-3", Stopped)
		s.done("drop", "DROP STREAMING QUERY Q")
		s.phase("q-3", Stopped)
	})
}

// TestAKillOfAServerWithAStreamingQuery has statements of another life of the server carried out: whatever was on the disk at a moment, what the journal says is what comes of it.
func TestAKillOfAServerWithAStreamingQuery(t *testing.T) {
	for _, c := range []struct {
		name, sql string
		// lost is what a kill behind the entry of the journal leaves undone: the record of the streaming query is as it was before.
		want  Phase
		words string
	}{
		{"made", "", Running, "a"},
		{"stopped", "ALTER STREAMING QUERY q SET (RUN = FALSE)", Stopped, "a"},
		{"rewritten", "ALTER STREAMING QUERY q SET (FORCE = TRUE) " + standingText("b"), Running, "a b"},
		{"dropped", "DROP STREAMING QUERY q", "", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			serve(t, func(s *testServer) {
				s.declare()
				s.done("create", "CREATE STREAMING QUERY q "+standingText("a"))
				s.pass(12 * time.Second)
				record := filepath.Join(s.dir, "server", statementsFolder, "q"+recordSuffix)
				before, err := os.ReadFile(record)
				if err != nil {
					t.Fatal(err)
				}
				s.close()
				if c.sql == "" {
					if err := os.Remove(record); err != nil {
						t.Fatal(err)
					}
				} else {
					journal, err := os.OpenFile(filepath.Join(s.dir, "server", journalFile), os.O_APPEND|os.O_WRONLY, 0)
					if err != nil {
						t.Fatal(err)
					}
					_, err = journal.Write(entry{Number: 100, Statement: "killed", SQL: c.sql, Declares: true}.append(nil))
					if err != nil {
						t.Fatal(err)
					}
					journal.Close()
					if err := os.WriteFile(record, before, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				s.open()
				if c.want == "" {
					if _, err := s.hub.Get("q"); err == nil {
						t.Error("it is still there")
					}
					return
				}
				s.phase("q", c.want)
				s.pass(12 * time.Second)
				if c.want == Running {
					s.done("stop", "ALTER STREAMING QUERY q SET (RUN = FALSE)")
				}
				s.whole(c.words)
			})
		})
	}
}

// TestAStreamingQueryForWhichThereIsNoPlace leaves nothing behind.
func TestAStreamingQueryForWhichThereIsNoPlace(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.with(func(o *Options) { o.Running, o.Statements = 1, 3 })
		if x := s.run("create", "CREATE STREAMING QUERY q "+standingText("a")); x.Phase != Failed || !strings.Contains(x.Detail, "--max-statements") {
			t.Errorf("it is %s: %s", x.Phase, x.Detail)
		}
		s.close()
		s.open()
		if x := s.run("drop", "DROP STREAMING QUERY q"); x.Phase != Failed || !strings.Contains(x.Detail, "NOT_FOUND") {
			t.Errorf("it is %s: %s", x.Phase, x.Detail)
		}
		s.with(func(o *Options) { o.Running = 1 })
		s.done("make", "CREATE STREAMING QUERY q "+standingText("a")) // in place of the statement that makes it
		s.phase("q", Running)
	})
}

// TestTwoChangesOfAStreamingQuery refuses the second, and lets it in when the first has ended.
func TestTwoChangesOfAStreamingQuery(t *testing.T) {
	var answers chan struct{}
	opened(t, func() { <-answers }, func(s *testServer) {
		answers = make(chan struct{}) // of the bubble
		s.done("lines", "CREATE TABLE lines (s STRING) WITH ('connector' = 'blackhole')")
		s.done("create", "CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO lines SELECT CAST(Unwrap(n) AS String) AS s FROM far; END DO")
		s.phase("q", Pending)
		s.run("first", "ALTER STREAMING QUERY q SET (RUN = FALSE)")
		s.phase("first", Pending)
		if x := s.run("second", "DROP STREAMING QUERY q"); x.Phase != Failed || !strings.Contains(x.Detail, "PRECONDITION_FAILED") {
			t.Errorf("the second is %s: %s", x.Phase, x.Detail)
		}
		if err := s.stop("q", false); err == nil {
			t.Error("it was started while it is being changed")
		}
		close(answers)
		s.phase("first", Completed)
		s.phase("q", Stopped)
		s.done("third", "DROP STREAMING QUERY q")
	})
}
