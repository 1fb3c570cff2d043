package deploy

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// hours are samples of two hours, one a minute. Statement a is as it should be, b to g are not.
const hours = `load 1m
up{job="tidemark",instance="there"} 1x120
up{job="tidemark",instance="away"} 0x120
up{job="other",instance="away"} 0x120
confluent_flink_statement_status{flink_statement_name="a",status="RUNNING"} 1x120
confluent_flink_statement_status{flink_statement_name="b",status="RUNNING"} 1x120
confluent_flink_statement_status{flink_statement_name="c",status="FAILED"} 1x120
confluent_flink_statement_status{flink_statement_name="d",status="DEGRADED"} 1x120
confluent_flink_statement_status{flink_statement_name="e",status="STOPPED"} 1x120
confluent_flink_num_restarts{flink_statement_name="a"} 1x120
confluent_flink_num_restarts{flink_statement_name="d"} 0+1x120
confluent_flink_num_records_in{flink_statement_name="a"} 0+100x120
confluent_flink_num_records_in{flink_statement_name="b"} 0+100x120
confluent_flink_num_records_in{flink_statement_name="e"} 0+100x120
confluent_flink_num_records_in{flink_statement_name="f"} 7x120
confluent_flink_current_input_watermark_milliseconds{flink_statement_name="a",table="t"} 0+60000x120
confluent_flink_current_input_watermark_milliseconds{flink_statement_name="b",table="t"} 0+60000x60 3600000x60
confluent_flink_current_input_watermark_milliseconds{flink_statement_name="e",table="t"} 5x120
confluent_flink_current_input_watermark_milliseconds{flink_statement_name="f",table="t"} 5x120
confluent_flink_split_watermark_idle_time_ms_per_second{flink_statement_name="a",flink_split="t-0"} 400x120
confluent_flink_split_watermark_idle_time_ms_per_second{flink_statement_name="b",flink_split="t-0"} 1000x120
confluent_flink_operator_num_late_records_dropped{flink_statement_name="a",flink_operator_id="w"} 3x120
confluent_flink_operator_num_late_records_dropped{flink_statement_name="b",flink_operator_id="w"} 0x90 1x30
confluent_flink_num_late_records_in{flink_statement_name="a",table="t"} 9x120
confluent_flink_num_late_records_in{flink_statement_name="b",table="t"} 0+2x120
confluent_flink_num_late_records_in{flink_statement_name="c",table="t"} 0+20x120
confluent_flink_num_late_records_in{flink_statement_name="d",table="t"} 0+200x120
confluent_flink_max_input_lateness_milliseconds{flink_statement_name="a"} 60000x120
confluent_flink_max_input_lateness_milliseconds{flink_statement_name="b"} 60001x120
confluent_flink_max_input_lateness_milliseconds{flink_statement_name="c"} 300001x120
confluent_flink_num_records_skipped{flink_statement_name="a",table="t"} 2x120
confluent_flink_num_records_skipped{flink_statement_name="b",table="t"} 0+1x120
confluent_flink_pending_records{flink_statement_name="a",table="t"} 100000x120
confluent_flink_pending_records{flink_statement_name="b",table="t"} 100001x120
confluent_flink_pending_records{flink_statement_name="c",table="t"} 1000001x120
confluent_flink_task_backpressure_time_ms_per_second{flink_statement_name="a",flink_task_id="w"} 200x120
confluent_flink_task_backpressure_time_ms_per_second{flink_statement_name="b",flink_task_id="w"} 201x120
confluent_flink_task_backpressure_time_ms_per_second{flink_statement_name="c",flink_task_id="w"} 501x120
confluent_flink_operator_state_size_bytes{flink_statement_name="a",flink_operator_id="w"} 6000000000x120
confluent_flink_operator_state_size_bytes{flink_statement_name="b",flink_operator_id="w"} 6000000000x120
confluent_flink_operator_state_size_bytes{flink_statement_name="b",flink_operator_id="j"} 6000000000x120
confluent_flink_checkpoint_num_failed{flink_statement_name="a"} 1x120
confluent_flink_checkpoint_num_failed{flink_statement_name="b"} 0+1x120
confluent_flink_checkpoint_last_age_ms{flink_statement_name="a"} 600000x120
confluent_flink_checkpoint_last_age_ms{flink_statement_name="b"} 600001x120
confluent_flink_checkpoint_last_age_ms{flink_statement_name="e"} 600001x120
`

// fires says which statements, or instances, each alert is about after two hours.
var fires = map[string]string{
	"TidemarkDown":              "away",
	"TidemarkStatementFailed":   "c",
	"TidemarkStatementDegraded": "d",
	"TidemarkStatementRestarts": "d",
	"TidemarkWatermarkStands":   "b",
	"TidemarkSplitIdle":         "b",
	"TidemarkRowsDropped":       "b",
	"TidemarkLateRows":          "b",
	"TidemarkManyLateRows":      "c",
	"TidemarkVeryManyLateRows":  "d",
	"TidemarkLateness":          "b",
	"TidemarkGreatLateness":     "c",
	"TidemarkRecordsLeftOut":    "b",
	"TidemarkBehind":            "b",
	"TidemarkFarBehind":         "c",
	"TidemarkBackpressure":      "b",
	"TidemarkMuchBackpressure":  "c",
	"TidemarkLargeState":        "b",
	"TidemarkCheckpointsFail":   "b",
	"TidemarkCheckpointOld":     "b",
}

// TestAlertsFire: each alert is about what it says and about nothing else.
func TestAlertsFire(t *testing.T) {
	groups, errs := rulefmt.ParseFile(alerts, false, model.UTF8Validation, language, slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	storage := promqltest.LoadedStorage(t, hours)
	engine := promqltest.NewTestEngine(t, false, 0, promqltest.DefaultMaxSamplesPerQuery)
	left := map[string]bool{}
	for name := range fires {
		left[name] = true
	}
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			delete(left, r.Alert)
			q, err := engine.NewInstantQuery(t.Context(), storage, nil, r.Expr, time.Unix(0, 0).Add(2*time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			vector, err := q.Exec(t.Context()).Vector()
			if err != nil {
				t.Fatal(err)
			}
			var about []string
			for _, s := range vector {
				about = append(about, s.Metric.Get("flink_statement_name")+s.Metric.Get("instance"))
			}
			slices.Sort(about)
			if got := strings.Join(about, " "); got != fires[r.Alert] {
				t.Errorf("%s is about %q, want %q", r.Alert, got, fires[r.Alert])
			}
		}
	}
	for name := range left {
		t.Errorf("there is no alert %s", name)
	}
}
