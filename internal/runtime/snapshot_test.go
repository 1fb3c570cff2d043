package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// rationed hands out the chunks of a memory table up to a limit, and notes in which order they were asked for.
type rationed struct {
	*memory
	limit int
	order *[]string
}

func (r *rationed) Open() ([]connector.Split, error) {
	splits, err := r.memory.Open()
	for i := range splits {
		splits[i] = &rationedSplit{splits[i], r}
	}
	return splits, err
}

type rationedSplit struct {
	connector.Split
	table *rationed
}

func (s *rationedSplit) Poll(now int64) (connector.Chunk, int64, error) {
	if len(*s.table.order) == s.table.limit {
		return nil, connector.Never, nil
	}
	c, wake, err := s.Split.Poll(now)
	if c != nil {
		*s.table.order = append(*s.table.order, fmt.Sprintf("%s/%d", s.Name(), s.Offset()))
	}
	return c, wake, err
}

// A job that is stopped and goes on with other workers and tasks reads the same chunks in the same order and writes the same rows as one that
// was left alone, even if it had gone on for a while after the snapshot.
func TestRestoreGoesOnAsIfNothingHadHappened(t *testing.T) {
	const everything = 1 << 30
	for _, splits := range []int{1, 7} {
		data := random(20, 4000, 40, splits, 60)
		var wantOrder []string
		want := &lines{}
		whole := run(t, overRationed(1, want, &rationed{data, everything, &wantOrder}), shape{1, 1, 8192}.options())
		for trial := range 12 {
			out, order := &lines{}, []string{}
			var saved *Snapshot
			var last *Job
			for stage, limit := range []int{3 + trial, 20 + trial, 21 + trial, 47 + 2*trial, everything} {
				s := shapes[(trial*7+stage*13)%len(shapes)]
				source := &rationed{data, limit, &order}
				o := s.options()
				o.Restore = saved
				o.OnSnapshot = func(s *Snapshot) { saved = s }
				j, err := New(overRationed(s.tasks, out, source), o)
				if err != nil {
					t.Fatal(err)
				}
				j.Begin(context.Background())
				ended, err := j.Step()
				if err != nil {
					t.Fatal(err)
				}
				if ended != (limit == everything) {
					t.Fatalf("%d splits, trial %d, limit %d: ended: %v", splits, trial, limit, ended)
				}
				if !ended {
					if err := j.Checkpoint(); err != nil {
						t.Fatal(err)
					}
					// It goes on, and what it does then is lost.
					written, read := len(out.got), len(order)
					source.limit += trial
					if _, err := j.Step(); err != nil {
						t.Fatal(err)
					}
					out.got, order = out.got[:written], order[:read]
				}
				if err := j.Stop(); err != nil {
					t.Fatal(err)
				}
				last = j
			}
			if !slices.Equal(order, wantOrder) {
				t.Fatalf("%d splits, trial %d: chunks in another order: %s", splits, trial, firstDifference(order, wantOrder))
			}
			if !slices.Equal(out.got, want.got) {
				t.Fatalf("%d splits, trial %d: %s", splits, trial, firstDifference(out.got, want.got))
			}
			if got, want := last.Stats().Sources[0].SourceTotals, whole.Stats().Sources[0].SourceTotals; got != want {
				t.Fatalf("counters %+v, want %+v", got, want)
			}
		}
	}
}

