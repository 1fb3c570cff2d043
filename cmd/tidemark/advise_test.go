package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// told is what --output json writes, as far as tests look at it.
type told struct {
	Table, Column, Watermark string
	Rows                     int64
	NullTimes                int64 `json:"null_times"`
	Splits                   []struct{ Name string }
	Present                  *struct {
		Late  int64
		Delay *float64 `json:"delay_ms"`
	}
	Delays []struct {
		Delay float64 `json:"delay_ms"`
		Late  int64
		Now   bool
	}
	Advice []struct {
		OnTime string `json:"on_time_percent"`
		Late   int64
		SQL    string
	}
	Findings []struct{ Name string }
}

func (r *told) finds(name string) bool {
	return slices.ContainsFunc(r.Findings, func(f struct{ Name string }) bool { return f.Name == name })
}

// late is how many rows are late with a delay, -1 if nothing is said of it.
func (r *told) late(millis float64) int64 {
	for _, d := range r.Delays {
		if d.Delay == millis {
			return d.Late
		}
	}
	return -1
}

// advise looks at a table and gives what it is told.
func adviseOf(t *testing.T, args ...string) *told {
	t.Helper()
	code, stdout, stderr := run(append([]string{"advise", "--output", "json"}, args...)...)
	if code != exitOK || stderr != "" {
		t.Fatalf("%v exits with %d\n%s", args, code, stderr)
	}
	var r told
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v: %v in %s", args, err, stdout)
	}
	return &r
}

const adviseClicks = "CREATE TABLE clicks (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = '../../docs/clicks.jsonl', 'format' = 'json');"

// TestAdvise looks at a file, with its own watermark, with another, with none, and with options that change what is late.
func TestAdvise(t *testing.T) {
	none := strings.Replace(adviseClicks, ", WATERMARK FOR ts AS ts - INTERVAL '5' SECOND", "", 1)
	for _, c := range []struct {
		about, ddl, table string
		flags             []string
		holds             func(r *told) bool
	}{
		{"its own watermark", adviseClicks, "clicks", nil, func(r *told) bool {
			return r.Rows == 8 && r.Watermark == "ts - INTERVAL '5' SECOND" && r.Present.Late == 2 && *r.Present.Delay == 5000 && r.late(5000) == 2 && r.finds("delay-too-small") &&
				r.Advice[3].OnTime == "100" && r.Advice[3].SQL == "ALTER TABLE clicks MODIFY WATERMARK FOR ts AS ts - INTERVAL '20' SECOND;"
		}},
		{"as it advises", adviseClicks + "ALTER TABLE clicks MODIFY WATERMARK FOR ts AS ts - INTERVAL '20' SECOND;", "clicks", nil, func(r *told) bool { return r.Present.Late == 0 && r.late(20_000) == 0 }},
		{"a delay that is asked for", adviseClicks, "clicks", []string{"--delay", "16 s", "--delay", "16001"}, func(r *told) bool { return r.late(16_000) == 1 && r.late(16_001) == 0 }},
		{"a hint", adviseClicks, "clicks /*+ OPTIONS('scan.watermark.emit.on-event.gap' = '100', 'scan.watermark.emit.strategy' = 'on-event') */", nil, func(r *told) bool { return r.Present.Late == 0 && r.late(0) == 0 }},
		{"no watermark", none, "clicks", nil, func(r *told) bool {
			return r.Present == nil && r.Column == "ts" && r.Advice[0].SQL == "ALTER TABLE clicks ADD WATERMARK FOR ts AS ts - INTERVAL '20' SECOND;"
		}},
		{"another column", adviseClicks + "ALTER TABLE clicks ADD `at` AS ts + INTERVAL '1' HOUR;", "clicks", []string{"--time", "`at`"}, func(r *told) bool {
			return r.Present == nil && r.Column == "`at`" && r.Advice[0].SQL == "ALTER TABLE clicks MODIFY WATERMARK FOR `at` AS `at` - INTERVAL '20' SECOND;"
		}},
		{"an expression", strings.Replace(adviseClicks, "AS ts - INTERVAL '5' SECOND", "AS CASE WHEN who = 'ana' THEN ts END", 1), "clicks", nil, func(r *told) bool {
			return r.Present.Delay == nil && r.Present.Late > 0 && r.late(0) == 2
		}},
		{"late rows left out", adviseClicks + "ALTER TABLE clicks SET ('late-handling.mode' = 'filter')", "clicks", nil, func(r *told) bool { return r.Rows == 8 && r.Present.Late == 2 }},
		{"what else stands in a script", adviseClicks + "SELECT * FROM clicks; SHOW TABLES; CREATE TABLE to_nowhere WITH ('connector' = 'blackhole') AS SELECT * FROM clicks; INSERT INTO clicks SELECT * FROM clicks", "clicks", nil, func(r *told) bool { return r.Rows == 8 }},
		{"no time", strings.Replace(adviseClicks, "who STRING, ts TIMESTAMP(3)", "who STRING, no_time STRING, ts AS TO_TIMESTAMP(no_time)", 1), "clicks", nil, func(r *told) bool {
			return r.Rows == 0 && r.NullTimes == 8 && r.finds("no-rows")
		}},
		{"looking ahead", strings.Replace(adviseClicks, "WITH (", "WITH ('watermark.generator' = 'lookahead',", 1), "clicks", nil, func(r *told) bool {
			return r.finds("another-generator") && r.late(0) == 2 && r.late(5000) == 2
		}},
	} {
		if r := adviseOf(t, append(c.flags, "-e", c.ddl, c.table)...); !c.holds(r) {
			t.Errorf("%s: %+v", c.about, *r)
		}
	}
}

