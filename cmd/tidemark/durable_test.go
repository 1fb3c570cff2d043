package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// asProgram makes the test binary the program, so that a test can kill it.
const asProgram = "TIDEMARK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// harm is what happens to a process that was started just now. What it gives is called when the process is gone, and told whether it was killed.
type harm func(p *os.Process) (after func(killed bool))

// outlive runs the program until it ends by itself. Before that each run of it meets the next harm, as long as there is one.
func outlive(t *testing.T, next func() (harm, bool), args ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for {
		var output strings.Builder
		c := exec.Command(self, args...)
		c.Env = append(os.Environ(), asProgram+"=1")
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		after := func(bool) {}
		if h, ok := next(); ok {
			after = h(c.Process)
		}
		err := c.Wait()
		after(err != nil && !c.ProcessState.Exited())
		if err == nil {
			return
		} else if c.ProcessState.Exited() {
			t.Fatalf("%v\n%s", err, output.String())
		}
	}
}

// killWithin kills a process after so many milliseconds.
func killWithin(rng *rand.Rand, least, most int) harm {
	return func(p *os.Process) func(bool) {
		timer := time.AfterFunc(time.Duration(least+rng.IntN(most-least))*time.Millisecond, func() { p.Kill() })
		return func(bool) { timer.Stop() }
	}
}

// killer counts the kills of rounds, each of which runs a statement from its beginning to its end, until there are as many as wanted.
type killer struct {
	rng    *rand.Rand
	wanted int
	late   bool // some kills come when the statement has run for a while
	kills  int
}

// run runs the program until it ends by itself, and kills it at a random moment again and again before that.
func (k *killer) run(t *testing.T, args ...string) {
	t.Helper()
	outlive(t, func() (harm, bool) {
		if k.kills >= k.wanted {
			return nil, false
		}
		kill := killWithin(k.rng, 5, 150)
		if k.late && k.rng.IntN(2) == 0 {
			kill = killWithin(k.rng, 100, 900)
		}
		return func(p *os.Process) func(bool) {
			after := kill(p)
			return func(killed bool) {
				after(killed)
				if killed {
					k.kills++
				}
			}
		}, true
	}, args...)
}

// killsInCI is how often a test kills a statement, unless it is to be short, or TIDEMARK_TORTURE says how often.
const killsInCI = 20

// killing is what kills as often as tests are to.
func killing(stream uint64) *killer {
	k := &killer{rng: rand.New(rand.NewPCG(stream, uint64(os.Getpid()))), wanted: killsInCI, late: true}
	if testing.Short() {
		k.wanted = 3
	}
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_TORTURE")); err == nil {
		k.wanted = n
	}
	return k
}

// TestEveryRowOnceWhateverIsKilled kills a statement that reads a topic, and writes windows and copies of its rows to files and to other topics.
func TestEveryRowOnceWhateverIsKilled(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		k, rounds := killing(1), 0
		for k.kills < k.wanted && !t.Failed() {
			rounds++
			everyRowOnce(t, b, 60_000, "", func(_ string, args ...string) { k.run(t, args...) })
		}
		t.Logf("%d kills in %d rounds", k.kills, rounds)
	})
}

// tally is what became of rows and windows.
type tally struct{ written, lost, twice int }

func (a *tally) add(b tally) {
	a.written += b.written
	a.lost += b.lost
	a.twice += b.twice
}

// compare counts what is missing in a sorted list, and what is there though it is not wanted, or once more. It fails the test if there is anything.
func compare(t *testing.T, where string, got, want []string) tally {
	t.Helper()
	x := tally{written: len(want)}
	var lost, twice []string
	for i, k := 0, 0; i < len(got) || k < len(want); {
		switch {
		case k == len(want) || i < len(got) && got[i] < want[k]:
			twice = append(twice, got[i])
			i++
		case i == len(got) || got[i] > want[k]:
			lost = append(lost, want[k])
			k++
		default:
			i++
			k++
		}
	}
	x.lost, x.twice = len(lost), len(twice)
	if x.lost+x.twice > 0 {
		t.Errorf("%s: of %d, %d are missing, %.200q, and %d are too many, %.200q", where, len(want), x.lost, lost, x.twice, twice)
	}
	return x
}

