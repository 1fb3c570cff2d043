package summary

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestReached tells where the watermark is, or why it is nowhere.
func TestReached(t *testing.T) {
	const set = watermark.Frontier(6_001_000)
	split := func(read int64, f watermark.Frontier, s watermark.Status) watermark.SplitSnapshot {
		return watermark.SplitSnapshot{Read: read, Frontier: f, Status: s}
	}
	silent, heard := split(0, watermark.Unset, watermark.Active), split(5, set, watermark.Active)
	stalled, timeless := split(0, watermark.Unset, watermark.Stalled), split(7, watermark.Unset, watermark.Active)
	periodic := func(interval, eager int64) watermark.Emission {
		return watermark.Periodic{Interval: interval, EagerFor: eager}
	}
	everyRow := watermark.OnEvent{Gap: 1}
	for _, c := range []struct {
		emission          watermark.Emission
		frontier, reached watermark.Frontier
		splits            []watermark.SplitSnapshot
		holders           []int
		want              string
	}{
		{everyRow, set, set, []watermark.SplitSnapshot{heard}, []int{0}, "1970-01-01 00:00:06.000"},
		{everyRow, watermark.Final, set, []watermark.SplitSnapshot{heard}, nil, "1970-01-01 00:00:06.000, then the end of the input"},
		{everyRow, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{silent}, nil, "at the end of the input (no row was read)"},
		{everyRow, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{timeless}, nil, "at the end of the input (no row moved it)"},
		{everyRow, watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{silent, silent}, []int{0, 1}, "not set: no row was read"},
		{everyRow, watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1}, "not set: held by split 1 (active, no row yet)"},
		{periodic(200_000, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{stalled, heard, timeless, silent, silent, silent}, []int{0, 2, 3, 4, 5},
			"not set: held by split 0 (stalled, no row yet), split 2 (active, no row of it moved it), split 3 (active, no row yet) and 2 more"},
		{periodic(0, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1},
			"not set: none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0"},
		{periodic(0, 200_000), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard, silent}, []int{1},
			"not set: between the first 200 ms and the end of the input none is sent, because 'pipeline.auto-watermark-interval' is 0"},
		{periodic(0, 0), watermark.Final, watermark.Unset, []watermark.SplitSnapshot{heard}, nil,
			"at the end of the input (none is sent before the end of the input, because 'pipeline.auto-watermark-interval' is 0)"},
		{periodic(200_000, 0), watermark.Unset, watermark.Unset, []watermark.SplitSnapshot{heard}, []int{0}, "not set: none was sent yet; it is sent every 200 ms"},
		{watermark.OnEvent{Gap: 1000}, watermark.Final, watermark.Unset, []watermark.SplitSnapshot{heard}, nil,
			"at the end of the input (none was sent yet; it is sent with every 1000th row of a split)"},
	} {
		src := &runtime.SourceStats{Strategy: watermark.Strategy{Emission: c.emission},
			Watermark: &watermark.Snapshot{Frontier: c.frontier, Reached: c.reached, Splits: c.splits, Holders: c.holders}}
		for i := range c.splits {
			src.Splits = append(src.Splits, fmt.Sprintf("split %d", i))
			src.Rows += c.splits[i].Read
		}
		if got := reached(src); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		src.Instant = true
		if want := strings.Replace(c.want, "06.000", "06.000Z", 1); reached(src) != want {
			t.Errorf("got  %s\nwant %s", reached(src), want)
		}
	}
}

