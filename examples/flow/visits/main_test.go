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

	"github.com/tidemark-sql/tidemark/flow"
)

// asPipeline says, in the environment of a process of this test, in which folder it is to run the pipeline.
const asPipeline = "TIDEMARK_FLOW_TEST_PIPELINE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asPipeline); dir != "" {
		if err := runVisits(dir, filepath.Join(dir, "state"), 10*time.Millisecond); err != nil {
			fmt.Fprint(os.Stderr, flow.Render(err))
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func Example() {
	main()
	// Output:
	// +I[bo, 2026-11-30T12:05:00Z, 1]
	// +I[ana, 2026-11-30T12:00:00Z, 3]
	// +I[ana, 2026-11-30T13:05:00Z, 1]
	// +I[bo, 2026-11-30T13:10:00Z, 1]
}

// runVisits runs the pipeline of visits over hits.jsonl in a folder, with the watermark of a table, which rises with every row, and writes to a folder in it.
func runVisits(dir, state string, every time.Duration) error {
	lines := strings.SplitAfter(spec, "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool {
		return strings.Contains(l, "watermark_strategy") || strings.Contains(l, "event_timestamp_assigner") || strings.Contains(l, "watermark_generator")
	})
	text := strings.Replace(strings.Join(lines, ""), "connector: filesystem, path: examples/flow/visits/hits.jsonl, format: json", "queue_path: hits", 1)
	text = strings.Replace(text, "connector: print", "queue_path: visits", 1)
	tables := fmt.Sprintf(`CREATE TABLE hits (who STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '5' MINUTE) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
		CREATE TABLE visits (who STRING, since TIMESTAMP_LTZ(6), hits BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json')`, filepath.Join(dir, "hits.jsonl"), filepath.Join(dir, "visits"))
	return flow.Run(context.Background(), text, computations, flow.Options{Tables: tables, StateDir: state, CheckpointEvery: every})
}

// written are the lines of all files below a folder, sorted.
func written(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// hits writes rows of some hundred users, a few seconds apart and a little out of order.
func hits(t *testing.T, file string, rows int) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	for i := range rows {
		at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC).Add(time.Duration(i)*5*time.Second - time.Duration(r.IntN(240))*time.Second)
		fmt.Fprintf(&b, "{\"who\": \"user %d\", \"ts\": %q}\n", r.IntN(400), at.Format("2006-01-02 15:04:05Z"))
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A pipeline with states and timers that is killed again and again writes what one writes that is left alone, each row once.
func TestKilled(t *testing.T) {
	rows, kills := 200_000, 12
	if testing.Short() {
		rows, kills = 40_000, 3
	}
	alone, killed := t.TempDir(), t.TempDir()
	hits(t, filepath.Join(alone, "hits.jsonl"), rows)
	hits(t, filepath.Join(killed, "hits.jsonl"), rows)
	if err := runVisits(alone, "", 0); err != nil {
		t.Fatal(flow.Render(err))
	}
	want := written(t, filepath.Join(alone, "visits"))
	if len(want) < rows/20 {
		t.Fatalf("only %d visits", len(want))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, died := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)), 0
	for left := kills; ; left-- {
		var output strings.Builder
		c := exec.Command(self)
		c.Env = append(os.Environ(), asPipeline+"="+killed)
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if left > 0 {
			timer := time.AfterFunc(time.Duration(20+r.IntN(250))*time.Millisecond, func() { c.Process.Kill() })
			err = c.Wait()
			timer.Stop()
		} else {
			err = c.Wait()
		}
		if err == nil {
			break
		}
		if c.ProcessState.Exited() {
			t.Fatalf("%v\n%s", err, output.String())
		}
		died++
	}
	got := written(t, filepath.Join(killed, "visits"))
	if !slices.Equal(got, want) {
		t.Errorf("%d visits behind %d kills, and %d of a pipeline that was left alone", len(got), died, len(want))
	}
	t.Logf("%d of %d kills in time, %d visits", died, kills, len(want))
}