// TestAdviceIsRight: who follows the advice has as many rows late as it says.
func TestAdviceIsRight(t *testing.T) {
	quakes, err := os.ReadFile("../../examples/earthquakes/hourly.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := run("generate", "nexmark", "--rows", "20000", "--jitter", "7s")
	bids := filepath.Join(t.TempDir(), "bids.jsonl")
	if err := os.WriteFile(bids, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ table, ddl string }{
		{"clicks", adviseClicks},
		{"quakes", strings.ReplaceAll(string(quakes), "'examples/", "'../../examples/")},
		{"bids", "CREATE TABLE bids (`dateTime` TIMESTAMP_LTZ(3)) WITH ('connector' = 'filesystem', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601', 'path' = '" + bids + "');"},
	} {
		for _, a := range adviseOf(t, "-e", c.ddl, c.table).Advice {
			if got := adviseOf(t, "-e", c.ddl+a.SQL, c.table).Present.Late; got != a.Late {
				t.Errorf("%s makes %d rows late, and %d were said", a.SQL, got, a.Late)
			}
		}
	}
}

// TestAdviseErrors: what cannot be looked at is refused with a word on what to do.
func TestAdviseErrors(t *testing.T) {
	two := "CREATE TABLE c (a TIMESTAMP(3), b TIMESTAMP(3)) WITH ('connector' = 'datagen');"
	for _, c := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{nil, exitUsage, "error: name the table: tidemark advise orders"},
		{[]string{"clicks", "a.sql", "b.sql"}, exitUsage, "give one file of SQL"},
		{[]string{"clicks", "none.sql"}, exitUsage, "none.sql: no such file"},
		{[]string{"clicks", "--output", "csv"}, exitUsage, "--output is 'csv'; it can be text or json"},
		{[]string{"clicks", "--delay", "soon"}, exitUsage, "'soon' is not a length of time; write a number and a unit, such as '10 s'"},
		{[]string{"clicks", "--for", "0"}, exitUsage, "it must be longer than 0"},
		{[]string{"clicks", "--every", "0 s"}, exitUsage, "it must be longer than 0"},
		{[]string{"clicks", "-e", adviseClicks, "--for", "1 s"}, exitUsage, "--for is for tables without end; 'clicks' has one"},
		{[]string{"clicks"}, exitUsage, "unknown table 'clicks'"},
		{[]string{"a view"}, exitUsage, "expected the end of the text but found 'view'"},
		{[]string{"v", "-e", "CREATE VIEW v AS SELECT 1 AS a"}, exitUsage, "= name the tables that it reads"},
		{[]string{"c", "-e", two}, exitUsage, "= say which column: --time a, or --time b"},
		{[]string{"c", "-e", "CREATE TABLE c (a INT) WITH ('connector' = 'datagen')"}, exitUsage, "= it has no column of type TIMESTAMP or TIMESTAMP_LTZ"},
		{[]string{"c", "-e", two, "--time", "x"}, exitUsage, "--> --time:1:1"},
		{[]string{"c", "-e", "SELEKT 1"}, exitUsage, "--> -e:1:1"},
		{[]string{"clicks", "-e", adviseClicks + "SET 'sql.snapshot.mode' = 'now'"}, exitUsage, "in a snapshot no row is late"},
		{[]string{"c", "-e", "CREATE TABLE c (ts TIMESTAMP(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'kafka', 'topic' = 'c', 'properties.bootstrap.servers' = 'localhost:1', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json', 'watermark.handover' = 'true')"},
			exitUsage, "= look at the tables that those statements read"},
		{[]string{"clicks", "-e", strings.Replace(adviseClicks, "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", 1)}, exitData, "clicks.jsonl line 1"},
	} {
		code, stdout, stderr := run(append([]string{"advise"}, c.args...)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%v exits with %d\n%s%s\nwant %d and %s", c.args, code, stdout, stderr, c.code, c.stderr)
		}
	}
}

