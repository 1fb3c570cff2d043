package statements

import (
	"testing"
	"time"
)

// TestLooksAreShared: who asks within a fifth of a second is told the same, and of a job that runs no more nothing.
func TestLooksAreShared(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.done("sink", "CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'blackhole')")
		s.run("copy", "INSERT INTO nowhere SELECT n FROM ticks")
		seen := func() *Seen {
			t.Helper()
			x, err := s.hub.Seen("copy")
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		first := seen()
		s.pass(199 * time.Millisecond)
		if second := seen(); first != second || first.Stats == nil || len(first.Names) != 1 {
			t.Errorf("looked at twice: %+v, %+v", first, second)
		}
		s.pass(time.Millisecond)
		if third := seen(); third == first || third.At != first.At+200_000 {
			t.Errorf("%+v after %+v", third, first)
		}
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
		if x := seen(); x.Stats != nil {
			t.Errorf("stopped: %+v", x)
		}
		if _, _, ok, err := s.hub.Timeline("copy", 0); ok || err != nil {
			t.Errorf("stopped: %v, %v", ok, err)
		}
		if _, err := s.hub.Seen("nobody"); err == nil {
			t.Error("nobody is seen")
		}
	})
}
