package statements

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/history"
)

func everything(*history.Series) bool { return true }

// past is what a statement had in the last minutes.
func (s *testServer) past(name string, minutes int64, wants func(*history.Series) bool) string {
	s.Helper()
	return written(s.answer(name, minutes, wants))
}

func (s *testServer) answer(name string, minutes int64, wants func(*history.Series) bool) history.Answer {
	s.Helper()
	a, err := s.hub.History(name, history.Question{From: s.hub.Minute() - minutes, To: s.hub.Minute(), Wants: wants})
	if err != nil {
		s.Fatal(err)
	}
	return a
}

// written is an answer as text.
func written(a history.Answer) string {
	var b strings.Builder
	for _, l := range a.Lines {
		fmt.Fprintf(&b, "%s %s: %v %v\n", l.Series.Name, l.Label, l.Values, l.Known)
	}
	return b.String() + strings.Join(a.Notes, "\n")
}

const nothing = -1

// near checks how many rows a statement has read in each of the last minutes, give or take one at the edge of a minute.
func (s *testServer) near(name string, want []float64) {
	s.Helper()
	a := s.answer(name, int64(len(want)), func(x *history.Series) bool { return x.Name == "num_records_in" })
	if len(a.Lines) != 1 {
		s.Fatalf("there are %d lines", len(a.Lines))
	}
	l := &a.Lines[0]
	for i, w := range want {
		if l.Known[i] != (w != nothing) || l.Known[i] && math.Abs(l.Values[i]-w) > 2 {
			s.Errorf("the rows of each minute are %v (%v), want %v", l.Values, l.Known, want)
			return
		}
	}
}

func (s *testServer) wants(what, got, want string) {
	s.Helper()
	if got != want {
		s.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// Minutes of a statement are there while it runs, after it was stopped, resumed and finished, and after the server has ended at any moment; they go with it.
func TestHistoryOfAStatement(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("ticks", endless)
		s.done("out", "CREATE TABLE out_ (n BIGINT) WITH ('connector' = 'blackhole')")
		s.run("copy", "INSERT INTO out_ SELECT n FROM ticks")
		s.phase("copy", Running)
		s.pass(3*time.Minute + 10*time.Second)
		s.near("copy", []float64{nothing, 600, 600, 600})
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.pass(2 * time.Minute)
		s.near("copy", []float64{nothing, nothing, nothing, 600, 600, 600, 100, nothing})
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.pass(2 * time.Minute)
		s.near("copy", []float64{nothing, nothing, nothing, 600, 600, 600, 100, nothing, 500, 600})
		before := s.past("copy", 10, everything)

		// As it is on the disk now, another server finds it.
		killed := filepath.Join(t.TempDir(), "killed")
		if err := os.CopyFS(killed, os.DirFS(filepath.Join(s.dir, "server", historyFolder))); err != nil {
			t.Fatal(err)
		}
		store, err := history.Open(killed, 0, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		x, _ := s.hub.Get("copy")
		a, err := store.Read(history.Question{ID: x.UID, From: s.hub.Minute() - 10, To: s.hub.Minute(), Wants: everything})
		if err != nil {
			t.Fatal(err)
		}
		s.wants("what is on the disk", written(a), before)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}

		s.close()
		s.open()
		s.wants("after the server was started anew", s.past("copy", 10, everything), before)
		if err := s.hub.Delete("copy"); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		s.run("copy", "INSERT INTO out_ SELECT n FROM ticks")
		s.wants("of another one of that name", s.past("copy", 10, everything), "")
	})
}

// A statement that fails again and again, or ends soon, has its rows in the history.
func TestHistoryOfShortJobs(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("people", people)
		s.done("fill", `INSERT INTO people VALUES (1, 'Ann'), (2, 'Bo')`)
		s.done("out", "CREATE TABLE out_ (id BIGINT) WITH ('connector' = 'blackhole')")
		s.done("copy", "INSERT INTO out_ SELECT id FROM people")
		s.pass(2 * time.Minute)
		s.near("copy", []float64{2, nothing})
	})
}
