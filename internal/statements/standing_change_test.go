package statements

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

// TestHowOftenAStreamingQueryIsKept is what CHECKPOINT_INTERVAL was said last, at once, behind a restart of the query and behind one of the server; the query goes on with its state.
func TestHowOftenAStreamingQueryIsKept(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.done("create", `CREATE STREAMING QUERY q WITH (CHECKPOINT_INTERVAL = "PT3S") `+standingText("a"))
		interval := func(want time.Duration) {
			t.Helper()
			s.phase("q", Running)
			s.hub.mu.Lock()
			defer s.hub.mu.Unlock()
			if got := s.hub.lives["q"].planning.interval; got != want.Microseconds() {
				t.Errorf("it is %d µs, want %s", got, want)
			}
		}
		again := func() {
			t.Helper()
			s.pass(7 * time.Second)
			s.close()
			s.open()
		}
		interval(3 * time.Second)
		s.done("twenty", `ALTER STREAMING QUERY q SET (CHECKPOINT_INTERVAL = "PT20S")`)
		interval(20 * time.Second)
		again()
		interval(20 * time.Second)
		s.done("stop", `ALTER STREAMING QUERY q SET (RUN = FALSE, CHECKPOINT_INTERVAL = "PT5S")`)
		s.phase("q", Stopped)
		s.done("start", "ALTER STREAMING QUERY q SET (RUN = TRUE)")
		interval(5 * time.Second)
		again()
		interval(5 * time.Second)
		s.done("usual", `ALTER STREAMING QUERY q SET (CHECKPOINT_INTERVAL = "PT0S")`)
		interval(10 * time.Second)
		s.done("end", "ALTER STREAMING QUERY q SET (RUN = FALSE)")
		s.whole("a")
	})
}

// TestAChangeThatIsToStop is carried out all the same, since it is in the journal: no other one gets in between.
func TestAChangeThatIsToStop(t *testing.T) {
	var answers chan struct{}
	opened(t, func() { <-answers }, func(s *testServer) {
		answers = make(chan struct{}) // of the bubble
		s.done("lines", "CREATE TABLE lines (s STRING) WITH ('connector' = 'blackhole')")
		s.done("create", "CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO lines SELECT CAST(Unwrap(n) AS String) AS s FROM far; END DO")
		s.run("first", "ALTER STREAMING QUERY q SET (FORCE = TRUE) AS DO BEGIN INSERT INTO lines SELECT \"b\" || CAST(Unwrap(n) AS String) AS s FROM far; END DO")
		if err := s.stop("first", true); err != nil {
			t.Fatal(err)
		}
		if x := s.run("second", "DROP STREAMING QUERY q"); x.Phase != Failed || !strings.Contains(x.Detail, "PRECONDITION_FAILED") {
			t.Errorf("the second is %s: %s", x.Phase, x.Detail)
		}
		close(answers)
		s.phase("q", Running)
		if x := s.settled("q"); !strings.Contains(x.SQL, `"b"`) {
			t.Errorf("it does %s", x.SQL)
		}
		s.phase("first", Stopped)
		if err := s.stop("first", false); err != nil {
			t.Fatal(err)
		}
		s.phase("first", Completed)
		s.done("third", "DROP STREAMING QUERY q")
	})
}

