package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// Two senders and two receivers, each of which waits for the next: all windows of one second go to one task of the next fragment, those of the
// following second to another, and there are far more batches of them than an edge holds.
func TestSkewedExchangeDoesNotBlock(t *testing.T) {
	var rows []row
	for sec := range int64(12) {
		for k := range int64(40) {
			rows = append(rows, row{k, sec * second, sec})
		}
	}
	rows = append(rows, row{0, 100 * second, 0})
	m := func() *memory { return &memory{splits: [][]chunk{{{rows: rows}}}} }
	var want []string
	for _, s := range []shape{{1, 1, 8192}, {1, 2, 1}, {2, 3, 1}, {3, 7, 1}, {5, 7, 3}} {
		out := &lines{}
		b := newBuilder()
		b.source(m(), 0, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second), Passes: true})
		// The key of the second window is the greatest value of the first, which is the second that it is of.
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{singly(b.tumble("a", second, []int{0}, 1, 2))}, To: Target{Fragment: 1, Keys: []int{2}, Grain: grid(5 * second)}})
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{2}, 5, 0)}, To: Target{Fragment: 2}})
		b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
		run(t, &b.graph, s.options())
		if want == nil {
			want = out.got
		}
		if !slices.Equal(out.got, want) {
			t.Errorf("%s: %s", s, firstDifference(out.got, want))
		}
	}
}

// A task that takes from workers and from tasks must not wait for a worker that waits for the very tasks that wait for it.
func TestUnionOfRowsAndWindowsDoesNotBlock(t *testing.T) {
	var rows []row
	for sec := range int64(200) {
		rows = append(rows, row{sec % 5, sec * second, 1})
	}
	for _, s := range []shape{{1, 1, 1}, {2, 2, 1}, {3, 7, 1}} {
		m := &memory{splits: [][]chunk{{{rows: rows}}}}
		out := &lines{}
		b := newBuilder()
		b.source(m, 0, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: every})
		b.source(&memory{splits: [][]chunk{{{rows: rows[:1]}}}}, 0, watermark.Replay(1000), Target{Fragment: 1, Input: 0})
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: Target{Fragment: 1, Input: 1}})
		b.fragment(Fragment{Tasks: 1, Inputs: 2, Sink: out})
		run(t, &b.graph, s.options())
		if len(out.got) != 201 {
			t.Errorf("%s: %d rows, want 201", s, len(out.got))
		}
	}
}

// Many small tickets through two exchanges of seven tasks, again and again.
func TestManySmallTickets(t *testing.T) {
	var want []string
	for round := range 5 {
		out := &lines{}
		s := shape{1 + round, 7, 1 + round%3}
		run(t, cascaded(s.tasks, out, random(9, 2000, 2, 7, 100)), s.options())
		if want == nil {
			want = out.got
		}
		if !slices.Equal(out.got, want) {
			t.Fatalf("%s: %s", s, firstDifference(out.got, want))
		}
	}
}

// What comes before an error is written, whatever the shape; then the job ends with the error. A task that failed keeps nobody from finishing.
func TestErrorsComeInOrder(t *testing.T) {
	broken := errors.New("broken")
	for _, place := range []string{"decoder", "operator", "later operator", "sink"} {
		t.Run(place, func(t *testing.T) {
			var want []string
			for i, s := range shapes {
				m := random(10, 2000, 100, 2, 50)
				out := &lines{}
				g := cascadedToSink(s.tasks, out, m)
				switch place {
				case "decoder":
					m.splits[1][4].err = broken
				case "operator":
					g.Fragments[0].Chain[0] = failing(g.Fragments[0].Chain[0], 300, broken)
				case "later operator":
					g.Fragments[1].Chain[0] = failing(g.Fragments[1].Chain[0], 1, broken)
				case "sink":
					out.write = func(b *vectorBatch) error {
						if len(out.got) > 20 {
							return broken
						}
						return nil
					}
				}
				j, err := New(g, s.options())
				if err != nil {
					t.Fatal(err)
				}
				if err := j.Run(context.Background()); !errors.Is(err, broken) {
					t.Fatalf("%s: error %v", s, err)
				}
				if out.closed != 1 || m.closed.Load() != 2 {
					t.Fatalf("%s: sink closed %d times, splits %d", s, out.closed, m.closed.Load())
				}
				// Only what a decoder meets is at one place in the stream; operators and sinks here count what their own task has seen.
				if place != "decoder" {
					continue
				}
				if i == 0 {
					if want = out.got; len(want) == 0 {
						t.Fatal("nothing came before the error")
					}
				} else if !slices.Equal(out.got, want) {
					t.Fatalf("%s: what came before the error differs: %s", s, firstDifference(out.got, want))
				}
			}
		})
	}
}

