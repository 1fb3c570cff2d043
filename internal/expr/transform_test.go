package expr

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var bigints = types.ArrayOf(types.BigIntType)

// arraysOf is a batch of a column of arrays of these numbers, and a column of a number for each row. A nil array is NULL.
func arraysOf(arrays [][]int64, numbers []int64) *vector.Batch {
	var pool vector.Pool
	a := pool.Get()
	column := vector.NewBuilder(a, vector.Bytes, len(arrays))
	for _, list := range arrays {
		if list == nil {
			column.AppendNull()
			continue
		}
		column.AppendBytes(nested.AppendArray(nil, vector.Int64, &vector.Vector{Kind: vector.Int64, Ints: list}, 0, len(list)))
	}
	return &vector.Batch{Cols: []*vector.Vector{column.Done(), {Kind: vector.Int64, Ints: numbers}}, N: len(arrays), Arena: a}
}

// transformed is the numbers of each array that e gives; nil for NULL.
func transformed(t *testing.T, e Expr, b *vector.Batch, rows vector.Rows) [][]int64 {
	t.Helper()
	v, err := e.Eval(&Context{Arena: b.Arena, Env: &function.Env{}}, b, rows)
	if err != nil {
		t.Fatal(err)
	}
	lists := make([][]int64, rows.Count())
	for k := range lists {
		if i := rows.At(k); !v.IsNull(i) {
			a := nested.ReadArray(v.Bytes(i), vector.Int64)
			lists[k] = []int64{}
			for e := range a.Len() {
				lists[k] = append(lists[k], a.Int(e))
			}
		}
	}
	return lists
}

func sum(a, b Expr) Expr { return mustCall("+", a, b) }

func TestTransform(t *testing.T) {
	b := arraysOf([][]int64{{1, 2}, nil, {}, {3}}, []int64{10, 20, 30, 40})
	list, number := NewColumn(0, "list", bigints), NewColumn(1, "n", types.BigIntType)
	x := NewElement(types.BigIntType)
	e := NewTransform(list, x, sum(sum(x, number), number))
	if got, want := e.String(), "TRANSFORM(list, x -> ((x + n) + n))"; got != want {
		t.Errorf("it is written %s, not %s", got, want)
	}
	if got := Columns(e); len(got) != 2 || got[0] != 0 || got[1] != 1 {
		t.Errorf("it reads %v", got)
	}
	y := NewElement(types.BigIntType)
	if !Equal(e, NewTransform(list, y, sum(sum(y, number), number))) || Equal(e, NewTransform(list, y, sum(y, number))) {
		t.Error("two that compute the same are not equal, or two that do not are")
	}
	expectLists(t, transformed(t, e, b, vector.All(4)), [][]int64{{21, 22}, nil, {}, {83}})
	expectLists(t, transformed(t, e, b, vector.Rows{Sel: []int32{1, 3}, N: 4}), [][]int64{nil, {83}})
	expectLists(t, transformed(t, e, b, vector.Rows{Sel: []int32{2}, N: 4}), [][]int64{{}})

	// What moves columns moves those that the body reads.
	moved := Map(e, func(part Expr) Expr {
		if c, ok := part.(*Column); ok && c.Index == 1 {
			return LiteralInt(types.BigIntType, 1)
		}
		return part
	})
	expectLists(t, transformed(t, moved, b, vector.All(4)), [][]int64{{3, 4}, nil, {}, {5}})
}

// TestTransformInside has a transform in the body of another, which reads the element of the outer one and a column of the row.
func TestTransformInside(t *testing.T) {
	b := arraysOf([][]int64{{1, 2}, {3}}, []int64{10, 20})
	list, number := NewColumn(0, "list", bigints), NewColumn(1, "n", types.BigIntType)
	x, y := NewElement(types.BigIntType), NewElement(types.BigIntType)
	inner := NewTransform(list, y, sum(sum(mustCall("*", x, LiteralInt(types.BigIntType, 100)), y), number))
	outer := NewTransform(list, x, mustCall("CARDINALITY", inner))
	b2 := arraysOf([][]int64{{1, 2}, {3}}, []int64{10, 20})
	v, err := outer.Eval(&Context{Arena: b2.Arena, Env: &function.Env{}}, b2, vector.All(2))
	if err != nil {
		t.Fatal(err)
	}
	first := nested.ReadArray(v.Bytes(0), vector.Int64)
	if first.Len() != 2 || first.Int(0) != 2 || first.Int(1) != 2 {
		t.Errorf("the inner arrays have other lengths")
	}
	item := NewTransform(list, x, mustCall("ITEM", inner, LiteralInt(types.IntType, 1)))
	expectLists(t, transformed(t, item, b, vector.All(2)), [][]int64{{111, 211}, {323}})
}

