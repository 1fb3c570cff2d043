package telemetry

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/watermark"
)

var now = time.Date(2026, 1, 1, 12, 34, 56, 0, time.UTC)

// looks are a statement with two tasks, the second of which has two operators, and one that does not run.
func looks() []metrics.Look {
	standing := func(f watermark.Frontier) (s runtime.Standing) { s.Frontier = f; return s }
	operator := func(id string, state int64, mark watermark.Frontier) runtime.OperatorStats {
		o := runtime.OperatorStats{ID: id, Input: standing(mark), Output: standing(mark)}
		o.Size.Bytes = state
		return o
	}
	stats := &runtime.Stats{
		Operators: []runtime.OperatorStats{operator("a", 1, 1_000_000), operator("b", 20, 3_000_000), operator("c", 300, 2_000_000)},
		Tasks:     []runtime.TaskStats{{ID: "first", Source: -1, Operators: []int{0}}, {ID: "second", Source: -1, Operators: []int{1, 2}}},
	}
	topics := func(string) bool { return false }
	return []metrics.Look{
		{Statement: "runs", Pool: "p", Phase: "RUNNING", Stats: stats, Topics: topics},
		{Statement: "ended", Pool: "q", Phase: "COMPLETED", Topics: topics},
	}
}

func query(change func(*api.MetricQuery)) api.MetricQuery {
	q := api.MetricQuery{Aggregations: []api.MetricAggregation{{Metric: metrics.Prefix + "operator/state_size_bytes"}}, Granularity: "PT1M", Format: "GROUPED",
		Intervals: []string{"2026-01-01T12:30:00Z/2026-01-01T12:34:56.5Z"}}
	change(&q)
	return q
}

