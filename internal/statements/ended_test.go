package statements

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

// planned runs f with a hub whose tables of connector held are planned no further until release is closed.
func planned(t *testing.T, f func(s *testServer, release chan struct{})) {
	t.Helper()
	serve(t, func(s *testServer) {
		release := make(chan struct{})
		plan := func() error { <-release; return connector.NotReadable("held", "do not") }
		held := connector.Connector{Name: "held",
			NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return nil, plan() },
			NewSink:   func(connector.Table, connector.Options) (connector.Sink, error) { return nil, plan() }}
		s.with(func(o *Options) { o.Connectors = append(slices.Clone(builtin.Connectors), held) })
		s.done("make", endless)
		s.run("first", "CREATE TABLE far (n BIGINT) WITH ('connector' = 'held')")
		s.phase("first", Pending)
		f(s, release)
	})
}

// Who waits for another one to be planned can be deleted and stopped, and goes on when it is resumed.
func TestWhatWaitsToBePlannedEnds(t *testing.T) {
	planned(t, func(s *testServer, release chan struct{}) {
		for _, name := range []string{"deleted", "stopped"} {
			s.run(name, "CREATE TABLE "+name+" (n BIGINT) WITH ('connector' = 'blackhole')")
			s.phase(name, Pending)
		}
		if err := s.hub.Delete("deleted"); err != nil {
			t.Fatal(err)
		}
		if err := s.stop("stopped", true); err != nil {
			t.Fatal(err)
		}
		if _, err := s.hub.Get("deleted"); err == nil {
			t.Error("it is there still")
		}
		s.phase("stopped", Stopped)
		close(release)
		s.phase("first", Failed)
		if x := s.run("into", "INSERT INTO deleted SELECT n FROM ticks"); x.Phase != Failed || !strings.Contains(x.Detail, "unknown table") {
			t.Errorf("into what was deleted: %s (%s)", x.Phase, x.Detail)
		}
		if err := s.stop("stopped", false); err != nil {
			t.Fatal(err)
		}
		s.phase("stopped", Completed)
	})
}

// A statement whose planning is ended is as if it had not been planned, whatever it would have come to.
func TestWhatIsPlannedEnds(t *testing.T) {
	planned(t, func(s *testServer, release chan struct{}) {
		if err := s.stop("first", true); err != nil {
			t.Fatal(err)
		}
		s.phase("first", Stopping)
		close(release)
		if x := s.settled("first"); x.Phase != Stopped || x.Detail != "" {
			t.Errorf("it is %s: %s", x.Phase, x.Detail)
		}
		if err := s.stop("first", false); err != nil {
			t.Fatal(err)
		}
		s.phase("first", Failed)
	})
}

// A server that ends does not plan what waits, which it does when it starts again.
func TestAServerEndsWhileItPlans(t *testing.T) {
	planned(t, func(s *testServer, release chan struct{}) {
		s.run("waits", "CREATE TABLE waits (n BIGINT) WITH ('connector' = 'blackhole')")
		drafted := make(chan error)
		go func() {
			_, err := s.hub.Explain(Spec{SQL: "SELECT n FROM ticks"})
			drafted <- err
		}()
		synctest.Wait()
		closed := make(chan struct{})
		go func() { s.close(); close(closed) }()
		if err := <-drafted; err != errClosing {
			t.Errorf("who asked is told %v", err)
		}
		synctest.Wait()
		close(release)
		<-closed
		s.open()
		s.phase("waits", Completed)
	})
}
