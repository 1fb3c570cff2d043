package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

func TestTopTable(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	statement := func(name, phase string) api.Statement {
		return api.Statement{Name: name, Metadata: api.Metadata{UID: name}, Status: api.Status{Phase: phase}}
	}
	before := []line{{Statement: statement("a", "RUNNING"), at: at.Add(-2 * time.Second), in: 100, out: 10}}
	a := line{Statement: statement("a", "RUNNING"), at: at, behind: -1, inMark: math.NaN(), outMark: math.NaN()}
	a.read(api.Metrics{Samples: []api.Sample{
		{Name: "io.confluent.flink/num_records_in", Value: 300}, {Name: "io.confluent.flink/num_records_out", Value: 20},
		{Name: "io.confluent.flink/pending_records", Value: 5}, {Name: "io.confluent.flink/pending_records", Value: 6},
		{Name: "io.confluent.flink/num_late_records_in", Value: 3},
		{Name: "io.confluent.flink/current_input_watermark_milliseconds", Value: float64(at.Add(-3 * time.Hour).UnixMilli())},
		{Name: "io.confluent.flink/current_input_watermark_milliseconds", Value: float64(at.UnixMilli())},
		{Name: "io.confluent.flink/current_output_watermark_milliseconds", Value: float64(at.Add(-5 * time.Minute).UnixMilli())},
	}})
	b := line{Statement: statement("b", "DEGRADED"), at: at, behind: -1, inMark: math.NaN(), outMark: float64(at.Add(-400 * 24 * time.Hour).UnixMilli())}
	got := string(topTable(before, []line{a, b, {Statement: statement("c", "FAILED")}, {Statement: statement("d", "COMPLETED")}, {Statement: statement("e", "FAILED")}}))
	want := []string{
		"NAME PHASE BEHIND IN/S OUT/S INPUT DELAY OUTPUT DELAY LATE",
		"a RUNNING 11 100 5 3 h 5 min 3",
		"b DEGRADED - - - - 2024-11-27 0",
		"1 COMPLETED 2 FAILED",
	}
	for i, l := range strings.Split(strings.TrimSpace(got), "\n") {
		if strings.Join(strings.Fields(l), " ") != want[i] {
			t.Errorf("line %d is %q, want %q", i+1, l, want[i])
		}
	}
}
