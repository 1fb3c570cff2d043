package history

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/metrics"
)

const monday = 29_000_160 // a minute at which a day begins

func everybody(string) bool { return true }

func open(t testing.TB, dir string, limit int64) *Store {
	t.Helper()
	s, err := Open(dir, limit, everybody)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func note(t testing.TB, s *Store, minute int64, all ...Minutes) {
	t.Helper()
	if err := s.Add(minute, all); err != nil {
		t.Fatal(err)
	}
}

func shut(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// rows is what a statement had if it read so many rows.
func rows(id string, n int64) Minutes { return Minutes{id, []Value{{recordsIn, "", n}}} }

// told is an answer as text: a line each, with a value or a dash for each step.
func told(t testing.TB, s *Store, q Question) string {
	t.Helper()
	a, err := s.Read(q)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range a.Lines {
		b.WriteString(strings.TrimSpace(l.Series.Name + " " + l.Label))
		for i, v := range l.Values {
			if l.Known[i] {
				fmt.Fprintf(&b, " %g", v)
			} else {
				b.WriteString(" -")
			}
		}
		b.WriteByte('\n')
	}
	for _, n := range a.Notes {
		b.WriteString(n + "\n")
	}
	return b.String()
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// Values of several minutes become one as their series says, across the end of an hour, and after the store was opened anew too.
func TestFolds(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	for k := range int64(6) {
		if k == 3 {
			continue
		}
		note(t, s, monday+57+k, Minutes{"a", []Value{{recordsIn, "", k}, {inputDelay, "", 10 * (3 - k) * (3 - k)}, {pending, "clicks", 100 + k}, {taskBusy, "window", 100 * k}, {splitLate, "clicks-0", 1}}})
	}
	q := Question{ID: "a", From: monday + 56, To: monday + 64, Step: 2}
	all := `input_delay_ms 90 40 10 40
num_records_in 0 3 4 5
pending_records clicks 100 102 104 105
task/busy_time_ms_per_second window 0 150 400 500
`
	want(t, "two minutes a step", told(t, s, q), all)
	shut(t, s)
	s = open(t, dir, 0)
	want(t, "after it was opened anew", told(t, s, q), all)
	q.Step, q.Wants = 1, func(x *Series) bool { return x == splitLate || x == recordsIn }
	want(t, "a minute a step", told(t, s, q), "num_records_in - 0 1 2 - 4 5 -\nsplit/num_late_records_in clicks-0 - 1 1 1 - 1 1 -\n")
	want(t, "of nobody", told(t, s, Question{ID: "b", From: monday, To: monday + 100}), "")
	s.Forget("a")
	want(t, "of one that was forgotten", told(t, s, q), "")
	shut(t, s)
}

// However long the time, there are no more than so many values.
func TestSteps(t *testing.T) {
	s := open(t, t.TempDir(), 0)
	defer shut(t, s)
	for k := range int64(10_081) {
		if k%60 == 0 {
			note(t, s, monday+k, rows("a", 1))
		}
	}
	a, err := s.Read(Question{ID: "a", From: monday, To: monday + 10_081})
	if err != nil || a.Step != 6 || len(a.Lines) != 1 || len(a.Lines[0].Values) != 1_681 {
		t.Fatalf("%v: a step of %d, %d lines", err, a.Step, len(a.Lines))
	}
	sum := 0.0
	for _, v := range a.Lines[0].Values {
		sum += v
	}
	if sum != 169 {
		t.Errorf("they add up to %v", sum)
	}
}

// A statement can have so many lines, and splits do not take the place of the others.
func TestLinesAreBounded(t *testing.T) {
	s := open(t, t.TempDir(), 0)
	defer shut(t, s)
	var values []Value
	for i := range mostWide + 10 {
		values = append(values, Value{splitLate, fmt.Sprint("s", i), 1})
	}
	for i := range mostLines + 5 {
		values = append(values, Value{late, fmt.Sprint("t", i), 1})
	}
	note(t, s, monday, Minutes{"a", values})
	a, err := s.Read(Question{ID: "a", From: monday, To: monday + 1, Wants: func(*Series) bool { return true }})
	if err != nil || len(a.Lines) != mostLines+mostWide+1 || len(a.Notes) != 1 || !strings.HasPrefix(a.Notes[0], "15 lines are left out") {
		t.Errorf("%v: %d lines, %q", err, len(a.Lines), a.Notes)
	}
}

// A clock that is set forward or back harms nothing that was there before, and what is told of a minute twice counts as it was told last.
func TestClockJumps(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	minute := int64(monday)
	for _, jump := range []int64{0, 3, 5_000_000, -5_000_000, -90, 60, -29_000_000, 29_000_000, 200} {
		minute += jump
		for range 3 {
			note(t, s, minute, rows("a", minute%1000))
			minute++
		}
	}
	q := Question{ID: "a", From: monday, To: monday + 3}
	all := fmt.Sprintf("num_records_in %d %d %d\n", monday%1000, monday%1000+1, monday%1000+2)
	want(t, "the first minutes", told(t, s, q), all)
	shut(t, s)
	s = open(t, dir, 0)
	want(t, "after it was opened anew", told(t, s, q), all)
	note(t, s, monday, rows("a", -7))
	want(t, "a minute that comes again", told(t, s, Question{ID: "a", From: monday, To: monday + 1}), "num_records_in -7\n")
	shut(t, s)
}

// aged has a folder with hours in it, some in a file of a day and some minutes behind.
func aged(t testing.TB) (dir string, last int64) {
	dir = t.TempDir()
	s := open(t, dir, 0)
	for k := range int64(6) {
		last = monday + 50 + 3*k
		note(t, s, last, rows("a", last%1000), Minutes{"b", []Value{{recordsIn, "", 1}, {splitIdle, "b-0", last % 7}}})
	}
	shut(t, s)
	return dir, last
}

// whole checks that a store over a folder has of each minute what was added or nothing, and that it goes on.
func whole(t *testing.T, dir string, last int64) (minutes int) {
	t.Helper()
	s := open(t, dir, 0)
	a, err := s.Read(Question{ID: "a", From: monday, To: last + 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range a.Lines {
		for i, v := range l.Values {
			if minute := monday + int64(i); l.Known[i] {
				if minutes++; v != float64(minute%1000) {
					t.Fatalf("minute %d is %v", i, v)
				}
			}
		}
	}
	for _, minute := range []int64{last + 1, last + 61, last + 121} {
		note(t, s, minute, rows("a", 5))
	}
	shut(t, s)
	s = open(t, dir, 0)
	for _, minute := range []int64{last + 1, last + 61, last + 121} {
		want(t, "what was added then", told(t, s, Question{ID: "a", From: minute, To: minute + 1}), "num_records_in 5\n")
	}
	shut(t, s)
	return minutes
}

// each runs f over the folder with one of its files changed, at each of its bytes.
func each(t *testing.T, change func(content []byte, at int) []byte, f func(t *testing.T, dir string, last int64, file string, at int)) {
	dir, last := aged(t)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for at := range content {
			to := t.TempDir()
			for _, other := range files {
				b, err := os.ReadFile(other)
				if other == file {
					b = change(slices.Clone(content), at)
				}
				if err := errors.Join(err, os.WriteFile(filepath.Join(to, filepath.Base(other)), b, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			f(t, to, last, filepath.Base(file), at)
		}
	}
}

// The process may end at any byte that it writes: what was written before is there, and the store goes on.
func TestTornAtEachByte(t *testing.T) {
	before := map[string]int{}
	each(t, func(content []byte, at int) []byte { return content[:at] }, func(t *testing.T, dir string, last int64, file string, at int) {
		n := whole(t, dir, last)
		if n < before[file] {
			t.Errorf("%s with %d bytes has %d minutes, and had %d with less", file, at, n, before[file])
		}
		before[file] = n
	})
	if before[minutesFile] < 4 {
		t.Errorf("the most that was found is %v", before)
	}
}

// Whatever byte is changed, no value is told that is not right, and no more than the record is lost.
func TestDamagedAtEachByte(t *testing.T) {
	each(t, func(content []byte, at int) []byte { content[at] ^= 0x41; return content }, func(t *testing.T, dir string, last int64, file string, at int) {
		if n := whole(t, dir, last); file == minutesFile && n < 5 {
			t.Errorf("a byte of %s at %d leaves %d minutes", file, at, n)
		}
	})
}

// Any bytes are a file with some records, behind which others can be appended; and any payload is read or is none, also if its checksum is right.
func FuzzFile(f *testing.F) {
	dir, _ := aged(f)
	for _, name := range []string{minutesFile, dayName(monday/1440) + daySuffix} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:300])
		f.Add(payloadOf(b))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &Store{hours: map[int64]map[string]*sheet{}}
		n := 0
		read := func(at int, payload []byte) {
			n++
			s.readMinute(payload, everybody)
			var c chunk
			if body, ok := c.readHead(payload); ok {
				_ = newSheet().read(body)
			}
		}
		end := records(b, read)
		if end > len(b) {
			t.Fatalf("the last record ends at %d of %d", end, len(b))
		}
		before := n
		records(appendRecord(slices.Clone(b[:end]), b), read)
		if n != 2*before+1 {
			t.Fatalf("%d records, and %d with one more", before, n-before)
		}
		read(0, b)
	})
}

// typical is what a statement with a source of four splits and three tasks has in a minute of a busy day.
func typical(id string, random *rand.Rand, minute int64) Minutes {
	noise := func(about, by int64) int64 { return about + random.Int64N(by+1) }
	v := []Value{{checkpoints, "", 6}, {checkpointFails, "", 0}, {restarts, "", 0}, {checkpointTime, "", noise(20, 30)}, {checkpointBytes, "", noise(100_000, 5_000)},
		{recordsIn, "", noise(60_000, 4_000)}, {late, "clicks", noise(0, 20)}, {pending, "clicks", noise(0, 500)}, {lateness, "clicks", noise(0, 5_000)}, {inputDelay, "", noise(5_000, 1_000)},
		{recordsOut, "", noise(600, 60)}, {outDelay, "", noise(10_000, 10_000)}}
	for i, task := range []string{"source-0", "window-aggregate-3", "sink"} {
		busy, blocked := noise(50, 100), noise(0, 3)
		v = append(v, Value{taskIn, task, noise(60_000, 4_000)}, Value{taskOut, task, noise(60_000, 4_000)}, Value{taskBusy, task, busy}, Value{taskBlocked, task, blocked}, Value{taskIdle, task, 1000 - busy - blocked},
			Value{taskState, task, noise(1_000_000, 100_000) * int64(i%2)}, Value{taskDropped, task, 0})
		if i == 0 {
			v = append(v, Value{taskLate, task, noise(0, 20)}, Value{taskLateness, task, noise(0, 5_000)})
		}
	}
	for k := range 4 {
		split := fmt.Sprint("clicks-", k)
		idle := int64(0)
		if k == 3 {
			idle = noise(0, 400)
		}
		v = append(v, Value{splitLate, split, noise(0, 5)}, Value{splitActive, split, 1000 - idle}, Value{splitPaused, split, 0}, Value{splitIdle, split, idle})
	}
	return Minutes{id, v}
}

// age lets days pass with statements that have something in every few minutes.
func age(t testing.TB, s *Store, days, statements, every int64) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	for minute := int64(monday); minute < monday+days*1440; minute += every {
		var all []Minutes
		for i := range statements {
			all = append(all, typical(fmt.Sprint("statement-", i), random, minute))
		}
		note(t, s, minute, all...)
	}
}

// Eight days of 200 statements: the first day is gone, the rest is there, within the limit.
func TestEightDays(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	age(t, s, 9, 200, 180)
	q := Question{ID: "statement-7", From: monday, To: monday + 9*1440, Step: 1440, Wants: func(x *Series) bool { return x == checkpoints }}
	want(t, "checkpoints by day", told(t, s, q), "checkpoint/num_completed - 48 48 48 48 48 48 48 48\n")
	if n := s.Bytes(); n > UsualBytes || n != onDisk(t, dir) {
		t.Errorf("it has %d bytes, and the folder %d", n, onDisk(t, dir))
	}
	shut(t, s)
	s = open(t, dir, 0)
	want(t, "checkpoints by day, when it was opened anew", told(t, s, q), "checkpoint/num_completed - 48 48 48 48 48 48 48 48\n")
	shut(t, s)
}

// A file is read into as much memory as it has bytes, and the next one into the same: a server that starts has many of them to read.
func TestFilesAreReadInOnePlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var content []byte
	for i := range 64 {
		content = appendRecord(content, bytes.Repeat([]byte{byte(i)}, 256<<10))
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var room []byte
	allocated := func() int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		x, err := openFile(path, &room, func(_ place, payload []byte) {
			if len(payload) != 256<<10 || payload[0] != byte(n) {
				t.Errorf("record %d has %d bytes", n, len(payload))
			}
			n++
		})
		runtime.ReadMemStats(&after)
		if err != nil || n != 64 || x.size != int64(len(content)) {
			t.Fatalf("%d records in %d bytes: %v", n, x.size, err)
		}
		if err := x.f.Close(); err != nil {
			t.Error(err)
		}
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	if n := allocated(); n > len(content)*5/4 {
		t.Errorf("%d bytes are taken for a file of %d", n, len(content))
	}
	if n := allocated(); n > len(content)/16 {
		t.Errorf("%d bytes are taken for the same once more", n)
	}
}

func onDisk(t testing.TB, dir string) (n int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		i, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		n += i.Size()
	}
	return n
}

// With too little room the splits go first, the oldest before the others, then the oldest days; and that is told.
func TestRoomIsMade(t *testing.T) {
	for _, c := range []struct {
		limit        int64
		splits, rest bool // of the first day are still there
		note         string
	}{
		{1 << 20, true, true, ""},
		{100 << 10, false, true, "what was known of splits before the end of 2025-02-2"},
		{30 << 10, false, false, "what was before the end of 2025-02-2"},
		{4 << 10, false, false, "what was before the end of 2025-02-2"},
	} {
		dir := t.TempDir()
		s := open(t, dir, c.limit)
		most := int64(0)
		random := rand.New(rand.NewPCG(3, 4))
		for minute := int64(monday); minute < monday+6*1440; minute += 20 {
			note(t, s, minute, typical("a", random, minute), typical("b", random, minute))
			most = max(most, onDisk(t, dir))
		}
		for _, again := range []bool{false, true} {
			if again {
				shut(t, s)
				s = open(t, dir, c.limit)
			}
			first, err := s.Read(Question{ID: "a", From: monday, To: monday + 1440, Wants: func(*Series) bool { return true }})
			if err != nil {
				t.Fatal(err)
			}
			splits := slices.ContainsFunc(first.Lines, func(l Line) bool { return l.Series.Wide() })
			if rest := len(first.Lines) > 0; splits != c.splits || rest != c.rest {
				t.Errorf("limit %d: of the first day splits are there: %t, the rest: %t", c.limit, splits, rest)
			}
			if got := strings.Join(first.Notes, "; "); !strings.HasPrefix(got, c.note) || (c.note == "") != (got == "") {
				t.Errorf("limit %d: it is told that %q", c.limit, got)
			}
		}
		if most > c.limit {
			t.Errorf("limit %d: it had %d bytes", c.limit, most)
		}
		newest, err := s.Read(Question{ID: "a", From: monday + 6*1440 - 120, To: monday + 6*1440})
		if err != nil || len(newest.Lines) == 0 || !newest.Lines[0].Known[100] {
			t.Errorf("limit %d: the newest minutes are not there: %v", c.limit, err)
		}
		shut(t, s)
	}
}

// An hour that cannot be written is tried again with each minute, and is known meanwhile; of several of them the newest are kept.
func TestHoursThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	inTheWay := filepath.Join(dir, dayName(monday/1440)+daySuffix)
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	note(t, s, monday, rows("a", 1))
	for hour := range int64(6) {
		if err := s.Add(monday+60*(hour+1), []Minutes{rows("a", hour+2)}); err == nil {
			t.Errorf("hour %d could be written", hour)
		}
	}
	q := Question{ID: "a", From: monday, To: monday + 7*60, Step: 60}
	want(t, "meanwhile", told(t, s, q), "num_records_in - - - 4 5 6 7\n")
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	note(t, s, monday+7*60, rows("a", 8))
	want(t, "when they can", told(t, s, q), "num_records_in - - - 4 5 6 7\n")
	shut(t, s)
	s = open(t, dir, 0)
	want(t, "when it was opened anew", told(t, s, q), "num_records_in - - - 4 5 6 7\n")
	shut(t, s)
}