// TestAServerThatEndsWhileAStatementBecomesAnother begins nothing any more: that is for the next start.
func TestAServerThatEndsWhileAStatementBecomesAnother(t *testing.T) {
	far := func(skip string) string {
		return strings.NewReplacer("queue_path: ticks", "queue_path: far", "queue_path: lines", "queue_path: words").Replace(leaving("{computations: {write: {skip_if_expression: " + skip + "}}}"))
	}
	for name, c := range map[string]struct {
		begin  func(s *testServer)
		change func(s *testServer)
	}{
		"a streaming query": {
			func(s *testServer) {
				s.done("create", "CREATE STREAMING QUERY copy AS DO BEGIN INSERT INTO other SELECT n FROM far; END DO")
			},
			func(s *testServer) {
				s.run("alter", "ALTER STREAMING QUERY copy SET (FORCE = TRUE) AS DO BEGIN INSERT INTO other SELECT n + 1 AS n FROM far; END DO")
			},
		},
		"a pipeline": {
			func(s *testServer) { s.run("copy", far("n > 0")) },
			func(s *testServer) {
				if err := s.respec(far("n > 1")); err != nil {
					s.Fatal(err)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var answers chan struct{}
			opened(t, func() { <-answers }, func(s *testServer) {
				answers = make(chan struct{}) // of the bubble
				s.done("words", "CREATE TABLE words (s STRING) WITH ('connector' = 'blackhole')")
				c.begin(s)
				s.phase("copy", Pending)
				c.change(s)
				s.phase("copy", Stopping)
				closed := make(chan error)
				go func() { closed <- s.hub.Close() }()
				synctest.Wait()
				close(answers)
				synctest.Wait()
				select {
				case err := <-closed:
					if err != nil {
						t.Error(err)
					}
				default:
					t.Error("the server does not end")
					s.stop("copy", true)
					<-closed
				}
				var err error
				if s.hub, err = Open(s.hub.options); err != nil {
					t.Fatal(err)
				}
				s.phase("copy", Running)
			})
		})
	}
}

// TestAChangeForWhichTheJournalHasNoRoom leaves the query what it was, for others to change.
func TestAChangeForWhichTheJournalHasNoRoom(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.done("create", "CREATE STREAMING QUERY q "+standingText("a"))
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		defer full.Close()
		journal := s.hub.journal.file
		for name, sql := range map[string]string{
			"drop":   "DROP STREAMING QUERY q",
			"alter":  "ALTER STREAMING QUERY q SET (FORCE = TRUE) " + standingText("b"),
			"create": "CREATE STREAMING QUERY p " + standingText("c"),
		} {
			s.hub.journal.file = full
			if x := s.run("full-"+name, sql); x.Phase != Failed || !strings.Contains(x.Detail, "journal") {
				t.Errorf("%s is %s: %s", name, x.Phase, x.Detail)
			}
			s.hub.journal.file = journal
		}
		s.done("look", "SELECT Path, Text FROM `.sys/streaming_queries`")
		s.pass(time.Second)
		s.done("again", "CREATE STREAMING QUERY p WITH (RUN = FALSE) "+standingText("c"))
		s.done("stop", "ALTER STREAMING QUERY q SET (RUN = FALSE)")
		s.done("start", "ALTER STREAMING QUERY q SET (RUN = TRUE)")
		s.phase("q", Running)
		s.done("end", "DROP STREAMING QUERY q")
		s.whole("a")
		if _, err := os.Stat(filepath.Join(s.dir, "server", stateFolder, "q")); err == nil {
			t.Error("its state is still there")
		}
	})
}

// TestABugWhileAChangeIsPlanned is told as it is, and others can change the query.
func TestABugWhileAChangeIsPlanned(t *testing.T) {
	serve(t, func(s *testServer) {
		wrong := false
		odd := connector.Connector{Name: "odd",
			NewSink:   func(connector.Table, connector.Options) (connector.Sink, error) { return &hooked{}, nil },
			NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return distant{func() {}}, nil },
			Yields: func(connector.Table, connector.Options) connector.Changelog {
				if wrong {
					panic("this is a bug")
				}
				return connector.Append
			}}
		s.with(func(o *Options) { o.Connectors = append(slices.Clone(builtin.Connectors), odd) })
		s.done("table", "CREATE TABLE odd (n BIGINT) WITH ('connector' = 'odd')")
		s.done("into", "CREATE TABLE other (n BIGINT) WITH ('connector' = 'blackhole')")
		wrong = true
		const create = "CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO other SELECT n FROM odd; END DO"
		if x := s.run("create", create); x.Phase != Failed || !strings.Contains(x.Detail, "this is a bug") {
			t.Errorf("it is %s: %s", x.Phase, x.Detail)
		}
		wrong = false
		s.done("again", create)
	})
}
