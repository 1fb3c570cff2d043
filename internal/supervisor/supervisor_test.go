package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// statement makes the last statement of a text ready, which prints to out.
func statement(t *testing.T, out io.Writer, text string) *engine.Query {
	t.Helper()
	e := engine.New(engine.Options{Connectors: builtin.Connectors, Stdout: out})
	in := source.Text{Name: "test", Body: text}
	parsed, err := sql.Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	var q *engine.Query
	for _, s := range parsed.Statements {
		r, err := e.Execute(t.Context(), in, s)
		if err != nil {
			t.Fatal(err)
		}
		q = r.Query
	}
	return q
}

// windows is a statement that counts the rows of in by window and key, and writes them to out beside a copy of the rows.
func windows(t *testing.T, in, out string) *engine.Query {
	return statement(t, io.Discard, fmt.Sprintf(`
CREATE TABLE t (k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, n BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s/counts', 'format' = 'csv');
CREATE TABLE copies (k BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '%s/copies', 'format' = 'csv');
EXECUTE STATEMENT SET BEGIN
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end, k;
INSERT INTO copies SELECT k, ts FROM t;
END;`, in, out, out))
}

// input is a folder of files with rows that are a little out of order.
func input(t *testing.T, files int) string {
	dir := t.TempDir()
	for f := range files {
		var b strings.Builder
		for i := range 20 {
			at := f*3 + i*7%5
			fmt.Fprintf(&b, "%d,2026-01-01 00:%02d:%02d.000\n", i%3, at/60%60, at%60)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.csv", f)), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// seen is all rows that can be seen below a folder, sorted.
func seen(t *testing.T, dir string) []string {
	t.Helper()
	var rows []string
	paths, err := filepath.Glob(filepath.Join(dir, "*", "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.Lines(string(b)) {
			rows = append(rows, filepath.Base(filepath.Dir(p))+" "+row)
		}
	}
	slices.Sort(rows)
	return rows
}

var errDead = errors.New("the process has died")

// dying is a disk whose process dies with the call that is numbered at: that one has happened or not, and no later one does.
type dying struct {
	checkpoint.Disk
	calls, at int
	happens   bool
	shared    int // files that stay because others refer to them
}

func (d *dying) dead() (dead, happens bool) {
	d.calls++
	return d.at > 0 && d.calls >= d.at, d.calls == d.at && d.happens
}

func (d *dying) Create(name string) (checkpoint.Writable, error) {
	dead, happens := d.dead()
	if dead && !happens {
		return nil, errDead
	}
	f, err := d.Disk.Create(name)
	if dead {
		return nil, errDead
	}
	return dyingFile{f, d}, err
}

func (d *dying) Publish(from, to string) error {
	dead, happens := d.dead()
	if dead && !happens {
		return errDead
	}
	if strings.HasSuffix(to, ".shared") {
		d.shared++
	}
	err := d.Disk.Publish(from, to)
	if dead {
		return errDead
	}
	return err
}

func (d *dying) Remove(name string) error {
	if dead, happens := d.dead(); dead && !happens {
		return errDead
	}
	return d.Disk.Remove(name)
}

// List is of no use to a process that has died.
func (d *dying) List() ([]string, error) {
	if d.at > 0 && d.calls >= d.at {
		return nil, errDead
	}
	return d.Disk.List()
}

type dyingFile struct {
	checkpoint.Writable
	disk *dying
}

func (f dyingFile) Sync() error {
	if dead, _ := f.disk.dead(); dead {
		return errDead
	}
	return f.Writable.Sync()
}

func run(q *engine.Query, disk checkpoint.Disk) error { return runTelling(q, disk, func(Event) {}) }

func runTelling(q *engine.Query, disk checkpoint.Disk, tell func(Event)) error {
	folder, err := checkpoint.Open(disk, 2)
	if err != nil {
		return err
	}
	return Run(context.Background(), func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, 2, o) }, Options{
		Folder: folder, Cadence: checkpoint.Cadence{Interval: 1}, Job: runtime.Options{Workers: 2}, Tell: tell,
	})
}

// everyDeath has the process die at every call that writes a checkpoint, before or after it has happened, and go on afterwards with a process that dies a little later: what can be
// seen in the end is want. fresh makes the place for what is written, with the statement and a look at the place. It tells how often a checkpoint was undone, and how
// often a file was shared.
func everyDeath(t *testing.T, want []string, fresh func() (q func() *engine.Query, seen func() []string)) (undone, shared int) {
	tell := func(e Event) {
		if _, ok := e.(Undone); ok {
			undone++
		}
	}
	for _, happens := range []bool{false, true} {
		for at := 1; ; at++ {
			disk := checkpoint.Memory()
			q, seen := fresh()
			lived := 0
			for attempt := 1; ; attempt++ {
				d := &dying{Disk: disk, at: at + 3*(attempt-1), happens: happens}
				err := runTelling(q(), d, tell)
				shared += d.shared
				if err == nil || errors.Is(err, runtime.ErrFinished) {
					lived = attempt
					break
				}
				if !errors.Is(err, errDead) {
					t.Fatal(err)
				}
			}
			if got := seen(); !slices.Equal(got, want) {
				t.Fatalf("death at call %d (happens: %t), %d attempts: %d rows are seen, and %d were written without a death", at, happens, lived, len(got), len(want))
			}
			if lived == 1 {
				break
			}
		}
	}
	return undone, shared
}

// TestDeathAtEveryCall: every row is seen once in files.
func TestDeathAtEveryCall(t *testing.T) {
	in := input(t, 60)
	want := t.TempDir()
	if err := run(windows(t, in, want), checkpoint.Memory()); err != nil {
		t.Fatal(err)
	}
	rows := seen(t, want)
	if len(rows) < 60*20 {
		t.Fatalf("only %d rows", len(rows))
	}
	everyDeath(t, rows, func() (func() *engine.Query, func() []string) {
		out := t.TempDir()
		return func() *engine.Query { return windows(t, in, out) }, func() []string { return seen(t, out) }
	})
}

// TestDeathAtEveryCallWithSharing has state so large that checkpoints are for the most part in older files.
func TestDeathAtEveryCallWithSharing(t *testing.T) {
	in := t.TempDir()
	for f := range 7 {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "%d-%d-%s,2026-01-01 00:00:%02d.000\n", f, i, strings.Repeat(fmt.Sprint(f*i), 800), f)
		}
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%03d.csv", f)), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	q := func(out string) *engine.Query {
		return statement(t, io.Discard, fmt.Sprintf(`
CREATE TABLE t (k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
CREATE TABLE counts (n BIGINT, k BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s/counts', 'format' = 'csv');
INSERT INTO counts SELECT COUNT(*), MAX(CHAR_LENGTH(k)) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end, k;`, in, out))
	}
	want := t.TempDir()
	if err := run(q(want), checkpoint.Memory()); err != nil {
		t.Fatal(err)
	}
	_, shared := everyDeath(t, seen(t, want), func() (func() *engine.Query, func() []string) {
		out := t.TempDir()
		return func() *engine.Query { return q(out) }, func() []string { return seen(t, out) }
	})
	if shared == 0 {
		t.Error("no file was shared")
	}
}

