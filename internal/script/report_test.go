package script

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const counting = `# Counting.

sql
CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script');
SELECT window_start, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end
----

`

func runText(t *testing.T, text string, o Options) (report, after string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.script")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Run([]string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), path, "x.script"), string(left)
}

// TestDifference shows what a block should have printed and what it did.
func TestDifference(t *testing.T) {
	script := counting + "rows t   # three windows\n00:00:05\n00:00:15\n00:00:25\n----\n+I 00:00:00, 1\n+I 00:00:10, 2\n\nend\n----\n"
	got, after := runText(t, script, Options{})
	want := `x.script:8: rows t
    +I 00:00:00, 1
  - +I 00:00:10, 2
  + +I 00:00:10, 1
x.script:16: end
  + +I 00:00:20, 1
1 script, 1 failed
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if after != script {
		t.Errorf("the file was changed to\n%s", after)
	}
}

// TestUpdate rewrites outputs and nothing else.
func TestUpdate(t *testing.T) {
	const before = counting + "rows t   # three windows\n00:00:05\n00:00:15\n00:00:25\n----\nwrong\n\n# The end.\nend\n----\n"
	const want = counting + "rows t   # three windows\n00:00:05\n00:00:15\n00:00:25\n----\n+I 00:00:00, 1\n+I 00:00:10, 1\n\n# The end.\nend\n----\n+I 00:00:20, 1\n"
	got, after := runText(t, before, Options{Update: true, Variations: true})
	if got != "x.script: updated\n1 script, 0 failed, 1 updated\n" {
		t.Errorf("got %s", got)
	}
	if after != want {
		t.Errorf("got\n%s\nwant\n%s", after, want)
	}
}

const nullTime = "error: row 1 of split 0, table 't', has no event time (NULL); SET 'table.exec.source.rowtime-null-handling' = 'DROP' to leave such rows out, or 'SKIP_WATERMARK' to let them pass"

// TestFaults tells where a script asks for what cannot be.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no statement", "late\n----\n", "x.script:1: late needs a statement that runs: there is no query or INSERT in a block sql before it"},
		{"a table not read", counting + "rows u\n1\n----\n", "x.script:8: the statement does not read 'u' from a script; it reads: t"},
		{"no such split", counting + "rows t split 1\n00:00:01\n----\n", "x.script:8: table 't' has 1 splits, counted from 0: give it more with 'splits' = '2'"},
		{"a bad value", counting + "rows t\n00:00:01\nsoon\n----\n", "x.script:10: column 'ts' is TIMESTAMP(3) and takes a time such as 00:00:01.500 or 2026-01-01T00:00:00, not soon"},
		{"rows behind the end", counting + "end\n----\n\nrows t\n00:00:01\n----\n", "x.script:11: split 0 of table 't' has ended"},
		{"no way back", counting + "clock 5s\n----\n\nclock 4s\n----\n", "x.script:11: the clock stands at 00:00:05 and does not go back"},
		{"nothing to save", counting + "end\n----\n\nsnapshot\n----\n", "x.script:11: the statement has come to its end"},
		{"nothing to resume", counting + "resume t\n----\n", "x.script:8: nothing is left to resume"},
		{"paused twice", counting + "pause t split 0\n----\n\npause t split 0\n----\n", "x.script:11: nothing is left to pause"},
		{"no such split to pause", counting + "pause t split 1\n----\n", "x.script:8: table 't' has 1 splits, counted from 0: give it more with 'splits' = '2'"},
		{"behind an error", counting + "rows t\nNULL\n----\n" + nullTime + "\n\nlate\n----\n", "x.script:13: the statement has stopped with the error of line 8"},
		{"never started", "sql\nSELECT x\n----\nerror: unknown column 'x'\n= add FROM and a table that has it\n\nlate\n----\n", "x.script:7: late needs a statement that runs: there is no query or INSERT in a block sql before it"},
		{"two statements", "sql\nSELECT 1;\nSELECT 2\n----\n", "x.script:1: a script runs one query or INSERT, and has one already"},
		{"restartable anyway", strings.Replace(counting, "sql", "sql restartable", 1), "x.script:3: 'restartable' is for statements with a watermark that follows the clock; all others are"},
	} {
		want := c.want + "\n1 script, 1 failed\n"
		if got, _ := runText(t, c.text, Options{}); got != want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// TestDocumentedExamples runs the examples of the page that specifies scripts.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for i, part := range strings.Split(string(page), "```\n") {
		if i%2 == 0 || !strings.Contains(part, separator) {
			continue
		}
		examples++
		if got, _ := runText(t, part, Options{Variations: true}); got != "1 script, 0 failed\n" {
			t.Errorf("example %d\n%s", examples, got)
		}
	}
	if examples != 3 {
		t.Errorf("the page has %d examples, want 3", examples)
	}
}

// TestKilledBehindEveryRow: the variation does what it says.
func TestKilledBehindEveryRow(t *testing.T) {
	f, err := Parse("x.script", counting+"rows t\n00:00:05\n00:00:15\n00:00:25\n----\n\nend\n----\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Variations {
		r := newRig(f, v, nil)
		got, err := r.run(func() int64 { return 0 })
		if err != nil || strings.Join(slices.Concat(got...), "; ") != "+I 00:00:00, 1; +I 00:00:10, 1; +I 00:00:20, 1" {
			t.Errorf("%s: %q, %v", v, got, err)
		}
		if want := 1 + 3 + 1; v.Crashes && r.starts != want {
			t.Errorf("%s: %d starts, want %d", v, r.starts, want)
		}
	}
}
