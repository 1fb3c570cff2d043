package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStateMemory runs a statement with and without a limit: it writes the same, and what was on disk is gone.
func TestStateMemory(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Chdir(t.TempDir())
	const keys = 20_000
	table := fmt.Sprintf(`CREATE TABLE t (n BIGINT, k AS MOD(n * 7919, %d), ts AS TO_TIMESTAMP_LTZ(n / 100, 0), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '%d',
'rows-per-second' = '1000000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '%d');`, keys, 3*keys/2, 3*keys/2-1)
	query := `SELECT k, COUNT(*), SUM(n), window_end FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '250' SECOND) GROUP BY k, window_start, window_end;`
	want, code := runSQL(t, table+query)
	if code != exitOK || strings.Count(want, "\n") < keys {
		t.Fatalf("exit code %d, %.300s", code, want)
	}
	for _, c := range []struct {
		name, sql string
		flags     []string
	}{
		{"by a flag", table + query, []string{"--state-memory", "100KB"}},
		{"by SET", "SET 'execution.state.memory-limit' = '100 KB';" + table + query, nil},
		{"by SET over a flag", "SET 'execution.state.memory-limit' = '1';" + table + query, []string{"--state-memory", "1GB"}},
	} {
		if got, code := runSQL(t, c.sql, c.flags...); code != exitOK || got != want {
			t.Errorf("%s: exit code %d, %d bytes, want %d", c.name, code, len(got), len(want))
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("%v is left", left)
	}

	insert := `CREATE TABLE o (k BIGINT, c BIGINT, s BIGINT, e TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv'); INSERT INTO o ` + query
	if said, code := runSQL(t, table+insert, "--state-dir", "state", "--checkpoint-interval", "20ms", "--state-memory", "100KB"); code != exitOK {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if got := len(lines(t, "out")); got != strings.Count(want, "\n")-1 {
		t.Errorf("%d rows with checkpoints, want %d", got, strings.Count(want, "\n")-1)
	}
	if left, _ := filepath.Glob("state/*/spill"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if said, code := runSQL(t, "SELECT 1", "--state-memory", "much"); code != exitUsage || !strings.Contains(said, "256MB") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