// A source that goes on has to say where it is, even if it has nothing more to read: others wait for its frontier.
func TestRestoredSourceTellsWhereItIs(t *testing.T) {
	over := &memory{splits: [][]chunk{{{rows: []row{{1, second, 0}}}}}}
	more := &memory{splits: [][]chunk{{{rows: []row{{1, 2 * second, 0}}}, {rows: []row{{1, 30 * second, 0}}}, {}}}}
	out, order := &lines{}, []string{}
	var saved *Snapshot
	for limit := 1; limit <= 2; limit++ {
		g := windowed(2, out, over, more)
		g.Sources[1].Reader = &rationed{more, limit, &order}
		j, err := New(g, Options{Workers: 2, Clock: &fixedClock{}, Restore: saved, OnSnapshot: func(s *Snapshot) { saved = s }})
		if err != nil {
			t.Fatal(err)
		}
		j.Begin(context.Background())
		if _, err := j.Step(); err != nil {
			t.Fatal(err)
		}
		if err := j.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		if err := j.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if len(out.got) != 1 {
		t.Errorf("%d windows are written, want the first: %v", len(out.got), out.got)
	}
}

func overRationed(tasks int, out connector.Sink, r *rationed) *Graph {
	g := cascadedToSink(tasks, out, r.memory)
	g.Sources[0].Reader = r
	return g
}

func TestSnapshotOfAnotherStatementIsRefused(t *testing.T) {
	graph := func() *Graph { return windowed(2, &lines{}, random(1, 100, 10, 2, 5)) }
	saved := snapshotOf(t, graph())
	for _, c := range []struct {
		name   string
		change func(g *Graph)
		says   string
		left   []string // what is told instead if it may be left out; nil if it may not
	}{
		{"other meaning", func(g *Graph) { g.Fragments[0].Chain[0].Print = "TUMBLE(5 s)" }, "made by w, and this statement has TUMBLE(5 s)",
			[]string{"the state of w means something else: it was made by w, and this statement has TUMBLE(5 s)"}},
		{"other meaning in the same words", func(g *Graph) {
			saved.Operators["w"].Print, g.Fragments[0].Chain[0].Print = "w over t, #1", "w over t, #2"
		}, "made by w over t with other keys, ",
			[]string{"the state of w means something else: it was made by w over t with other keys, functions, conditions or columns, here or below"}},
		{"other operator", func(g *Graph) { g.Fragments[0].Chain[0].ID = "v" }, "no state for v",
			[]string{"the snapshot has no state for v", "the snapshot has state of w, made by w, which this statement does not have"}},
		{"other place", func(g *Graph) { g.Fragments[0].Chain[0].ID = "filter/w" }, "no state for filter/w; it has state of w, made by w: a condition",
			[]string{"the snapshot has no state for filter/w; it has state of w, made by w: a condition or something else between that and the sink is new, or gone", "the snapshot has state of w, made by w, which this statement does not have"}},
		{"operator gone", func(g *Graph) { g.Fragments[0].Chain = nil }, "has state of w, made by w, which this statement does not have",
			[]string{"the snapshot has state of w, made by w, which this statement does not have"}},
		{"one split less", func(g *Graph) { m := g.Sources[0].Reader.(*memory); m.splits = m.splits[:1] }, "table 't' has 1 splits, and had 2", nil},
		{"one source more", func(g *Graph) { g.Sources = append(g.Sources, g.Sources[0]) }, "a statement with 1 sources, this one has 2", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graph()
			defer func(print string) { saved.Operators["w"].Print = print }(saved.Operators["w"].Print)
			c.change(g)
			_, err := New(g, Options{Restore: saved, Clock: &fixedClock{}})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			g = graph()
			c.change(g)
			var left []string
			_, err = New(g, Options{Restore: saved, Clock: &fixedClock{}, LeaveOut: func(u *Unmatched) { left = append(left, u.Error()) }})
			if (err == nil) != (c.left != nil) || !slices.Equal(left, c.left) {
				t.Errorf("left out is %q, %v; want %q", left, err, c.left)
			}
		})
	}
}

// TestKeepsOn: a statement does not go on without a table in which it kept rows, and may begin to keep some.
func TestKeepsOn(t *testing.T) {
	graph := func(keeps ...string) *Graph {
		g := windowed(2, &lines{}, random(1, 100, 10, 2, 5))
		for _, id := range keeps {
			chain := &g.Sources[0].Branches[0].Chain
			*chain = append(*chain, OperatorSpec{ID: KeepPrefix + id, New: func() dataflow.Operator { return oddOnly{counts: new(dataflow.Counts)} }, Keeps: &Keeping{Table: id}})
		}
		return g
	}
	for _, c := range []struct {
		before, after []string
		refused       bool
	}{
		{nil, []string{"a"}, false},
		{[]string{"a"}, []string{"a"}, false},
		{[]string{"a"}, []string{"a", "b"}, false},
		{[]string{"a"}, nil, true},
		{[]string{"a"}, []string{"b"}, true},
	} {
		j, err := New(graph(c.after...), Options{Restore: snapshotOf(t, graph(c.before...)), Clock: &fixedClock{}})
		if refused := err != nil && strings.Contains(err.Error(), "also kept rows"); refused != c.refused || err != nil && !refused {
			t.Errorf("%v to %v: %v", c.before, c.after, err)
		}
		if err == nil {
			j.Begin(context.Background())
			if err := j.Stop(); err != nil {
				t.Error(err)
			}
		}
	}
}

