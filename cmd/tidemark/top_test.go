package main

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

func TestTopTable(t *testing.T) {
	counted := func(perSecond float64) *api.Counted { return &api.Counted{Total: 300, PerSecond: &perSecond} }
	all := []api.OverviewLine{
		{Name: "a", Phase: "RUNNING", Behind: new(int64(11)), In: counted(99.6), Out: counted(5), Input: &api.Mark{Text: "3 h"}, Output: &api.Mark{Text: "5 min"}, Late: 3},
		{Name: "b", Phase: "DEGRADED", In: &api.Counted{Total: 7}, Output: &api.Mark{Text: "2024-11-27"}},
		{Name: "c", Phase: "FAILED"}, {Name: "d", Phase: "COMPLETED"}, {Name: "e", Phase: "FAILED"},
	}
	want := []string{
		"NAME PHASE BEHIND IN/S OUT/S INPUT DELAY OUTPUT DELAY LATE",
		"a RUNNING 11 100 5 3 h 5 min 3",
		"b DEGRADED - - - - 2024-11-27 0",
		"1 COMPLETED 2 FAILED",
	}
	for i, l := range strings.Split(strings.TrimSpace(string(topTable(all))), "\n") {
		if strings.Join(strings.Fields(l), " ") != want[i] {
			t.Errorf("line %d is %q, want %q", i+1, l, want[i])
		}
	}
}

// frames is a terminal that remembers what was written at once, and calls enough when one is as it should be.
type frames struct {
	tty
	all    []string
	wanted func(frame string) bool
	enough context.CancelFunc
}

func (f *frames) Write(p []byte) (int, error) {
	f.all = append(f.all, string(p))
	if f.wanted(string(p)) {
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
	// Rows per second are there when the server has looked at the statement before.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rates := regexp.MustCompile(`copy +RUNNING +\S+ +[1-9]\d* +[1-9]\d* +up to date +up to date +\d+`)
	live := &frames{wanted: rates.MatchString, enough: cancel}
	if code := dispatch(ctx, []string{"top", "--server", s.url, "--every", "100ms"}, live, io.Discard); code != exitOK || len(live.all) < 2 || !rates.MatchString(live.all[len(live.all)-1]) {
		t.Fatalf("ends with %d after %d pictures: %q", code, len(live.all), live.all[max(0, len(live.all)-1):])
	}
	for _, picture := range live.all {
		body, ok := strings.CutPrefix(picture, "\x1b[H")
		body, ok2 := strings.CutSuffix(body, "\x1b[J")
		if !ok || !ok2 || strings.Count(body, "\n") != 3 || strings.Count(body, "\x1b[K\n") != 3 || !strings.Contains(body, "copy") {
			t.Errorf("a picture is %q", picture)
		}
	}
	still := &frames{wanted: func(string) bool { return false }}
	if code := dispatch(context.Background(), []string{"top", "--once", "--server", s.url}, still, io.Discard); code != exitOK || len(still.all) != 1 || strings.Contains(still.all[0], "\x1b") {
		t.Errorf("--once ends with %d and %q", code, still.all)
	}
	code, out, errs := run("top", "--server", s.url)
	if lines := strings.Split(out, "\n"); code != exitOK || len(lines) != 4 || strings.Contains(out, "\x1b") || !rates.MatchString(lines[1]) || lines[2] != "2 COMPLETED  1 FAILED  " {
		t.Errorf("where there is no terminal it ends with %d\n%s%s", code, out, errs)
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
