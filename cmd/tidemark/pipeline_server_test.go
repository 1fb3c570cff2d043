package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const servedPipeline = `spec:
  computations:
    read:
      computation_class_name: TSwiftPassthroughOrderedSourceComputation
      source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: numbers}}}
      output_stream_ids: [numbers]
    write:
      computation_class_name: TSqlComputation
      processing_function_parameters: {query: "SELECT n + 1 AS n FROM numbers"}
      input_stream_ids: [numbers]
      output_stream_ids: [more]
      sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [more], parameters: {queue_path: more}}}
  streams:
    numbers: {schema: [{name: n, type: int64}]}
    more: {schema: [{name: n, type: int64}]}
dynamic_spec: {target_state: working}
`

// TestPipelineOnAServer makes a pipeline from its file, and changes what may change while it runs.
func TestPipelineOnAServer(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	if code, _, errs := s.sql("-e", "CREATE TABLE numbers (n BIGINT); CREATE TABLE more (n BIGINT)"); code != exitOK {
		t.Fatal(errs)
	}
	file := filepath.Join(t.TempDir(), "pipeline.yaml")
	for _, c := range []struct {
		do, spec, want string
		code           int
	}{
		{"create", servedPipeline, "p: RUNNING\n", exitOK},
		{"change", strings.Replace(servedPipeline, "n + 1", "n + 2", 1), "", exitUsage},
		{"change", strings.Replace(servedPipeline, "working", "paused", 1), "p: STOPPED\n", exitOK},
		{"change", strings.Replace(servedPipeline, "n + 1", "n + 2", 1), "p: RUNNING\n", exitOK},
	} {
		if err := os.WriteFile(file, []byte(c.spec), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := run("statement", "--server", s.url, "--wait", c.do, "p", file)
		if code != c.code && c.want != "" || out != c.want || c.want == "" && !strings.Contains(errs, "stop the pipeline first") {
			t.Errorf("%s ends with %d: %s%s", c.do, code, out, errs)
		}
	}
}

const skippingPipeline = `spec:
  computations:
    read:
      computation_class_name: TSwiftPassthroughOrderedSourceComputation
      source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: words}}}
      output_stream_ids: [words]
      watermark_strategy: {event_timestamp_assigner: {column: ts}, watermark_generator: {out_of_orderness_bound: 1s}}
    count:
      computation_class_name: TSqlComputation
      processing_function_parameters: {query: "SELECT COUNT(*) AS n FROM TUMBLE(TABLE words, DESCRIPTOR($event_timestamp), INTERVAL '1' MINUTE) GROUP BY window_start, window_end"}
      input_stream_ids: [words]
      output_stream_ids: [counts]
      sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [counts], parameters: {queue_path: more}}}
    at_once:
      computation_class_name: TSwiftOrderedSourceComputation
      processing_function: sql
      processing_function_parameters: {query: "SELECT COUNT(*) AS n, MAX(ts) AS ts FROM TUMBLE(TABLE queue, DESCRIPTOR($event_timestamp), INTERVAL '1' MINUTE) GROUP BY window_start, window_end"}
      source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: words}}}
      output_stream_ids: [others]
      watermark_strategy: {watermark_generator: {out_of_orderness_bound: 1s}}
      sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [others], parameters: {queue_path: others}}}
  streams:
    words: {schema: [{name: word, type: string}, {name: ts, type: int64}]}
    counts: {schema: [{name: n, type: int64}]}
    others: {schema: [{name: n, type: int64}, {name: ts, type: int64}]}
dynamic_spec: {computations: `

// TestPipelineSkipsAnew changes what computations skip, of sources and of streams, while windows are open: their state goes on.
func TestPipelineSkipsAnew(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	if code, _, errs := s.sql("-e", "CREATE TABLE words (word STRING, ts BIGINT); CREATE TABLE more (n BIGINT); CREATE TABLE others (n BIGINT, ts BIGINT)"); code != exitOK {
		t.Fatal(errs)
	}
	file := filepath.Join(t.TempDir(), "pipeline.yaml")
	do := "create"
	for _, dynamic := range []string{
		"{}",
		`{read: {skip_if_expression: "word = 'a'"}}`,
		`{read: {skip_if_expression: "ts > 5 AND word = 'b'"}}`,
		`{count: {skip_if_expression: "word = 'a'"}}`,
		`{at_once: {skip_if_expression: "word = 'a'"}, count: {skip_if_expression: "$event_timestamp < 7"}}`,
		"{}",
	} {
		if err := os.WriteFile(file, []byte(skippingPipeline+dynamic+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := run("statement", "--server", s.url, "--wait", do, "p", file); code != exitOK || out != "p: RUNNING\n" {
			t.Fatalf("%s with %s ends with %d: %s%s", do, dynamic, code, out, errs)
		}
		do = "change"
	}
}