// TestDeathAtEveryCallInTransactions: every row is seen once in two topics and a folder, which are shown together; brokers that lose a transaction now and then, as if its time were over,
// change nothing.
func TestDeathAtEveryCallInTransactions(t *testing.T) {
	const files = 12
	in := input(t, files)
	b := brokertest.Start(t)
	want := t.TempDir()
	if err := run(windows(t, in, want), checkpoint.Memory()); err != nil {
		t.Fatal(err)
	}
	rows := seen(t, want)
	for _, row := range rows {
		if strings.HasPrefix(row, "copies ") {
			rows = append(rows, "files"+strings.TrimPrefix(row, "copies"))
		}
	}
	slices.Sort(rows)
	for _, lost := range []bool{false, true} {
		runs := 0
		undone, _ := everyDeath(t, rows, func() (func() *engine.Query, func() []string) {
			out, counts, copies := t.TempDir(), b.Topic(t, 1), b.Topic(t, 2)
			table := func(topic string) string {
				return fmt.Sprintf("'connector' = 'kafka', 'properties.bootstrap.servers' = '%s', 'topic' = '%s', 'format' = 'csv', 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = '%s'", b.Addr, topic, counts)
			}
			q := func() *engine.Query {
				if runs++; lost && runs%3 == 0 {
					b.GiveUp(t, counts)
				}
				return statement(t, io.Discard, fmt.Sprintf(`
CREATE TABLE t (k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
CREATE TABLE files (k BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '%s/files', 'format' = 'csv');
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, n BIGINT) WITH (%s);
CREATE TABLE copies (k BIGINT, ts TIMESTAMP(3)) WITH (%s);
EXECUTE STATEMENT SET BEGIN
INSERT INTO files SELECT k, ts FROM t;
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end, k;
INSERT INTO copies SELECT k, ts FROM t;
END;`, in, out, table(counts), table(copies)))
			}
			return q, func() []string {
				all := seen(t, out)
				for name, topic := range map[string]string{"counts": counts, "copies": copies} {
					for _, r := range b.Committed(t, topic) {
						all = append(all, name+" "+string(r.Value)+"\n")
					}
				}
				slices.Sort(all)
				return all
			}
		})
		if lost != (undone > 0) {
			t.Errorf("transactions are lost: %t; %d checkpoints were undone", lost, undone)
		}
	}
}

// small is a disk that has room for so many checkpoints.
type small struct {
	checkpoint.Disk
	room int
}

