package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestStateOnDiskInTheBrokerThatIsKilled kills a statement whose sessions, windows and groups are on the disk, nearly all of them: it gives what it would if it had memory, and nobody had killed it.
func TestStateOnDiskInTheBrokerThatIsKilled(t *testing.T) {
	const rows, keys = 40_000, 5_000
	kills := 10
	if testing.Short() {
		kills = 3
	}
	if n := os.Getenv("TIDEMARK_KILLS"); n != "" {
		fmt.Sscan(n, &kills)
	}
	t.Chdir(t.TempDir())
	var in strings.Builder
	for n := range rows {
		fmt.Fprintf(&in, "%d,%d,%s\n", n, n*7919%keys, time.Date(2026, 1, 1, 0, 0, n/20, 0, time.UTC).Format("2006-01-02 15:04:05"))
	}
	if err := os.WriteFile("in.csv", []byte(in.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	statement := `
CREATE TABLE t (n BIGINT, k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');
CREATE TABLE visits (k BIGINT, w TIMESTAMP(3), c BIGINT, s BIGINT);
CREATE TABLE hours (k BIGINT, w TIMESTAMP(3), c BIGINT, s BIGINT);
CREATE TABLE totals (k BIGINT PRIMARY KEY NOT ENFORCED, c BIGINT, s BIGINT);
EXECUTE STATEMENT SET BEGIN
INSERT INTO visits SELECT k, window_start, COUNT(*), SUM(n) FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k;
INSERT INTO hours SELECT k, window_start, COUNT(*), SUM(n) FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '20' MINUTE) GROUP BY window_start, window_end, k;
INSERT INTO totals SELECT k, COUNT(*), SUM(n) FROM t GROUP BY k;
END`
	look := func(data string) string {
		got, code := runSQL(t, `
SET 'sql.snapshot.mode' = 'now';
CREATE TABLE visits (k BIGINT, w TIMESTAMP(3), c BIGINT, s BIGINT);
CREATE TABLE hours (k BIGINT, w TIMESTAMP(3), c BIGINT, s BIGINT);
CREATE TABLE totals (k BIGINT PRIMARY KEY NOT ENFORCED, c BIGINT, s BIGINT);
SELECT * FROM visits ORDER BY k, w; SELECT * FROM hours ORDER BY k, w, c, s; SELECT * FROM totals ORDER BY k`, "--data-dir", data)
		if code != exitOK || strings.Count(got, "\n") < 2*keys {
			t.Fatalf("exit code %d, %.300s", code, got)
		}
		return got
	}
	if said, code := runSQL(t, statement, "--data-dir", "other"); code != exitOK {
		t.Fatalf("exit code %d: %s", code, said)
	}
	want := look("other")
	rng := rand.New(rand.NewPCG(4, uint64(os.Getpid())))
	k := &killer{rng: rng, wanted: kills}
	k.run(t, "run", "--quiet", "--data-dir", "data", "--state-dir", "state", "--state-memory", "64KB", "--checkpoint-interval", "10ms", "-e", statement)
	if got := look("data"); got != want {
		t.Errorf("after %d kills the tables have %d bytes, which are not the %d that were to come", k.kills, len(got), len(want))
	}
	if left, _ := filepath.Glob("state/*/spill"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
