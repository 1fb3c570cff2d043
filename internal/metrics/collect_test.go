package metrics

import (
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/watermark"
)

const s = 1_000_000

// look is a statement that reads a topic with two splits twice and writes a table, ten seconds and twenty after its start.
func look(t *testing.T, now int64) *Look {
	t.Helper()
	strategy := watermark.Replay(1000)
	strategy.Idleness = watermark.Fixed{Timeout: 4 * s}
	core, err := watermark.New(strategy, 0)
	if err != nil {
		t.Fatal(err)
	}
	core.AddSplit(0)
	core.AddSplit(0)
	var out watermark.Observed
	core.Observe(1, []int64{90 * s}, []int64{90 * s}, 1*s, &out)
	for at := int64(1 * s); at <= now; at += s {
		core.Tick(at, &out)
		core.Observe(0, []int64{100*s + at, 50 * s}, []int64{100*s + at, 50 * s}, at, &out)
		if at == 12*s {
			core.Stall(0, at)
		}
		if at == 14*s {
			core.Unstall(0, at)
		}
	}
	core.Publish(now)
	source := runtime.SourceStats{Name: "clicks", Splits: []string{"clicks-0", "clicks-1"}, Watermarked: true, Strategy: strategy, Watermark: core.Load(), Pending: connector.Backlog{Records: 7, Bytes: -1}}
	source.Rows, source.Bytes, source.Late, source.Skipped = 100+now/s, 1000, 3+now/s, 2
	source.Before = runtime.SourceTotals{Rows: 100, Late: 3}
	again := source
	again.Pending = connector.Backlog{Records: -1, Bytes: -1}
	file := runtime.SourceStats{Name: "people", Splits: []string{"people.json"}, Pending: connector.Backlog{Records: -1, Bytes: 10}}
	file.Rows = 5
	published := *core.Load()
	published.System = watermark.Frontier(now - 4*s)
	queue := runtime.SourceStats{Name: "reader/queue", Splits: []string{"queue-0", "queue-1"}, Watermarked: true, Watermark: &published, Pending: connector.Backlog{Records: -1, Bytes: -1},
		Strategy: watermark.Strategy{Candidates: watermark.Lookahead{}, Alignment: watermark.Alignment{Group: "pair", Drift: 1}}}
	standing := runtime.Standing{Frontier: 77_000 * 1000, Active: true}
	stats := &runtime.Stats{
		Sources: []runtime.SourceStats{source, again, file, queue},
		Operators: []runtime.OperatorStats{{ID: "window", Totals: dataflow.Totals{In: 9, Out: 4, Dropped: 2}, Before: dataflow.Totals{In: 1}, Input: standing, Output: standing, Size: dataflow.Size{Groups: 3, Bytes: 300}, RecentDrop: 5_000},
			{ID: "named", Totals: dataflow.Totals{In: 6, Out: 6}, Before: dataflow.Totals{Out: 2}, Output: standing, Stream: &runtime.Stream{Name: "clicks", Sources: []string{"reader/queue"}}}},
		Sinks: []runtime.SinkStats{{Name: "counts", Rows: 1, Bytes: 40, Input: standing}, {Name: "counts", Rows: 3, Bytes: -1, Input: runtime.Standing{Frontier: 78_000 * 1000, Active: true}}},
		Tasks: []runtime.TaskStats{{ID: "source-0", Instances: []runtime.TaskInstance{
			{Spent: runtime.Spent{Busy: now / 2, Idle: now / 4, Backpressured: now / 4}, In: runtime.Flow{Rows: 9, Bytes: 90}, Out: runtime.Flow{Rows: 8, Bytes: 80}},
			{Spent: runtime.Spent{Busy: now / 10, Idle: now - now/10}},
		}}, {ID: "source-1", Source: 1}, {ID: "source-2", Source: 2}, {ID: "window", Source: -1}},
	}
	l := &Look{Statement: "count", Pool: "pool", Phase: "RUNNING", At: now, Stats: stats, Topics: func(table string) bool { return table == "clicks" }}
	l.Past = supervisor.Past{Taken: 3, Missed: 1, Failed: 2}
	l.Checkpoint.ID, l.Checkpoint.At, l.Checkpoint.Took, l.Checkpoint.Bytes = 3, now-2*s, 30*time.Millisecond, 1234
	return l
}

func values(samples []Sample) map[string]float64 {
	all := map[string]float64{}
	for _, x := range samples {
		all[strings.Join(append([]string{x.Name}, x.Labels...), " ")] = x.Value
	}
	return all
}

