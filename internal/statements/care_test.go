package statements

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// hooked is the sink of tables with connector 'hooked', which does what a test says.
type hooked struct {
	mu             sync.Mutex
	write, prepare func() error // nil is nothing
}

func (h *hooked) set(write, prepare func() error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write, h.prepare = write, prepare
}

func (h *hooked) do(what *func() error) error {
	h.mu.Lock()
	f := *what
	h.mu.Unlock()
	if f == nil {
		return nil
	}
	return f()
}

func (h *hooked) Write(*vector.Batch) error        { return h.do(&h.write) }
func (h *hooked) Flush() error                     { return nil }
func (h *hooked) Close() error                     { return nil }
func (h *hooked) Recover(connector.Recovery) error { return nil }
func (h *hooked) Seal() (connector.Epoch, error)   { return h, nil }
func (h *hooked) Prepare() ([]byte, error)         { return nil, h.do(&h.prepare) }
func (h *hooked) Commit() error                    { return nil }

// connector is the row of the registry.
func (h *hooked) connector() connector.Connector {
	return connector.Connector{
		Name: "hooked",
		NewSource: func(connector.Table, connector.Options) (connector.Source, error) {
			return nil, errors.New("nothing to read")
		},
		NewSink: func(connector.Table, connector.Options) (connector.Sink, error) { return h, nil },
	}
}

// with opens the hub anew, with what change makes of its options.
func (s *testServer) with(change func(*Options)) {
	s.Helper()
	o := s.hub.options
	change(&o)
	s.close()
	var err error
	if s.hub, err = Open(o); err != nil {
		s.Fatal(err)
	}
	synctest.Wait()
}

func (s *testServer) logOf(name string) string {
	s.Helper()
	all, err := s.hub.Log(name)
	if err != nil {
		s.Fatal(err)
	}
	text := ""
	for _, l := range all {
		text += string(l.Level) + " " + l.Text + "\n"
	}
	return text
}

// inHand runs "copy", which writes endless rows to a sink in the hand of the test.
func inHand(t *testing.T, f func(s *testServer, sink *hooked)) {
	t.Helper()
	serve(t, func(s *testServer) {
		sink := &hooked{}
		s.with(func(o *Options) { o.Connectors = append(slices.Clone(builtin.Connectors), sink.connector()) })
		s.done("make", endless)
		s.done("sink", "CREATE TABLE kept (n BIGINT) WITH ('connector' = 'hooked')")
		s.run("copy", "INSERT INTO kept SELECT n FROM ticks")
		s.pass(15 * time.Second)
		s.phase("copy", Running)
		f(s, sink)
		sink.set(nil, nil)
	})
}

// A statement that runs and commits nothing is DEGRADED, and RUNNING once it does again.
func TestAStatementWithoutCheckpointsIsDegraded(t *testing.T) {
	inHand(t, func(s *testServer, sink *hooked) {
		open := make(chan struct{})
		sink.set(nil, func() error { <-open; return nil })
		s.pass(5 * time.Minute)
		s.phase("copy", Running)
		s.pass(30 * time.Second)
		s.phase("copy", Degraded)
		if x := s.settled("copy"); !strings.Contains(x.Detail, "there was no checkpoint for 5m") {
			t.Errorf("the detail is %q", x.Detail)
		}
		close(open)
		s.pass(20 * time.Second)
		s.phase("copy", Running)
		if log := s.logOf("copy"); !strings.Contains(log, "ERROR DEGRADED: there was no checkpoint") || !strings.HasSuffix(log, "INFO RUNNING\n") {
			t.Errorf("the log is\n%s", log)
		}
		if told := strings.Join(s.log, "\n"); !strings.Contains(told, "copy: DEGRADED: there was") || !strings.Contains(told, "copy: RUNNING") {
			t.Errorf("who runs the server is told\n%s", told)
		}
	})
}

