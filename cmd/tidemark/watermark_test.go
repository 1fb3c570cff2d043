package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// TestReached tells where the watermark is, or why it is nowhere.
func TestReached(t *testing.T) {
	const set = watermark.Frontier(6_001_000)
	split := func(read int64, f watermark.Frontier, s watermark.Status) watermark.SplitSnapshot {
		return watermark.SplitSnapshot{Read: read, Frontier: f, Status: s}
	}
	silent, heard := split(0, watermark.Unset, watermark.Active), split(5, set, watermark.Active)
	stalled, timeless := split(0, watermark.Unset, watermark.Stalled), split(7, watermark.Unset, watermark.Active)
	periodic := func(interval, eager int64) watermark.Emission {
		return watermark.Periodic{Interval: interval, EagerFor: eager}
	}
	everyRow := watermark.OnEvent{Gap: 1}
	for _, c := range []struct {
		emission          watermark.Emission
		frontier, reached watermark.Frontier
		splits            []watermark.SplitSnapshot
		holders           []int
		want              string
	}{
		{everyRow, set, set, []watermark.SplitSnapshot{heard}, []int{0}, "1970-01-01 00:00:06.000"},
		{everyRow, watermark.Final, set, []watermark.SplitSnapshot{heard}, nil, "1970-01-01 00:00:06.000, then the end of the input"},
		{everyRow, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{silent}, nil, "at the end of the input (no row was read)"},
		{everyRow, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{timeless}, nil, "at the end of the input (no row moved it)"},
		{everyRow, watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{silent, silent}, []int{0, 1}, "not set: no row was read"},
		{everyRow, watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1}, "not set: held by split 1 (active, no row yet)"},
		{periodic(200_000, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{stalled, heard, timeless, silent, silent, silent}, []int{0, 2, 3, 4, 5},
			"not set: held by split 0 (stalled, no row yet), split 2 (active, no row of it moved it), split 3 (active, no row yet) and 2 more"},
		{periodic(0, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1},
			"not set: none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0"},
		{periodic(0, 200_000), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1},
			"not set: between the first 200 ms and the end of the input none is sent, because 'pipeline.auto-watermark-interval' is 0"},
		{periodic(0, 0), watermark.Final, watermark.Unset, []watermark.SplitSnapshot{heard}, nil,
			"at the end of the input (none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0)"},
		{periodic(200_000, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard}, []int{0}, "not set: none was sent yet; it is sent every 200 ms"},
		{watermark.OnEvent{Gap: 1000}, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{heard}, nil,
			"at the end of the input (none was sent yet; it is sent with every 1000th row of a split)"},
	} {
		src := &runtime.SourceStats{Strategy: watermark.Strategy{Emission: c.emission},
			Watermark: &watermark.Snapshot{Frontier: c.frontier, Reached: c.reached, Splits: c.splits, Holders: c.holders}}
		for i := range c.splits {
			src.Splits = append(src.Splits, fmt.Sprintf("split %d", i))
			src.Rows += c.splits[i].Read
		}
		if got := reached(src); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		src.Instant = true
		if want := strings.Replace(c.want, "06.000", "06.000Z", 1); reached(src) != want {
			t.Errorf("got  %s\nwant %s", reached(src), want)
		}
	}
}

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

// TestProgressLine has a Z where the event time that holds the statement is an instant.
func TestProgressLine(t *testing.T) {
	source := func(f watermark.Frontier, instant bool) runtime.SourceStats {
		return runtime.SourceStats{Watermarked: true, Instant: instant, Watermark: &watermark.Snapshot{Frontier: f}}
	}
	for _, c := range []struct {
		sources []runtime.SourceStats
		want    string
	}{
		{nil, ""},
		{[]runtime.SourceStats{source(watermark.Unset, true)}, ""},
		{[]runtime.SourceStats{source(watermark.Final, true)}, ""},
		{[]runtime.SourceStats{source(6_001_000, false)}, ", watermark 1970-01-01 00:00:06.000"},
		{[]runtime.SourceStats{source(7_001_000, false), source(6_001_000, true)}, ", watermark 1970-01-01 00:00:06.000Z"},
	} {
		if got := progressLine(runtime.Stats{Sources: c.sources}, time.Second); got != "0 rows in, 0 rows out, 0 rows/s"+c.want {
			t.Errorf("got %s", got)
		}
	}
}

// TestTableReadTwice tells the readings apart, and what dropped their rows.
func TestTableReadTwice(t *testing.T) {
	inFolder(t)
	_, _, stderr := run("run", "-e", readings("readings.jsonl")+perTenSeconds+" UNION ALL "+perTenSeconds)
	for _, want := range []string{"\n  readings (1st reading): watermark ", "\n  readings (2nd reading): watermark "} {
		if strings.Count(stderr, want) != 1 {
			t.Errorf("got\n%s\nwant in it\n%s", stderr, want)
		}
	}
	got := fmt.Sprint(distinct([]string{"a", "b", "a", "a"}, " reading"))
	if want := "[a (1st reading) b a (2nd reading) a (3rd reading)]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 111: "111th"} {
		if ordinal(n) != want {
			t.Errorf("got %s, want %s", ordinal(n), want)
		}
	}
}
