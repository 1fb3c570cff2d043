package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFoldersOfOlderPrograms goes on where programs were killed that wrote checkpoints in older formats: as they left a folder with inputs, outputs and state, so it lies in testdata/folders.
func TestFoldersOfOlderPrograms(t *testing.T) {
	all, err := filepath.Abs("testdata/folders")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(all, "statement.sql"))
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(all, "file-*"))
	if err != nil || len(folders) == 0 {
		t.Fatal("no folders", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			if out, stderr, code := do("state", "show", "state"); code != exitOK || !strings.Contains(out, "table t: 4 rows read") || !strings.Contains(out, "1 group") || strings.Contains(out, "damaged") {
				t.Errorf("exit code %d, %s\n%s", code, stderr, out)
			}
			if err := os.WriteFile(filepath.Join("in", "2.csv"), []byte("2,2026-01-01 01:30:00.000\n1,2026-01-01 01:40:00.000\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			r := start(t, "--drain", "--state-dir", "state", "-e", string(text))
			r.interrupt()
			r.ends(t, exitOK, "going on from checkpoint")
			want := []string{"2026-01-01 00:00:00.000,1,1", "2026-01-01 00:00:00.000,2,1", "2026-01-01 01:00:00.000,1,3", "2026-01-01 01:00:00.000,2,1"}
			if got := slices.Sorted(slices.Values(lines(t, "out"))); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestIncremental has a statement whose state grows by new keys take checkpoints, until one is for the most part in older files; then it goes on from a savepoint of that. Told not to, it writes each whole.
func TestIncremental(t *testing.T) {
	t.Chdir(t.TempDir())
	const sql = `
CREATE TABLE g (k BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '400000', 'fields.k.kind' = 'sequence', 'fields.k.start' = '1', 'fields.k.end' = '100000000');
CREATE TABLE b (k BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE p (k BIGINT) WITH ('connector' = 'print');
EXECUTE STATEMENT SET BEGIN
INSERT INTO b SELECT k, COUNT(*) FROM g GROUP BY k;
INSERT INTO p SELECT k FROM g WHERE k = 1;
END;`
	for _, way := range []struct{ dir, set string }{{"shared", ""}, {"whole", "SET 'execution.checkpointing.incremental' = 'false';"}} {
		r := start(t, "--state-dir", way.dir, "--checkpoint-interval", "1h", "-e", way.set+sql)
		shares := func() bool {
			out, stderr, code := do("state", "show", way.dir)
			if code != exitOK || strings.Contains(out, "damaged") {
				t.Fatalf("exit code %d, %s\n%s", code, stderr, out)
			}
			if way.set != "" {
				return strings.Contains(out, " MB\n")
			}
			return strings.Contains(out, " older file")
		}
		for i := 0; !shares(); i++ { // each save takes one more
			if _, stderr, code := do("state", "save", way.dir, "--to", fmt.Sprintf("%s-%d", way.dir, i)); code != exitOK {
				t.Fatal(stderr)
			}
		}
		if _, stderr, code := do("state", "stop", way.dir, "--to", way.dir+"-saved"); code != exitOK {
			t.Fatal(stderr)
		}
		r.ends(t, exitOK)
		if out, _, _ := do("state", "show", way.dir); way.set != "" && strings.Contains(out, "older file") {
			t.Errorf("a checkpoint refers to others:\n%s", out)
		}
		if out, _, _ := do("state", "show", way.dir+"-saved"); strings.Contains(out, "older file") || strings.Contains(out, "damaged") {
			t.Errorf("a savepoint refers to other files, or is damaged:\n%s", out)
		}
	}
}