// A statement that fails now and then is RUNNING in between, and one that fails often is DEGRADED until it has been well for a while.
func TestAStatementThatFailsOftenIsDegraded(t *testing.T) {
	inHand(t, func(s *testServer, sink *hooked) {
		fail := func() {
			once := true
			sink.set(func() error {
				if !once {
					return nil
				}
				once = false
				return fault.Errorf(fault.External, "the broker is away")
			}, nil)
			s.pass(time.Second / 2)
			s.phase("copy", Degraded)
			s.pass(90 * time.Second)
		}
		fail()
		s.phase("copy", Running)
		fail()
		s.phase("copy", Running)
		fail()
		s.phase("copy", Degraded)
		if x := s.settled("copy"); !strings.Contains(x.Detail, "failed 3 times") || !strings.Contains(x.Detail, "the broker is away") {
			t.Errorf("the detail is %q", x.Detail)
		}
		s.pass(10 * time.Minute)
		s.phase("copy", Running)
	})
}

// What only its user can mend fails a statement at once, and what it takes down is itself alone.
func TestOneBadStatementHarmsNoOther(t *testing.T) {
	for about, bad := range map[string]func() error{
		"a bad row":         func() error { return fault.Errorf(fault.Data, "that row") },
		"no room on a disk": func() error { return fault.Errorf(fault.Resource, "no space is left") },
		"a bug":             func() error { panic("a bug") },
	} {
		inHand(t, func(s *testServer, sink *hooked) {
			s.done("people", people)
			s.run("well", "SELECT n FROM ticks")
			sink.set(bad, nil)
			s.pass(5 * time.Second)
			s.phase("copy", Failed)
			s.phase("well", Running)
			s.done("after", "DESCRIBE people")
			if e, err := s.hub.Exceptions("copy"); err != nil || len(e) != 1 {
				t.Errorf("%s: exceptions are %v, %v", about, e, err)
			}
			if log := s.logOf("copy"); !strings.Contains(log, "ERROR FAILED: ") {
				t.Errorf("%s: the log is\n%s", about, log)
			}
		})
	}
}

// A statement that hangs while it is planned keeps its place, and says after ten minutes that it does.
func TestALongWaitIsTold(t *testing.T) {
	serve(t, func(s *testServer) {
		answer := make(chan struct{})
		s.with(func(o *Options) {
			slow := (&hooked{}).connector()
			slow.Create = func(connector.Table, connector.Options) (bool, error) { <-answer; return true, nil }
			o.Connectors = append(slices.Clone(builtin.Connectors), slow)
		})
		s.run("slow", "CREATE TABLE t (a INT) WITH ('connector' = 'hooked')")
		s.pass(9 * time.Minute)
		if x := s.settled("slow"); x.Phase != Pending || len(x.Warnings) > 0 {
			t.Errorf("after nine minutes it is %s with %v", x.Phase, x.Warnings)
		}
		s.pass(2 * time.Minute)
		if x := s.settled("slow"); x.Phase != Pending || len(x.Warnings) != 1 || x.Warnings[0].Severity != Moderate || x.Warnings[0].Reason != "PENDING" {
			t.Errorf("after eleven minutes it is %s with %v", x.Phase, x.Warnings)
		}
		close(answer)
		s.phase("slow", Completed)
		if x := s.settled("slow"); len(x.Warnings) > 0 {
			t.Errorf("in the end there is a warning: %v", x.Warnings)
		}
	})
}

// Statements that have come to an end are forgotten after a while, with what they kept; tables that they made stay, and so do statements that were stopped, since they can go on.
func TestStatementsThatEndedAreForgotten(t *testing.T) {
	serve(t, func(s *testServer) {
		s.with(func(o *Options) { o.Keep = (24 * time.Hour).Microseconds() })
		s.done("make", people)
		s.done("fill", "INSERT INTO people VALUES (1, 'Ann')")
		s.run("wrong", "SELECT nothing FROM people")
		s.phase("wrong", Failed)
		s.done("ticks", endless)
		s.run("on", "SELECT n FROM ticks")
		if err := s.stop("on", true); err != nil {
			t.Fatal(err)
		}
		s.pass(23 * time.Hour)
		if n := len(s.hub.List()); n != 5 {
			t.Errorf("after 23 hours there are %d statements", n)
		}
		s.pass(2 * time.Hour)
		if all := s.hub.List(); len(all) != 1 || all[0].Name != "on" {
			t.Errorf("after 25 hours there are %v", all)
		}
		for _, folder := range []string{statementsFolder, stateFolder} {
			left, err := os.ReadDir(filepath.Join(s.dir, "server", folder))
			if err != nil || len(left) > 1 {
				t.Errorf("%s has %v: %v", folder, left, err)
			}
		}
		s.close()
		s.open()
		s.done("read", "SELECT name FROM people")
		if got := fmt.Sprint(s.cells("read")); got != `[+I["Ann"]]` {
			t.Errorf("the table has %s", got)
		}
		s.phase("on", Stopped)
	})
}

