package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledStreamingQuery kills a server at random moments while a streaming query runs that is stopped, started and given other texts meanwhile, and wants every row once.
func TestKilledStreamingQuery(t *testing.T) {
	kills := 8
	if testing.Short() {
		kills = 2
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(7, uint64(os.Getpid())))
	rows := filepath.Join(dir, "rows") // below --files
	s := startApart(t, filepath.Join(dir, "server"), "--files", dir)
	ask := func(sql string) (string, error) {
		code, out, errs := run("sql", "--server", s.url, "--quiet", "-e", sql)
		if code != exitOK {
			return out, fmt.Errorf("%d: %s", code, errs)
		}
		return out, nil
	}
	text := func(word string) string {
		return fmt.Sprintf("AS DO BEGIN INSERT INTO kept SELECT '%s' || CAST(n AS String) FROM ticks; END DO", word)
	}
	if _, err := ask("CREATE TABLE ticks (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'rows-per-second' = '2000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000000');" +
		"CREATE TABLE kept (s STRING) WITH ('connector' = 'filesystem', 'path' = '" + rows + "', 'format' = 'raw');" +
		`CREATE STREAMING QUERY q WITH (CHECKPOINT_INTERVAL = "PT0.1S") ` + text("a")); err != nil {
		t.Fatal(err)
	}
	word := 'a'
	for range kills {
		<-time.After(time.Duration(rng.IntN(700)) * time.Millisecond)
		done := make(chan error, 1)
		change := []string{"", "ALTER STREAMING QUERY q SET (RUN = FALSE); ALTER STREAMING QUERY q SET (RUN = TRUE)", ""}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			word++
			change = "ALTER STREAMING QUERY q SET (FORCE = TRUE) " + text(string(word))
		}
		go func() {
			if change != "" {
				ask(change) // the kill may come in the middle
			}
			done <- nil
		}()
		<-time.After(time.Duration(rng.IntN(300)) * time.Millisecond)
		s.kill(t)
		<-done
		s = startApart(t, s.dir, "--files", dir)
	}
	for range 100 { // a statement about it may still be on its way
		if _, err := ask("ALTER STREAMING QUERY q SET (RUN = TRUE)"); err == nil {
			break
		}
		<-time.After(100 * time.Millisecond)
	}
	<-time.After(time.Second)
	if _, err := ask("ALTER STREAMING QUERY q SET (RUN = FALSE)"); err != nil {
		t.Fatal(err)
	}
	out, err := ask("SELECT Status, Run FROM `.sys/streaming_queries`")
	if err != nil || !strings.Contains(out, `"Status":"STOPPED","Run":false`) {
		t.Errorf("%v %s", err, out)
	}
	s.stop(t)
	var numbers []int
	files, err := filepath.Glob(filepath.Join(rows, "[^.]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			n, err := strconv.Atoi(strings.TrimSpace(line)[1:])
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			t.Fatalf("row %d is %d", i+1, n)
		}
	}
	t.Logf("%d rows, %d kills, texts up to %c", len(numbers), kills, word)
	if len(numbers) < 1000 {
		t.Errorf("only %d rows", len(numbers))
	}
}
