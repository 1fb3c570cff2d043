package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/check"
)

// TestCheck calls check in every way; it opens no source: the file of the table is not there.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "clean.sql", readings("none.jsonl")+"SELECT room FROM readings;\n")
	write(t, "note.sql", readings("none.jsonl")+"SELECT room FROM readings WHERE room LIKE 'a';\n")
	write(t, "warning.sql", readings("none.jsonl")+"SELECT room FROM readings WHERE room = NULL;\n")
	write(t, "pipeline.yaml", `computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: readings}}}
    output_stream_ids: [rooms]
    watermark_strategy: {event_timestamp_assigner: {column: ts}}
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [rooms], parameters: {connector: print}}}
streams:
  rooms: {schema: [{name: room, type: string}, {name: ts, type: timestamp}]}
`)
	write(t, "wrong.sql", readings("none.jsonl")+"SELECT rom FROM readings;\nSELEC 1;\n")
	for _, c := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{[]string{"clean.sql"}, exitOK, "", ""},
		{[]string{"note.sql"}, exitOK, "0 errors, 0 warnings, 1 note\n", ""},
		{[]string{"warning.sql", "clean.sql"}, exitFindings, "warning [null-comparison]: a comparison with NULL is never true\n  --> warning.sql:3:33\n", ""},
		{[]string{"clean.sql", "pipeline.yaml"}, exitOK, "   = leave the generator out", ""},
		{[]string{"pipeline.yaml", "clean.sql"}, exitFindings, "error: unknown table 'readings'", ""},
		{[]string{"warning.sql", "pipeline.yaml"}, exitFindings, "0 errors, 1 warning, 1 note\n", ""},
		{[]string{"."}, exitFindings, "2 errors, 1 warning, 1 note\n", ""},
		{[]string{"wrong.sql"}, exitFindings, "   | ^^^^^\n", ""},
		{[]string{"none.sql"}, exitUsage, "", "none.sql"},
		{[]string{"--list", "clean.sql"}, exitUsage, "", "--list takes no files"},
		{[]string{"--list"}, exitOK, "alignment-group-in-confluent  warning  a table", ""},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, stdout, stderr := run(append([]string{"check"}, c.args...)...)
			if code != c.code || !strings.Contains(stdout, c.stdout) || (c.stdout == "") != (stdout == "") {
				t.Errorf("exits with %d, want %d, and\n%s\nwant\n%s", code, c.code, stdout, c.stdout)
			}
			if !strings.Contains(stderr, c.stderr) || (c.stderr == "") != (stderr == "") {
				t.Errorf("standard error is\n%s\nwant\n%s", stderr, c.stderr)
			}
		})
	}
	if _, stdout, _ := run("check", "--list"); strings.Count(stdout, "\n") != len(check.Lints) {
		t.Errorf("--list shows\n%s", stdout)
	}
}

// TestCodeOfAnotherProgram: a pipeline whose computations are Go is checked and explained around them, and not run.
func TestCodeOfAnotherProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	const pipeline = `computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: readings}}}
    output_stream_ids: [rooms]
    watermark_strategy: {event_timestamp_assigner: {column: ts}}
  visits:
    computation_class_name: TVisits
    group_by_schema: [{name: hash, type: uint64, expression: "farm_hash(room)"}, {name: room, type: string}]
    input_stream_ids: [rooms]
    output_stream_ids: [visits]
  write:
    computation_class_name: TSqlComputation
    processing_function_parameters: {query: "SELECT UPPER(visitor) AS visitor FROM visits"}
    input_stream_ids: [visits]
    output_stream_ids: [names]
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [names], parameters: {connector: print}}}
streams:
  rooms: {schema: [{name: room, type: string}, {name: ts, type: timestamp}]}
  visits: {schema: [{name: visitor, type: string}]}
  names: {schema: [{name: visitor, type: string}]}
`
	write(t, "tables.sql", readings("none.jsonl"))
	write(t, "right.yaml", pipeline)
	write(t, "wrong.yaml", strings.Replace(pipeline, "UPPER(visitor)", "UPPER(visitr)", 1))
	write(t, "more.yaml", pipeline+"remark: none\n")
	write(t, "near.yaml", strings.Replace(pipeline, "TVisits", "TSqlComputatio", 1))
	for _, c := range []struct {
		verb, file string
		code       int
		want       string
	}{
		{"check", "right.yaml", exitOK, "note [spec]: 'TVisits' is code of another program"},
		{"check", "wrong.yaml", exitFindings, "did you mean 'visitor'?"},
		{"check", "near.yaml", exitFindings, "did you mean 'TSqlComputation'?"},
		{"explain", "right.yaml", exitOK, "Process visits"},
		{"explain", "right.yaml", exitOK, "UPPER(visitor)"},
		{"explain", "more.yaml", exitOK, "so it is passed over"},
		{"run", "right.yaml", exitUsage, "the program has no computation 'TVisits'"},
	} {
		code, stdout, stderr := run(c.verb, "tables.sql", c.file)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s %s exits with %d, want %d and %q\n%s%s", c.verb, c.file, code, c.code, c.want, stdout, stderr)
		}
	}
}

func TestCheckJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "wrong.sql", "SELECT 'é', x;\n")
	code, stdout, _ := run("check", "--json", "wrong.sql")
	var got findingJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	want := findingJSON{File: "wrong.sql", Line: 1, Column: 13, EndLine: 1, EndColumn: 14, Severity: "error", Name: "unknown-column",
		Message: "unknown column 'x'", Hint: "add FROM and a table that has it"}
	if code != exitFindings || got != want {
		t.Errorf("exits with %d, and %+v, want %+v", code, got, want)
	}
}