// TestAdviseUntilInterrupted: a table without end is looked at until Ctrl-C, which is no failure, and tells what was found so far as often as is asked for.
func TestAdviseUntilInterrupted(t *testing.T) {
	const endless = "CREATE TABLE n (a INT, ts TIMESTAMP_LTZ(3)) WITH ('connector' = 'datagen', 'rows-per-second' = '100000')"
	ctx, cancel := context.WithCancel(context.Background())
	out := &interrupter{cancel: cancel}
	var stderr bytes.Buffer
	code := dispatch(ctx, []string{"advise", "n", "-e", endless, "--every", "20 ms", "--delay", "3 s"}, out, &stderr)
	if got := out.rows.String(); code != exitOK || stderr.Len() > 0 || strings.Count(got, "n: ") < 2 || strings.Count(got, "\n\nn: ") < 1 {
		t.Errorf("exits with %d\n%s%s", code, got, stderr.String())
	}
	if r := adviseOf(t, "n", "-e", endless, "--for", "100 ms"); r.Present != nil || r.finds("silent-splits") {
		t.Errorf("%+v", *r)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	stderr.Reset()
	if code := dispatch(ctx, []string{"advise", "clicks", "-e", adviseClicks}, out, &stderr); code != exitInterrupted {
		t.Errorf("a table with an end that was not reached: exits with %d\n%s", code, stderr.String())
	}
}

// TestAdviseOnTopics: topics are looked at by partition, with what the DDL says of them and without, and nothing is made or changed there.
func TestAdviseOnTopics(t *testing.T) {
	b := brokertest.Start(t)
	topic := b.Topic(t, 2)
	for _, r := range []struct {
		partition int32
		value     string
	}{{0, "2026-01-01 00:00:10"}, {1, "2026-01-01 00:00:20"}, {0, "2026-01-01 00:00:30"}, {1, "2026-01-01 00:00:15"}, {1, "2026-01-01 00:00:29"}} {
		b.Send(t, true, &brokertest.Record{Topic: topic, Partition: r.partition, Value: []byte(`{"ts":"` + r.value + `"}`)})
	}
	ddl := "CREATE TABLE `" + topic + "` (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('value.format' = 'json', 'kafka.retention.time' = '0'); " +
		"ALTER TABLE `" + topic + "` SET ('kafka.retention.time' = '1 h'); CREATE TABLE other (a INT); DROP TABLE other; CREATE TABLE another (a INT);"
	r := adviseOf(t, "--brokers", b.Addr, "-e", ddl, "`"+topic+"`"+bounded)
	if r.Rows != 5 || len(r.Splits) != 2 || *r.Present.Delay != 1000 || !strings.HasSuffix(r.Splits[1].Name, "-1") {
		t.Errorf("%+v", *r)
	}
	if r := adviseOf(t, "--brokers", b.Addr, "`"+topic+"`"+bounded); r.Rows != 5 || r.Column != "$rowtime" || r.Watermark != "SOURCE_WATERMARK()" || *r.Present.Delay != 180 {
		t.Errorf("without DDL: %+v", *r)
	}
	topics, err := b.Admin(t).ListTopics(context.Background())
	if err != nil || !topics.Has(topic) || topics.Has("another") || topics.Has("other") {
		t.Errorf("topics %v, %v", topics.Names(), err)
	}
	settings, err := b.Admin(t).DescribeTopicConfigs(context.Background(), topic)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings[0].Configs {
		if s.Key == "retention.ms" && s.Value != nil && *s.Value == "3600000" {
			t.Error("the topic was changed")
		}
	}
}
