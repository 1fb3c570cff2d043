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
