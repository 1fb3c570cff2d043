package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestTablesOfRowsThatAreKept: CREATE TABLE, ALTER TABLE and statements make the tables that a managed table keeps rows in, with the offsets of the topic in them, and what is in
// them can be read and written back.
func TestTablesOfRowsThatAreKept(t *testing.T) {
	const (
		rows    = "INSERT INTO t VALUES (1, TIMESTAMP '2026-01-01 00:00:10'), (2, TIMESTAMP '2026-01-01 00:00:05'), (3, TIMESTAMP '2026-01-01 00:00:20'), (4, TIMESTAMP '2026-01-01 00:00:01'); "
		kept    = "v, ts, late_reason, late_watermark, late_by, late_split, late_offset, late_statement\n" // without the blanks
		late2   = "+I,2,2026-01-01 00:00:05.000,late at the source,2026-01-01 00:00:10.000,5000,t-0,1,insert+o\n"
		late4   = "+I,4,2026-01-01 00:00:01.000,late at the source,2026-01-01 00:00:20.000,19000,t-0,3,insert+o\n"
		table   = "CREATE TABLE t (v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) DISTRIBUTED INTO 1 BUCKETS"
		capture = "'late-handling.mode' = 'filter', 'late-handling.capture' = 'durable'"
		o       = "CREATE TABLE o (v INT) WITH ('connector' = 'blackhole'); "
		tables  = "SHOW TABLES; "
	)
	for _, c := range []struct{ sql, want string }{
		{"CREATE TABLE t (v INT) WITH ('error-handling.mode' = 'log'); " + tables, "table name\nerror_log\nt\n"},
		{"CREATE TABLE t (v INT) WITH ('error-handling.mode' = 'log', 'error-handling.log.target' = 'wrong'); " + tables, "table name\nt\nwrong\n"},
		{"CREATE TABLE t (v INT); ALTER TABLE t SET ('error-handling.mode' = 'log'); " + tables, "table name\nerror_log\nt\n"},
		{"CREATE TABLE t (v INT); EXPLAIN SELECT v FROM t /*+ OPTIONS('error-handling.mode' = 'log') */; " + tables, "table name\nt\n"},
		{table + " WITH (" + capture + "); " + tables, "table name\nt\nt_late\n"},
		{table + "; " + o + "ALTER TABLE t SET (" + capture + "); " + rows + "INSERT INTO o SELECT v FROM t" + bounded + "; SELECT * FROM t_late" + bounded,
			"op," + strings.ReplaceAll(kept, " ", "") + late2 + late4},
		{table + "; " + o + rows + "INSERT INTO o SELECT v FROM t /*+ OPTIONS('scan.bounded.mode' = 'latest-offset', " + capture + ") */; SELECT * FROM t_late" + bounded,
			"op," + strings.ReplaceAll(kept, " ", "") + late2 + late4},
		{table + " WITH (" + capture + "); " + o + "CREATE TABLE again (v INT, ts TIMESTAMP(3)) DISTRIBUTED INTO 1 BUCKETS; " + rows + "INSERT INTO o SELECT v FROM t" + bounded +
			"; INSERT INTO again SELECT v, ts FROM t_late" + bounded + "; SELECT again.v, late_by FROM again" + bounded + " JOIN t_late" + bounded + " ON again.v = t_late.v", "op,v,late_by\n+I,2,5000\n+I,4,19000\n"},
	} {
		got, code := runSQL(t, c.sql)
		if i := strings.Index(got, "table name"); i >= 0 {
			got = got[i:]
		}
		if !sameLines(got, c.want) || code != exitOK {
			t.Errorf("%s\ngot %d %s\nwant %s", c.sql, code, got, c.want)
		}
	}
}

// TestKeptBesideAnyQuery: late rows are kept once whatever a statement does with the others, and what tells their offset shows nowhere else.
func TestKeptBesideAnyQuery(t *testing.T) {
	const tables = "CREATE TABLE t (v INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) DISTRIBUTED INTO 1 BUCKETS " +
		"WITH ('late-handling.mode' = 'filter', 'late-handling.capture' = 'durable', 'scan.bounded.mode' = 'latest-offset'); CREATE VIEW w AS SELECT * FROM t; " +
		"INSERT INTO t VALUES (1, 'a', TIMESTAMP '2026-01-01 00:00:10'), (2, 'a', TIMESTAMP '2026-01-01 00:00:05'), (3, 'b', TIMESTAMP '2026-01-01 00:00:22'), (4, 'b', TIMESTAMP '2026-01-01 00:00:02'); "
	for query, columns := range map[string]int{
		"SELECT * FROM t":                           3,
		"SELECT * FROM (SELECT * FROM t) AS x":      3,
		"SELECT * FROM w":                           3,
		"SELECT * FROM t AS x (a, b, c)":            3,
		"SELECT DISTINCT * FROM t":                  3,
		"SELECT * FROM t UNION ALL SELECT * FROM w": 3,
		"SELECT * FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)":                                          6,
		"SELECT a.*, b.k AS other FROM t AS a JOIN t AS b ON a.v = b.v":                                                4,
		"SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS n FROM t":                                         4,
		"SELECT k, COUNT(*) AS n FROM t GROUP BY k":                                                                    2,
		"SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.v AS av PATTERN (A) DEFINE A AS TRUE)": 2,
		"SELECT v FROM t WHERE FALSE":                                                                                  1,
	} {
		got, code := runSQL(t, tables+"CREATE TABLE o WITH ('connector' = 'blackhole') AS "+query+"; DESCRIBE o; SELECT v, late_offset FROM t_late"+bounded)
		described, kept, _ := strings.Cut(got, "op,v,late_offset\n")
		if code != exitOK || kept != "+I,2,1\n+I,4,3\n" || strings.Count(described, "\n") != columns+1 {
			t.Errorf("%s: %d %s", query, code, got)
		}
	}
}

