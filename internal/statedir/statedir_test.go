package statedir

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

var update = flag.Bool("update", false, "write the golden files anew")

const taken = 1_790_000_000_000_000

// core is the state of a core with a split that had a late row, and one that had none at all.
func core(t *testing.T, end bool) []byte {
	c, err := watermark.New(watermark.Replay(1000), 0)
	if err != nil {
		t.Fatal(err)
	}
	c.AddSplit(0)
	c.AddSplit(0)
	var out watermark.Observed
	c.Observe(0, []int64{5_000_000, 1_000_000}, []int64{5_000_000, 1_000_000}, 0, &out)
	c.FinishSplit(1, 0)
	c.Observe(0, []int64{2_000_000}, []int64{2_000_000}, 0, &out)
	if end {
		c.SealSplits()
		c.FinishSplit(0, 0)
	}
	return c.AppendState(nil)
}

func snapshot(t *testing.T) *runtime.Snapshot {
	return &runtime.Snapshot{
		Written: 1,
		Sink:    []byte("pending"),
		Sources: []runtime.SourceSnapshot{
			{Table: "t", Core: core(t, false), Counts: runtime.SourceTotals{Rows: 3, Bytes: 99, Late: 1, Skipped: 2},
				Splits: []runtime.SplitSnapshot{{Name: "a-0", Offset: 3}, {Name: "a-1", Done: true}}, Finished: []connector.SplitID{connector.IDOf("x")}},
			{Table: "u", Core: core(t, true), Splits: []runtime.SplitSnapshot{{Name: "b", Done: true}, {Name: "evil\x1b[31m", Done: true}}},
		},
		Operators: map[string]*runtime.OperatorSnapshot{
			"sink/join":  {Print: "JOIN", Parts: [][]byte{make([]byte, 1500), make([]byte, 100)}, Size: dataflow.Size{Rows: 12}},
			"sink/group": {Print: "BY k", Parts: [][]byte{{1}}, Size: dataflow.Size{Groups: 1}},
		},
		Counts: map[string]dataflow.Totals{"sink/join": {In: 12, Out: 4, Dropped: 2}, "sink/filter": {In: 5, Out: 3}},
		About: &runtime.About{Taken: taken, Instant: []bool{true, false},
			Operators: []runtime.OperatorLabel{{ID: "sink/filter", Label: "Filter"}, {ID: "sink/join", Label: "INNER join"}, {ID: "sink/group", Label: "GROUP BY"}}},
	}
}

