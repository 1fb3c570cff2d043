package statements

import (
	"strings"
	"testing"
	"time"
)

// pipeline copies numbers to lines, behind a word.
const pipeline = `computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {queue_path: ticks}}}
    output_stream_ids: [numbers]
    watermark_strategy: {event_timestamp_assigner: {column: n, format: seconds}}
  write:
    computation_class_name: TSqlComputation
    processing_function_parameters: {query: "SELECT CONCAT('a', CAST(n AS STRING)) AS s FROM numbers"}
    input_stream_ids: [numbers]
    output_stream_ids: [words]
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [words], parameters: {queue_path: lines}}}
streams:
  numbers: {schema: [{name: n, type: int64}]}
  words: {schema: [{name: s, type: string}]}
`

// TestAPipeline is a statement as any other: the whole pipeline is one, which stops, goes on and outlives the server.
func TestAPipeline(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.run("copy", pipeline)
		s.phase("copy", Running)
		if x := s.settled("copy"); x.Traits.Kind != "PIPELINE" {
			t.Errorf("traits are %+v", x.Traits)
		}
		s.pass(3 * time.Second)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
		s.whole("a")
		s.close()
		s.open()
		s.phase("copy", Stopped)
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.pass(3 * time.Second)
		s.close()
		s.open()
		s.phase("copy", Running)
		s.pass(3 * time.Second)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.whole("a")
		if n := len(s.lines()); n < 60 {
			t.Errorf("%d lines", n)
		}
		if x := s.run("wrong", strings.Replace(pipeline, "words]", "word]", 1)); x.Phase != Failed || !strings.Contains(x.Detail, "did you mean 'words'?") {
			t.Errorf("it is %s: %s", x.Phase, x.Detail)
		}
		found, err := s.hub.Check(Spec{SQL: pipeline})
		if err != nil || len(found) > 1 {
			t.Errorf("%v %v", found, err)
		}
		if plan, err := s.hub.Explain(Spec{SQL: pipeline}); err != nil || !strings.Contains(plan, "Scan") {
			t.Errorf("%v %s", err, plan)
		}
	})
}
