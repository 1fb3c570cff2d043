package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// steady makes a source without end that has a chunk of rows at every moment.
func steady(splits, rows int) *memory {
	m := &memory{splits: make([][]chunk, splits), live: true}
	at := make([]int64, splits)
	m.poll = func(i int, now int64) (connector.Chunk, int64, error) {
		var k chunk
		for n := range int64(rows) {
			k.rows = append(k.rows, row{n, at[i] * second, 1})
		}
		at[i]++
		return k, 0, nil
	}
	return m
}

// runFor runs g in virtual time for so long, and looks at it as it runs.
func runFor(t *testing.T, g *Graph, workers int, d time.Duration, look func(j *Job)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	j, err := New(g, Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- j.Run(ctx) }()
	<-time.After(d)
	synctest.Wait()
	look(j)
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// wholeTime checks that what every instance has done adds up to the time since the job began.
func wholeTime(t *testing.T, s *Stats, d time.Duration) {
	t.Helper()
	for _, task := range s.Tasks {
		for i, x := range task.Instances {
			if got := x.Busy + x.Backpressured + x.Idle; got != d.Microseconds() {
				t.Errorf("%s %d: %d + %d + %d is not %v", task.ID, i, x.Busy, x.Backpressured, x.Idle, d)
			}
		}
	}
}

// waitingLines is a sink that says when it waits.
type waitingLines struct {
	*lines
	wait func() (over func())
}

func (w *waitingLines) OnWait(wait func() (over func())) { w.wait = wait }

// TestSlowSink: a sink that takes a second for every batch has everything before it wait for room, and nothing for rows, whatever the shape and however many sources there are. The sink itself is busy,
// unless it says that it waits.
func TestSlowSink(t *testing.T) {
	for _, s := range []shape{{1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {3, 4, 0}, {4, 1, 0}} {
		for sources := 1; sources <= 2; sources++ {
			waits := sources == 2
			t.Run(fmt.Sprint(s, " sources=", sources), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					out, slow := &lines{}, func(*vector.Batch) error { <-time.After(time.Second); return nil }
					out.write = slow
					var sink connector.Sink = out
					if waits {
						telling := &waitingLines{lines: out}
						out.write = func(b *vector.Batch) error {
							defer telling.wait()()
							return slow(b)
						}
						sink = telling
					}
					var all []*memory
					for range sources {
						all = append(all, steady(2, 8))
					}
					const d = 100 * time.Second
					runFor(t, windowed(s.tasks, sink, all...), s.workers, d, func(j *Job) {
						stats := j.Stats()
						wholeTime(t, &stats, d)
						for _, task := range stats.Tasks {
							for i, x := range task.Instances {
								share := float64(x.Backpressured) / float64(d.Microseconds())
								if task.Writes && !waits {
									share = float64(x.Busy) / float64(d.Microseconds())
								}
								if share < 0.9 {
									t.Errorf("%s %d is backpressured for %.2f of the time, busy %d, idle %d", task.Name, i, share, x.Busy, x.Idle)
								}
							}
						}
					})
				})
			})
		}
	}
}

// TestFollowing: of two workers one gets rows, which have no room behind it, and the other nothing that it would have to send; it waits for tickets and for its turn as long as the first one has no room, and
// so is as backpressured. Where the first one is busy instead, the second is idle.
func TestFollowing(t *testing.T) {
	for slow, pause := range map[string]time.Duration{"sink": time.Second, "sink that stands still": time.Hour, "decoder": time.Second} {
		synctest.Test(t, func(t *testing.T) {
			out, m := &lines{}, steady(2, 8)
			rows := m.poll
			m.poll = func(split int, now int64) (connector.Chunk, int64, error) {
				if split == 1 {
					return rows(split, now)
				}
				return chunk{}, 0, nil
			}
			b := newBuilder()
			b.source(m, 0, watermark.Replay(1000), Target{})
			b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
			if slow != "decoder" {
				out.write = func(*vector.Batch) error { <-time.After(pause); return nil }
			} else {
				b.graph.Sources[0].NewIntake = func() (Intake, error) { return slowIntake{}, nil }
			}
			const d = 100 * time.Second
			for _, at := range []time.Duration{d, d + 33*time.Second} {
				runFor(t, &b.graph, 2, at, func(j *Job) {
					stats := j.Stats()
					wholeTime(t, &stats, at)
					for i, x := range stats.Tasks[0].Instances {
						share := float64(x.Backpressured) / float64(at.Microseconds())
						if slow == "decoder" {
							share = float64(x.Busy) / float64(at.Microseconds())
							if i == 0 {
								share = float64(x.Idle) / float64(at.Microseconds())
							}
						}
						if share < 0.9 {
							t.Errorf("slow %s: worker %d has %+v after %v", slow, i, x.Spent, at)
						}
					}
				})
			}
		})
	}
}