// cascadedToSink is two exchanges and the sink.
func cascadedToSink(tasks int, out connector.Sink, m *memory) *Graph {
	b := newBuilder()
	b.source(m, 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second), Passes: true})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: Target{Fragment: 1, Keys: []int{0}, Grain: grid(5 * second)}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{0}, 5, 1)}, To: Target{Fragment: 2}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

func TestErrorsBeforeTheStart(t *testing.T) {
	broken := errors.New("broken")
	m := random(1, 10, 10, 2, 2)
	g := windowed(2, &lines{}, m)
	g.Sources[0].NewIntake = func() (Intake, error) { return nil, broken }
	if _, err := New(g, Options{}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if m.closed.Load() != 2 {
		t.Errorf("%d of 2 splits are closed", m.closed.Load())
	}
}

// A bug in an operator, a connector or a sink ends the statement, not the process, and leaves no goroutine behind.
func TestPanics(t *testing.T) {
	for _, place := range []string{"poll", "operator", "sink"} {
		t.Run(place, func(t *testing.T) {
			m := random(11, 1000, 50, 2, 50)
			out := &lines{}
			g := cascadedToSink(3, out, m)
			switch place {
			case "poll":
				m.poll = func(int, int64) (connector.Chunk, int64, error) { panic("oh no") }
			case "operator":
				g.Fragments[0].Chain[0] = failing(g.Fragments[0].Chain[0], 100, nil)
			case "sink":
				out.write = func(*vectorBatch) error { panic("oh no") }
			}
			j, err := New(g, Options{Workers: 3, Clock: &fixedClock{}})
			if err != nil {
				t.Fatal(err)
			}
			var bug *Panic
			// Run waits for every goroutine of the job before it returns.
			if err := j.Run(context.Background()); !errors.As(err, &bug) || len(bug.Stack) == 0 {
				t.Errorf("error %v", err)
			}
			if out.closed != 1 {
				t.Error("the sink is not closed")
			}
		})
	}
}

func TestCancel(t *testing.T) {
	for at := range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		out := &lines{}
		out.write = func(*vectorBatch) error {
			if len(out.got) >= 10*at {
				cancel()
			}
			return nil
		}
		j, err := New(cascadedToSink(1+at%4, out, random(12, 2000, 20, 3, 100)), Options{Workers: 1 + at%3, BatchRows: 1 + at, Clock: &fixedClock{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(ctx); err != nil {
			t.Errorf("cancelled at %d: %v", at, err)
		}
		cancel()
	}
}

func TestNothingToRead(t *testing.T) {
	for _, m := range []*memory{{}, {splits: make([][]chunk, 3)}, {splits: [][]chunk{{{}}}}} {
		out := &lines{}
		j := run(t, windowed(2, out, m), Options{Workers: 2, Clock: &fixedClock{}})
		if len(out.got) != 0 || out.closed != 1 {
			t.Errorf("%d rows, closed %d", len(out.got), out.closed)
		}
		if f := j.Stats().Sources[0].Watermark.Frontier; f != watermark.Final {
			t.Errorf("frontier %d at the end", f)
		}
	}
}

// A sink that stands still holds back the source: no more than what edges, workers and the batch at hand hold is ever in flight.
func TestBackpressure(t *testing.T) {
	const workers, tasks, rows = 2, 2, 8
	polled := 0
	m := &memory{splits: make([][]chunk, 1), live: true}
	gate := make(chan struct{})
	m.poll = func(int, int64) (connector.Chunk, int64, error) {
		if polled++; polled > 2000 {
			return nil, connector.Never, nil
		}
		var k chunk
		for i := range int64(rows) {
			k.rows = append(k.rows, row{i, int64(polled) * second, 1})
		}
		return k, 0, nil
	}
	out := &lines{}
	ctx, cancel := context.WithCancel(context.Background())
	written := 0
	out.write = func(b *vectorBatch) error {
		written++
		if written == 20 {
			// Everything before the sink runs full while it waits here.
			close(gate)
			<-ctx.Done()
		}
		return nil
	}
	b := newBuilder()
	b.source(m, 0, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second)})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: Target{Fragment: 1}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	inBubble(t, func() {
		j, err := New(&b.graph, Options{Workers: workers, Clock: WallClock{}})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- j.Run(ctx) }()
		<-gate
		settleBubble()
		inFlight := polled - written/tasks
		if limit := 2*edgeMessages + 3*workers + 4; inFlight > limit {
			t.Errorf("%d chunks are in flight, want at most %d", inFlight, limit)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if fmt.Sprint(out.got[0]) == "" {
		t.Error("nothing was written")
	}
}
