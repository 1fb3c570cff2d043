package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestTogether puts streams side by side.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		all  []Standing
		want Standing
	}{
		{nil, Standing{watermark.Unset, false}},
		{[]Standing{{5, true}, {3, true}}, Standing{3, true}},
		{[]Standing{{5, true}, {3, false}}, Standing{5, true}},
		{[]Standing{{5, false}, {3, false}}, Standing{5, false}},
		{[]Standing{{watermark.Unset, true}, {3, true}}, Standing{watermark.Unset, true}},
	} {
		if got := Together(c.all); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.all, got, c.want)
		}
	}
}

// forkedLines is a sink that asks which input rows come by.
type forkedLines struct{ lines }

func (*forkedLines) From(int) {}

func (*forkedLines) Reached(int, watermark.Frontier, bool) error { return nil }

// TestFrontiersOfTasks: the frontiers that tasks, operators and sinks show are those that have come to them, also where nobody looks at frontiers, and after the rows have ceased. The second source is
// silent after a second and idle after ten.
func TestFrontiersOfTasks(t *testing.T) {
	graph := func(tasks int, out *forkedLines) *Graph {
		b := newBuilder()
		s := watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Fixed{Timeout: 10 * second}}
		var busy []arrival
		for i := range int64(60) {
			busy = append(busy, at(time.Duration(i)*time.Second, i))
		}
		b.source(live(busy), 0, s, Target{Fragment: 0, Keys: []int{0}, Grain: grid(10 * second)})
		b.source(live([]arrival{at(0, 3)}), 0, s, Target{Fragment: 1, Input: 2})
		b.graph.Sources[0].Branches = append(b.graph.Sources[0].Branches, Branch{To: Target{Fragment: 1, Input: 1}})
		b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("w", 10*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1}}})
		b.fragment(Fragment{Tasks: 1, Inputs: 3, Sink: out})
		b.graph.Sinks = []SinkSpec{{Name: "windows", Inputs: 1}, {Name: "rows", Inputs: 2}}
		return &b.graph
	}
	for _, workers := range []int{1, 3} {
		for _, tasks := range []int{1, 2} {
			for _, c := range []struct {
				after                    time.Duration
				windows, rows, task, src Standing
				due                      int64
			}{
				{5500 * time.Millisecond, Standing{5_001_000, true}, Standing{3_001_000, true}, Standing{5_001_000, true}, Standing{5_001_000, true}, 10 * second},
				{30_500 * time.Millisecond, Standing{30_001_000, true}, Standing{30_001_000, true}, Standing{30_001_000, true}, Standing{30_001_000, true}, 40 * second},
				{time.Hour, Standing{59_001_000, false}, Standing{59_001_000, false}, Standing{59_001_000, false}, Standing{59_001_000, false}, 60 * second},
			} {
				synctest.Test(t, func(t *testing.T) {
					runFor(t, graph(tasks, &forkedLines{}), workers, c.after, func(j *Job) {
						s := j.Stats()
						name := fmt.Sprint(workers, " workers, ", tasks, " tasks, after ", c.after)
						if got := [2]Standing{s.Sinks[0].Input, s.Sinks[1].Input}; got != [2]Standing{c.windows, c.rows} {
							t.Errorf("%s: sinks at %+v", name, got)
						}
						w, src := s.Tasks[2].Total(), s.Tasks[0].Total()
						if w.Input != c.task || w.Output != c.task || s.Operators[0].Input != c.task || len(s.Operators[0].Instances) != tasks {
							t.Errorf("%s: the window is at %+v", name, w)
						}
						if size := s.Operators[0].Size; size.Groups != 1 || size.Bytes <= 0 {
							t.Errorf("%s: the window holds %+v", name, size)
						}
						if next, want := s.Operators[0].Next, (dataflow.Due{What: dataflow.WaitsWindow, Start: c.due - 10*second, At: c.due, Deadline: c.due}); next == nil || *next != want {
							t.Errorf("%s: the window waits for %+v, want %+v", name, next, want)
						}
						if src.Output != c.src {
							t.Errorf("%s: the source is at %+v", name, src)
						}
					})
				})
			}
		}
	}
}

// TestStatsAnyTime looks at a job all the time while it runs: nothing falls but what may, no instance has more time than there was, and no window fires with rows that do not leave.
func TestStatsAnyTime(t *testing.T) {
	for _, s := range []shape{{1, 1, 7}, {3, 4, 100}} {
		g := branches(s.tasks, &lines{})
		j, err := New(g, Options{Workers: s.workers, BatchRows: s.batchRows, Timeline: true})
		if err != nil {
			t.Fatal(err)
		}
		clock := WallClock{}
		begun, ended := clock.Elapsed(), make(chan error)
		go func() { ended <- j.Run(context.Background()) }()
		last := j.Stats()
		for running := true; running; {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatal(err)
				}
				running = false
			default:
			}
			shown := j.Timeline(0)
			stats := j.Stats()
			for _, f := range shown.Firings {
				rows := int64(0)
				for _, x := range f.All {
					rows += x.Rows
				}
				at := slices.IndexFunc(stats.Operators, func(o OperatorStats) bool { return o.ID == f.ID })
				if out := stats.Operators[at].Out; rows > out || rows == 0 {
					t.Errorf("%s: windows of %d rows fired, and %d have left", f.ID, rows, out)
				}
			}
			for i := range stats.Tasks {
				for k, x := range stats.Tasks[i].Instances {
					was := last.Tasks[i].Instances[k]
					if all := x.Busy + x.Backpressured + x.Idle; all > clock.Elapsed()-begun || all < was.Busy+was.Backpressured+was.Idle {
						t.Errorf("%s: %+v after %+v", stats.Tasks[i].ID, x, was)
					}
					if x.In.Rows < was.In.Rows || x.Out.Bytes < was.Out.Bytes || x.Output.Frontier < was.Output.Frontier {
						t.Errorf("%s: %+v after %+v", stats.Tasks[i].ID, x, was)
					}
				}
			}
			last = stats
		}
		if x := j.Timeline(0); len(x.Firings) == 0 || len(x.Sources) != len(g.Sources) || len(x.Sources[0].Marks) == 0 || len(x.Sources[0].Splits[0].Rows) == 0 || x.Sources[0].Names[0] == "" {
			t.Errorf("the timeline is %+v", x)
		}
	}
}
