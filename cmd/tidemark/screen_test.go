package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// tty is a terminal that remembers what is on it. It understands what a screen sends: carriage return, line feed and erase to the end of the
// line; how long lines are wrapped is left out.
type tty struct {
	mu     sync.Mutex
	lines  [][]rune // the cursor is in the last one
	column int
	drawn  int // lines that were erased while something was on them
}

func (t *tty) Name() string               { return "/dev/tty" }
func (t *tty) Stat() (os.FileInfo, error) { return device{}, nil }

// device is what Stat tells of a terminal.
type device struct{ os.FileInfo }

func (device) Mode() fs.FileMode { return fs.ModeDevice | fs.ModeCharDevice }

func (t *tty) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines == nil {
		t.lines = [][]rune{nil}
	}
	text := strings.NewReplacer("\x1b[K", "\x00", "\x1b[?7l", "", "\x1b[?7h", "").Replace(string(p))
	for _, c := range text {
		last := &t.lines[len(t.lines)-1]
		switch c {
		case '\r':
			t.column = 0
		case '\n':
			t.lines, t.column = append(t.lines, nil), 0
		case 0:
			if len(*last) > t.column {
				t.drawn++
			}
			*last = (*last)[:t.column]
		default:
			*last = append((*last)[:t.column], append([]rune{c}, (*last)[min(t.column+1, len(*last)):]...)...)
			t.column++
		}
	}
	return len(p), nil
}

func (t *tty) String() string {
	var b strings.Builder
	for i, l := range t.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(l))
	}
	return b.String()
}

// TestProgressIsNoPartOfRows runs slow queries on a terminal: when they are over, it shows rows and summary and no trace of the progress.
func TestProgressIsNoPartOfRows(t *testing.T) {
	const slow = "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'number-of-rows' = '14', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '14');"
	const into = "INSERT INTO p SELECT a FROM n"
	for _, c := range []struct {
		about, sql, row string
		args            []string
	}{
		{"a table", slow + "SELECT a FROM n", "│ +I │ %8d │", nil},
		{"JSON lines", slow + "SELECT a FROM n", `{"op":"+I","a":%d}`, []string{"--output", "jsonl"}},
		{"print", slow + "CREATE TABLE p (a BIGINT) WITH ('connector' = 'print');" + into, "+I[%d]", nil},
		{"print to standard error", slow + "CREATE TABLE p (a BIGINT) WITH ('connector' = 'print', 'standard-error' = 'true');" + into, "+I[%d]", nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			screen := &tty{}
			synctest.Test(t, func(t *testing.T) {
				if code := dispatch(context.Background(), append([]string{"run", "-e", c.sql}, c.args...), screen, screen); code != exitOK {
					t.Fatalf("exits with %d\n%s", code, screen)
				}
			})
			lines := strings.Split(screen.String(), "\n")
			for i := range 14 {
				want := fmt.Sprintf(c.row, i+1)
				for len(lines) > 0 && lines[0] != want && strings.ContainsAny(lines[0][:min(3, len(lines[0]))], "┌│├") {
					lines = lines[1:] // the head of a table
				}
				if len(lines) == 0 || lines[0] != want {
					t.Fatalf("row %d is not on a line of its own:\n%s", i+1, screen)
				}
				lines = lines[1:]
			}
			if rest := strings.Join(lines, "\n"); strings.Contains(rest, "rows/s") || !strings.Contains(rest, "14 rows in, 14 rows out in ") {
				t.Errorf("behind the rows there is\n%s", rest)
			}
			if screen.drawn == 0 {
				t.Error("no progress was shown")
			}
		})
	}
}

// TestProgressNeedsATerminal keeps control characters out of files.
func TestProgressNeedsATerminal(t *testing.T) {
	synctest.Test(t, progressNeedsATerminal)
}

func progressNeedsATerminal(t *testing.T) {
	const slow = "CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '20', 'number-of-rows' = '10'); SELECT a FROM n"
	if _, stdout, stderr := run("run", "-e", slow); strings.ContainsAny(stdout+stderr, "\r\x1b") {
		t.Errorf("%q %q", stdout, stderr)
	}
	var rows strings.Builder
	screen := &tty{}
	dispatch(context.Background(), []string{"run", "-e", slow}, &rows, screen)
	if strings.ContainsAny(rows.String(), "\r\x1b") || screen.drawn == 0 {
		t.Errorf("with rows in a file, they are %q and %d lines of progress were shown", rows.String(), screen.drawn)
	}
	quiet := &tty{}
	dispatch(context.Background(), []string{"run", "--quiet", "-e", slow}, &rows, quiet)
	if quiet.lines != nil {
		t.Errorf("--quiet shows %q", quiet)
	}
}

// TestScreen shares a terminal between writers and the line.
func TestScreen(t *testing.T) {
	out := &tty{}
	s := newScreen(out)
	w := s.writer(out)
	check := func(want string) {
		t.Helper()
		if got := out.String(); got != want {
			t.Errorf("the terminal shows %q, want %q", got, want)
		}
	}
	s.show("half way there")
	s.show("done")
	check("done")
	fmt.Fprint(w, "row\n")
	check("row\n")
	s.show("more")
	fmt.Fprint(w, "unen")
	s.show("line")
	check("row\nunen")
	fmt.Fprint(w, "ded\n")
	s.show("line")
	check("row\nunended\nline")
	s.clear()
	s.clear()
	check("row\nunended\n")
}

// TestScreenIsShared is for the race detector, and for lines that come apart.
func TestScreenIsShared(t *testing.T) {
	out := &tty{}
	s := newScreen(out)
	var group sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		w := s.writer(out)
		group.Go(func() {
			for range 200 {
				fmt.Fprintln(w, strings.Repeat(name, 20))
			}
		})
	}
	for range 50 {
		s.show("progress")
		runtime.Gosched()
	}
	group.Wait()
	s.clear()
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if line != strings.Repeat(line[:1], 20) {
			t.Fatalf("a line is %q", line)
		}
	}
}