// save writes snapshots as checkpoints 1, 2, … of a statement.
func save(t *testing.T, s Statement, all ...*runtime.Snapshot) {
	t.Helper()
	f, err := s.Open(10)
	if err == nil {
		err = s.Note("INSERT INTO o\nSELECT * FROM t /*+ OPTIONS('properties.sasl.jaas.config' = 'abc') */")
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range all {
		w, err := f.Begin(int64(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Save(w); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func file(s Statement, name string) string { return filepath.Join(s.Path, checkpoints, name) }

func TestShow(t *testing.T) {
	dir := t.TempDir()
	running := At(dir, Name([]string{"o"}))
	older, newer := snapshot(t), snapshot(t)
	older.About.Taken -= 3_725_000_000
	save(t, running, older, newer, newer, newer)
	// Of four checkpoints the newest is cut off, the third of a newer program's snapshot, and one more was set aside.
	if err := os.Truncate(file(running, checkpoint.FileName(4)), 700); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file(running, checkpoint.FileName(3)))
	if err != nil {
		t.Fatal(err)
	}
	b[20] ^= 1
	if err := os.WriteFile(file(running, checkpoint.FileName(3)), b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file(running, checkpoint.FileName(4)), file(running, checkpoint.FileName(5))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(running, checkpoint.FileName(4)+".damaged"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(running, checkpoint.FileName(6)+".unfinished"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	save(t, At(dir, "insert+p"), &runtime.Snapshot{Finished: true, About: &runtime.About{Taken: taken, Operators: newer.About.Operators}})
	save(t, At(dir, "insert+q"))
	broken := At(dir, "insert+r")
	save(t, broken, &runtime.Snapshot{About: &runtime.About{Taken: taken}, Sources: []runtime.SourceSnapshot{{Table: "t", Core: []byte("?")}}})

	all, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	var views []*View
	for _, s := range all {
		v, err := s.Look()
		if err != nil {
			t.Fatal(err)
		}
		v.Path = v.Name
		for i := range v.Checkpoints {
			if v.Checkpoints[i].Damage != "" {
				v.Checkpoints[i].Taken = taken // when the file was written, which is now
			}
		}
		views = append(views, v)
	}
	var people, programs strings.Builder
	if err := WriteText(&people, views, taken+61_500_000); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&programs, views, taken+61_500_000); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(programs.String())) {
		t.Error("what is for programs is no JSON")
	}
	golden(t, "show.txt", people.String())
	golden(t, "show.json", programs.String())
	if strings.Contains(people.String(), "\x1b") {
		t.Error("a name reaches the terminal as it is")
	}
	if _, err := os.Stat(file(running, checkpoint.FileName(6)+".unfinished")); err != nil {
		t.Error("looking changed the folder:", err)
	}
}

// TestSharedState looks at checkpoints that are for the most part in the file of one that is not kept any more, and saves the newest: the copy is in one file, and who begins from it has all.
func TestSharedState(t *testing.T) {
	dir := t.TempDir()
	s := At(dir, "insert+o")
	f, err := s.Open(2)
	if err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 3_000_000)
	rand.NewChaCha8([32]byte{}).Read(part)
	for id := range int64(3) {
		x := snapshot(t)
		x.Operators["sink/join"].Parts = [][]byte{part}
		w, err := f.Begin(id + 1)
		if err != nil {
			t.Fatal(err)
		}
		x.Save(w)
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	look := func(s Statement) string {
		t.Helper()
		v, err := s.Look()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := WriteText(&text, []*View{v}, taken); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	if got := look(s); strings.Count(got, " kB and 3.0 MB in 1 older file\n") != 2 || !strings.Contains(got, "INNER join (sink/join): 12 rows, 3.0 MB;") {
		t.Error(got)
	}
	if _, err := Save(dir, dir+"-saved"); err != nil {
		t.Fatal(err)
	}
	begun := At(t.TempDir(), "insert+o")
	g, err := begun.Open(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := begun.Begin(g, dir+"-saved"); err != nil {
		t.Fatal(err)
	}
	for _, copied := range []Statement{At(dir+"-saved", "insert+o"), begun} {
		if got := look(copied); !strings.Contains(got, "3.0 MB\n") || strings.Contains(got, "older") || strings.Contains(got, "damaged") {
			t.Error(got)
		}
	}
}

// TestShowOfOlderPrograms looks at a checkpoint that does not say when it was taken and what its operators are called.
func TestShowOfOlderPrograms(t *testing.T) {
	s := At(t.TempDir(), "insert+o")
	old := snapshot(t)
	old.About = nil
	save(t, s, old)
	v, err := s.Look()
	if err != nil {
		t.Fatal(err)
	}
	c := v.Newest()
	if c == nil || c.Taken == 0 || len(c.Content.Operators) != 3 || c.Content.Operators[1].ID != "sink/group" || c.Content.Operators[1].Size.Bytes != 1 {
		t.Errorf("%+v", c)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s", name, got)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	save(t, At(dir, "insert+o"), snapshot(t))
	save(t, At(dir, "insert+p"), snapshot(t))
	if err := os.MkdirAll(filepath.Join(dir, "other"), 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{".": "insert+o insert+p", "insert+p": "insert+p", "insert+p/checkpoints": "insert+p"} {
		all, err := Find(filepath.Join(dir, path))
		var names []string
		for _, s := range all {
			names = append(names, s.Name)
		}
		if err != nil || strings.Join(names, " ") != want {
			t.Errorf("in %s: %v, %v", path, names, err)
		}
	}
	t.Chdir(filepath.Join(dir, "insert+o"))
	if all, err := Find("."); err != nil || all[0].Name != "insert+o" {
		t.Error(all, err)
	}
	for path, want := range map[string]string{"other": "is no folder of states", "nothing": "there is no folder", "insert+o/statement.sql": "is a file"} {
		if _, err := Find(filepath.Join(dir, path)); err == nil || fault.Of(err) != fault.User || !strings.Contains(err.Error(), want) {
			t.Errorf("in %s: %v", path, err)
		}
	}
}

func TestNames(t *testing.T) {
	if n := Name([]string{"a_1", "b"}); n != "insert+a_1+b" {
		t.Error(n)
	}
	seen := map[string]bool{}
	for _, tables := range [][]string{{"A"}, {"a"}, {"Ä"}, {"a/b"}, {"a b"}, {".."}, {strings.Repeat("a", 200)}, {strings.Repeat("a", 201)}} {
		n := Name(tables)
		if seen[n] || len(n) > 130 || strings.ContainsAny(n, "/. ") {
			t.Errorf("%q is in %q", tables, n)
		}
		seen[n] = true
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_449: "99.4 kB", 99_600: "100 kB", 999_400: "999 kB", 999_600: "1.0 MB", 5_300_000_000: "5.3 GB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 s", 59_999_999: "59 s", 60_000_000: "1 min 0 s", 3_725_000_000: "1 h 2 min", 90_000_000_000: "1 d 1 h"} {
		if got := age(n); got != want {
			t.Errorf("%d us are %s, want %s", n, got, want)
		}
	}
}