// snapshotOf takes a snapshot of a job before it has read anything.
func snapshotOf(t *testing.T, g *Graph) (saved *Snapshot) {
	t.Helper()
	j, err := New(g, Options{Clock: &fixedClock{}, OnSnapshot: func(s *Snapshot) { saved = s }})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if err := j.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
	return saved
}

func TestCheckpointAfterTheEnd(t *testing.T) {
	j, err := New(windowed(1, &lines{}, random(1, 100, 10, 2, 5)), Options{Workers: 2, Clock: &fixedClock{}})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if ended, err := j.Step(); !ended || err != nil {
		t.Fatal(ended, err)
	}
	if err := j.Checkpoint(); err == nil {
		t.Error("no error")
	}
	if err := j.Stop(); err != nil {
		t.Error(err)
	}
}

// What stopped a job is what Step says, not that it has stopped.
func TestStepTellsWhatWentWrong(t *testing.T) {
	m := random(1, 1000, 5, 2, 5)
	m.splits[0][7].err = fmt.Errorf("row %d is broken", 36)
	j, err := New(windowed(2, &lines{}, m), Options{Workers: 2, Clock: &fixedClock{}})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if _, err := j.Step(); err == nil || err.Error() != "row 36 is broken" {
		t.Errorf("error %v", err)
	}
	_ = j.Stop() // says the same
}

// Operators behind an exchange see the time of the ticket.
func TestClockedOperatorsSeeTheTimeOfTheTicket(t *testing.T) {
	clock := &fixedClock{}
	out := &lines{}
	order := []string{}
	g := overRationed(2, out, &rationed{memory: random(2, 400, 100, 1, 3), order: &order})
	source := g.Sources[0].Reader.(*rationed)
	g.Fragments[0].Chain = append(g.Fragments[0].Chain, OperatorSpec{ID: "now", New: func() dataflow.Operator { return &stamp{} }})
	j, err := New(g, Options{Workers: 2, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	for source.limit < 4 {
		source.limit++
		clock.now.Add(second)
		if _, err := j.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.Step(); err != nil {
		t.Fatal(err)
	}
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
	// key, count, greatest of the stamps, start, end, time
	seen := map[string]bool{}
	for _, line := range out.got {
		seen[strings.Fields(line)[2]] = true
	}
	for now := range int64(4) {
		if !seen[fmt.Sprint((now+1)*second)] {
			t.Errorf("no row was made at %d s: %v", now+1, seen)
		}
	}
	if seen["0"] {
		t.Error("a row was made before the first ticket")
	}
}

// stamp writes the time that it was told into column 1, which the next window takes the greatest of.
type stamp struct{ now int64 }

func (s *stamp) SetNow(now int64) { s.now = now }

func (s *stamp) Process(b *dataflow.Batch, out dataflow.Output) error {
	v := b.Arena.Flat(vector.Int64, b.N)
	for i := range v.Ints {
		v.Ints[i] = s.now
	}
	b.Cols[1] = v
	return out.Emit(b)
}

func (s *stamp) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// TestCompletedWhenDurable: what a snapshot holds is completed when it will survive a crash, and not when it has been taken.
func TestCompletedWhenDurable(t *testing.T) {
	var taken *Snapshot
	data := random(1, 100, 10, 1, 10)
	data.live = true
	j, err := New(overRationed(1, &lines{}, &rationed{data, 2, &[]string{}}), Options{Clock: &fixedClock{}, Checkpointed: true, OnSnapshot: func(s *Snapshot) { taken = s }})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if _, err := j.Step(); err != nil {
		t.Fatal(err)
	}
	if err := j.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if at := j.completed(); at != -1 {
		t.Errorf("completed up to ticket %d before the snapshot is durable", at)
	}
	if j.Durable(taken); j.completed() != taken.ticket {
		t.Errorf("completed up to ticket %d behind snapshot at %d", j.completed(), taken.ticket)
	}
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
}
