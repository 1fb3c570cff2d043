package functions

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// samples are values of all types: constants, and columns of a batch of three rows of which the last is NULL where it may be.
func samples(t *testing.T, random *rand.Rand) ([]Value, *vector.Batch) {
	t.Helper()
	var values []Value
	for _, text := range []string{
		"1", "-7l", "300us", "5ut", "18ul", "1.5", "2.5f", "TRUE", `"tide"`, `"a=1;b=2"`, `"früh"u`, `""`, `"%Y-%m"`, `"(a)|b"`, `Json("[1,{\"a\":2}]")`, `Yson("{a=1}")`, "NULL",
		`Yson::From(<|a: 1|>)`, `Timestamp("2031-02-03T04:05:06.789Z")`, `Datetime("2031-02-03T04:05:06Z")`, `Date("2031-02-03")`, `Interval("P1DT2H")`, `DateTime::Split(Date("2031-02-03"))`,
		"AsList(3, 1, 2)", `AsList("b", NULL, "a")`, "AsList()", "AsList(AsList(1), AsList())", `AsDict(("a", 1))`, "AsDict()", `"a"`, `"SUM"`, `AsDict(("a", "b"))`, `<|a: 1, b: "x"|>`, "(1, 2)", `AsList((1, "x"), (2, "y"))`,
		"AsList(TRUE, FALSE)", `CAST("1.25" AS Decimal(5,2))`, "AsList(1.5, 2.5)", `Nothing(Int32?)`, `Nothing(String?)`, `Nothing(List<Int32>?)`, `CAST("" AS Uuid)`, "-9223372036854775807", "9223372036854775807",
		`CAST("nan" AS Double)`, `AsList(<|a: 1|>, <|a: 2|>)`,
	} {
		v, err := parse(text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		values = append(values, v)
	}
	var pool vector.Pool
	b := &vector.Batch{N: 3, Arena: pool.Get()}
	c := &expr.Context{Arena: b.Arena, Env: &function.Env{}}
	for _, v := range values[:len(values):len(values)] {
		if v.Type.Kind == yqltype.Null {
			continue
		}
		value, err := v.Expr.Eval(c, &vector.Batch{N: 1, Arena: b.Arena}, vector.All(1))
		if err != nil {
			t.Fatal(err)
		}
		column := vector.NewBuilder(b.Arena, value.Kind, 3)
		for range 2 {
			column.AppendFrom(value, 0)
		}
		typ := v.Type
		if random.IntN(2) == 0 {
			typ.Optional = true
			column.AppendNull()
		} else {
			column.AppendFrom(value, 0)
		}
		values = append(values, Value{Expr: expr.NewColumn(len(b.Cols), fmt.Sprint("c", len(b.Cols)), typ.Physical()), Type: typ})
		b.Cols = append(b.Cols, column.Done())
	}
	identity := Lambda(1, func(args []Value) (Value, error) { return args[0], nil })
	one := Lambda(1, func([]Value) (Value, error) { return Int(yqltype.Of(yqltype.Int32), 1), nil })
	return append(values, identity, one, OfType(yqltype.Of(yqltype.Int64)), OfType(yqltype.ListOf(yqltype.Of(yqltype.String).OrNull())), Value{Static: YsonOptions{}}), b
}

// TestAnything calls every function with arguments of every kind: what it takes it computes, for columns as for constants, without a panic, with NULL only where the type has room for it,
// and in the layout of its type; what it does not take is an error of this package.
func TestAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values, b := samples(t, random)
	for i := range Functions {
		f := &Functions[i]
		if f.Refused != "" {
			continue
		}
		taken := 0
		for round := range 150 {
			var args []Named
			n := len(f.params)
			if f.rest != nil {
				n += random.IntN(3)
			}
			for a := range n {
				v := values[random.IntN(len(values))]
				for range 40 {
					take := f.rest
					if a < len(f.params) {
						take = &f.params[a].accept
					}
					if _, ok := take.take(v); ok {
						break
					}
					v = values[random.IntN(len(values))]
				}
				arg := Named{Value: v}
				if f.names {
					arg.Name = string(rune('a' + a))
				}
				args = append(args, arg)
				if a < len(f.params) && a+1 < len(f.params) && f.params[a+1].optional() && random.IntN(2) == 0 {
					break
				}
			}
			v, err := f.Call(args)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Message == "" {
					t.Fatalf("%s%s: %T %v", f.Full(), describe(valuesOf(args)), err, err)
				}
				continue
			}
			taken++
			if v.Static != nil {
				if c, ok := v.Static.(*Callable); ok {
					if v, err = c.Call(values[random.IntN(len(values))]); err != nil || v.Static != nil {
						continue
					}
				} else {
					continue
				}
			}
			computed(t, fmt.Sprintf("round %d: %s%s", round, f.Full(), describe(valuesOf(args))), v, b)
		}
		if taken == 0 {
			t.Errorf("%s takes none of the values", f.Full())
		}
	}
}

