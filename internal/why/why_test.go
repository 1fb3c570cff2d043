package why

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// scene is a source, played by its core.
type scene struct {
	core  *watermark.Core
	stats runtime.SourceStats
}

const s = 1_000_000

func newScene(t *testing.T, strategy watermark.Strategy, splits ...string) *scene {
	t.Helper()
	core, err := watermark.New(strategy, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range splits {
		core.AddSplit(0)
	}
	return &scene{core, runtime.SourceStats{Name: "clicks", Splits: splits, Watermarked: true, Strategy: strategy}}
}

// row has a split read a row; the watermark is a second behind it.
func (x *scene) row(split int, time, now int64) {
	x.stats.Rows++
	x.core.Observe(split, []int64{time}, []int64{time - s}, now, new(watermark.Observed))
}

func (x *scene) at(now int64) runtime.SourceStats {
	x.core.Tick(now, new(watermark.Observed))
	x.core.Publish(now)
	x.stats.Watermark = x.core.Load()
	return x.stats
}

func onEvent(idle watermark.Idleness) watermark.Strategy {
	strategy := watermark.Replay(1000)
	strategy.Idleness = idle
	return strategy
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		about string
		play  func(t *testing.T) (*scene, int64)
		state State
		want  []string
	}{
		{"a partition that never had a row", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Never{}), "clicks-0", "clicks-1")
			x.row(0, 100*s, 1*s)
			return x, 31 * s
		}, Held, []string{"has not been set because of clicks-1, which has had no row in 31 s", "a row in clicks-1", "no idle timeout", "ALTER TABLE `clicks` SET ('scan.watermark.idle-timeout' = '10 s')", "no more partitions than writers fill"}},
		{"a partition that fell silent", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Fixed{Timeout: 60 * s}), "clicks-0", "clicks-1")
			x.row(1, 90*s, 1*s)
			x.row(0, 100*s, 1*s)
			x.row(0, 200*s, 40*s)
			return x, 41 * s
		}, Held, []string{"stays at 1970-01-01 00:01:29.000 because of clicks-1, which has had no row for 40 s, and whose last row was of 1970-01-01 00:01:30.000", "its idle timeout (1 min), in 20 s", "SET ('scan.watermark.idle-timeout' = '5 s');\n      then delete this statement and make it again"}},
		{"the timeout has let it go", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Fixed{Timeout: 10 * s}), "clicks-0", "clicks-1")
			x.row(0, 100*s, 10*s)
			return x, 11 * s
		}, Moving, []string{"follows its rows: it is at 1970-01-01 00:01:39.000, 1.0 s behind the newest row of clicks-0", "1.0 s after its end"}},
		{"rows of the future, which came once", func(t *testing.T) (*scene, int64) {
			x := newScene(t, watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: s}, Idleness: watermark.Never{}, Candidates: watermark.Lookahead{Bound: 5 * s, InFlight: watermark.All, LateData: watermark.All}}, "clicks-0")
			x.row(0, 400*s, 1*s)
			number, _ := x.core.Fetched(0, 1*s, 1*s)
			x.core.Complete(0, number)
			return x, 31 * s
		}, Moving, []string{"the present holds the watermark of 'clicks': it is at 1970-01-01 00:00:30.999 and moves with the clock, while its rows would take it to 1970-01-01 00:06:34.999", "when the clock has come to its end", "in 6 min 4 s", "of the future"}},
		{"all are idle", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Fixed{Timeout: 10 * s}), "clicks-0", "clicks-1")
			x.row(0, 100*s, 1*s)
			return x, 30 * s
		}, Idle, []string{"every split of 'clicks' is idle, and its watermark stays at", "wakes it up"}},
		{"a split that cannot deliver", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Fixed{Timeout: 10 * s}), "clicks-0", "clicks-1")
			x.row(0, 100*s, 1*s)
			x.row(1, 90*s, 1*s)
			x.core.Stall(1, 2*s)
			return x, 300 * s
		}, Held, []string{"because of clicks-1, which has rows that cannot be taken", "what is behind it in the statement is slower", "look at the task"}},
		{"rows without a time", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Never{}), "clicks-0")
			x.stats.Rows = 1
			x.core.Observe(0, []int64{watermark.NoTime}, []int64{watermark.NoTime}, 2*s, new(watermark.Observed))
			return x, 3 * s
		}, Held, []string{"has had 1 rows, none of which had an event time that moves it", "NULL"}},
		{"no row at all, anywhere", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Never{}))
			return x, 3 * s
		}, Quiet, []string{"'clicks' has had no row yet"}},
		{"a table is read first", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Never{}), "clicks-0")
			x.stats.Awaits = "people"
			return x, 31 * s
		}, Quiet, []string{"'clicks' is not read before 'people' has been", "ends with: the end of 'people'"}},
		{"the end", func(t *testing.T) (*scene, int64) {
			x := newScene(t, onEvent(watermark.Never{}), "clicks-0")
			x.row(0, 100*s, 1*s)
			x.core.FinishSplit(0, 2*s)
			x.core.SealSplits()
			return x, 3 * s
		}, Ended, []string{"has come to its end"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			x, now := c.play(t)
			stats := runtime.Stats{Sources: []runtime.SourceStats{x.at(now)}}
			a := Ask(&stats, []string{"clicks"}, now)
			if got := a.Sources[0].State; got != c.state {
				t.Errorf("state is %s, want %s", got, c.state)
			}
			a.Sources[0].Holds = true // an end is not waited for, and is shown all the same
			for _, want := range c.want {
				if !strings.Contains(a.Text(), want) {
					t.Errorf("no %q in\n%s", want, a.Text())
				}
			}
		})
	}
}

