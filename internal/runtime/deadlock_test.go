package runtime

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
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
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{singly(b.tumble("a", second, []int{0}, 1, 2))}, To: []Target{{Fragment: 1, Keys: []int{2}, Grain: grid(5 * second)}}})
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{2}, 5, 0)}, To: []Target{{Fragment: 2}}})
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
		b.fragment(Fragment{Tasks: s.tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1, Input: 1}}})
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