func TestCollect(t *testing.T) {
	l := look(t, 20*s)
	l.Before = look(t, 10*s)
	samples := Collect(l, false)
	got := values(samples)
	for _, want := range []struct {
		name  string
		value float64
	}{
		{"statement_status RUNNING", 1},
		{"num_records_in", 45}, {"num_records_in_from_topics", 40}, {"num_records_in_from_files", 5}, {"num_bytes_in", 2000}, {"num_records_out", 4}, {"num_bytes_out", 40},
		{"pending_records clicks", 7}, {"num_late_records_in clicks", 40}, {"num_records_skipped clicks", 4},
		{"current_input_watermark_milliseconds clicks", 120_000}, {"current_output_watermark_milliseconds counts", 76_999},
		{"max_input_lateness_milliseconds", 70_001},
		{"task/num_records_in source-0", 9}, {"task/busy_time_ms_per_second source-0", 500}, {"task/idle_time_ms_per_second source-0", 900}, {"task/backpressure_time_ms_per_second source-0", 250},
		{"operator/num_records_in window", 8}, {"operator/state_size_bytes window", 300}, {"operator/num_late_records_dropped window", 2}, {"operator/max_dropped_lateness_ms window", 5},
		{"operator/num_late_records_in source-0", 20}, {"operator/num_late_records_in source-1", 20}, {"operator/max_input_lateness_ms source-1", 70_001},
		{"split/num_records_in clicks-0", 80}, {"split/num_late_records_in clicks-0", 40}, {"split/max_input_lateness_ms clicks-0", 70_001}, {"split/current_watermark_ms clicks-0", 120_000},
		{"split/watermark_active_time_ms_per_second clicks-0", 800}, {"split/watermark_paused_time_ms_per_second clicks-0", 200}, {"split/watermark_idle_time_ms_per_second clicks-0", 0},
		{"split/watermark_active_time_ms_per_second clicks-1", 0}, {"split/watermark_idle_time_ms_per_second clicks-1", 1000},
		{"checkpoint/last_duration_ms", 30}, {"checkpoint/last_age_ms", 2000}, {"num_restarts", 2},
		{"stream/num_records clicks", 4}, {"stream/event_watermark_ms clicks", 76_999}, {"stream/system_watermark_ms clicks", 15_999}, {"stream/time_lag_ms clicks", 4_000},
		{"alignment_group/event_watermark_ms pair", 120_000}, {"alignment_group/system_watermark_ms pair", 15_999},
	} {
		if v, ok := got[want.name]; !ok || v < want.value-1 || v > want.value+1 {
			t.Errorf("%s is %v (%t), want %v", want.name, v, ok, want.value)
		}
	}
	for _, series := range All {
		if !slices.ContainsFunc(samples, func(x Sample) bool { return x.Series == series }) {
			t.Errorf("nothing fills in %s", series.Name)
		}
	}
	for _, x := range samples {
		if len(x.Labels) != len(x.Series.Labels) {
			t.Errorf("%s has labels %v for %v", x.Name, x.Labels, x.Series.Labels)
		}
	}
}

// Rows of a split that were counted before a restart are not told again.
func TestLateBeforeARestart(t *testing.T) {
	l := look(t, 20*s)
	l.Stats.Sources = l.Stats.Sources[:1]
	l.Stats.Tasks = l.Stats.Tasks[:1]
	split := &l.Stats.Sources[0].Watermark.Splits[0]
	split.LateBefore, split.ReadBefore = 15, 30
	if got := values(Collect(l, false)); got["split/num_late_records_in clicks-0"] != 5 || got["split/num_records_in clicks-0"] != 10 {
		t.Errorf("%v rows are late of %v, want 5 of 10", got["split/num_late_records_in clicks-0"], got["split/num_records_in clicks-0"])
	}
}

// Confluent Cloud has these and no others, compute units left out.
func TestNamesAreThoseOfConfluentCloud(t *testing.T) {
	counters := strings.Fields(`num_records_in num_records_out num_records_in_from_topics num_records_in_from_files num_bytes_in num_bytes_out num_late_records_in
		task/num_records_in task/num_records_out task/num_bytes_in task/num_bytes_out operator/num_records_in operator/num_records_out`)
	gauges := strings.Fields(`pending_records current_input_watermark_milliseconds current_output_watermark_milliseconds max_input_lateness_milliseconds statement_status
		task/busy_time_ms_per_second task/idle_time_ms_per_second task/backpressure_time_ms_per_second
		operator/current_input_watermark_ms operator/current_output_watermark_ms operator/state_size_bytes
		split/current_watermark_ms split/watermark_active_time_ms_per_second split/watermark_paused_time_ms_per_second split/watermark_idle_time_ms_per_second`)
	var have [2][]string
	for _, x := range All {
		if !x.Ours {
			have[x.Kind] = append(have[x.Kind], x.Name)
		}
	}
	for kind, want := range map[Kind][]string{Counter: counters, Gauge: gauges} {
		slices.Sort(want)
		slices.Sort(have[kind])
		if !slices.Equal(have[kind], want) {
			t.Errorf("kind %d:\n%q\nwant\n%q", kind, have[kind], want)
		}
	}
}

// A watermark that is not set is absent, or the least number there is for who asks for that.
func TestUnsetWatermarks(t *testing.T) {
	l := look(t, 0)
	const name = "current_input_watermark_milliseconds clicks"
	l.Stats.Sources[0].Watermark.Frontier, l.Stats.Sources[1].Watermark.Frontier = watermark.Unset, watermark.Unset
	if v, ok := values(Collect(l, false))[name]; ok {
		t.Errorf("it is %v", v)
	}
	if v := values(Collect(l, true))[name]; v != -9223372036854775808 {
		t.Errorf("it is %v", v)
	}
}

func TestPrometheus(t *testing.T) {
	l := look(t, 20*s)
	w := httptest.NewRecorder()
	Handler(func() []Look { return []Look{*l} }, false).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, _ := io.ReadAll(w.Body)
	for _, want := range []string{
		"# TYPE confluent_flink_num_late_records_in counter\n",
		`confluent_flink_pending_records{compute_pool_id="pool",flink_statement_name="count",table="clicks"} 7` + "\n",
		`confluent_flink_operator_state_size_bytes{compute_pool_id="pool",flink_operator_id="window",flink_statement_name="count"} 300` + "\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if w.Code != 200 {
		t.Errorf("it answers %d: %s", w.Code, text)
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range All {
		if name := x.PrometheusName(); seen[name] || x.Doc == "" {
			t.Errorf("%s is there twice, or has no words", name)
		}
		seen[x.PrometheusName()] = true
	}
}
