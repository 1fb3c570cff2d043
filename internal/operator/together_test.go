package operator

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

func call(t testing.TB, name string, args ...expr.Expr) expr.Expr {
	t.Helper()
	e, err := expr.NewCall(function.MustScalar(name), args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// repeated is the key of a row as a text, as often as the start of its window says.
func repeated(t testing.TB) expr.Expr {
	key, err := expr.NewCast(expr.NewColumn(0, "key", types.BigIntType), types.StringType, false)
	if err != nil {
		t.Fatal(err)
	}
	return call(t, "REPEAT", key, expr.NewColumn(2, "n", types.IntType))
}

// written writes down rows and marks as they come.
type written struct {
	strings.Builder
	batches int
}

func (w *written) Emit(b *dataflow.Batch) error {
	w.batches++
	err := b.Segments(func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			last := b.Cols[len(b.Cols)-1]
			fmt.Fprint(w, b.Cols[0].Int(b.Rows().At(k)))
			if last.Kind == vector.Bytes {
				fmt.Fprintf(w, " %s", last.Bytes(b.Rows().At(k)))
			}
			fmt.Fprint(w, "; ")
		}
		return nil
	}, func(f watermark.Frontier) error { return w.Advance(dataflow.Progress{Frontier: f}) })
	b.Release()
	return err
}

func (w *written) Advance(p dataflow.Progress) error {
	fmt.Fprintf(w, "^%d; ", p.Frontier/second)
	return nil
}

// TestRowsThatAreTooLargeTogether: rows whose texts are more than a batch can have are computed some at a time, and leave as if they had fitted: the same ones, with the marks between them.
// That the batch has no room is told of memory that is charged and not used.
func TestRowsThatAreTooLargeTogether(t *testing.T) {
	const stream = "1@1 ^1 2@2 3@3 ^2 ^3 4@4 5@5 ^4"
	key := expr.NewColumn(0, "key", types.BigIntType)
	long := call(t, "=", call(t, "MOD", call(t, "CHAR_LENGTH", repeated(t)), expr.NewColumn(2, "n", types.IntType)), expr.NewColumn(3, "zero", types.IntType))
	array := call(t, "ARRAY", repeated(t))
	for name, op := range map[string]func() dataflow.Operator{
		"project": func() dataflow.Operator { return NewProject([]expr.Expr{key, repeated(t)}, &function.Env{}) },
		"filter":  func() dataflow.Operator { return NewFilter(long, &function.Env{}) },
		"unnest": func() dataflow.Operator {
			return NewUnnest(UnnestSpec{Collection: array, Env: &function.Env{}, Memory: &vector.Pool{}})
		},
	} {
		run := func(charge int, n int64, stream string) (*written, *dataflow.Counts, error) {
			b, _ := batchOf(&vector.Pool{}, parse(t, stream))
			for i := range b.N {
				b.Cols[2].Ints[i], b.Cols[3].Ints[i] = n, 0
			}
			b.Arena.Charge(charge)
			out, op := &written{}, op()
			err := op.Process(b, out)
			return out, op.(dataflow.Counted).Counts(), err
		}
		want, _, err := run(0, 20, stream)
		if err != nil || want.batches != 1 {
			t.Fatal(name, want.batches, err)
		}
		got, counts, err := run(vector.MaxBatch-50, 20, stream)
		if err != nil || got.String() != want.String() || got.batches != 2 {
			t.Errorf("%s: %d batches, %v\n got %s\nwant %s", name, got.batches, err, got, want)
		}
		if counts.In.Load() != 5 || counts.Out.Load() != 5 {
			t.Errorf("%s: %d rows in, %d out", name, counts.In.Load(), counts.Out.Load())
		}
		// One row has no half.
		_, _, err = run(vector.MaxBatch-50, 100, "1@1 ^1")
		if large, ok := errors.AsType[*vector.TooLarge](err); !ok || large.Row != vector.NoRow {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsAmongRowsThatAreTooLargeTogether: the rows in front of one with an error leave, however many batches that takes.
func TestErrorsAmongRowsThatAreTooLargeTogether(t *testing.T) {
	// 10 / (4 - key) fails at key 4.
	b, _ := batchOf(&vector.Pool{}, parse(t, "1@1 2@2 ^1 3@3 4@4 5@5"))
	for i := range b.N {
		b.Cols[2].Ints[i], b.Cols[3].Ints[i] = 20, 4-b.Cols[0].Ints[i]
	}
	b.Arena.Charge(vector.MaxBatch - 50)
	key := expr.NewColumn(0, "key", types.BigIntType)
	out := &written{}
	err := NewProject([]expr.Expr{key, call(t, "/", key, expr.NewColumn(3, "rest", types.IntType)), repeated(t)}, &function.Env{}).Process(b, out)
	if row, ok := errors.AsType[*expr.RowError](err); !ok || !strings.Contains(err.Error(), "key = 4") {
		t.Errorf("%v, %v", row, err)
	}
	text := func(key string) string { return key + " " + strings.Repeat(key, 20) + "; " }
	if want := text("1") + text("2") + "^1; " + text("3"); out.String() != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

// BenchmarkProjectAndFilter computes a number and tests it, row by row.
func BenchmarkProjectAndFilter(b *testing.B) {
	const n = 1024
	var pool vector.Pool
	column := expr.NewColumn(0, "key", types.BigIntType)
	project := NewProject([]expr.Expr{column, call(b, "+", column, column)}, &function.Env{})
	filter := NewFilter(call(b, "=", column, column), &function.Env{})
	emit := emitTo{filter}
	b.ReportAllocs()
	for b.Loop() {
		a := pool.Get()
		ids := a.Flat(vector.Int64, n)
		clear(ids.Ints)
		if err := project.Process(&dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: []*vector.Vector{ids}}}, emit); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}

// emitTo hands batches to an operator.
type emitTo struct{ op dataflow.Operator }

func (e emitTo) Emit(b *dataflow.Batch) error    { return e.op.Process(b, discard{}) }
func (e emitTo) Advance(dataflow.Progress) error { return nil }
