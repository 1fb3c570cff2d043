package profile

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/summary"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/internal/why"
	"github.com/tidemark-sql/tidemark/watermark"
)

const s = 1_000_000

// day is when event times of the test are, and base the same in milliseconds.
var (
	day  = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).UnixMicro()
	base = day / 1000
)

func at(seconds int64) watermark.Frontier { return watermark.Frontier(day + seconds*s) }

func standing(f watermark.Frontier) runtime.Standing {
	return runtime.Standing{Frontier: f, Active: true}
}

// join is a temporal join of two tables, of which the second is idle, seconds after its beginning: two sources, a join of two tasks, and a sink.
func join(seconds int64) *metrics.Look {
	now := day + seconds*s
	strategy := watermark.Replay(1000)
	orders := runtime.SourceStats{Name: "orders", Splits: []string{"orders-0", "orders-1"}, Watermarked: true, Instant: true, Strategy: strategy, Pending: connector.Backlog{Records: 9, Bytes: -1},
		Backlogs: []connector.Backlog{{Records: 9, Bytes: -1}, {Records: -1, Bytes: -1}},
		Settings: []runtime.Setting{{Name: "emit", Value: "on-periodic", Origin: "profile flink"}},
		Watermark: &watermark.Snapshot{At: now, Active: true, Frontier: at(seconds - 90), Holders: []int{1}, Splits: []watermark.SplitSnapshot{
			{MaxTime: now, Frontier: at(seconds - 2), Since: day, ActiveFor: seconds * s, Read: 1000 + 10*seconds, ReadBefore: 1000, Late: 7 + seconds/10, LateBefore: 7, Recent: watermark.Worst{Lateness: 4 * s, Time: day}, RecentLate: 3},
			{MaxTime: now - 90*s, Frontier: at(seconds - 90), Status: watermark.Stalled, Since: day, ActiveFor: seconds * s / 4, StalledFor: seconds * s / 2, IdleFor: seconds * s / 4, Read: 5},
		}}}
	orders.Rows, orders.Bytes, orders.Late, orders.Skipped, orders.NullTime = 1000+10*seconds, 100*seconds, 20+seconds, 5, 2
	orders.Before = runtime.SourceTotals{Rows: 1000, Late: 20, Skipped: 4}
	rates := runtime.SourceStats{Name: "rates", Splits: []string{"rates-0"}, Watermarked: true, Instant: true, Strategy: strategy, Pending: connector.Backlog{Records: -1, Bytes: -1}, Backlogs: []connector.Backlog{{Records: -1, Bytes: -1}},
		Watermark: &watermark.Snapshot{At: now, Frontier: at(-4000), Splits: []watermark.SplitSnapshot{{MaxTime: watermark.NoTime, Frontier: at(-4000), Status: watermark.Idle, Since: day, IdleFor: seconds * s}}}}
	instance := func(busy, blocked int64, f watermark.Frontier) runtime.TaskInstance {
		return runtime.TaskInstance{Spent: runtime.Spent{Busy: seconds * busy * s / 100, Backpressured: seconds * blocked * s / 100, Idle: seconds * (100 - busy - blocked) * s / 100},
			In: runtime.Flow{Rows: 6 * seconds, Bytes: 60 * seconds}, Out: runtime.Flow{Rows: 3 * seconds, Bytes: 30 * seconds}, Input: standing(f), Output: standing(f - 1000*s)}
	}
	quiet := instance(0, 0, at(-4000))
	quiet.Input.Active, quiet.Output.Active = false, false
	stats := &runtime.Stats{
		Sources: []runtime.SourceStats{orders, rates},
		Operators: []runtime.OperatorStats{{ID: "join", Label: "temporal join", Instant: true, Input: standing(at(seconds - 90)), Output: standing(at(seconds - 3700)), Size: dataflow.Size{Groups: 4, Bytes: 400}, Totals: dataflow.Totals{In: 12 * seconds, Out: 6 * seconds, Filtered: 50 + seconds, Dropped: 40 + seconds}, Before: dataflow.Totals{Filtered: 20, Dropped: 80},
			Tells: "in no window: their time is NULL",
			Next:  new(dataflow.DueWith(dataflow.WaitsRows, day+(seconds-60)*s))}},
		Sinks: []runtime.SinkStats{{Name: "enriched", Rows: 6 * seconds, Bytes: -1, Input: standing(at(seconds - 3700))}},
		Tasks: []runtime.TaskStats{
			{ID: "source-0", Name: "orders", Source: 0, Instances: []runtime.TaskInstance{instance(10, 0, at(seconds-90))}},
			{ID: "source-1", Name: "rates", Source: 1, Instances: []runtime.TaskInstance{quiet}},
			{ID: "join", Name: "temporal join", Source: -1, From: []string{"source-0", "source-1"}, Operators: []int{0}, Instances: []runtime.TaskInstance{instance(90, 5, at(seconds-90)), instance(20, 60, at(seconds-95)), quiet}},
			{ID: "sink", Name: "into enriched", Source: -1, Writes: true, From: []string{"join"}, Instances: []runtime.TaskInstance{instance(1, 0, at(seconds-3700))}},
		},
	}
	l := &metrics.Look{Statement: "enrich", Phase: "RUNNING", At: now, Began: day, Stats: stats, Topics: func(string) bool { return true }}
	l.Past = supervisor.Past{Taken: 3, Missed: 1, Failed: 2, Miss: supervisor.Trouble{At: now, Err: errors.New("the disk is full")}}
	l.Checkpoint.ID, l.Checkpoint.At, l.Checkpoint.Took, l.Checkpoint.Bytes = 3, now-2*s, 30*time.Millisecond, 1234
	return l
}