func TestAnswer(t *testing.T) {
	const at = "2026-01-01T12:34:00Z"
	point := func(value float64, when string) []map[string]any {
		return []map[string]any{{"timestamp": when, "value": value}}
	}
	eq := func(field, value string) *api.MetricFilter {
		return &api.MetricFilter{Op: "EQ", Field: field, Value: value}
	}
	for _, c := range []struct {
		about  string
		change func(*api.MetricQuery)
		want   []map[string]any
	}{
		{"all is one group, sizes are summed", func(*api.MetricQuery) {}, []map[string]any{{"points": point(321, at)}}},
		{"by task, which operators have too", func(q *api.MetricQuery) { q.GroupBy = []string{"metric.flink_task.id"} },
			[]map[string]any{{"metric.flink_task.id": "first", "points": point(1, at)}, {"metric.flink_task.id": "second", "points": point(320, at)}}},
		{"watermarks are the least", func(q *api.MetricQuery) {
			q.Aggregations[0].Metric = metrics.Prefix + "operator/current_input_watermark_ms"
			q.Filter = eq("metric.flink_task.id", "second")
		}, []map[string]any{{"points": point(1999, at)}}},
		{"as it is asked for", func(q *api.MetricQuery) { q.Aggregations[0].Agg = "AVG" }, []map[string]any{{"points": point(107, at)}}},
		{"flat", func(q *api.MetricQuery) { q.Format, q.GroupBy = "", []string{"resource.flink_statement.name"} },
			[]map[string]any{{"resource.flink_statement.name": "runs", "timestamp": at, "value": 321.0}}},
		{"fields that a series has not are left out", func(q *api.MetricQuery) { q.GroupBy = []string{"metric.flink_split"} },
			[]map[string]any{{"points": point(321, at)}}},
		{"no more than the limit", func(q *api.MetricQuery) { q.GroupBy, q.Limit = []string{"metric.flink_operator.id"}, 1 },
			[]map[string]any{{"metric.flink_operator.id": "a", "points": point(1, at)}}},
		{"the whole interval", func(q *api.MetricQuery) { q.Granularity = "ALL" }, []map[string]any{{"points": point(321, "2026-01-01T12:30:00Z")}}},
		{"days", func(q *api.MetricQuery) { q.Granularity = "P1D" }, []map[string]any{{"points": point(321, "2026-01-01T00:00:00Z")}}},
		{"long ago", func(q *api.MetricQuery) { q.Intervals = []string{"2026-01-01T12:30:00Z/2026-01-01T12:33:00Z"} }, []map[string]any{}},
		{"by and by", func(q *api.MetricQuery) { q.Intervals = []string{"2026-01-01T12:36:00Z/2026-01-01T12:39:00Z"} }, []map[string]any{}},
		{"the second of two intervals", func(q *api.MetricQuery) {
			q.Intervals = append([]string{"2026-01-01T10:00:00Z/2026-01-01T10:33:00Z"}, q.Intervals...)
		}, []map[string]any{{"points": point(321, at)}}},
		{"nothing that matches", func(q *api.MetricQuery) { q.Filter = eq("resource.compute_pool.id", "q") }, []map[string]any{}},
		{"or", func(q *api.MetricQuery) {
			q.Filter = &api.MetricFilter{Op: "OR", Filters: []api.MetricFilter{*eq("metric.flink_operator.id", "a"), *eq("metric.flink_operator.id", "c")}}
		}, []map[string]any{{"points": point(301, at)}}},
		{"and not", func(q *api.MetricQuery) {
			q.Filter = &api.MetricFilter{Op: "AND", Filters: []api.MetricFilter{*eq("resource.flink_statement.name", "runs"), {Op: "NOT", Filter: eq("metric.flink_operator.id", "a")}}}
		}, []map[string]any{{"points": point(320, at)}}},
	} {
		q, err := Read(query(c.change))
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		if got := q.Answer(looks(), now, false).Data; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*api.MetricQuery)
		want   string
	}{
		{func(q *api.MetricQuery) { q.Aggregations = nil }, "0 entries"},
		{func(q *api.MetricQuery) { q.Aggregations[0].Metric = "io.confluent.flink/operator/state_size_byte" }, "did you mean 'io.confluent.flink/operator/state_size_bytes'"},
		{func(q *api.MetricQuery) { q.Aggregations[0].Metric = "io.confluent.kafka.server/received_bytes" }, "descriptors/metrics"},
		{func(q *api.MetricQuery) { q.Aggregations[0].Agg = "P99" }, "AVG, COUNT, MAX, MIN, SUM"},
		{func(q *api.MetricQuery) { q.Filter = &api.MetricFilter{Op: "EQ", Field: "x"} }, "no field 'x'"},
		{func(q *api.MetricQuery) { q.Filter = &api.MetricFilter{Op: "GT"} }, "op is 'GT'"},
		{func(q *api.MetricQuery) { q.Filter = &api.MetricFilter{Op: "AND"} }, "empty"},
		{func(q *api.MetricQuery) { q.Filter = &api.MetricFilter{Op: "NOT"} }, "NOT has no filter"},
		{func(q *api.MetricQuery) {
			q.Filter = &api.MetricFilter{Op: "OR", Filters: []api.MetricFilter{{Op: "EQ", Field: "y"}}}
		}, "no field 'y'"},
		{func(q *api.MetricQuery) { q.GroupBy = []string{"metric.topic"} }, "no field 'metric.topic'"},
		{func(q *api.MetricQuery) { q.Granularity = "PT2M" }, "granularity is 'PT2M'"},
		{func(q *api.MetricQuery) { q.Intervals = nil }, "intervals is empty"},
		{func(q *api.MetricQuery) { q.Intervals = []string{"PT1H"} }, "an interval is 'PT1H'"},
		{func(q *api.MetricQuery) { q.Intervals = []string{"2026-01-01T12:36:00Z/2026-01-01T12:36:00Z"} }, "the earlier first"},
		{func(q *api.MetricQuery) { q.Limit = 1001 }, "limit is 1001"},
		{func(q *api.MetricQuery) { q.Format = "CSV" }, "format is 'CSV'"},
	} {
		if _, err := Read(query(c.change)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestDescriptors: what is described can be asked for, by each of its labels.
func TestDescriptors(t *testing.T) {
	all := Metrics().Data
	if len(all) != len(metrics.All) {
		t.Errorf("%d series are described of %d", len(all), len(metrics.All))
	}
	for _, d := range all {
		for _, l := range d.Labels {
			if _, err := Read(query(func(q *api.MetricQuery) { q.Aggregations[0].Metric, q.GroupBy = d.Name, []string{"metric." + l.Key} })); err != nil {
				t.Errorf("%s by %s: %v", d.Name, l.Key, err)
			}
		}
		if d.Name == metrics.Prefix+"task/busy_time_ms_per_second" && (d.Unit != "ms/s" || d.Type != "GAUGE_DOUBLE" || len(d.Labels) != 1) {
			t.Errorf("got %+v", d)
		}
	}
	if r := Resources().Data; len(r) != 1 || len(r[0].Labels) != 2 {
		t.Errorf("resources are %+v", r)
	}
}
