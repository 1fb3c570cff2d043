package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWatermarkThatIsNeverSent interrupts a live query without ticks: the summary does not blame a split.
func TestWatermarkThatIsNeverSent(t *testing.T) {
	synctest.Test(t, watermarkThatIsNeverSent)
}

func watermarkThatIsNeverSent(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var stdout, stderr bytes.Buffer
	dispatch(ctx, []string{"run", "-e", `
SET 'sql.profile' = 'flink';
SET 'pipeline.auto-watermark-interval' = '0';
CREATE TABLE n (a BIGINT, ts AS CURRENT_TIMESTAMP, WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
SELECT window_end, COUNT(*) FROM TUMBLE(TABLE n, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end`}, &stdout, &stderr)
	if want := "  n: watermark not set: none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0\n"; !strings.Contains(stderr.String(), want) {
		t.Errorf("standard error is\n%s\nwant in it\n%s", stderr.String(), want)
	}
}

// TestSummaryOfInstants writes event times of TIMESTAMP_LTZ with a Z, and those of TIMESTAMP without.
func TestSummaryOfInstants(t *testing.T) {
	t.Chdir(t.TempDir())
	const sql = `CREATE TABLE r (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'r.jsonl', 'format' = 'json');
SELECT window_end, COUNT(*) FROM TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end`
	ordered := sql[:strings.Index(sql, "SELECT")] + "SELECT * FROM r ORDER BY ts"
	const rows = "{\"ts\":\"2026-01-01 00:00:35.000\"}\n{\"ts\":\"2026-01-01 00:00:01.000\"}\n"
	const want = `  r: 1 of 2 late at the source; the latest, of 2026-01-01 00:00:01.000, came when the watermark was 34.000 s past it
  r: watermark 2026-01-01 00:00:35.000, then the end of the input
  TUMBLE(size 10 s): 1 row dropped, too late for every window; the latest, of 2026-01-01 00:00:01.000, came when the watermark was 34.000 s past it
`
	zoned := func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, ".000,", ".000Z,"), `.000"`, `.000Z"`)
	}
	for _, c := range []struct{ sql, rows, want string }{
		{sql, rows, want},
		{strings.Replace(sql, "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", 1), zoned(rows), zoned(want)},
		{ordered, rows, strings.Replace(want, "TUMBLE(size 10 s): 1 row dropped, too late for every window", "ORDER BY: 1 row dropped, too late for the order of time", 1)},
		{strings.Replace(ordered, "* FROM r ORDER BY ts", "COUNT(*) OVER (ORDER BY ts) FROM r", 1), rows,
			strings.Replace(want, "TUMBLE(size 10 s): 1 row dropped, too late for every window", "OVER: 1 row dropped, too late for the order of time", 1)},
	} {
		if err := os.WriteFile("r.jsonl", []byte(c.rows), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, stderr := run("run", "-e", c.sql); !strings.HasSuffix(stderr, c.want) {
			t.Errorf("got\n%s\nwant\n%s", stderr, c.want)
		}
	}
}

// TestTableReadTwice tells the readings apart.
func TestTableReadTwice(t *testing.T) {
	inFolder(t)
	_, _, stderr := run("run", "-e", readings("readings.jsonl")+perTenSeconds+" UNION ALL "+perTenSeconds)
	for _, want := range []string{"\n  readings (1st reading): watermark ", "\n  readings (2nd reading): watermark "} {
		if strings.Count(stderr, want) != 1 {
			t.Errorf("got\n%s\nwant in it\n%s", stderr, want)
		}
	}
}

// TestRowsKeptAreCounted says of one row that it is one.
func TestRowsKeptAreCounted(t *testing.T) {
	const body = `CREATE TABLE t (v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) DISTRIBUTED INTO 1 BUCKETS WITH ('late-handling.mode' = 'filter', 'late-handling.capture' = 'durable');
CREATE TABLE o (v INT) WITH ('connector' = 'blackhole');
INSERT INTO t VALUES (1, TIMESTAMP '2026-01-01 00:00:10'), (2, TIMESTAMP '2026-01-01 00:00:05')%s;
INSERT INTO o SELECT v FROM t /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */`
	for more, want := range map[string]string{
		"":                                       "  t: 1 late row kept in t_late\n",
		", (3, TIMESTAMP '2026-01-01 00:00:04')": "  t: 2 late rows kept in t_late\n",
	} {
		if _, stderr, code := do("run", "-e", strings.Replace(body, "%s", more, 1)); code != exitOK || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, want %q in\n%s", code, want, stderr)
		}
	}
}
