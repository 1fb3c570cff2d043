package runtime

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The number of workers, of tasks and of rows to a batch shows nowhere in the output, not even in its order.
func TestOutputDoesNotDependOnShape(t *testing.T) {
	graphs := []struct {
		name  string
		make  func(tasks int, out connector.Sink) *Graph
		least int // rows of output, so that the test is about something
	}{
		{"one split", func(tasks int, out connector.Sink) *Graph {
			return windowed(tasks, out, random(1, 1000, 100, 1, 30))
		}, 300},
		{"five splits", func(tasks int, out connector.Sink) *Graph {
			return windowed(tasks, out, random(2, 1000, 17, 5, 30))
		}, 100},
		{"two sources", func(tasks int, out connector.Sink) *Graph {
			return windowed(tasks, out, random(3, 600, 50, 2, 30), random(4, 400, 33, 3, 30))
		}, 100},
		{"cascade", func(tasks int, out connector.Sink) *Graph {
			return cascaded(tasks, out, random(5, 1000, 70, 2, 70))
		}, 3},
		{"raw beside windows", rawBesideWindows, 100},
		{"filtered", filtered, 30},
		{"windows that end together", endTogether, 100},
		{"branches", branches, 600},
		{"what two read", sharedWindows, 20},
		{"several outputs", parted, 100},
	}
	for _, g := range graphs {
		t.Run(g.name, func(t *testing.T) {
			var want []string
			for _, s := range shapes {
				out := &lines{}
				j := run(t, g.make(s.tasks, out), s.options())
				if want == nil {
					want = out.got
					if len(want) < g.least {
						t.Fatalf("only %d rows", len(want))
					}
				}
				if !slices.Equal(out.got, want) {
					t.Fatalf("%s: output differs from that of %s: %s", s, shapes[0], firstDifference(out.got, want))
				}
				balanced(t, j)
			}
		})
	}
}

// With one split the size of the chunks does not show either: rows and frontiers are the same wherever a ticket ends.
func TestOutputDoesNotDependOnChunks(t *testing.T) {
	var want []string
	for i, size := range []int{1000, 1, 7, 100, 999} {
		out := &lines{}
		run(t, cascadedToSink(1+i, out, random(13, 1000, size, 1, 30)), Options{Workers: 1 + i, Clock: &fixedClock{}})
		if want == nil {
			want = out.got
		}
		if len(want) == 0 || !slices.Equal(out.got, want) {
			t.Errorf("chunks of %d: %s", size, firstDifference(out.got, want))
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + ", not " + want[i]
		}
	}
	return "one is shorter"
}

// balanced checks that no operator loses a row or makes one up.
func balanced(t *testing.T, j *Job) {
	t.Helper()
	for _, o := range j.Stats().Operators {
		passed := o.Out
		if o.Absorbed > 0 {
			passed = 0
		}
		if o.In != passed+o.Filtered+o.Absorbed+o.Dropped {
			t.Errorf("%s: in %d, out %d, filtered %d, absorbed %d, dropped %d", o.ID, o.In, o.Out, o.Filtered, o.Absorbed, o.Dropped)
		}
	}
}

// rawBesideWindows feeds a window with rows of a table and with the windows of another, so that a task takes from workers and from tasks.
func rawBesideWindows(tasks int, out connector.Sink) *Graph {
	b := newBuilder()
	b.source(random(6, 500, 20, 2, 10), 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second), Passes: true})
	b.source(random(7, 500, 30, 2, 10), 2*second, watermark.Replay(1000), Target{Fragment: 1, Input: 0, Keys: []int{0}, Grain: grid(5 * second)})
	// key, count, greatest, start, end, time becomes key, time, count.
	shift := OperatorSpec{ID: "p", New: func() dataflow.Operator {
		return operator.NewProject([]expr.Expr{column(0), column(5), column(1)}, &function.Env{})
	}}
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2), shift},
		To: []Target{{Fragment: 1, Input: 1, Keys: []int{0}, Grain: grid(5 * second)}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 2, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 2}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// branches has a source whose rows go four ways: into windows by key, into windows of another size through a filter and with other columns, and to
// the end, once as they are.
func branches(tasks int, out connector.Sink) *Graph {
	b := newBuilder()
	odd := OperatorSpec{ID: "odd", Label: "odd", New: func() dataflow.Operator { return oddOnly{2, &dataflow.Counts{}} }}
	b.source(random(10, 600, 23, 3, 12), 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(10 * second)}, odd)
	s := &b.graph.Sources[0]
	s.Branches = append(s.Branches,
		Branch{Columns: []int{1, 0, 2}, To: Target{Fragment: 1, Keys: []int{1}, Grain: every}},
		Branch{Chain: []OperatorSpec{{ID: "odd-2", Label: "odd", New: odd.New}}, To: Target{Fragment: 2, Input: 2}},
		Branch{Columns: []int{0}, To: Target{Fragment: 2, Input: 3}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", 10*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 2, Input: 0}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", second, []int{1}, 0, 2)}, To: []Target{{Fragment: 2, Input: 1}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 4, Sink: out})
	return &b.graph
}

// endTogether has windows of one end and two starts, which one deadline releases.
func endTogether(tasks int, out connector.Sink) *Graph {
	var rows []row
	for i := range int64(400) {
		end := (i/40 + 1) * 10 * second
		rows = append(rows, row{i * 7 % 20, end, end - (1+i%2)*10*second})
	}
	b := newBuilder()
	b.source(&memory{splits: [][]chunk{{{rows: rows[:170]}, {rows: rows[170:]}}}}, 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: every})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, To: []Target{{Fragment: 1}}, Chain: []OperatorSpec{{ID: "w", New: func() dataflow.Operator {
		return operator.NewWindowAggregate(operator.WindowAggregateSpec{Windows: &operator.Attached{Start: 2, End: 1},
			Keys: []int{0}, KeyKinds: []vector.Kind{vector.Int64}, Tick: 1000, Memory: b.graph.Memory})
	}}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// every is the grain of those who look at every frontier.
var every = dataflow.Grain{Every: true}

func column(i int) expr.Expr { return expr.NewColumn(i, "c", types.BigIntType) }

// filtered drops some rows before the window and some windows behind it, so that batches lose all their rows and only their frontiers go on.
func filtered(tasks int, out connector.Sink) *Graph {
	b := newBuilder()
	odd := func(id string, col int) OperatorSpec {
		return OperatorSpec{ID: id, New: func() dataflow.Operator { return oddOnly{col, &dataflow.Counts{}} }}
	}
	b.source(random(8, 1000, 30, 3, 15), 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second), Passes: true}, odd("before", 2))
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2), odd("behind", 1)},
		To: []Target{{Fragment: 1, Keys: []int{0}, Grain: grid(5 * second)}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{0}, 5, 1)}, To: []Target{{Fragment: 2}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// oddOnly passes the rows with an odd value in a column.
type oddOnly struct {
	col    int
	counts *dataflow.Counts
}

func (o oddOnly) Counts() *dataflow.Counts { return o.counts }

func (o oddOnly) Process(b *dataflow.Batch, out dataflow.Output) error {
	rows, sel := b.Rows(), b.Arena.Sel(b.N + 1)[:0]
	for k := range rows.Count() {
		if row := rows.At(k); b.Cols[o.col].Int(row)%2 != 0 {
			sel = append(sel, int32(row))
		}
	}
	o.counts.In.Add(int64(rows.Count()))
	o.counts.Out.Add(int64(len(sel)))
	o.counts.Filtered.Add(int64(rows.Count() - len(sel)))
	b.Sel = sel
	return out.Emit(b)
}

func (o oddOnly) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }
