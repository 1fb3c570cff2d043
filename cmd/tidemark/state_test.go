package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
)

// do runs the program in this process.
func do(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = dispatch(context.Background(), args, &out, &err)
	return out.String(), err.String(), code
}

func TestStateShow(t *testing.T) {
	t.Chdir(t.TempDir())
	script := `CREATE TABLE o (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
INSERT INTO o SELECT 1 UNION ALL SELECT 2`
	if _, stderr, code := do("run", "--quiet", "--state-dir", "state", "-e", script); code != exitOK {
		t.Fatal(stderr)
	}
	out, stderr, code := do("state", "show", "state")
	if code != exitOK || !strings.Contains(out, "insert+o\n  INSERT INTO o SELECT 1 UNION ALL SELECT 2\n  checkpoint 1 of ") ||
		!strings.Contains(out, "checkpoint 1 is the end of the statement") {
		t.Errorf("exit code %d, %s\n%s", code, stderr, out)
	}
	out, stderr, code = do("state", "--json", "show", "state")
	var all []struct {
		Name        string
		Checkpoints []struct{ Content struct{ Finished bool } }
	}
	if err := json.Unmarshal([]byte(out), &all); code != exitOK || err != nil || len(all) != 1 || all[0].Name != "insert+o" || !all[0].Checkpoints[0].Content.Finished {
		t.Errorf("exit code %d, %s, %v\n%s", code, stderr, err, out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"state", "show", "out"}, "'out' is no folder of states"},
		{[]string{"state", "show", "nothing"}, "there is no folder 'nothing'"},
		{[]string{"state"}, "write: tidemark state show, save or stop FOLDER"},
		{[]string{"state", "shwo", "state"}, "write: tidemark state show, save or stop FOLDER"},
	} {
		if _, stderr, code := do(c.args...); code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %s", c.args, code, stderr)
		}
	}
}

// first is an output that tells when the first row has come.
type first struct {
	mu   sync.Mutex
	once sync.Once
	come chan struct{}
	text bytes.Buffer
}

func (w *first) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.once.Do(func() { close(w.come) })
	return w.text.Write(p)
}

// running is the program with a statement that has no end by itself.
type running struct {
	interrupt context.CancelFunc
	code      chan int
	stderr    bytes.Buffer
}

// start runs endless statements until one has written a row.
func start(t *testing.T, args ...string) *running {
	ctx, interrupt := context.WithCancel(context.Background())
	r, out := &running{interrupt: interrupt, code: make(chan int, 1)}, &first{come: make(chan struct{})}
	go func() { r.code <- dispatch(ctx, append([]string{"run"}, args...), out, &r.stderr) }()
	select {
	case <-out.come:
	case code := <-r.code:
		t.Fatalf("%q ended with %d\n%s", args, code, r.stderr.String())
	}
	return r
}

// ends wants the program to end with code, having said something.
func (r *running) ends(t *testing.T, code int, says ...string) {
	t.Helper()
	if got := <-r.code; got != code {
		t.Errorf("ended with %d, want %d\n%s", got, code, r.stderr.String())
	}
	for _, s := range says {
		if !strings.Contains(r.stderr.String(), s) {
			t.Errorf("did not say %q:\n%s", s, r.stderr.String())
		}
	}
}

// unending counts by hours, and shows every row, so that windows come at the end of the input alone.
const unending = `
CREATE TABLE g (k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'rows-per-second' = '1000', 'fields.k.max' = '50');
CREATE TABLE p (k BIGINT) WITH ('connector' = 'print');
CREATE TABLE w (d TIMESTAMP(3), n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
SET 'execution.checkpointing.interval' = '1 h';
EXECUTE STATEMENT SET BEGIN
INSERT INTO w SELECT window_start, COUNT(*) FROM TUMBLE(TABLE g, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end;
INSERT INTO p SELECT k FROM g;
END;
INSERT INTO p SELECT 1`