// slowIntake takes a second for every batch.
type slowIntake struct{ eventTime }

func (s slowIntake) Prepare(b *vector.Batch, each func(*vector.Batch, []int64, []int64)) error {
	<-time.After(time.Second)
	return s.eventTime.Prepare(b, each)
}

// TestSilentSource: where nothing comes everybody waits for rows.
func TestSilentSource(t *testing.T) {
	for _, s := range []shape{{1, 1, 0}, {3, 2, 0}} {
		synctest.Test(t, func(t *testing.T) {
			const d = time.Hour
			g := windowed(s.tasks, &lines{}, live([]arrival{at(0, 1), at(time.Second, 30)}))
			runFor(t, g, s.workers, d, func(j *Job) {
				stats := j.Stats()
				wholeTime(t, &stats, d)
				for _, task := range stats.Tasks {
					for i, x := range task.Instances {
						if x.Spent != (Spent{Idle: d.Microseconds()}) {
							t.Errorf("%s %d: %+v", task.Name, i, x.Spent)
						}
					}
				}
			})
		})
	}
}

// TestTaskNames: tasks have the same names at any parallelism, and say who feeds them.
func TestTaskNames(t *testing.T) {
	for _, s := range []shape{{1, 1, 0}, {3, 4, 8192}} {
		out := &lines{}
		j := run(t, branches(s.tasks, out), s.options())
		var got []string
		for _, task := range j.Stats().Tasks {
			got = append(got, fmt.Sprint(task.ID, " (", task.Name, ") ", task.From, " ", task.Operators, " ", len(task.Instances) == max(s.workers, 1) || len(task.Instances) == s.tasks || task.Writes))
		}
		if want := []string{"source-0 (t → odd → odd) [] [0 1] true", "a (a) [source-0] [2] true", "b (b) [source-0] [3] true", "sink (result) [a b source-0] [] true"}; !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", s, got, want)
		}
	}
}

// TestFlows: what leaves a task comes to the next, row by row, and everything is at the end of time when the input is.
func TestFlows(t *testing.T) {
	for _, s := range shapes {
		out := &lines{}
		j := run(t, branches(s.tasks, out), s.options())
		stats := j.Stats()
		totals := map[string]TaskInstance{}
		for i := range stats.Tasks {
			totals[stats.Tasks[i].ID] = stats.Tasks[i].Total()
			for _, x := range stats.Tasks[i].Instances {
				if end := (Standing{watermark.Final, true}); x.Input != end || x.Output != end {
					t.Errorf("%s: %s ends at %+v and %+v", s, stats.Tasks[i].ID, x.Input, x.Output)
				}
			}
		}
		source, a, b, sink := totals["source-0"], totals["a"], totals["b"], totals["sink"]
		if source.In.Rows != stats.Sources[0].Rows || source.In.Bytes != stats.Sources[0].Bytes {
			t.Errorf("%s: %+v of %+v", s, source.In, stats.Sources[0].SourceTotals)
		}
		if source.Out.Rows+a.Out.Rows+b.Out.Rows != a.In.Rows+b.In.Rows+sink.In.Rows || source.Out.Bytes+a.Out.Bytes+b.Out.Bytes != a.In.Bytes+b.In.Bytes+sink.In.Bytes {
			t.Errorf("%s: what left is not what came", s)
		}
		if sink.Out.Rows != int64(len(out.got)) || stats.Sinks[0].Rows != sink.Out.Rows || sink.In.Rows != sink.Out.Rows {
			t.Errorf("%s: %d rows, %+v, %+v", s, len(out.got), sink, stats.Sinks)
		}
		for _, o := range stats.Operators {
			if end := (Standing{watermark.Final, true}); o.Input != end || o.Output != end {
				t.Errorf("%s: operator %s ends at %+v and %+v", s, o.ID, o.Input, o.Output)
			}
		}
	}
}