// Readers see whole minutes while others are added and statements are forgotten; the race detector has its eye on it.
func TestReadersBesideTheWriter(t *testing.T) {
	s := open(t, t.TempDir(), 0)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				a, err := s.Read(Question{ID: "a", From: monday, To: monday + 600})
				if err != nil || len(a.Lines) != 0 && len(a.Lines) != 2 {
					t.Errorf("%v: %d lines", err, len(a.Lines))
					return
				}
			}
		})
	}
	for k := range int64(200) {
		note(t, s, monday+3*k, Minutes{"a", []Value{{recordsIn, "", k}, {recordsOut, "", k}}}, rows(fmt.Sprint("b", k%7), 1))
		s.Forget(fmt.Sprint("b", (k+3)%7))
	}
	close(done)
	readers.Wait()
	shut(t, s)
}

// The bytes of statements that are forgotten go, and statements that nobody knows when the store is opened are forgotten.
func TestForgottenBytesGo(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	age(t, s, 1, 20, 10)
	before := s.Bytes()
	for i := range 15 {
		s.Forget(fmt.Sprint("statement-", i))
	}
	note(t, s, monday+1441, rows("statement-19", 1))
	note(t, s, monday+1501, rows("statement-19", 1))
	if after := onDisk(t, dir); after > before/3 {
		t.Errorf("there were %d bytes, and are %d", before, after)
	}
	all := told(t, s, Question{ID: "statement-19", From: monday, To: monday + 1440})
	shut(t, s)
	s, err := Open(dir, 0, func(id string) bool { return id == "statement-19" })
	if err != nil {
		t.Fatal(err)
	}
	want(t, "one that is left", told(t, s, Question{ID: "statement-19", From: monday, To: monday + 1440}), all)
	want(t, "one that nobody knows", told(t, s, Question{ID: "statement-18", From: monday, To: monday + 1440}), "")
	shut(t, s)
}