// TestProgressLine has a Z where the event time that holds the statement is an instant.
func TestProgressLine(t *testing.T) {
	source := func(f watermark.Frontier, instant bool) runtime.SourceStats {
		return runtime.SourceStats{Watermarked: true, Instant: instant, Watermark: &watermark.Snapshot{Frontier: f}}
	}
	for _, c := range []struct {
		sources []runtime.SourceStats
		sinks   []watermark.Frontier
		want    string
	}{
		{nil, nil, ""},
		{[]runtime.SourceStats{source(watermark.Unset, true)}, nil, ""},
		{[]runtime.SourceStats{source(watermark.Final, true)}, nil, ""},
		{[]runtime.SourceStats{source(6_001_000, false)}, nil, ", watermark 1970-01-01 00:00:06.000"},
		{[]runtime.SourceStats{source(7_001_000, false), source(6_001_000, true)}, nil, ", watermark 1970-01-01 00:00:06.000Z"},
		{[]runtime.SourceStats{source(6_001_000, false)}, []watermark.Frontier{9_000_000, 8_000_000}, ", watermark 1970-01-01 00:00:06.000, system watermark 1970-01-01 00:00:07.999Z"},
		{nil, []watermark.Frontier{9_000_000, watermark.Unset}, ""},
		{nil, []watermark.Frontier{watermark.Final}, ""},
	} {
		var sinks []runtime.SinkStats
		for _, f := range c.sinks {
			sinks = append(sinks, runtime.SinkStats{System: f})
		}
		if got := Progress(runtime.Stats{Sources: c.sources, Sinks: sinks}, time.Second); got != "0 rows in, 0 rows out, 0 rows/s"+c.want {
			t.Errorf("got %s", got)
		}
	}
}

// TestLeftOut tells of the rows that operators leave out unasked, and says nothing of those that a condition of the statement leaves out, or where there are none.
func TestLeftOut(t *testing.T) {
	var out strings.Builder
	Write(&out, runtime.Stats{Operators: []runtime.OperatorStats{
		{Label: "Filter", Tells: "in no window of HOP: their time is NULL", Totals: dataflow.Totals{In: 5, Filtered: 1, Out: 4}},
		{Label: "Filter", Tells: "in no window of HOP: their time is before 1970", Totals: dataflow.Totals{In: 4, Out: 4}},
		{Label: "Filter", Totals: dataflow.Totals{In: 4, Filtered: 2, Out: 2}},
	}}, 0)
	if got, want := out.String(), "0 rows in, 0 rows out in 0s\n  1 row left out, in no window of HOP: their time is NULL\n"; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

// TestDistinct tells what is there several times apart.
func TestDistinct(t *testing.T) {
	got := fmt.Sprint(distinct([]string{"a", "b", "a", "a"}, " reading"))
	if want := "[a (1st reading) b a (2nd reading) a (3rd reading)]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 111: "111th"} {
		if ordinal(n) != want {
			t.Errorf("got %s, want %s", ordinal(n), want)
		}
	}
}

// TestNotices says what to write where rows come late on the default watermark, or from the future.
func TestNotices(t *testing.T) {
	const second = 1_000_000
	at := func(f watermark.Frontier) *watermark.Snapshot {
		return &watermark.Snapshot{At: 100 * second, Frontier: f, Reached: f}
	}
	late := at(99 * second)
	late.Splits = []watermark.SplitSnapshot{{Worst: watermark.Worst{Lateness: 2_500_000, Time: 96_500_000}}}
	ahead := at(90 * second)
	ahead.Ahead, ahead.Farthest = 2, 4070908800*second
	for _, c := range []struct {
		about string
		s     runtime.SourceStats
		want  string
	}{
		{"nothing", runtime.SourceStats{Watermark: at(99 * second)}, "[]"},
		{"late on a declared watermark", runtime.SourceStats{Watermark: late, SourceTotals: runtime.SourceTotals{Late: 1, Rows: 10}}, "[]"},
		{"late on the default", runtime.SourceStats{Watermark: late, DefaultWatermark: true, SourceTotals: runtime.SourceTotals{Late: 1, Rows: 1000}},
			"[{1 row of 1,000 of 't' came late on the default watermark, which is 180 ms behind the newest record; records are out of order by 2.680 s or more " +
				"[ALTER TABLE `t` MODIFY WATERMARK FOR $rowtime AS $rowtime - INTERVAL '3' SECOND " +
				"message.timestamp.type = LogAppendTime of the topic, if the order in which the broker gets records will do; of a managed table, " +
				"ALTER TABLE `t` SET ('kafka.message-timestamp-type' = 'LogAppendTime')]}]"},
		{"a minute ahead", runtime.SourceStats{Watermark: at(160 * second)}, "[]"},
		{"more than a minute ahead", runtime.SourceStats{Watermark: at(161 * second)},
			"[{the watermark of 't' is 1 min 1 s ahead of the clock, as a row from the future moved it: rows with the right time are late [ALTER TABLE `t` SET ('watermark.max-ahead' = '1 h')]}]"},
		{"handed over so", runtime.SourceStats{Watermark: at(161 * second), Strategy: watermark.Strategy{Candidates: watermark.HandedOver{}}},
			"[{the watermark of 't' is 1 min 1 s ahead of the clock, as a writer has handed it over so: rows with the right time are late " +
				"[set 'watermark.max-ahead' = '1 h' of the tables that are read by the statements which write it]}]"},
		{"of a replay", runtime.SourceStats{Watermark: at(161 * second), Bounded: true}, "[]"},
		{"rows that were too far ahead", runtime.SourceStats{Watermark: ahead, Strategy: watermark.Strategy{MaxAhead: 60 * second}},
			"[{2 rows of 't' came from more than 1 min ahead of the clock and did not move the watermark; the furthest is of 2099-01-01 00:00:00.000 []}]"},
	} {
		c.s.Name, c.s.Watermarked = "t", true
		if got := fmt.Sprint(Notices(&c.s)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.about, got, c.want)
		}
	}
}

