package main

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

func TestTopTable(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	statement := func(name, phase string) api.Statement {
		return api.Statement{Name: name, Metadata: api.Metadata{UID: name}, Status: api.Status{Phase: phase}}
	}
	before := []line{{Statement: statement("a", "RUNNING"), at: at.Add(-2 * time.Second), in: 100, out: 10}}
	a := line{Statement: statement("a", "RUNNING"), at: at, behind: -1, inMark: math.NaN(), outMark: math.NaN()}
	a.read(api.Metrics{Samples: []api.Sample{
		{Name: "io.confluent.flink/num_records_in", Value: 300}, {Name: "io.confluent.flink/num_records_out", Value: 20},
		{Name: "io.confluent.flink/pending_records", Value: 5}, {Name: "io.confluent.flink/pending_records", Value: 6},
		{Name: "io.confluent.flink/num_late_records_in", Value: 3},
		{Name: "io.confluent.flink/current_input_watermark_milliseconds", Value: float64(at.Add(-3 * time.Hour).UnixMilli())},
		{Name: "io.confluent.flink/current_input_watermark_milliseconds", Value: float64(at.UnixMilli())},
		{Name: "io.confluent.flink/current_output_watermark_milliseconds", Value: float64(at.Add(-5 * time.Minute).UnixMilli())},
	}})
	b := line{Statement: statement("b", "DEGRADED"), at: at, behind: -1, inMark: math.NaN(), outMark: float64(at.Add(-400 * 24 * time.Hour).UnixMilli())}
	got := string(topTable(before, []line{a, b, {Statement: statement("c", "FAILED")}, {Statement: statement("d", "COMPLETED")}, {Statement: statement("e", "FAILED")}}))
	want := []string{
		"NAME PHASE BEHIND IN/S OUT/S INPUT DELAY OUTPUT DELAY LATE",
		"a RUNNING 11 100 5 3 h 5 min 3",
		"b DEGRADED - - - - 2024-11-27 0",
		"1 COMPLETED 2 FAILED",
	}
	for i, l := range strings.Split(strings.TrimSpace(got), "\n") {
		if strings.Join(strings.Fields(l), " ") != want[i] {
			t.Errorf("line %d is %q, want %q", i+1, l, want[i])
		}
	}
}

// frames is a terminal that remembers what was written at once, and calls enough when there are so many.
type frames struct {
	tty
	all    []string
	most   int
	enough context.CancelFunc
}

func (f *frames) Write(p []byte) (int, error) {
	f.all = append(f.all, string(p))
	if len(f.all) == f.most {
		f.enough()
	}
	return len(p), nil
}

// TestTop looks at statements of a server, once and again and again.
func TestTop(t *testing.T) {
	file, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", file)
	t.Setenv(keyEnv, name+":"+secret)
	for _, x := range []struct{ name, sql string }{
		{"ticks", "CREATE TABLE ticks (n BIGINT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'rows-per-second' = '50')"},
		{"sink", "CREATE TABLE sink (n BIGINT) WITH ('connector' = 'blackhole')"},
		{"copy", "INSERT INTO sink SELECT n FROM ticks"},
		{"wrong", "SELECT nope FROM ticks"},
	} {
		run("statement", "create", x.name, "--wait", "--server", s.url, "-e", x.sql)
	}
	code, out, errs := run("top", "--server", s.url, "--every", "200ms")
	lines := strings.Split(out, "\n")
	if code != exitOK || len(lines) != 4 || strings.Contains(out, "\x1b") {
		t.Fatalf("ends with %d\n%s%s", code, out, errs)
	}
	row := strings.Fields(lines[1])
	if row[0] != "copy" || row[1] != "RUNNING" || row[3] == "-" || row[3] == "0" || row[4] == "0" || !strings.Contains(lines[1], "up to date    up to date") {
		t.Errorf("it shows\n%s", out)
	}
	if lines[2] != "2 COMPLETED  1 FAILED  " {
		t.Errorf("beside there are %q", lines[2])
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	live := &frames{most: 2, enough: cancel}
	if code := dispatch(ctx, []string{"top", "--server", s.url, "--every", "100ms"}, live, io.Discard); code != exitOK || len(live.all) < 2 {
		t.Fatalf("ends with %d after %d pictures", code, len(live.all))
	}
	for _, picture := range live.all {
		body, ok := strings.CutPrefix(picture, "\x1b[H")
		body, ok2 := strings.CutSuffix(body, "\x1b[J")
		if !ok || !ok2 || strings.Count(body, "\n") != 3 || strings.Count(body, "\x1b[K\n") != 3 || !strings.Contains(body, "copy") {
			t.Errorf("a picture is %q", picture)
		}
	}
	still := &frames{most: 1, enough: func() {}}
	if code := dispatch(context.Background(), []string{"top", "--once", "--server", s.url, "--every", "100ms"}, still, io.Discard); code != exitOK || len(still.all) != 1 || strings.Contains(still.all[0], "\x1b") {
		t.Errorf("--once ends with %d and %q", code, still.all)
	}

	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"x"}, exitUsage, "no arguments"},
		{[]string{"--every", "1ms"}, exitUsage, "at least 100ms"},
		{[]string{"--key", name + ":wrong"}, exitUsage, "an API key is needed"},
	} {
		if code, _, errs := run(append([]string{"top", "--server", s.url}, c.args...)...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%q ends with %d: %s", c.args, code, errs)
		}
	}
	s.stop(t)
	if code, _, errs := run("top", "--server", s.url); code != exitExternal || !strings.Contains(errs, "is tidemark server running there?") {
		t.Errorf("without a server: %d: %s", code, errs)
	}
}
