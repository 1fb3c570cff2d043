package statements

import (
	"strings"
	"testing"
	"time"
)

// counting counts numbers in windows of a minute.
var counting = strings.NewReplacer("SELECT CONCAT('a', CAST(n AS STRING)) AS s FROM numbers",
	"SELECT CAST(COUNT(*) AS STRING) AS s FROM TUMBLE(TABLE numbers, DESCRIPTOR($event_timestamp), INTERVAL '1' MINUTE) GROUP BY window_start, window_end").Replace(pipeline)

// TestASpecThatDoesNotFitItsCheckpoint is refused before it is taken, whatever it is that does not fit: the pipeline stays what it was, and goes on.
func TestASpecThatDoesNotFitItsCheckpoint(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		s.run("copy", counting)
		s.phase("copy", Running)
		s.pass(12 * time.Second)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		again := "  again:\n" + strings.ReplaceAll(strings.Split(strings.Split(counting, "  read:\n")[1], "  write:")[0], "numbers", "others")
		for name, c := range map[string]struct{ spec, want string }{
			"another window":    {strings.Replace(counting, "'1' MINUTE", "'2' MINUTE", 1), "means something else"},
			"another function":  {strings.Replace(counting, "COUNT(*)", "MAX(n)", 1), "means something else"},
			"no state any more": {pipeline, "which this statement does not have"},
			"state elsewhere":   {strings.Replace(counting, "COUNT(*) AS STRING) AS s", "COUNT(DISTINCT n) AS STRING) AS s", 1), "state"},
			"one more source": {strings.NewReplacer("  write:\n", again+"  write:\n", "input_stream_ids: [numbers]", "input_stream_ids: [numbers, others]", "TABLE numbers", "TABLE merged",
				"query: \"", "query: \"WITH merged AS (SELECT n, $event_timestamp FROM numbers UNION ALL SELECT n, $event_timestamp FROM others) ", "  words: {", "  others: {schema: [{name: n, type: int64}]}\n  words: {").Replace(counting), "sources"},
		} {
			err := s.respec(c.spec)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), unfit) {
				t.Errorf("%s: %v", name, err)
			}
			if x := s.settled("copy"); x.Phase != Stopped || x.SQL != counting {
				t.Errorf("%s: it is %s: %s", name, x.Phase, x.SQL)
			}
		}
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Running)
		s.close()
		s.open()
		s.phase("copy", Running)
		if err := s.stop("copy", true); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
	})
}

// TestAPipelineThatHasFailed takes another spec, with which it goes on from its checkpoint, or begins if it never did.
func TestAPipelineThatHasFailed(t *testing.T) {
	serve(t, func(s *testServer) {
		s.declare()
		if x := s.run("copy", strings.Replace(pipeline, "words]", "word]", 1)); x.Phase != Failed {
			t.Fatalf("it is %s", x.Phase)
		}
		if err := s.respec(strings.Replace(pipeline, "CAST(n AS STRING)", "CAST(n / (n - 40) AS STRING)", 1)); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Running)
		s.pass(12 * time.Second)
		if x := s.settled("copy"); x.Phase != Failed || !strings.Contains(x.Detail, "zero") {
			t.Fatalf("it is %s: %s", x.Phase, x.Detail)
		}
		if err := s.respec(leaving("{target_state: stopped}")); err != nil {
			t.Fatal(err)
		}
		s.phase("copy", Stopped)
		s.close()
		s.open()
		s.phase("copy", Stopped)
		if err := s.respec(pipeline); err != nil {
			t.Fatal(err)
		}
		if err := s.stop("copy", false); err != nil {
			t.Fatal(err)
		}
		s.pass(12 * time.Second)
		s.phase("copy", Running)
	})
}
