package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

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
					out.write = func(b *vector.Batch) error {
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
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1, Keys: []int{0}, Grain: grid(5 * second)}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{0}, 5, 1)}, To: []Target{{Fragment: 2}}})
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
				out.write = func(*vector.Batch) error { panic("oh no") }
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
		out.write = func(*vector.Batch) error {
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

// The end of the caller's context is no error; that of a context of somebody else's is one.
func TestContextsOfOthers(t *testing.T) {
	expired, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for _, c := range []struct {
		name  string
		outer context.Context
		sink  error
		want  error
	}{
		{"the caller's time is up", expired, nil, nil},
		{"the sink was cancelled", context.Background(), fmt.Errorf("write: %w", context.Canceled), context.Canceled},
	} {
		out := &lines{write: func(*vector.Batch) error { return c.sink }}
		j, err := New(windowed(2, out, random(1, 500, 50, 2, 5)), Options{Workers: 2, Clock: &fixedClock{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(c.outer); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", c.name, err)
		}
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