// The results of all statements share what there is. One that has shown nothing yet gets a row out whatever others hold, and results that nobody asks for make room.
func TestResultsShareMemory(t *testing.T) {
	serve(t, func(s *testServer) {
		s.with(func(o *Options) { o.ResultBytes, o.ResultBytesAll = 1_000_000, 3_000 })
		s.done("make", endless)
		s.done("few", "CREATE TABLE few (n BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '30', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '30')")
		s.run("ended", "SELECT n FROM few")
		s.pass(time.Second)
		s.phase("ended", Completed)
		s.run("a", "SELECT n FROM ticks")
		s.run("b", "SELECT n FROM ticks")
		held := func() int64 {
			s.hub.pool.mu.Lock()
			defer s.hub.pool.mu.Unlock()
			return s.hub.pool.used
		}
		next := map[string]int64{}
		read := func(name string) int {
			p, err := s.hub.Results(name, next[name], 1_000, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			next[name] = p.Next
			return len(p.Rows)
		}
		for range 60 {
			s.pass(10 * time.Second)
			if got := held(); got > 3_200 {
				t.Fatalf("%d bytes are held", got)
			}
			read("a")
			first := read("b") // what was read before makes room for another row
			synctest.Wait()
			if first+read("b") == 0 {
				t.Fatal("a statement that is read has nothing to show")
			}
		}
		if _, err := s.hub.Results("ended", 0, 1_000, 1<<20); !errors.Is(err, ErrGone) {
			t.Errorf("results that nobody has asked for while others wait: %v", err)
		}
		for _, name := range []string{"a", "b", "ended"} {
			if err := s.hub.Delete(name); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if got := held(); got != 0 {
			t.Errorf("%d bytes are held by nobody", got)
		}
	})
}

// The log of a statement tells of every change, and does not grow for ever.
func TestLog(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.run("on", "SELECT n FROM ticks")
		if err := errors.Join(s.stop("on", true), s.stop("on", false)); err != nil {
			t.Fatal(err)
		}
		if got, want := s.logOf("on"), "INFO RUNNING\nINFO STOPPED\nINFO PENDING\nINFO RUNNING\n"; got != want {
			t.Errorf("the log is\n%s", got)
		}
		for range keepLines {
			if err := errors.Join(s.stop("on", true), s.stop("on", false)); err != nil {
				t.Fatal(err)
			}
		}
		if all, err := s.hub.Log("on"); err != nil || len(all) != keepLines {
			t.Errorf("there are %d lines, %v", len(all), err)
		}
		if _, err := s.hub.Log("none"); err == nil {
			t.Error("there is a log of nothing")
		}
	})
}

// A line of the journal that could not be written to its end must not spoil the next one.
func TestHalfALineOfTheJournalIsTakenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), journalFile)
	j, _, err := openJournal(path, func(entry) bool { return true }, func(line string) { t.Error(line) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.add(entry{SQL: "one"}); err != nil {
		t.Fatal(err)
	}
	whole := j.file
	if j.file, err = os.Open(path); err != nil { // nothing can be written to it
		t.Fatal(err)
	}
	if _, err := whole.WriteString(`{"number":2,"sq`); err != nil {
		t.Fatal(err)
	}
	if _, err := j.add(entry{SQL: "two"}); err == nil || j.trouble() == nil {
		t.Fatalf("what cannot be written is: %v, %v", err, j.trouble())
	}
	j.file.Close()
	j.file = whole
	if err := j.file.Truncate(j.size); err != nil {
		t.Fatal(err)
	}
	if _, err := j.add(entry{SQL: "three"}); err != nil || j.trouble() != nil {
		t.Fatalf("%v, %v", err, j.trouble())
	}
	j.close()
	_, all, err := openJournal(path, func(entry) bool { return true }, func(line string) { t.Error(line) })
	if err != nil || len(all) != 2 || all[1].SQL != "three" {
		t.Errorf("the journal has %v, %v", all, err)
	}
}
