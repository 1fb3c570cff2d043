package operator

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// arrays puts a column of arrays of the numbers 0 to n-1 into b.
func arrays(b *dataflow.Batch, n int) expr.Expr {
	elements := vector.NewBuilder(b.Arena, vector.Int64, n)
	for i := range n {
		elements.AppendInt(int64(i))
	}
	array := nested.AppendArray(nil, vector.Int64, elements.Done(), 0, n)
	column := vector.NewBuilder(b.Arena, vector.Bytes, b.N)
	for range b.N {
		column.AppendBytes(array)
	}
	b.Cols = append(b.Cols, column.Done())
	return expr.NewColumn(len(b.Cols)-1, "a", types.ArrayOf(types.BigIntType))
}

// TestUnnestCutsBatches: a row of very many elements leaves in batches that an edge can hold, each mark behind the rows it was behind.
func TestUnnestCutsBatches(t *testing.T) {
	const elements = 10_000
	out := &tally{}
	b, _ := batchOf(&vector.Pool{}, parse(t, "1@5 ^3 2@7 ^6 3@8 ^7"))
	op := NewUnnest(UnnestSpec{Collection: arrays(b, elements), Ordinality: true, Env: &function.Env{}, Memory: &vector.Pool{}})
	if err := op.Process(b, out); err != nil {
		t.Fatal(err)
	}
	if out.rows != 3*elements || out.largest > emitRows {
		t.Errorf("%d rows in batches of up to %d", out.rows, out.largest)
	}
	want := []watermark.Mark{{Row: elements, F: 3 * second}, {Row: 2 * elements, F: 6 * second}, {Row: 3 * elements, F: 7 * second}}
	if !slices.Equal(out.marks, want) {
		t.Errorf("marks %v, not %v", out.marks, want)
	}
}

// tally counts rows, and the frontiers behind so many of them.
type tally struct {
	rows, largest int
	marks         []watermark.Mark
}

func (o *tally) Emit(b *dataflow.Batch) error {
	for _, m := range b.Marks {
		o.marks = append(o.marks, watermark.Mark{Row: int32(o.rows) + m.Row, F: m.F})
	}
	o.rows += b.N
	o.largest = max(o.largest, b.N)
	b.Release()
	return nil
}

func (o *tally) Advance(p dataflow.Progress) error {
	o.marks = append(o.marks, watermark.Mark{Row: int32(o.rows), F: p.Frontier})
	return nil
}

// TestUnnestKeepsOps: every row of an element stands for the change that its row stood for.
func TestUnnestKeepsOps(t *testing.T) {
	b, _ := batchOf(&vector.Pool{}, parse(t, "1@5 2@7"))
	b.Ops = []vector.Op{vector.UpdateBefore, vector.Insert}
	collection := arrays(b, 2)
	out := &last{}
	if err := NewUnnest(UnnestSpec{Collection: collection, Env: &function.Env{}, Memory: &vector.Pool{}}).Process(b, out); err != nil {
		t.Fatal(err)
	}
	want := []vector.Op{vector.UpdateBefore, vector.UpdateBefore, vector.Insert, vector.Insert}
	for i, op := range want {
		if out.batch.Ops[i] != op {
			t.Errorf("row %d is %s, not %s", i, out.batch.Ops[i], op)
		}
	}
}

func BenchmarkUnnest(b *testing.B) {
	const n, elements = 1024, 4
	var pool vector.Pool
	var op *Unnest
	for b.Loop() {
		a := pool.Get()
		ids := a.Flat(vector.Int64, n)
		clear(ids.Ints)
		batch := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: []*vector.Vector{ids}}}
		collection := arrays(batch, elements)
		if op == nil {
			op = NewUnnest(UnnestSpec{Collection: collection, Env: &function.Env{}, Memory: &pool})
		}
		if err := op.Process(batch, discard{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/elements, "ns/element")
}

func BenchmarkCurrentWatermark(b *testing.B) {
	const n = 1024
	var pool vector.Pool
	op := NewCurrentWatermark()
	for b.Loop() {
		batch := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: pool.Get()}}
		for i := range int32(n) {
			batch.Marks = append(batch.Marks, watermark.Mark{Row: i + 1, F: watermark.Frontier(i)})
		}
		if err := op.Process(batch, discard{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}