// TestSavepoint saves a statement that runs, stops it, begins another one from what was saved, and drains that.
func TestSavepoint(t *testing.T) {
	t.Chdir(t.TempDir())
	wants := func(code int, says string, args ...string) {
		t.Helper()
		if out, stderr, got := do(args...); got != code || !strings.Contains(out+stderr, says) {
			t.Fatalf("%q: exit code %d, want %d and %q\n%s%s", args, got, code, says, out, stderr)
		}
	}
	r := start(t, "--state-dir", "a", "-e", unending)
	wants(exitUsage, "another process has the folder of states 'a' open", "run", "--state-dir", "a", "-e", unending)
	wants(exitOK, "insert+w+p: checkpoint 1 saved in saved", "state", "save", "a", "--to", "saved")
	wants(exitUsage, "'saved' is there already", "state", "save", "a", "--to", "saved")
	wants(exitOK, "insert+w+p: checkpoint 3 saved in stopped", "state", "stop", "a", "--to", "stopped")
	r.ends(t, exitOK, "asked to stop", "the last 1 of 6 statements were left out")
	if got := lines(t, "out"); len(got) > 0 {
		t.Errorf("a stop answered windows: %q", got)
	}
	wants(exitUsage, "no process runs statements from 'a'", "state", "stop", "a")
	wants(exitOK, "insert+w+p: checkpoint 3 saved in again", "state", "save", "a", "--to", "again")
	wants(exitUsage, "'a/within' is in the folder that it would save", "state", "save", "a", "--to", "a/within")
	wants(exitUsage, "'a/insert+w+p/within' is in the folder that it would save", "state", "save", "./a", "--to", "a/insert+w+p/within")
	for _, same := range []string{"stopped", "again"} {
		if x, y := sections(t, "a"), sections(t, same); !maps.EqualFunc(x, y, bytes.Equal) {
			t.Errorf("%s is not what was kept: %q, and not %q", same, y, x)
		}
	}
	wants(exitUsage, "'saved/insert+w+p' is of one statement", "state", "save", "saved/insert+w+p", "--to", "x")

	r = start(t, "--state-dir", "b", "--from", "saved", "-e", unending)
	wants(exitOK, "", "state", "stop", "b", "--drain")
	r.ends(t, exitOK, "going on from checkpoint 1", "asked to drain the input")
	if got := lines(t, "out"); len(got) == 0 {
		t.Error("a drain did not answer windows")
	}
	wants(exitUsage, "'b/insert+w+p' has checkpoints that do not come from 'stopped'", "run", "--state-dir", "b", "--from", "stopped", "-e", unending)
	// Where it began from there, it goes on where it is; what the script has besides is not in the savepoint.
	wants(exitUsage, "'saved' has no state of a statement 'insert+p'; it has: insert+w+p", "run", "--state-dir", "b", "--from", "saved", "-e", unending)
	// The folder of a statement in the savepoint stands for the savepoint.
	wants(exitUsage, "saved' has no state of a statement 'insert+p'; it has: insert+w+p", "run", "--state-dir", "b", "--from", "saved/insert+w+p", "-e", unending)
	wants(exitOK, "come to its end before", "run", "--state-dir", "b", "--from", "saved", "--allow-non-restored-state", "-e", unending)

	r = start(t, "--drain", "--state-dir", "c", "--from", "saved", "-e", strings.TrimSuffix(unending, "INSERT INTO p SELECT 1"))
	r.interrupt()
	r.ends(t, exitOK, "going on from checkpoint 1")
	wants(exitOK, "is the end of the statement", "state", "show", "c")
}

// sections are those of checkpoint 3 of the statement in a folder of states.
func sections(t *testing.T, dir string) map[string][]byte {
	r, err := checkpoint.Read(checkpoint.Browse(filepath.Join(dir, "insert+w+p", "checkpoints")), 3)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all := map[string][]byte{}
	for _, name := range r.Sections() {
		if all[name], err = r.Section(name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestSavepointBesideItsOrigin begins a statement from a savepoint of one that goes on writing to the same folder: both have parts of their own there.
func TestSavepointBesideItsOrigin(t *testing.T) {
	t.Chdir(t.TempDir())
	script := strings.Replace(unending, "INSERT INTO w SELECT window_start, COUNT(*) FROM TUMBLE(TABLE g, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end",
		"INSERT INTO w SELECT ts, k FROM g", 1)
	script = strings.TrimSuffix(script, "INSERT INTO p SELECT 1")
	a := start(t, "--state-dir", "a", "-e", script)
	ok := func(args ...string) {
		t.Helper()
		if _, stderr, code := do(args...); code != exitOK {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
	ok("state", "save", "a", "--to", "saved")
	b := start(t, "--state-dir", "b", "--from", "saved", "-e", script)
	ok("state", "stop", "a")
	a.ends(t, exitOK)
	ok("state", "stop", "b")
	b.ends(t, exitOK)
	runs := map[string]bool{}
	for _, name := range folderOf(t, "out") {
		if !strings.HasPrefix(name, ".") {
			runs[strings.Split(name, "-")[1]] = true
		}
	}
	if len(runs) != 2 {
		t.Errorf("parts of runs %v, want of two", runs)
	}
}

// folderOf is the names of what is in a folder.
func folderOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestDrainWithoutState has Ctrl-C answer the windows of a query that keeps nothing.
func TestDrainWithoutState(t *testing.T) {
	t.Chdir(t.TempDir())
	r := start(t, "--drain", "-e", unending)
	r.interrupt()
	r.ends(t, exitInterrupted) // a statement is left
	if got := lines(t, "out"); len(got) == 0 {
		t.Error("a drain did not answer windows")
	}
}

// TestStateThatDoesNotFit changes what a statement keeps: that is refused, unless what does not fit may be left out.
func TestStateThatDoesNotFit(t *testing.T) {
	t.Chdir(t.TempDir())
	start(t, "--state-dir", "s", "-e", unending).stopped(t, "s")
	changed := strings.Replace(unending, "INTERVAL '1' DAY", "INTERVAL '2' DAY", 1)
	_, stderr, code := do("run", "--state-dir", "s", "-e", changed)
	if code != exitUsage || !strings.Contains(stderr, "means something else") || !strings.Contains(stderr, "; with --allow-non-restored-state it is left out") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	// What is refused does not take the place of the text that the state is of.
	was, err := os.ReadFile("s/insert+w+p/statement.sql")
	if err != nil || !strings.Contains(stderr, "'s/insert+w+p/statement.sql' has the statement as it was") || !strings.Contains(string(was), "INTERVAL '1' DAY") {
		t.Errorf("%v\n%s\n%s", err, stderr, was)
	}
	r := start(t, "--state-dir", "s", "--allow-non-restored-state", "-e", changed)
	r.stopped(t, "s")
	if says := r.stderr.String(); strings.Count(says, "it is left out") != 1 {
		t.Error(says)
	}
	start(t, "--state-dir", "s", "-e", changed).stopped(t, "s")
}

// TestAnotherStatementInTheFolder: a statement that writes to tables in another order is another one. It begins anew, and who has state there is told.
func TestAnotherStatementInTheFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	a := start(t, "--state-dir", "s", "-e", unending)
	a.stopped(t, "s")
	lines := strings.Split(unending, "\n")
	lines[6], lines[7] = lines[7], lines[6]
	b := start(t, "--state-dir", "s", "-e", strings.Join(lines, "\n"))
	b.stopped(t, "s")
	const says = "'insert+p+w' begins anew; 's' has state of 'insert+w+p', which this run has not gone on with so far"
	if strings.Contains(a.stderr.String(), "begins anew") || strings.Count(b.stderr.String(), says) != 1 {
		t.Errorf("%s\n%s", a.stderr.String(), b.stderr.String())
	}
}

func (r *running) stopped(t *testing.T, dir string) {
	t.Helper()
	if _, stderr, code := do("state", "stop", dir); code != exitOK {
		t.Fatal(stderr)
	}
	r.ends(t, exitOK)
}

func TestStateUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--from", "x", "-e", "SELECT 1"}, "--from is for --state-dir"},
		{[]string{"run", "--from", "x", "--state-dir", "s", "-e", "SELECT 1"}, "--from: there is no folder 'x'"},
		{[]string{"run", "--checkpoint-interval", "1s", "-e", "SELECT 1"}, "--checkpoint-interval is for --state-dir"},
		{[]string{"run", "--from", "x", "--state-dir", "s", "-e", "SELECT 1"}, "name one that was given to --state-dir, or a savepoint"},
		{[]string{"run", "--checkpoint-interval", "1us", "--state-dir", "s", "-e", "SELECT 1"}, "must be at least 1ms"},
		{[]string{"run", "--allow-non-restored-state", "-e", "SELECT 1"}, "--allow-non-restored-state is for --state-dir"},
		{[]string{"state", "save", "s"}, "write: tidemark state save FOLDER --to SAVEPOINT"},
		{[]string{"state", "save", "s", "--to", "x"}, "there is no folder 's'"},
		{[]string{"state", "save", "s", "--to", "x", "--json"}, "--json is for tidemark state show"},
		{[]string{"state", "show", "s", "--to", "x"}, "--to and --drain are for"},
		{[]string{"state", "stop", "s", "--drain", "--to", "x"}, "leave out --drain or --to"},
	} {
		if _, stderr, code := do(c.args...); code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %s", c.args, code, stderr)
		}
	}
}

// TestCheckpointsThatAreGone cuts off and takes away checkpoints: the one before is taken, and why is said; without any the statement does not begin anew by itself.
func TestCheckpointsThatAreGone(t *testing.T) {
	t.Chdir(t.TempDir())
	const pattern = "s/insert+w+p/checkpoints/*.checkpoint"
	files := func() []string {
		all, err := filepath.Glob(pattern)
		if err != nil || len(all) != 2 {
			t.Fatal(all, err)
		}
		return all
	}
	begin := func() *running { return start(t, "--state-dir", "s", "-e", unending) }
	begin().stopped(t, "s")
	begin().stopped(t, "s")
	for _, c := range []struct {
		harm func(string) error
		says string
	}{
		{func(f string) error { return os.Truncate(f, 100) }, "cannot be used: it is cut off; going on from an older one"},
		{os.Remove, "cannot be used: its file is missing; going on from an older one"},
		{func(f string) error { return os.WriteFile(f, make([]byte, 500), 0o666) }, "cannot be used: it is not a checkpoint; going on from an older one"},
	} {
		if err := c.harm(files()[1]); err != nil {
			t.Fatal(err)
		}
		r := begin()
		r.stopped(t, "s")
		if says := r.stderr.String(); strings.Count(says, c.says) != 1 || strings.Count(says, "going on from checkpoint ") != 1 {
			t.Errorf("wants to be told that %s, and from where it goes on:\n%s", c.says, says)
		}
		begin().stopped(t, "s")
		if err := c.harm(files()[1]); err != nil {
			t.Fatal(err)
		}
		r = start(t, "--quiet", "--state-dir", "s", "-e", unending)
		r.stopped(t, "s")
		if says := r.stderr.String(); strings.Count(says, c.says) != 1 || strings.Count(says, "\n") != 1 {
			t.Errorf("wants to be told with --quiet that %s, and nothing else:\n%s", c.says, says)
		}
		begin().stopped(t, "s")
	}
	refused := func(says string) {
		t.Helper()
		if _, stderr, code := do("run", "--state-dir", "s", "-e", unending); code != exitResource || !strings.Contains(stderr, says) {
			t.Errorf("exit code %d, want %d and %q\n%s", code, exitResource, says, stderr)
		}
	}
	// Whoever wants to hear of nothing else hears of rows that are shown twice.
	if err := os.Remove(files()[1]); err != nil {
		t.Fatal(err)
	}
	r := start(t, "--quiet", "--state-dir", "s", "-e", unending)
	r.stopped(t, "s")
	if says := r.stderr.String(); !strings.Contains(says, "its file is missing; going on from an older one") || strings.Contains(says, "going on from checkpoint ") {
		t.Errorf("--quiet said\n%s", says)
	}
	begin().stopped(t, "s")
	for _, f := range files() {
		if err := os.Truncate(f, 100); err != nil {
			t.Fatal(err)
		}
	}
	refused("to begin anew, and write everything again, remove the files")
	for _, f := range files() {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	refused("its file is missing; to begin anew, and write everything again, remove the folder of the statement")
	if err := os.RemoveAll("s/insert+w+p"); err != nil {
		t.Fatal(err)
	}
	begin().stopped(t, "s")
}

// TestNoRoomForACheckpoint lets no file be larger than 10 kB, so that the state of a statement soon has no room: after several tries it ends, and the last checkpoint stays.
func TestNoRoomForACheckpoint(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	c := exec.Command("sh", "-c", `ulimit -f 20 && exec "$0" "$@"`, self, "run", "--state-dir", "s", "--checkpoint-interval", "50ms", "-e", `
CREATE TABLE g (k BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '2000');
CREATE TABLE o (k BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO o SELECT k, COUNT(*) FROM g GROUP BY k`)
	c.Env = append(os.Environ(), asProgram+"=1")
	says, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != exitResource || !strings.Contains(string(says), "file too large; 's/insert+o' keeps the last checkpoint: when there is room, run it again") ||
		!strings.Contains(string(says), "file too large; the statement goes on") {
		t.Errorf("exit code %d\n%s", c.ProcessState.ExitCode(), says)
	}
	if out, _, _ := do("state", "show", "s"); !strings.Contains(out, "groups") {
		t.Errorf("no checkpoint stays:\n%s", out)
	}
}