func TestTransformConstant(t *testing.T) {
	list := LiteralBytes(bigints, nested.AppendArray(nil, vector.Int64, &vector.Vector{Kind: vector.Int64, Ints: []int64{1, 2}}, 0, 2))
	x := NewElement(types.BigIntType)
	if e := NewTransform(list, x, sum(x, x)); e.String() != "CAST(ARRAY[2, 4] AS ARRAY<BIGINT>)" {
		t.Errorf("a constant is not computed at once: %s", e)
	}
	if e := NewTransform(list, x, mustCall("RAND_INTEGER", LiteralInt(types.IntType, 5))); Steady(e) {
		t.Error("what is random is said to be steady")
	} else if _, ok := e.(*Literal); ok {
		t.Error("what is random is computed at once")
	}
}

// TestTransformError says of which row an error is, and not of which element.
func TestTransformError(t *testing.T) {
	b := arraysOf([][]int64{{1, 2}, {}, {3, 0, 1}}, []int64{1, 1, 1})
	x := NewElement(types.BigIntType)
	e := NewTransform(NewColumn(0, "list", bigints), x, mustCall("/", NewColumn(1, "n", types.BigIntType), x))
	_, err := e.Eval(&Context{Arena: b.Arena, Env: &function.Env{}}, b, vector.All(3))
	var failed *RowError
	if !errors.As(err, &failed) || failed.Row != 2 {
		t.Errorf("%v in row %v", err, failed)
	}
}

func expectLists(t *testing.T, got, want [][]int64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v, not %v", got, want)
	}
	for i := range want {
		if (got[i] == nil) != (want[i] == nil) || len(got[i]) != len(want[i]) {
			t.Fatalf("%v, not %v", got, want)
		}
		for k := range want[i] {
			if got[i][k] != want[i][k] {
				t.Fatalf("%v, not %v", got, want)
			}
		}
	}
}

// BenchmarkTransform computes x * n + 1 for arrays of eight: over all elements of a batch at once, as a Transform does, and with one call for each row, as a loop over rows would.
func BenchmarkTransform(b *testing.B) {
	const rows = 1024
	arrays, numbers := make([][]int64, rows), make([]int64, rows)
	for i := range arrays {
		numbers[i] = int64(i)
		for k := range int64(8) {
			arrays[i] = append(arrays[i], k)
		}
	}
	batch := arraysOf(arrays, numbers)
	x := NewElement(types.BigIntType)
	e := NewTransform(NewColumn(0, "list", bigints), x, sum(mustCall("*", x, NewColumn(1, "n", types.BigIntType)), LiteralInt(types.BigIntType, 1)))
	run := func(b *testing.B, each func(c *Context)) {
		var pool vector.Pool
		b.ReportAllocs()
		for b.Loop() {
			c := &Context{Arena: pool.Get(), Env: &function.Env{}}
			each(c)
			c.Arena.Release()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows/8, "ns/element")
	}
	eval := func(b *testing.B, c *Context, batch *vector.Batch) {
		if _, err := e.Eval(c, &vector.Batch{Cols: batch.Cols, N: batch.N, Arena: c.Arena}, vector.All(batch.N)); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("batch", func(b *testing.B) { run(b, func(c *Context) { eval(b, c, batch) }) })
	b.Run("rows", func(b *testing.B) {
		single := make([]*vector.Batch, rows)
		for i := range single {
			single[i] = arraysOf(arrays[i:i+1], numbers[i:i+1])
		}
		run(b, func(c *Context) {
			for _, batch := range single {
				eval(b, c, batch)
			}
		})
	})
}
