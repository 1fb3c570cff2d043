package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// asProgram makes the test binary the program, so that a test can kill it.
const asProgram = "TIDEMARK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(dispatch(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// harm is what happens to a process that was started just now. What it gives is called when the process is gone.
type harm func(p *os.Process) (after func())

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
		after := func() {}
		if h, ok := next(); ok {
			after = h(c.Process)
		}
		err := c.Wait()
		after()
		if err == nil {
			return
		} else if c.ProcessState.Exited() {
			t.Fatalf("%v\n%s", err, output.String())
		}
	}
}

// killed runs the program until it ends by itself, and kills it at a random moment again and again before that. It tells how often.
func killed(t *testing.T, rng *rand.Rand, kills int, args ...string) int {
	t.Helper()
	begun := 0
	outlive(t, func() (harm, bool) {
		begun++
		return killWithin(rng, 5, 85), begun <= kills
	}, args...)
	return begun - 1
}

// killWithin kills a process after so many milliseconds.
func killWithin(rng *rand.Rand, least, most int) harm {
	return func(p *os.Process) func() {
		timer := time.AfterFunc(time.Duration(least+rng.IntN(most-least))*time.Millisecond, func() { p.Kill() })
		return func() { timer.Stop() }
	}
}

// TestEveryRowOnceWhateverIsKilled kills a statement that reads a topic, and writes windows and copies of its rows to files and to other topics.
func TestEveryRowOnceWhateverIsKilled(t *testing.T) {
	kills := 10
	if testing.Short() {
		kills = 3
	}
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		rng := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
		everyRowOnce(t, b, 60_000, "", func(args ...string) {
			t.Logf("%d kills", killed(t, rng, kills, args...))
		})
	})
}

// everyRowOnce has a statement run, with more options for the tables in which it writes exactly once, and looks whether what it has written is what it was to write.
func everyRowOnce(t *testing.T, b brokertest.Target, rows int, more string, run func(args ...string)) {
	const partitions = 3
	t.Chdir(t.TempDir())
	topic, copies, counts := b.Topic(t, partitions), b.Topic(t, 2), b.Topic(t, 2)
	client := b.Client(t)
	want := map[string]int{}
	for i := range rows {
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
	run("run", "--quiet", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", fmt.Sprintf(`
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
	slices.Sort(wanted)
	if got := lines(t, "windows"); !slices.Equal(got, wanted) {
		t.Errorf("there are %d windows in files; %d were to come, such as %s", len(got), len(wanted), wanted[0])
	}
	numbered := func(name, form string, got []string) {
		distinct := slices.Compact(slices.Sorted(slices.Values(got)))
		if len(got) != rows || len(distinct) != rows {
			t.Errorf("there are %d rows in %s, %d of them different; want %d, such as %s", len(got), name, len(distinct), rows, fmt.Sprintf(form, 1))
		}
	}
	numbered("files", "%d", lines(t, "files"))
	committed := func(topic string) (values []string) {
		records := b.Committed(t, topic)
		for _, r := range records {
			values = append(values, string(r.Value))
		}
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("topic %s:%s", topic, written(records))
			}
		})
		slices.Sort(values)
		return values
	}
	numbered("the topic", `{"n":%d}`, committed(copies))
	slices.Sort(wantedJSON)
	if got := committed(counts); !slices.Equal(got, wantedJSON) {
		t.Errorf("there are %d windows in the topic, such as %s; %d were to come, such as %s", len(got), got[0], len(wantedJSON), wantedJSON[0])
	}
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
	const rows = 60_000
	kills := 10
	if testing.Short() {
		kills = 3
	}
	if n := os.Getenv("TIDEMARK_KILLS"); n != "" {
		fmt.Sscan(n, &kills)
	}
	t.Chdir(t.TempDir())
	var in strings.Builder
	for n := range rows {
		fmt.Fprintf(&in, "%d,%d,%s\n", n, n%7, time.Date(2026, 1, 1, 0, 0, n/20, 0, time.UTC).Format("2006-01-02 15:04:05"))
	}
	if err := os.WriteFile("in.csv", []byte(in.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, uint64(os.Getpid())))
	n := killed(t, rng, kills, "run", "--quiet", "--data-dir", "data", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", `
CREATE TABLE t (n BIGINT, k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');
CREATE TABLE copies (n BIGINT);
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT);
EXECUTE STATEMENT SET BEGIN
INSERT INTO copies SELECT n FROM t;
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
END`)
	got, code := runSQL(t, `
SET 'sql.snapshot.mode' = 'now';
CREATE TABLE copies (n BIGINT); SELECT COUNT(*), COUNT(DISTINCT n), MIN(n), MAX(n) FROM copies;
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT); SELECT COUNT(*), COUNT(DISTINCT CONCAT(CAST(w AS STRING), CAST(k AS STRING))), SUM(c) FROM counts`, "--data-dir", "data")
	for _, want := range []string{fmt.Sprintf("+I,%d,%d,0,%d\n", rows, rows, rows-1), fmt.Sprintf("+I,%d,%d,%d\n", rows/200*7, rows/200*7, rows)} {
		if code != exitOK || !strings.Contains(got, want) {
			t.Errorf("after %d kills the tables have\n%swant\n%s", n, got, want)
		}
	}
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
