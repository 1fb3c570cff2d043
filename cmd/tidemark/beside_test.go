package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/statedir"
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
	return "CREATE STREAMING QUERY " + name + " AS DO BEGIN INSERT INTO seen SELECT " + value + " AS s FROM ticks; END DO;\n"
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

// TestStateOfStreamingQueries: one that is stopped and runs again within a run goes on where it was, one that is another begins anew, and which state is whose does not hang on who begins first.
func TestStateOfStreamingQueries(t *testing.T) {
	const stop, again = "ALTER STREAMING QUERY a SET (RUN = FALSE);", "ALTER STREAMING QUERY a SET (RUN = TRUE);"
	a := ticking + besideQueryText("a", "'a'")
	another := "CREATE OR REPLACE " + strings.TrimPrefix(besideQueryText("a", "'b'"), "CREATE ")
	for _, c := range []struct {
		name, sql string
		goesOn    int // how often
		folders   string
	}{
		{"again", a + stop + again + stop + again + stop, 2, "insert+a"},
		{"replaced", a + another + stop + again + stop, 1, "insert+a insert+a-2"},
		{"replaced while it is stopped", a + stop + strings.Replace(another, " AS", " WITH (RUN = FALSE) AS", 1) + again + stop, 0, "insert+a insert+a-2"},
		{"dropped", a + "DROP STREAMING QUERY a;" + besideQueryText("a", "'b'") + stop, 0, "insert+a insert+a-2"},
		{"of two databases", a + "CREATE DATABASE other; CREATE TABLE other.seen (s STRING) WITH ('connector' = 'print'); CREATE TABLE other.ticks LIKE ticks; USE other;" +
			besideQueryText("a", "'b'") + stop, 0, "insert+a insert+a-2"},
	} {
		dir := t.TempDir()
		sql := c.sql
		if strings.Contains(sql, "USE") {
			sql += "USE default_database;" + stop
		}
		code, _, errs := run("run", "--state-dir", dir, "-e", sql)
		folders, err := filepath.Glob(filepath.Join(dir, "insert*"))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range folders {
			folders[i] = filepath.Base(f)
		}
		if got := strings.Join(folders, " "); code != exitOK || got != c.folders || strings.Count(errs, "going on from") != c.goesOn {
			t.Errorf("%s: exits with %d, has states %s\n%s", c.name, code, got, errs)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "insert+a", "statement.sql")); err != nil || !strings.Contains(string(text), "'a'") {
			t.Errorf("%s: the first state is that of %q, %v", c.name, text, err)
		}
	}
}

// wishing is a standard output that asks for something in a folder of states when the first rows come.
type wishing struct {
	t    *testing.T
	dir  string
	wish statedir.Wish
	once sync.Once
}

func (w *wishing) Write(p []byte) (int, error) {
	w.once.Do(func() {
		if err := statedir.Ask(w.dir, w.wish); err != nil {
			w.t.Error(err)
		}
	})
	return len(p), nil
}

// TestSelectEndsWithOthers: a SELECT, which keeps no state, ends with the streaming queries beside it when they are stopped by their folder, and so does one that is alone.
func TestSelectEndsWithOthers(t *testing.T) {
	for _, wish := range []statedir.Wish{statedir.WishStop, statedir.WishDrain} {
		for _, before := range []string{"", besideQueryText("a", "'a'") + besideQueryText("b", "'b'")} {
			dir := t.TempDir()
			var stderr bytes.Buffer
			sql := ticking + before + "SELECT n FROM ticks; SELECT n FROM ticks;"
			code := dispatch(context.Background(), []string{"run", "--state-dir", dir, "-e", sql}, &wishing{t: t, dir: dir, wish: wish}, &stderr)
			if code != exitOK || !strings.Contains(stderr.String(), "the last 1 of") {
				t.Errorf("%s before %q: exits with %d\n%s", wish, before, code, stderr.String())
			}
		}
	}
}
