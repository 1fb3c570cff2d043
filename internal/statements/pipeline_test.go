package statements

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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

// leaving is the pipeline with a dynamic spec.
func leaving(dynamic string) string {
	return "spec:\n  " + strings.ReplaceAll(strings.TrimSpace(pipeline), "\n", "\n  ") + "\ndynamic_spec: " + dynamic + "\n"
}

// respec gives the pipeline another spec.
func (s *testServer) respec(text string) error {
	s.Helper()
	_, err := s.hub.Change("copy", func(x *Statement) error { x.SQL = text; return nil })
	synctest.Wait()
	return err
}

// TestADynamicSpec is changed while the pipeline runs, which goes on from its checkpoint; the static one while it is stopped.
func TestADynamicSpec(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.run("copy", leaving("{target_state: stopped}"))
		s.phase("copy", Stopped)
		if err := s.respec(leaving("{target_state: working}")); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Running)
		s.pass(3 * time.Second)
		if err := s.respec(strings.Replace(leaving("{target_state: working}"), "'a'", "'b'", 1)); err == nil || !strings.Contains(err.Error(), "stop the pipeline first") {
			t.Errorf("a static change while it runs: %v", err)
		}
		if err := s.respec("SELECT 1"); err == nil {
			t.Error("it is a SELECT now")
		}
		if err := s.respec(leaving("{target_state: working, computations: {write: {batch_duration: 5}}}")); err != nil {
			t.Error(err)
		}
		s.pass(3 * time.Second)
		s.phase("copy", Running)
		if err := s.respec(leaving("{computations: {write: {skip_if_expression: n > 0}}}")); err != nil {
			t.Error(err)
		}
		s.phase("copy", Running)
		before := s.lines()
		s.pass(12 * time.Second)
		s.close()
		s.open()
		s.phase("copy", Running)
		if after := s.lines(); len(after) != len(before) {
			t.Errorf("%d lines, and %d when all are left out", len(before), len(after))
		}
		if err := s.respec(leaving("{target_state: paused, computations: {write: {skip_if_expression: n > 0}}}")); err != nil {
			t.Error(err)
		}
		s.phase("copy", Stopped)
		if err := s.respec(strings.Replace(leaving("{target_state: working}"), "'a'", "'b'", 1)); err != nil {
			t.Error(err)
		}
		s.phase("copy", Running)
		s.pass(3 * time.Second)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		all := s.lines()
		if last := all[len(all)-1]; !strings.HasPrefix(last, "b") {
			t.Errorf("the last line is %s", last)
		}
		if skipped := numberOf(all[len(before)]) - len(before); skipped < 100 {
			t.Errorf("only %d rows were left out", skipped)
		}
	})
}

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

// TestChangesAtOnce asserts that no change of a pipeline undoes another one that came while its spec was planned.
func TestChangesAtOnce(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.run("copy", pipeline)
		s.phase("copy", Running)
		asked, done := make(chan struct{}, 2), make(chan error)
		s.hub.plans.lock() // somebody else plans
		go func() {
			_, err := s.hub.Change("copy", func(x *Statement) error {
				x.SQL = leaving("{computations: {write: {batch_duration: 5}}}")
				asked <- struct{}{}
				return nil
			})
			done <- err
		}()
		<-asked
		if _, err := s.hub.Change("copy", func(x *Statement) error { x.Spec.Labels = map[string]string{"by": "another"}; return nil }); err != nil {
			t.Fatal(err)
		}
		s.hub.plans.unlock()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if x := s.settled("copy"); x.Labels["by"] != "another" || !strings.Contains(x.SQL, "batch_duration") {
			t.Errorf("it has labels %v and the spec %s", x.Labels, x.SQL)
		}
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				if _, err := s.hub.Change("copy", func(x *Statement) error { x.SQL += fmt.Sprintf("# change %d\n", n); return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for n := range 8 {
			if x := s.settled("copy"); !strings.Contains(x.SQL, fmt.Sprintf("# change %d\n", n)) {
				t.Errorf("change %d is not in the spec, which ends with %q", n, x.SQL[len(x.SQL)-80:])
			}
		}
	})
}
