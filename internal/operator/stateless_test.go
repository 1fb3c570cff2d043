package operator

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// last keeps the batch that was emitted last.
type last struct{ batch *dataflow.Batch }

func (l *last) Emit(b *dataflow.Batch) error    { l.batch = b; return nil }
func (l *last) Advance(dataflow.Progress) error { return nil }
func (l *last) column(i int) (values []int64) {
	rows := l.batch.Rows()
	for k := range rows.Count() {
		values = append(values, l.batch.Cols[i].Int(rows.At(k)))
	}
	return values
}

// A row leaves once per window, and a mark stays between the copies of the same two rows. Rows in no window leave nothing but their marks.
func TestWindowAssign(t *testing.T) {
	for _, c := range []struct {
		name     string
		spec     window.Spec
		stream   string
		keys     []int64
		ends     []int64 // s
		marks    []watermark.Mark
		filtered int64
	}{
		{"tumble", tumble10, "1@1 ^1 2@12 ^2 ^3 3@9", []int64{1, 2, 3}, []int64{10, 20, 10}, []watermark.Mark{{Row: 1, F: second}, {Row: 2, F: 2 * second}, {Row: 2, F: 3 * second}}, 0},
		{"hop", hop12by4, "1@1 ^1 2@4 ^2", []int64{1, 1, 1, 2, 2, 2}, []int64{4, 8, 12, 8, 12, 16}, []watermark.Mark{{Row: 3, F: second}, {Row: 6, F: 2 * second}}, 0},
		{"hop with gaps", hop2by5, "1@3 ^1 2@5 ^2 3@4 ^3", []int64{2}, []int64{7}, []watermark.Mark{{Row: 0, F: second}, {Row: 1, F: 2 * second}, {Row: 1, F: 3 * second}}, 2},
		{"cumulate", cumulate3to9, "1@4 2@8", []int64{1, 1, 2}, []int64{6, 9, 9}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, out := NewWindowAssign(c.spec, 1, nil, 1000, &vector.Pool{}), &last{}
			b, _ := batchOf(&vector.Pool{}, parse(t, c.stream))
			if err := op.Process(b, out); err != nil {
				t.Fatal(err)
			}
			ends, times := out.column(5), out.column(6)
			for i := range ends {
				if times[i] != ends[i]-1000 {
					t.Errorf("window_time %d of the window to %d", times[i], ends[i])
				}
				ends[i] /= second
			}
			if !slices.Equal(out.column(0), c.keys) || !slices.Equal(ends, c.ends) {
				t.Errorf("keys %v, ends %v; want %v, %v", out.column(0), ends, c.keys, c.ends)
			}
			if !slices.Equal(out.batch.Marks, c.marks) {
				t.Errorf("marks %v, want %v", out.batch.Marks, c.marks)
			}
			if n := op.Counts(); n.Filtered.Load() != c.filtered || n.Out.Load() != int64(len(c.keys)) {
				t.Errorf("filtered %d, out %d", n.Filtered.Load(), n.Out.Load())
			}
		})
	}
}

// A filter narrows the selection to the rows that are TRUE and leaves columns and marks alone; a projection of plain columns moves them without
// a copy.
func TestFilterAndProject(t *testing.T) {
	b, _ := batchOf(&vector.Pool{}, parse(t, "1@1 ^1 2@12 ^2 3@9 4@9 ^3"))
	condition := vector.NewBuilder(b.Arena, vector.Bool, 4)
	condition.AppendBool(true)
	condition.AppendNull()
	condition.AppendBool(false)
	condition.AppendBool(true)
	b.Cols[2] = condition.Done()
	marks, times := slices.Clone(b.Marks), b.Cols[1]

	filter, out := NewFilter(expr.NewColumn(2, "ok", types.BooleanType), &function.Env{}), &last{}
	if err := filter.Process(b, out); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.batch.Sel, []int32{0, 3}) || !slices.Equal(out.batch.Marks, marks) {
		t.Errorf("rows %v, marks %v", out.batch.Sel, out.batch.Marks)
	}
	if n := filter.Counts(); n.In.Load() != 4 || n.Out.Load() != 2 || n.Filtered.Load() != 2 {
		t.Errorf("in %d, out %d, filtered %d", n.In.Load(), n.Out.Load(), n.Filtered.Load())
	}

	project := NewProject([]expr.Expr{expr.NewColumn(1, "ts", types.TimestampType)}, &function.Env{})
	if err := project.Process(out.batch, out); err != nil {
		t.Fatal(err)
	}
	if len(out.batch.Cols) != 1 || out.batch.Cols[0] != times || len(out.batch.Sel) != 2 {
		t.Errorf("columns %v, rows %v", out.batch.Cols, out.batch.Sel)
	}
}

// TestWindowAssignCutsBatches: a row in very many windows leaves in batches that an edge can hold, each mark behind the rows it was behind.
func TestWindowAssignCutsBatches(t *testing.T) {
	const windows = 10_000
	op := NewWindowAssign(window.Spec{Kind: window.Hop, Size: windows * 1000, Slide: 1000}, 1, nil, 1000, &vector.Pool{})
	out := newChecked(t)
	out.windows = false
	b, _ := batchOf(&vector.Pool{}, parse(t, "1@5 ^3 2@7 ^6 3@8 ^7"))
	if err := op.Process(b, out); err != nil {
		t.Fatal(err)
	}
	if len(out.got) != 3*windows {
		t.Fatalf("%d rows, not %d", len(out.got), 3*windows)
	}
	if out.largest > emitRows {
		t.Errorf("a batch of %d rows", out.largest)
	}
	if want := watermark.Frontier(7 * second); out.frontier != want {
		t.Errorf("the frontier is %d, not %d", out.frontier, want)
	}
}