func (f *small) Create(name string) (checkpoint.Writable, error) {
	if strings.Contains(name, ".checkpoint.unfinished") {
		if f.room--; f.room < 0 {
			return nil, syscall.ENOSPC
		}
	}
	return f.Disk.Create(name)
}

// TestFullDiskLeavesNothingOpen: when a checkpoint cannot be written whose rows the brokers have already, its transaction is given up, so that who reads them need not wait until its time is over.
func TestFullDiskLeavesNothingOpen(t *testing.T) {
	in := input(t, 60)
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic, files, disk := b.Topic(t, 1), t.TempDir(), &small{checkpoint.Memory(), 1}
		q := func() *engine.Query {
			return statement(t, io.Discard, fmt.Sprintf(`
CREATE TABLE t (k BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
CREATE TABLE copies (k BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'kafka', 'properties.bootstrap.servers' = '%s', 'topic' = '%[3]s', 'format' = 'csv', 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = '%[3]s');
CREATE TABLE files (k BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = '%[4]s', 'format' = 'csv');
EXECUTE STATEMENT SET BEGIN INSERT INTO copies SELECT k, ts FROM t; INSERT INTO files SELECT k, ts FROM t; END;`, in, b.Addr, topic, files))
		}
		if err := run(q(), disk); fault.Of(err) != fault.Resource || !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		if open := b.Open(t, topic); len(open) > 0 {
			t.Errorf("these transactions are open: %q", open)
		}
		before := len(b.Committed(t, topic))
		disk.room = 1 << 30
		if err := run(q(), disk); err != nil {
			t.Fatal(err)
		}
		if n := len(b.Committed(t, topic)); n != 60*20 || before >= n {
			t.Errorf("%d rows, and %d before the disk was full", n, before)
		}
	})
}

// TestFinishedStaysFinished runs a statement again that has come to its end.
func TestFinishedStaysFinished(t *testing.T) {
	in, out, disk := input(t, 3), t.TempDir(), checkpoint.Memory()
	if err := run(windows(t, in, out), disk); err != nil {
		t.Fatal(err)
	}
	before := seen(t, out)
	if err := run(windows(t, in, out), disk); !errors.Is(err, runtime.ErrFinished) {
		t.Fatal(err)
	}
	if !slices.Equal(seen(t, out), before) {
		t.Error("a statement that was at its end wrote something")
	}
}

// TestTriedAgain has attempts fail: those that something outside has failed are followed by others, from the last checkpoint on, and no others are.
func TestTriedAgain(t *testing.T) {
	in, out := input(t, 5), t.TempDir()
	want := t.TempDir()
	if err := run(windows(t, in, want), checkpoint.Memory()); err != nil {
		t.Fatal(err)
	}
	folder, err := checkpoint.Open(checkpoint.Memory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	wrong := fault.Errorf(fault.User, "wrong")
	failures := []error{fault.Errorf(fault.External, "away"), fault.Errorf(fault.External, "away still"), wrong, nil}
	attempts := 0
	var told []string
	q := windows(t, in, out)
	once := func() error {
		return Run(context.Background(), func(o runtime.Options) (*runtime.Job, error) {
			attempts++
			if err := failures[attempts-1]; err != nil {
				return nil, err
			}
			return q.Start(nil, 2, o)
		}, Options{Folder: folder, Cadence: checkpoint.Cadence{Interval: 1_000_000_000}, Backoff: Backoff{First: 1, Max: 100, Calm: 1 << 60}, Job: runtime.Options{Workers: 2},
			Tell: func(e Event) {
				if f, ok := e.(Failed); ok {
					told = append(told, f.String())
				}
			}})
	}
	if err := once(); !errors.Is(err, wrong) || attempts != 3 {
		t.Fatalf("%d attempts, %v", attempts, err)
	}
	if want := []string{"away; trying again in 1µs", "away still; trying again in 2µs"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if err := once(); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, out); !slices.Equal(got, seen(t, want)) {
		t.Errorf("%d rows are seen", len(got))
	}
}

func TestBackoff(t *testing.T) {
	b := Backoff{First: 10, Max: 35, Calm: 1000, Attempts: 4}
	for i, c := range []struct {
		lasted, wait int64
		ok           bool
	}{{0, 10, true}, {5, 20, true}, {5, 35, true}, {5, 35, true}, {1000, 10, true}, {0, 20, true}, {0, 35, true}, {0, 35, true}, {0, 0, false}} {
		if wait, ok := b.next(c.lasted); wait != c.wait || ok != c.ok {
			t.Errorf("failure %d: %d, %t; want %d, %t", i, wait, ok, c.wait, c.ok)
		}
	}
	if _, ok := (&Backoff{}).next(0); ok {
		t.Error("the zero value makes a second attempt")
	}
}