// A source that stands still because too many of its splits are empty says how many, and where its share is said.
func TestTooManyAreEmpty(t *testing.T) {
	for origin, want := range map[string]string{
		"WITH 'watermark.idle.max-ratio'":                "ALTER TABLE `reader/queue` SET ('watermark.idle.max-ratio' = '1')",
		"watermark_strategy 'idle_partitions.max_ratio'": "for good: change watermark_strategy 'idle_partitions.max_ratio'",
	} {
		stats := lookingAhead(t, []int{0, 1}, 31, 31, false, "q-0", "q-1", "q-2", "q-3", "q-4").at(31 * s)
		stats.Name = "reader/queue"
		stats.Settings = []runtime.Setting{{Name: "idle share", Value: "at most 0.4", Origin: origin}}
		text := Ask(&runtime.Stats{Sources: []runtime.SourceStats{stats}}, []string{"reader/queue"}, 31*s).Text()
		for _, want := range []string{want, "rows in 1 of the 3 splits that are empty: of 5 no more than a share of 0.4 may be let go"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}

// The sources that a statement waits for come first, and idle ones are not among them.
func TestTheStatementWaitsForTheLeast(t *testing.T) {
	ahead, behind, idle := newScene(t, onEvent(watermark.Never{}), "a-0"), newScene(t, onEvent(watermark.Never{}), "b-0"), newScene(t, onEvent(watermark.Fixed{Timeout: s}), "c-0")
	ahead.row(0, 100*s, 10*s)
	behind.row(0, 50*s, 10*s)
	idle.row(0, 10*s, 1*s)
	stats := runtime.Stats{Sources: []runtime.SourceStats{ahead.at(11 * s), idle.at(11 * s), behind.at(11 * s)}}
	a := Ask(&stats, []string{"a", "c", "b"}, 11*s)
	if a.Sources[0].Name != "b" || !a.Sources[0].Holds || a.Sources[1].Holds || a.Sources[2].Holds {
		t.Errorf("the statement waits for %+v", a.Sources)
	}
	if a.Frontier != behind.core.Frontier() {
		t.Errorf("its frontier is %d, want %d", a.Frontier, behind.core.Frontier())
	}
}

// TestWaiting: operators that hold something back say what, until when and how much is left, and the others nothing.
func TestWaiting(t *testing.T) {
	at := func(seconds int64) watermark.Frontier { return watermark.Frontier(seconds * s) }
	standing := func(f watermark.Frontier) runtime.Standing { return runtime.Standing{Frontier: f, Active: true} }
	stats := &runtime.Stats{Operators: []runtime.OperatorStats{
		{Label: "Project", Input: standing(at(10))},
		{Label: "TUMBLE", Input: standing(at(400)), Next: &dataflow.Due{What: dataflow.WaitsWindow, Start: 0, At: 600 * s, Deadline: 600 * s}},
		{Label: "SESSION", Instant: true, Input: standing(watermark.Unset), Next: &dataflow.Due{What: dataflow.WaitsSession, Start: watermark.NoTime, At: 600 * s, Deadline: 600 * s}},
		{Label: "ORDER BY", Input: standing(at(7)), Next: new(dataflow.DueWith(dataflow.WaitsRows, 9*s))},
		{Label: "MATCH", Input: standing(at(10)), Next: new(dataflow.DueWith(dataflow.WaitsMatch, 9*s))},
	}}
	want := `TUMBLE: the window from 1970-01-01 00:00:00.000 to 1970-01-01 00:10:00.000 needs 3 min 20 s more of event time
SESSION: the session that ends first, at 1970-01-01 00:10:00.000Z, waits for the first watermark
ORDER BY: the first row that is held, of 1970-01-01 00:00:09.000, needs 2.0 s more of event time
MATCH: what has begun to match, and is given up at 1970-01-01 00:00:09.000, is about to leave
`
	a := Ask(stats, nil, 0)
	if got := a.Text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(a.Waiting) != 4 || a.Waiting[0].Left != 200*s || a.Waiting[3].Left != 0 || !a.Waiting[1].Unset {
		t.Errorf("%+v", a.Waiting)
	}
}

// lookingAhead plays a source whose watermark looks ahead until the second now: each second some of its splits have a row, until a last one, and the others are found empty, but for the last split, of which reads
// may fail.
func lookingAhead(t *testing.T, rows []int, until, now int64, fails bool, splits ...string) *scene {
	t.Helper()
	strategy := watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: s}, Idleness: watermark.Lift{After: 60 * s, Ratio: 0.4},
		Candidates: watermark.Lookahead{Bound: 10 * s, InFlight: watermark.All, LateData: watermark.All, Outages: watermark.DefaultOutages}}
	x := newScene(t, strategy, splits...)
	for at := int64(1); at <= now; at++ {
		for i := range splits {
			if slices.Contains(rows, i) && at <= until {
				x.row(i, (99+at+int64(i))*s, at*s)
				number, _ := x.core.Fetched(i, at*s, at*s)
				x.core.Complete(i, number)
			}
			if fails && i == len(splits)-1 {
				x.core.ReadFailed(i, at*s)
			} else {
				x.core.ConfirmEmpty(i, at*s)
			}
		}
		x.core.Tick(at*s, new(watermark.Observed))
	}
	return x
}