func of(l *metrics.Look) api.Profile {
	if l.Stats == nil {
		return Of(l, nil, &why.Answer{})
	}
	names := summary.Sources(l.Stats)
	return Of(l, names, new(why.Ask(l.Stats, names, l.At)))
}

// TestProfile: the rules of Confluent Cloud, and what changed between two looks.
func TestProfile(t *testing.T) {
	l := join(100)
	l.Before = join(90)
	p := of(l)
	mark := func(m *api.Mark) string {
		if m == nil {
			return "none"
		}
		return fmt.Sprint(m.At-base, " ", m.Delay, " ", m.Text)
	}
	counted := func(c api.Counted) string {
		if c.PerSecond == nil {
			return fmt.Sprint(c.Total)
		}
		return fmt.Sprint(c.Total, " ", *c.PerSecond)
	}
	orders, rates, sink := p.Sources[0], p.Sources[1], p.Sinks[0]
	read, quiet, joined, wrote := p.Tasks[0], p.Tasks[1], p.Tasks[2], p.Tasks[3]
	for _, c := range []struct{ what, got, want string }{
		{"the least of the sources that are not idle", mark(p.Input), "9999 90001 1 min"},
		{"its text", p.Input.Watermark, "2026-01-01 12:00:09.999Z"},
		{"that of all sinks", mark(p.Output), "-3600001 3700001 1 h"},
		{"window, beginning, restarts", fmt.Sprint(p.Window, p.Began-base, p.Restarts), "10000 0 2"},
		{"late since the restart, dropped", fmt.Sprint(p.Late, p.Dropped), "100 60"},
		{"source", fmt.Sprint(orders.Name, orders.Task, orders.Late, orders.Skipped, orders.NullTimes, *orders.Behind, orders.State), "orderssource-0100 1 2 9held"},
		{"its rows", counted(orders.Rows), "1000 10"},
		{"its bytes", counted(orders.Bytes), "10000 100"},
		{"its strategy", fmt.Sprint(orders.Strategy), "[{emit on-periodic profile flink}]"},
		{"a source that is idle", fmt.Sprint(mark(rates.Mark), rates.State, rates.Behind), "-4000001 4100001 1 hidle<nil>"},
		{"a sink that does not know its bytes", fmt.Sprint(sink.Name, counted(sink.Rows), sink.Bytes), "enriched600 6<nil>"},
		{"a task that reads shows its output", mark(read.Mark), "-990001 1090001 18 min"},
		{"an idle one too", mark(quiet.Mark), "-5000001 5100001 1 h"},
		{"the least of the instances that are not idle", mark(joined.Mark), "-995001 1095001 18 min"},
		{"a task that writes shows its input", mark(wrote.Mark), "-3600001 3700001 1 h"},
		{"what it writes", fmt.Sprint(wrote.Writes, wrote.Reads), "[enriched]"},
		{"shares of the worst instances", fmt.Sprint(*joined.Shares), "{90 60 100}"},
		{"rows of all instances", counted(joined.In), "1800 18"},
		{"inputs", fmt.Sprint(joined.Inputs, joined.Instances), "[{source-0 0} {source-1 1}] 3"},
		{"late of a task that reads", fmt.Sprint(read.Late, *read.RecentLate, *read.WorstLateness, joined.Late, joined.RecentLate), "100 3 3999 0 <nil>"},
		{"dropped and held of a task", fmt.Sprint(joined.Dropped, joined.State), "60 400"},
		{"what an operator left out, and why", fmt.Sprint(joined.Operators[0].LeftOut, " ", joined.Operators[0].Why), "130 in no window: their time is NULL"},
		{"what an operator waits for", fmt.Sprint(joined.Operators[0].Next.At-base, *joined.Operators[0].Next.Needed, joined.Operators[0].Next.What, joined.Operators[0].Next.Start), "40000 30001rows<nil>"},
		{"checkpoints", fmt.Sprint(p.Checkpoints.Completed, p.Checkpoints.Failed, p.Checkpoints.LastAt-base, p.Checkpoints.LastTook, p.Checkpoints.LastSize, p.Checkpoints.Failure), "3 1 97970 30 1234the disk is full"},
		{"partitions of a task that reads nothing", fmt.Sprint(len(joined.Partitions)), "0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	for i, want := range []string{"orders-0 active 97999 false 1000 10 100 0 0", "orders-1 blocked 9999 true 5 0 25 50 25"} {
		x := read.Partitions[i]
		if got := fmt.Sprint(x.Split, " ", x.State, " ", x.Mark.At-base, " ", x.Holds, " ", x.Rows, " ", x.Late, " ", *x.Active, " ", *x.Blocked, " ", *x.Idle); got != want {
			t.Errorf("partition %d: %s, want %s", i, got, want)
		}
	}
	if x := read.Partitions[0]; *x.LastRow != base+100_000 || *x.Behind != 9 || read.Partitions[1].Behind != nil {
		t.Errorf("partition: %+v", x)
	}
	if x := quiet.Partitions[0]; x.State != "idle" || x.LastRow != nil || x.Holds || *x.Idle != 100 {
		t.Errorf("a partition that is idle: %+v", x)
	}
}

// TestLine: the list shows the same as the profile.
func TestLine(t *testing.T) {
	l := join(100)
	l.Before = join(90)
	names := summary.Sources(l.Stats)
	p, line := of(l), Line(l, names, new(why.Ask(l.Stats, names, l.At)))
	if *line.Behind != 9 || line.In.Total != 1000 || *line.In.PerSecond != 10 || line.Out.Total != 600 || *line.Out.PerSecond != 6 || *line.Input != *p.Input || *line.Output != *p.Output || line.Late != 100 {
		t.Errorf("%+v", line)
	}
	if line := Line(&metrics.Look{}, nil, nil); line.In != nil || line.Input != nil {
		t.Errorf("without a job: %+v", line)
	}
}

// TestWithout: without a job there is nothing but checkpoints, and without an earlier look no rates and shares; one of another job would be none.
func TestWithout(t *testing.T) {
	l := join(100)
	l.Stats = nil
	if p := of(l); p.Running || len(p.Tasks) != 0 || p.Tasks == nil || p.Checkpoints == nil || p.Input != nil {
		t.Errorf("without a job: %+v", p)
	}
	p := of(join(100))
	if x := p.Tasks[0]; !p.Running || p.Window != 0 || x.Shares != nil || x.In.PerSecond != nil || x.Partitions[0].Active != nil {
		t.Errorf("without an earlier look: %+v", p)
	}
	l = join(100)
	l.Checkpoint.ID, l.Taken, l.Missed = 0, 0, 0
	if p := of(l); p.Checkpoints != nil {
		t.Errorf("without checkpoints: %+v", p.Checkpoints)
	}
}

// TestMarks: what there is none of, and what has ended.
func TestMarks(t *testing.T) {
	v := &view{look: &metrics.Look{At: day}}
	if m := v.mark(watermark.Unset, true); m != nil {
		t.Errorf("unset: %+v", m)
	}
	if m := v.mark(watermark.Final, true); !m.Final || m.Text != "ended" || m.Watermark != "" {
		t.Errorf("final: %+v", m)
	}
	if m := v.mark(at(5), false); m.Delay != -4999 || m.Text != "up to date" || m.Watermark != "2026-01-01 12:00:04.999" {
		t.Errorf("ahead of the clock: %+v", m)
	}
}

// TestPartsAddUp: what a core says of its splits at any two moments are parts that add up to 100, of the time between, whatever happens to the splits.
func TestPartsAddUp(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		strategy := watermark.Replay(1000)
		strategy.Idleness = watermark.Fixed{Timeout: 3 * s}
		core, err := watermark.New(strategy, day)
		if err != nil {
			t.Fatal(err)
		}
		source := runtime.SourceStats{Name: "x", Watermarked: true, Strategy: strategy}
		for i := range 3 {
			core.AddSplit(day)
			source.Splits, source.Backlogs = append(source.Splits, fmt.Sprint("x-", i)), append(source.Backlogs, connector.Backlog{})
		}
		core.Publish(day)
		now, stalled, out := day, [3]bool{}, new(watermark.Observed)
		look := func() *metrics.Look {
			source := source
			source.Watermark = core.Load()
			return &metrics.Look{At: now, Stats: &runtime.Stats{Sources: []runtime.SourceStats{source}, Tasks: []runtime.TaskStats{{ID: "source-0", Source: 0}}}}
		}
		before := look()
		for range 40 {
			now += r.Int64N(2 * s)
			split := r.IntN(3)
			switch r.IntN(6) {
			case 0:
				core.Observe(split, []int64{now}, []int64{now}, now, out)
			case 1:
				if stalled[split] = !stalled[split]; stalled[split] {
					core.Stall(split, now)
				} else {
					core.Unstall(split, now)
				}
			default:
				core.Tick(now, out)
			}
			if r.IntN(2) == 0 {
				core.Publish(now)
			}
			l := look()
			l.Before = before
			if now == before.At {
				continue
			}
			for _, x := range of(l).Tasks[0].Partitions {
				if x.Active == nil {
					t.Fatalf("seed %d: nothing is said of %s after %d", seed, x.Split, now-before.At)
				}
				if sum := *x.Active + *x.Blocked + *x.Idle; math.Abs(sum-100) > 1e-9 || min(*x.Active, *x.Blocked, *x.Idle) < 0 {
					t.Errorf("seed %d: parts of %s add up to %f", seed, x.Split, sum)
				}
			}
			if r.IntN(3) == 0 {
				before = look()
			}
		}
	}
}
