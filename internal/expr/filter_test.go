package expr

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		test string
		sel  []int32 // nil: all
		want []int32
	}{
		{"i > 0", nil, []int32{0, 4}},
		{"i > 0", []int32{1, 2, 4, 5}, []int32{4}},
		{"i > 0", []int32{}, []int32{}},
		{"NOT i > 0", nil, []int32{1, 2, 5}},
		{"three = 3", nil, []int32{0, 1, 2, 3, 4, 5}},
		{"three = 3", []int32{2, 5}, []int32{2, 5}},
		{"three = 4", nil, []int32{}},
		{"three = 3", []int32{}, []int32{}},
		{"nothing = 'x'", nil, []int32{}},
		{"none IS NULL", nil, []int32{0, 1, 2, 3, 4, 5}},
		{"i <> 0 AND three / i = 0", nil, []int32{0, 1, 4, 5}},
		{"b AND s LIKE '%e'", nil, []int32{0}},
		{"b OR i = 0", nil, []int32{0, 2, 4}},
		{"TRUE", nil, []int32{0, 1, 2, 3, 4, 5}},
		{"NULL", nil, []int32{}},
	} {
		x := sampleContext(t)
		b := sampleBatch(x.Arena)
		got, err := Filter(x, b, vector.Rows{Sel: c.sel, N: b.N}, mustParse(t, c.test))
		if err != nil || got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s over %v: %v (nil: %v), %v; want %v", c.test, c.sel, got, got == nil, err, c.want)
		}
	}
}

func TestFilterReportsTheRow(t *testing.T) {
	c := sampleContext(t)
	b := sampleBatch(c.Arena)
	_, err := Filter(c, b, vector.All(b.N), mustParse(t, "three / i = 0"))
	var row *RowError
	if !errors.As(err, &row) || row.Row != 2 {
		t.Errorf("error %v, want division by zero in row 2", err)
	}
}

// TestFilterAgreesWithEval compares the fast paths of Filter with the values of random columns, with NULLs and selections or without.
func TestFilterAgreesWithEval(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	e, err := NewAnd(must(parse("x > 0", randomSchema)), must(parse("y <= x", randomSchema)))
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		c := sampleContext(t)
		n := random.IntN(200)
		b := &vector.Batch{N: n}
		for range 2 {
			column := vector.NewBuilder(c.Arena, vector.Int64, n)
			nulls := random.IntN(2)
			for range n {
				if nulls == 1 && random.IntN(3) == 0 {
					column.AppendNull()
				} else {
					column.AppendInt(random.Int64N(5) - 2)
				}
			}
			b.Cols = append(b.Cols, column.Done())
		}
		rows := vector.All(n)
		if random.IntN(2) == 0 {
			rows.Sel = []int32{}
			for i := range n {
				if random.IntN(2) == 0 {
					rows.Sel = append(rows.Sel, int32(i))
				}
			}
		}
		got, err := Filter(c, b, rows, e)
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Eval(c, b, rows)
		if err != nil {
			t.Fatal(err)
		}
		want := []int32{}
		for k := range rows.Count() {
			if i := rows.At(k); !v.IsNull(i) && v.Bool(i) {
				want = append(want, int32(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("Filter keeps %v, Eval is TRUE in %v", got, want)
		}
	}
}

var randomSchema = types.Schema{{Name: "x", Type: types.BigIntType}, {Name: "y", Type: types.BigIntType}}

func benchmarkBatch(n int) *vector.Batch {
	random := rand.New(rand.NewPCG(9, 9))
	b := &vector.Batch{N: n}
	for range 2 {
		v := &vector.Vector{Kind: vector.Int64, Ints: make([]int64, n)}
		for i := range v.Ints {
			v.Ints[i] = random.Int64N(200)
		}
		b.Cols = append(b.Cols, v)
	}
	return b
}

func BenchmarkEval(b *testing.B) {
	const n = 4096
	batch := benchmarkBatch(n)
	var pool vector.Pool
	for _, text := range []string{"x > 100", "x + y * 2", "x > 100 AND y < 50", "x / 3", "CASE WHEN x > 100 THEN x ELSE y END"} {
		e := must(parse(text, randomSchema))
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				c := Context{Arena: pool.Get()}
				if _, err := e.Eval(&c, batch, vector.All(n)); err != nil {
					b.Fatal(err)
				}
				c.Arena.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}

func BenchmarkFilter(b *testing.B) {
	const n = 4096
	batch := benchmarkBatch(n)
	var pool vector.Pool
	for _, text := range []string{"x > 100", "x > 100 AND y < 50"} {
		e := must(parse(text, randomSchema))
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				c := Context{Arena: pool.Get()}
				if _, err := Filter(&c, batch, vector.All(n), e); err != nil {
					b.Fatal(err)
				}
				c.Arena.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