// computed checks a value over all rows and over some.
func computed(t *testing.T, what string, v Value, b *vector.Batch) {
	t.Helper()
	if got := vector.KindOf(v.Expr.Type()); got != kindOf(v.Type) && v.Type.Kind != yqltype.Null {
		t.Fatalf("%s is laid out as %s and of type %s", what, got, v.Type)
	}
	var pool vector.Pool
	c := &expr.Context{Arena: pool.Get(), Env: &function.Env{Now: 1}}
	b = &vector.Batch{Cols: b.Cols, N: b.N, Arena: c.Arena}
	for _, rows := range []vector.Rows{vector.All(b.N), {Sel: []int32{int32(b.N - 1)}, N: b.N}, {Sel: []int32{}, N: b.N}} {
		out, err := v.Expr.Eval(c, b, rows)
		if err != nil {
			var e *function.RowError
			var large *vector.TooLarge
			if !errors.As(err, &large) && (!errors.As(err, &e) || e.Row < 0 || e.Row >= b.N) {
				t.Fatalf("%s: %T %v", what, err, err)
			}
			return
		}
		for k := range rows.Count() {
			i := rows.At(k)
			if out.IsNull(i) {
				if !v.Type.Optional && v.Type.Kind != yqltype.Null {
					t.Fatalf("%s is NULL in row %d, and of type %s", what, i, v.Type)
				}
				continue
			}
			if out.Kind == vector.Float64 && math.IsNaN(out.Float(i)) {
				continue
			}
			if documented(v.Type) == nil {
				w := newWriter(v.Type, nil)
				if _, err := w.write(nil, out, i); err != nil {
					t.Fatalf("%s cannot be read: %v", what, err)
				}
			}
		}
	}
}

// TestAnythingAggregated does so with aggregates: NULL only where the type has room for it.
func TestAnythingAggregated(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	values, b := samples(t, random)
	for i := range Aggregates {
		f := &Aggregates[i]
		if f.Refused != "" {
			continue
		}
		taken := 0
		for round := range 200 {
			var args []Named
			for a, p := range f.params {
				v := values[random.IntN(len(values))]
				for range 40 {
					if _, ok := p.take(v); ok {
						break
					}
					v = values[random.IntN(len(values))]
				}
				if p.name == "factory" {
					v = must(parse(`AggregationFactory("MAX")`, nil))
				}
				args = append(args, Named{Value: v})
				if a+1 < len(f.params) && f.params[a+1].optional() && random.IntN(2) == 0 {
					break
				}
			}
			call, err := f.Call(args, round%5 == 0)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Message == "" {
					t.Fatalf("%s%s: %T %v", f.Name, describe(valuesOf(args)), err, err)
				}
				continue
			}
			taken++
			what := fmt.Sprintf("round %d: %s%s", round, f.Name, describe(valuesOf(args)))
			if call.Filter == nil || len(call.Args) == 0 || call.held.Optional {
				v, err := call.Of(expr.NewColumn(0, "result", call.Overload.Result))
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				computed(t, what, v, &vector.Batch{Cols: []*vector.Vector{run(call, b)}, N: 1})
			}
		}
		if taken == 0 {
			t.Errorf("%s takes none of the values", f.Name)
		}
	}
}
