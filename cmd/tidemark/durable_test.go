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

// killed runs the program until it ends by itself, and kills it at a random moment again and again before that. It tells how often.
func killed(t *testing.T, rng *rand.Rand, kills int, args ...string) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for {
		var output strings.Builder
		c := exec.Command(self, args...)
		c.Env = append(os.Environ(), asProgram+"=1")
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if done < kills {
			defer time.AfterFunc(time.Duration(5+rng.IntN(80))*time.Millisecond, func() { c.Process.Kill() }).Stop()
		}
		if err := c.Wait(); err == nil {
			return done
		} else if c.ProcessState.Exited() {
			t.Fatalf("after %d kills: %v\n%s", done, err, output.String())
		}
		done++
	}
}

// TestEveryRowOnceWhateverIsKilled kills a statement that reads a topic, and writes windows and copies of its rows to files and to other topics.
func TestEveryRowOnceWhateverIsKilled(t *testing.T) {
	const rows, partitions = 60_000, 3
	kills := 8
	if testing.Short() {
		kills = 3
	}
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
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
		script := fmt.Sprintf(`
CREATE TABLE t (n BIGINT, k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH (%s);
CREATE TABLE windows (w TIMESTAMP(3), k BIGINT, c BIGINT) WITH ('connector' = 'filesystem', 'path' = 'windows', 'format' = 'csv');
CREATE TABLE files (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'files', 'format' = 'csv');
CREATE TABLE copies (n BIGINT) WITH (%s, 'sink.delivery-guarantee' = 'exactly-once');
CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT) WITH (%s, 'sink.delivery-guarantee' = 'exactly-once');
EXECUTE STATEMENT SET BEGIN
INSERT INTO windows SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
INSERT INTO files SELECT n FROM t;
INSERT INTO copies SELECT n FROM t;
INSERT INTO counts SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k;
END`, kafka(topic), kafka(copies), kafka(counts))
		rng := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
		n := killed(t, rng, kills, "run", "--quiet", "--state-dir", "state", "--checkpoint-interval", "10ms", "-e", script)
		t.Logf("%d kills", n)

		var wanted []string
		for w, c := range want {
			wanted = append(wanted, fmt.Sprintf("%s,%d", w, c))
		}
		slices.Sort(wanted)
		if got := lines(t, "windows"); !slices.Equal(got, wanted) {
			t.Errorf("after %d kills there are %d windows; %d were to come, such as %s", n, len(got), len(wanted), wanted[0])
		}
		files := lines(t, "files")
		if distinct := slices.Compact(slices.Clone(files)); len(files) != rows || len(distinct) != rows {
			t.Errorf("after %d kills there are %d rows in files, %d of them different; want %d", n, len(files), len(distinct), rows)
		}
		got, code := runSQL(t, fmt.Sprintf("CREATE TABLE copies (n BIGINT) WITH (%s); SET 'sql.snapshot.mode' = 'now'; SELECT COUNT(*), COUNT(DISTINCT n), MIN(n), MAX(n) FROM copies", kafka(copies)))
		if want := fmt.Sprintf("+I,%d,%d,0,%d", rows, rows, rows-1); code != exitOK || !strings.Contains(got, want) {
			t.Errorf("after %d kills the topic has %s; want %s", n, got, want)
		}
		got, code = runSQL(t, fmt.Sprintf("CREATE TABLE counts (w TIMESTAMP(3), k BIGINT, c BIGINT) WITH (%s); SET 'sql.snapshot.mode' = 'now'; SELECT COUNT(*), COUNT(DISTINCT CONCAT(CAST(w AS STRING), CAST(k AS STRING))), SUM(c) FROM counts", kafka(counts)))
		if want := fmt.Sprintf("+I,%d,%d,%d", len(want), len(want), rows); code != exitOK || !strings.Contains(got, want) {
			t.Errorf("after %d kills the topic of windows has %s; want %s", n, got, want)
		}
	})
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