// An expected value that has not come holds the watermark, and not a split.
func TestAwaitedValues(t *testing.T) {
	stats := &runtime.SourceStats{Strategy: watermark.Replay(1000), SourceTotals: runtime.SourceTotals{Rows: 5}, Splits: []string{"split 0"}, Watermark: &watermark.Snapshot{
		Frontier: watermark.Unset, Reached: watermark.Unset, Holders: []int{0}, Awaited: []string{"click", "view"},
		Splits: []watermark.SplitSnapshot{{Read: 5, Frontier: 6_001_000}}}}
	if got, want := reached(stats), "not set: no row yet of click and view"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWriteSinks: a sink is told of if its system watermark is known and there is more to come.
func TestWriteSinks(t *testing.T) {
	var b strings.Builder
	Write(&b, runtime.Stats{Sinks: []runtime.SinkStats{{Name: "t", System: 8_000_000}, {System: 9_000_000}, {Name: "u", System: watermark.Unset}, {Name: "v", System: watermark.Final}}}, time.Second)
	want := "0 rows in, 0 rows out in 1s\n  into t: system watermark 1970-01-01 00:00:07.999Z\n  result: system watermark 1970-01-01 00:00:08.999Z\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestRemediesAreFlinks: the delay that a notice writes is long enough, and no longer than two digits can say; Flink takes more only where they are asked for.
func TestRemediesAreFlinks(t *testing.T) {
	const second, minute, hour, day = 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000
	for _, c := range []struct {
		micros int64
		want   string
	}{
		{1, "'1' SECOND"}, {2 * second, "'2' SECOND"}, {99 * second, "'99' SECOND"}, {99*second + 1, "'2' MINUTE"}, {119_180_000, "'2' MINUTE"}, {99 * minute, "'99' MINUTE"},
		{99*minute + 1, "'2' HOUR"}, {99*hour + 1, "'5' DAY"}, {99 * day, "'99' DAY"}, {20_000 * day, "'20000' DAY(5)"},
	} {
		if got := delay(c.micros); got != "INTERVAL "+c.want {
			t.Errorf("%d µs: %s, want %s", c.micros, got, c.want)
		}
	}
}

// A watermark that the present holds is told as that, also when the input has ended.
func TestReachedThePresent(t *testing.T) {
	src := &runtime.SourceStats{Strategy: watermark.Replay(1000), Watermark: &watermark.Snapshot{Frontier: 6_001_000, Reached: 6_001_000, Beyond: 60_000_000}}
	const want = "1970-01-01 00:00:06.000 (held by the present: rows would take it to 1970-01-01 00:01:06.000)"
	if got := reached(src); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	src.Watermark.Frontier = watermark.Final
	if got := reached(src); got != want+", then the end of the input" {
		t.Errorf("got  %s", got)
	}
}
