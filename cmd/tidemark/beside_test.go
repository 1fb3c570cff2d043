package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
)

// bothSeen is a standard output that presses Ctrl-C when it has rows of both a and b, or many of one alone.
type bothSeen struct {
	mu     sync.Mutex
	rows   bytes.Buffer
	cancel context.CancelFunc
}

func (w *bothSeen) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.rows.Write(p)
	if both := strings.Contains(w.rows.String(), "I[a") && strings.Contains(w.rows.String(), "I[b"); both || w.rows.Len() > 1<<20 {
		w.cancel()
	}
	return n, err
}

const ticking = "CREATE TABLE ticks (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '10000', 'fields.n.min' = '1', 'fields.n.max' = '9');" +
	"CREATE TABLE seen (s STRING) WITH ('connector' = 'print');"

func besideQueryText(name, value string) string {
	return "CREATE STREAMING QUERY " + name + " AS DO BEGIN INSERT INTO seen SELECT " + value + " FROM ticks; END DO;\n"
}

// TestStreamingQueriesBesideEachOther: those without an end run at once, and each has its summary.
func TestStreamingQueriesBesideEachOther(t *testing.T) {
	for _, flags := range [][]string{nil, {"--state-dir", t.TempDir()}} {
		ctx, cancel := context.WithCancel(context.Background())
		out := &bothSeen{cancel: cancel}
		var stderr bytes.Buffer
		text := ticking + besideQueryText("a", "'a' || CAST(n AS String)") + besideQueryText("b", "'b' || CAST(n AS String)")
		code := dispatch(ctx, append(append([]string{"run"}, flags...), "-e", text), out, &stderr)
		if code != exitInterrupted || !strings.Contains(out.rows.String(), "I[a") || !strings.Contains(out.rows.String(), "I[b") {
			t.Errorf("%v: exits with %d, %d bytes of rows\n%s", flags, code, out.rows.Len(), stderr.String())
		}
		for _, want := range []string{"a: ", "b: "} {
			if !strings.Contains(stderr.String(), "\n"+want) && !strings.HasPrefix(stderr.String(), want) {
				t.Errorf("%v: no summary of %s\n%s", flags, want, stderr.String())
			}
		}
	}
}

// TestOneBesideOthers: what fails ends all, what is stopped ends alone, and who waits behind an endless statement is told.
func TestOneBesideOthers(t *testing.T) {
	for _, c := range []struct {
		name, sql string
		code      int
		want      string
	}{
		{"one fails", ticking + besideQueryText("a", "'a'") + besideQueryText("b", "Ensure('b', n < 7, 'too many')"), exitData, "streaming query 'b' of -e:2: "},
		{"one fails beside another statement", ticking + besideQueryText("b", "Ensure('b', n < 7, 'too many')") + "SELECT n FROM ticks;", exitData, "streaming query 'b' of -e:1: "},
		{"a statement fails", ticking + besideQueryText("a", "'a'") + "SELECT m FROM ticks;", exitUsage, "unknown column 'm'"},
		{"it is stopped", ticking + besideQueryText("a", "'a'") + "ALTER STREAMING QUERY a SET (RUN = FALSE);", exitOK, "a: "},
		{"it is dropped", ticking + besideQueryText("a", "'a'") + "DROP STREAMING QUERY a;", exitOK, "a: "},
		{"it is another one", ticking + besideQueryText("a", "'a'") + "CREATE OR REPLACE " + strings.TrimPrefix(besideQueryText("a", "Ensure('b', n < 7, 'too many')"), "CREATE "), exitData, "too many"},
		{"somebody waits", ticking + "INSERT INTO seen SELECT CAST(10 / (n - 1) AS STRING) FROM ticks; SELECT 1;", exitData, "note: the statement of -e:1 does not end by itself"},
	} {
		if code, _, errs := run("run", "-e", c.sql); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exits with %d, want %d and %q\n%s", c.name, code, c.code, c.want, errs)
		}
	}
}