// Names, labels and kinds are those of the metrics, for what is there too.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range All {
		if seen[x.Name] || x.Doc == "" {
			t.Errorf("%s is there twice, or has no words", x.Name)
		}
		seen[x.Name] = true
		i := slices.IndexFunc(metrics.All, func(m *metrics.Series) bool { return m.Name == x.Name })
		if i < 0 {
			continue
		}
		if m := metrics.All[i]; strings.Join(m.Labels, " ") != x.Label || (m.Kind == metrics.Counter) != (x.Fold == Sum) {
			t.Errorf("%s has label %q and fold %s, and as a metric labels %q", x.Name, x.Label, x.Fold, m.Labels)
		}
	}
}

// BenchmarkAdd is a minute of 200 statements.
func BenchmarkAdd(b *testing.B) {
	s := open(b, b.TempDir(), 0)
	random := rand.New(rand.NewPCG(3, 4))
	var all []Minutes
	for i := range 200 {
		all = append(all, typical(fmt.Sprint("statement-", i), random, 0))
	}
	minute := int64(monday)
	for b.Loop() {
		note(b, s, minute, all...)
		minute++
	}
	b.ReportMetric(float64(s.Bytes())/float64(minute-monday)/200, "B/statement-minute")
	shut(b, s)
}

// BenchmarkRead reads seven days of one statement among 20, with its splits.
func BenchmarkRead(b *testing.B) {
	s := open(b, b.TempDir(), 0)
	age(b, s, 7, 20, 1)
	for b.Loop() {
		if _, err := s.Read(Question{ID: "statement-3", From: monday, To: monday + 7*1440, Wants: func(*Series) bool { return true }}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(s.Bytes())/(7*1440*20), "B/statement-minute")
	shut(b, s)
}