// TestLookingAhead: what is said of splits where a watermark looks ahead, at every time of their silence.
func TestLookingAhead(t *testing.T) {
	for _, c := range []struct {
		about string
		rows  []int // splits that have one each second, of three
		until int64 // second of the last one
		now   int64
		fails bool // reads of the last one fail
		want  []string
	}{
		{"one is empty", []int{0, 1}, 21, 21, false, []string{"has not been set because of q-2, which has had no row in 21 s", "its idle timeout (1 min, up to 0.4 of the splits), in 40 s"}},
		{"two are", []int{0}, 31, 31, false, []string{"because of q-1, which has had no row in 31 s; 1 more split holds it as well", "rows in 1 of the 2 splits that are empty: of 3 no more than a share of 0.4 may be let go"}},
		{"all are", nil, 0, 90, false, []string{"has not been set because of q-1, which has had no row in 90 s; 1 more split holds it as well", "rows in 2 of the 3 splits that are empty"}},
		{"all fell silent", []int{0, 1, 2}, 1, 90, false, []string{"because of q-0, which has had no row for 89 s", "rows in 2 of the 3 splits that are empty"}},
		{"it cannot be read", []int{0, 1}, 1, 601, true, []string{"because of q-2, which cannot be read, and has had no row for 10 min 1 s", "the split can be read again"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			x := lookingAhead(t, c.rows, c.until, c.now, c.fails, "q-0", "q-1", "q-2")
			stats := x.at(c.now * s)
			text := Ask(&runtime.Stats{Sources: []runtime.SourceStats{stats}}, []string{"q"}, c.now*s).Text()
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if strings.Contains(text, "0.0 s") || strings.Contains(text, "timeout, now") {
				t.Errorf("it says\n%s", text)
			}
		})
	}
}
