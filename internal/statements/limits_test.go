package statements

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// What a statement says of itself is kept to what the server lets it have.
func TestAStatementGetsNoMoreThanThereIs(t *testing.T) {
	serve(t, func(s *testServer) {
		s.with(func(o *Options) { o.MaxParallelism, o.MaxMemory = 3, 2_000 })
		s.done("make", endless)
		s.done("sink", "CREATE TABLE counts (n BIGINT, c BIGINT) WITH ('connector' = 'blackhole')")
		spilled := func() bool {
			_, err := os.Stat(filepath.Join(s.dir, "server", stateFolder, "count", "spill"))
			return err == nil
		}
		run := func() {
			t.Helper()
			spec := Spec{SQL: "INSERT INTO counts SELECT n, COUNT(*) FROM ticks GROUP BY n", Properties: map[string]string{"parallelism.default": "8", "execution.state.memory-limit": "0"}}
			if _, err := s.hub.Create("count", spec); err != nil {
				t.Fatal(err)
			}
			s.pass(time.Minute)
			s.phase("count", Running)
		}
		tasks := func() (most int) {
			stats, ok, err := s.hub.Stats("count")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			for _, x := range stats.Tasks {
				most = max(most, len(x.Instances))
			}
			return most
		}
		run()
		if !spilled() {
			t.Error("a statement that wants any amount of memory has it")
		}
		if n := tasks(); n != 3 {
			t.Errorf("a statement that wants 8 tasks has %d, want 3", n)
		}
		if err := s.hub.Delete("count"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.with(func(o *Options) { o.MaxParallelism, o.MaxMemory = 0, 0 })
		run()
		if spilled() {
			t.Error("without a limit state goes to the disk")
		}
		if n := tasks(); n != 8 {
			t.Errorf("without a limit a statement that wants 8 tasks has %d", n)
		}
	})
}
