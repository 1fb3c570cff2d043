package statements

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// distant is a source without rows that does something when it is opened.
type distant struct{ open func() }

func (d distant) Bounded() bool                          { return false }
func (d distant) NewDecoder() (connector.Decoder, error) { return nil, nil }
func (d distant) Close() error                           { return nil }
func (d distant) Open() ([]connector.Split, error) {
	d.open()
	return nil, nil
}

// opened runs f with a hub whose table far does something when it is opened.
func opened(t *testing.T, open func(), f func(s *testServer)) {
	t.Helper()
	serve(t, func(s *testServer) {
		far := connector.Connector{Name: "distant",
			NewSink:   func(connector.Table, connector.Options) (connector.Sink, error) { return &hooked{}, nil },
			NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return distant{open}, nil }}
		s.with(func(o *Options) { o.Connectors = append(slices.Clone(builtin.Connectors), far) })
		s.done("make", endless)
		s.done("table", "CREATE TABLE far (n BIGINT) WITH ('connector' = 'distant')")
		s.done("into", "CREATE TABLE other (n BIGINT) WITH ('connector' = 'blackhole')")
		f(s)
	})
}

// Who waits for a broker that does not answer, waits alone.
func TestAStatementIsStartedBesideOthers(t *testing.T) {
	var answers chan struct{}
	opened(t, func() { <-answers }, func(s *testServer) {
		answers = make(chan struct{}) // of the bubble
		s.run("slow", "INSERT INTO other SELECT n FROM far")
		s.phase("slow", Pending)
		s.done("declare", "CREATE TABLE another (n BIGINT) WITH ('connector' = 'blackhole')")
		if _, err := s.hub.Check(Spec{SQL: "SELECT * FROM ticks"}); err != nil {
			t.Error(err)
		}
		s.run("read", "SELECT n FROM ticks")
		s.phase("read", Running)
		close(answers)
		s.phase("slow", Running)
	})
}

// A bug that shows while a statement is started is that statement's end, and of nothing else; nothing that was made for it stays.
func TestABugWhileAStatementIsStarted(t *testing.T) {
	opened(t, func() { panic("this is a bug") }, func(s *testServer) {
		for name, sql := range map[string]string{
			"insert": "INSERT INTO other SELECT n FROM far",
			"fill":   "CREATE TABLE filled WITH ('connector' = 'blackhole') AS SELECT n FROM far",
		} {
			x := s.run(name, sql)
			if x.Phase != Failed && x.Phase != Degraded || !strings.Contains(x.Detail, "this is a bug") {
				t.Errorf("%s is %s: %s", name, x.Phase, x.Detail)
			}
		}
		if told := strings.Join(s.log, "\n"); !strings.Contains(told, "started") {
			t.Errorf("told: %s", told)
		}
		s.phase("fill", Failed)
		s.run("gone", "SELECT * FROM filled")
		if x := s.settled("gone"); x.Phase != Failed || !strings.Contains(x.Detail, "unknown table") {
			t.Errorf("the table is there still: %s %s", x.Phase, x.Detail)
		}
		s.done("next", "SHOW TABLES")
	})
}

// A kill between the entry of the journal and the record of the statement leaves the one without the other.
func TestARecordThatIsOlderThanTheJournal(t *testing.T) {
	for name, sql := range map[string]string{
		"make": endless,
		"fill": "CREATE TABLE kept WITH ('connector' = 'filesystem', 'path' = '~/kept', 'format' = 'json') AS SELECT n FROM ticks",
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, func(s *testServer) {
				s.done("make", endless)
				want := Completed
				if name == "fill" {
					s.run(name, sql)
					want = Running
				}
				s.phase(name, want)
				s.close()
				s.older(name)
				s.open()
				s.phase(name, want)
				s.run("read", "SELECT n FROM ticks")
				s.phase("read", Running)
				// It is found again, and deleted, as any other.
				s.close()
				s.open()
				s.phase(name, want)
				// Another one of that name and text is another one.
				if err := s.hub.Delete(name); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				s.run(name, sql)
				s.phase(name, Failed)
			})
		})
	}
}

// older puts the record of a statement back to when it had just been made.
func (s *testServer) older(name string) {
	s.Helper()
	path := filepath.Join(s.dir, "server", statementsFolder, name+recordSuffix)
	text, err := os.ReadFile(path)
	var r record
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		s.Fatal(err)
	}
	r.Phase, r.Kind, r.Planned, r.Version = Pending, "", 0, 1
	if err := r.save(filepath.Dir(path)); err != nil {
		s.Fatal(err)
	}
}

// What cannot be written down, as on a full disk, is written when it can be.
func TestARecordThatCannotBeWritten(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.run("read", "SELECT n FROM ticks")
		folder := filepath.Join(s.dir, "server", statementsFolder)
		if err := os.Rename(folder, folder+".away"); err != nil {
			t.Fatal(err)
		}
		if err := s.stop("read", true); err == nil {
			t.Error("nobody was told")
		}
		s.phase("read", Stopped)
		if err := s.hub.Taking(); err == nil || !strings.Contains(err.Error(), "written down") {
			t.Errorf("the server is ready: %v", err)
		}
		if err := os.Rename(folder+".away", folder); err != nil {
			t.Fatal(err)
		}
		s.pass(2 * time.Minute)
		if err := s.hub.Taking(); err != nil {
			t.Error(err)
		}
		all, err := records(folder, func(line string) { t.Error(line) })
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if r.Name == "read" && r.Phase != Stopped {
				t.Errorf("its record says %s", r.Phase)
			}
		}
	})
}

// A statement whose last checkpoint fails is stopped all the same: it goes on from the one before.
func TestAStatementIsStoppedWithoutItsLastCheckpoint(t *testing.T) {
	inHand(t, func(s *testServer, sink *hooked) {
		sink.set(nil, func() error { return fault.Errorf(fault.Resource, "no space is left") })
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
		if x := s.settled("copy"); !strings.Contains(x.Detail, "no space is left") {
			t.Errorf("the detail is %q", x.Detail)
		}
		sink.set(nil, nil)
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Running)
	})
}