// sameLines reports whether two texts have the same lines in any order: partitions are read side by side.
func sameLines(a, b string) bool {
	return slices.Equal(slices.Sorted(strings.Lines(a)), slices.Sorted(strings.Lines(b)))
}

// TestKeptOnceAfterKills kills a statement that takes late rows and records that cannot be read out of a topic and keeps them in files: whatever is on the topic is in one file, once.
func TestKeptOnceAfterKills(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		k, rounds := killing(2), 0
		k.late = false
		for k.kills < k.wanted && !t.Failed() {
			rounds++
			keptOnce(t, b, k)
		}
		t.Logf("%d kills in %d rounds", k.kills, rounds)
	})
}

// keptOnce has a statement run that k kills, and looks whether what it has kept is what it was to keep.
func keptOnce(t *testing.T, b brokertest.Target, k *killer) {
	const rows, partitions = 30_000, 3
	t.Chdir(t.TempDir())
	topic := b.Topic(t, partitions)
	client := b.Client(t)
	var bad []string
	offsets := [partitions]int{}
	for i := range rows {
		at := time.Date(2026, 1, 1, 0, 0, i/20, 0, time.UTC)
		if i%10 == 7 {
			at = at.Add(-time.Hour)
		}
		row := fmt.Sprintf(`{"n":%d,"ts":"%s"}`, i, at.Format("2006-01-02 15:04:05"))
		if i%50 == 3 {
			row = fmt.Sprintf(`{"n":%d,"ts":"never"`, i)
			bad = append(bad, fmt.Sprintf("%d,%d", i%partitions, offsets[i%partitions]))
		}
		offsets[i%partitions]++
		client.Produce(context.Background(), &brokertest.Record{Topic: topic, Partition: int32(i % partitions), Value: []byte(row)}, nil)
	}
	if err := client.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	files := func(name, format string) string {
		return fmt.Sprintf("'connector' = 'filesystem', 'path' = '%s', 'format' = '%s'", name, format)
	}
	script := fmt.Sprintf(`
CREATE TABLE t (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH ('connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s', 'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset', 'format' = 'json', 'late-handling.mode' = 'filter', 'late-handling.capture' = 'durable', 'error-handling.mode' = 'log');
CREATE TABLE t_late (n BIGINT, ts TIMESTAMP(3), late_reason STRING, late_watermark TIMESTAMP(3), late_by BIGINT, late_split STRING, late_offset BIGINT, late_statement STRING) WITH (%s);
CREATE TABLE error_log (error_timestamp TIMESTAMP_LTZ(3), error_code INT, error_reason STRING, error_message STRING, error_details MAP<STRING, STRING>, processor STRING, statement_name STRING,
  affected_type STRING, affected_catalog STRING, affected_database STRING, affected_name STRING,
  source_record ROW<topic STRING, `+"`partition` INT, `offset` BIGINT, `timestamp` TIMESTAMP_LTZ(3), timestamp_type STRING, headers MAP<STRING, BYTES>, key BYTES, `value`"+` BYTES>) WITH (%s);
CREATE TABLE good (n BIGINT) WITH (%s);
`, topic, b.Addr, files("late", "json"), files("errors", "json"), files("good", "csv"))
	k.run(t, "run", "--quiet", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", script+"INSERT INTO good SELECT n FROM t")

	count := func(query, want string) {
		t.Helper()
		got, code := runSQL(t, script+"SET 'sql.snapshot.mode' = 'now'; "+query)
		if code != exitOK || !strings.Contains(got, want) {
			t.Errorf("after %d kills: %s\ngot %d %s\nwant %s", k.kills, query, code, got, want)
		}
	}
	// Of 30,000 rows 600 cannot be read, and of the others a tenth came an hour late, except those at the very beginning, before which there is no watermark.
	count("SELECT COUNT(*), COUNT(DISTINCT n) FROM (SELECT n FROM good UNION ALL SELECT n FROM t_late)", fmt.Sprintf("+I,%d,%d", rows-len(bad), rows-len(bad)))
	count("SELECT COUNT(*) - COUNT(DISTINCT late_split || CAST(late_offset AS STRING)), MAX(MOD(n, 10)), MIN(MOD(n, 10)), MIN(late_by) > 0, MAX(late_by) < 3600000 FROM t_late WHERE late_statement = 'insert+good'",
		"+I,0,7,7,true,true")
	got := lines(t, "errors")
	var places []string
	for _, line := range got {
		_, place, _ := strings.Cut(line, `"partition":`)
		partition, rest, _ := strings.Cut(place, `,"offset":`)
		offset, _, _ := strings.Cut(rest, ",")
		places = append(places, partition+","+offset)
	}
	slices.Sort(places)
	slices.Sort(bad)
	if !slices.Equal(places, bad) {
		t.Errorf("after %d kills %d records are kept that cannot be read; want %d, each once", k.kills, len(places), len(bad))
	}
}