// everyRowOnce has a statement run, with more options for the tables in which it writes exactly once, and looks whether what it has written is what it was to write. Run is told
// one of the topics that are written.
func everyRowOnce(t *testing.T, b brokertest.Target, rows int, more string, run func(topic string, args ...string)) (all tally) {
	const partitions = 3
	t.Chdir(t.TempDir())
	topic, copies, counts := b.Topic(t, partitions), b.Topic(t, 2), b.Topic(t, 2)
	client := b.Client(t)
	want := map[string]int{}
	numbers, numbersJSON := make([]string, rows), make([]string, rows)
	for i := range rows {
		numbers[i], numbersJSON[i] = fmt.Sprint(i), fmt.Sprintf(`{"n":%d}`, i)
		at := time.Date(2026, 1, 1, 0, 0, i/20, 0, time.UTC)
		want[fmt.Sprintf("%s,%d", at.Truncate(10*time.Second).Format("2006-01-02 15:04:05.000"), i%7)]++
		row := fmt.Sprintf(`{"n":%d,"k":%d,"ts":"%s"}`, i, i%7, at.Format("2006-01-02 15:04:05"))
		client.Produce(context.Background(), &brokertest.Record{Topic: topic, Partition: int32(i % partitions), Value: []byte(row)}, nil)
	}
	if err := client.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	kafka := func(topic string) string {
		return fmt.Sprintf("'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s', 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json'", topic, b.Addr)
	}
	exactly := "'sink.delivery-guarantee' = 'exactly-once'" + more
	run(copies, "run", "--quiet", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", fmt.Sprintf(`
CREATE TABLE t (n BIGINT, k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH (%s);
CREATE TABLE windows (w TIMESTAMP(3), k BIGINT, c BIGINT) WITH ('connector' = 'filesystem', 'path' = 'windows', 'format' = 'csv');
CREATE TABLE files (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'files', 'format' = 'csv');
CREATE TABLE copies (n BIGINT) WITH (%s, %s);
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT) WITH (%s, %s);
EXECUTE STATEMENT SET BEGIN
INSERT INTO windows SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
INSERT INTO files SELECT n FROM t;
INSERT INTO copies SELECT n FROM t;
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
END`, kafka(topic), kafka(copies), exactly, kafka(counts), exactly))

	var wanted, wantedJSON []string
	for w, c := range want {
		wanted = append(wanted, fmt.Sprintf("%s,%d", w, c))
		start, key, _ := strings.Cut(w, ",")
		wantedJSON = append(wantedJSON, fmt.Sprintf(`{"w":"%s","k":%s,"c":%d}`, start, key, c))
	}
	committed := func(what, topic string, want []string) {
		records := b.Committed(t, topic)
		var values []string
		for _, r := range records {
			values = append(values, string(r.Value))
		}
		slices.Sort(values)
		x := compare(t, what+" in the topic", values, want)
		if all.add(x); x.lost+x.twice > 0 {
			t.Logf("topic %s:%s", topic, written(records))
		}
	}
	for _, x := range [][]string{wanted, wantedJSON, numbers, numbersJSON} {
		slices.Sort(x)
	}
	all.add(compare(t, "windows in files", lines(t, "windows"), wanted))
	all.add(compare(t, "rows in files", lines(t, "files"), numbers))
	committed("rows", copies, numbersJSON)
	committed("windows", counts, wantedJSON)
	return all
}

// written tells who wrote records, given partition by partition: a line for every part of a partition that a producer wrote with one epoch.
func written(records []*brokertest.Record) string {
	var out strings.Builder
	for i := 0; i < len(records); {
		first, n := records[i], i
		for n < len(records) && records[n].Partition == first.Partition && records[n].ProducerID == first.ProducerID && records[n].ProducerEpoch == first.ProducerEpoch {
			n++
		}
		fmt.Fprintf(&out, "\npartition %d, offsets %d to %d: %d rows of producer %d, epoch %d, from %s to %s", first.Partition, first.Offset, records[n-1].Offset, n-i, first.ProducerID, first.ProducerEpoch, first.Value, records[n-1].Value)
		i = n
	}
	return out.String()
}

// TestEveryRowOnceInTheBrokerThatIsKilled is the same with managed tables in the broker of the process that is killed.
func TestEveryRowOnceInTheBrokerThatIsKilled(t *testing.T) {
	k, rounds := killing(3), 0
	var all tally
	for k.kills < k.wanted && !t.Failed() {
		rounds++
		all.add(everyRowOnceInTheBroker(t, func(args ...string) { k.run(t, args...) }))
	}
	t.Logf("%d kills in %d rounds, %d rows and windows, %d lost, %d twice", k.kills, rounds, all.written, all.lost, all.twice)
}

// everyRowOnceInTheBroker has a statement run that writes to the broker of its own process, and looks whether what it has written is what it was to write.
func everyRowOnceInTheBroker(t *testing.T, run func(args ...string)) (all tally) {
	const rows = 60_000
	t.Chdir(t.TempDir())
	var in strings.Builder
	for n := range rows {
		fmt.Fprintf(&in, "%d,%d,%s\n", n, n%7, time.Date(2026, 1, 1, 0, 0, n/20, 0, time.UTC).Format("2006-01-02 15:04:05"))
	}
	if err := os.WriteFile("in.csv", []byte(in.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	run("run", "--quiet", "--data-dir", "data", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", `
CREATE TABLE t (n BIGINT, k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');
CREATE TABLE copies (n BIGINT);
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT);
EXECUTE STATEMENT SET BEGIN
INSERT INTO copies SELECT n FROM t;
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
END`)
	read := func(query string) []string {
		got, code := runSQL(t, "SET 'sql.snapshot.mode' = 'now'; CREATE TABLE copies (n BIGINT); CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT);"+query, "--data-dir", "data")
		if code != exitOK {
			t.Fatal(got)
		}
		var rows []string
		for line := range strings.Lines(got) {
			if row, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "+I,"); ok {
				rows = append(rows, row)
			}
		}
		slices.Sort(rows)
		return rows
	}
	var numbers, windows []string
	counts := map[string]int{}
	for n := range rows {
		numbers = append(numbers, fmt.Sprint(n))
		counts[fmt.Sprintf("%s,%d", time.Date(2026, 1, 1, 0, 0, n/200*10, 0, time.UTC).Format("2006-01-02 15:04:05.000"), n%7)]++
	}
	for w, c := range counts {
		windows = append(windows, fmt.Sprintf("%s,%d", w, c))
	}
	slices.Sort(numbers)
	slices.Sort(windows)
	all.add(compare(t, "rows", read("SELECT n FROM copies"), numbers))
	all.add(compare(t, "windows", read("SELECT w, k, c FROM counts"), windows))
	return all
}

// lines are those of the part files in a folder that can be seen, sorted.
func lines(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Fields(strings.ReplaceAll(string(b), " ", "·"))...)
	}
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "·", " ")
	}
	slices.Sort(all)
	return all
}

// TestWhenThereIsRoom: to make room and run it again is advice for who has none.
func TestWhenThereIsRoom(t *testing.T) {
	for _, c := range []struct {
		err  error
		room bool
	}{
		{fault.Errorf(fault.Resource, "write: %w", syscall.ENOSPC), true},
		{fmt.Errorf("write checkpoint 3: %w", &os.PathError{Op: "write", Path: "3", Err: syscall.EDQUOT}), true},
		{&vector.TooLarge{Row: vector.NoRow}, false},
		{&checkpoint.Damaged{ID: 3, Why: "its file is missing"}, false},
		{fault.Errorf(fault.External, "no answer"), false},
		{nil, false},
	} {
		got := whenThereIsRoom(c.err, "s")
		if told := got != nil && strings.Contains(got.Error(), "when there is room"); told != c.room || !errors.Is(got, c.err) {
			t.Errorf("%v becomes %v", c.err, got)
		}
	}
}
