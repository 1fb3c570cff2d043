package functions

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// sampleColumn is x of the examples: 1, 2, 2 and NULL.
func sampleColumn() (Value, *vector.Batch) {
	t := yqltype.Of(yqltype.Int32).OrNull()
	var pool vector.Pool
	a := pool.Get()
	b := vector.NewBuilder(a, vector.Int64, 4)
	b.AppendInt(1)
	b.AppendInt(2)
	b.AppendInt(2)
	b.AppendNull()
	return Value{Expr: expr.NewColumn(0, "x", t.Physical()), Type: t}, &vector.Batch{Cols: []*vector.Vector{b.Done()}, N: 4, Arena: a}
}

// aggregate computes an expression with one call of an aggregate over x, as JSON.
func aggregate(text string, distinct bool) (string, yqltype.Type, error) {
	x, batch := sampleColumn()
	tree, err := yql.ParseExpr(source.Text{Name: "test", Body: text})
	if err != nil {
		return "", yqltype.Type{}, err
	}
	var call *yql.Call
	var around func(Value) (Value, error)
	if b, ok := tree.(*yql.Binary); ok {
		call = b.Left.(*yql.Call)
		around = func(v Value) (Value, error) {
			right, err := scope{}.bind(b.Right)
			if err != nil {
				return v, err
			}
			return Binary(string(b.Op), v, right)
		}
	} else {
		call = tree.(*yql.Call)
	}
	f, ok := LookupAggregate(call.Callee.(*yql.FunctionRef).Name.Name)
	if !ok {
		panic(text)
	}
	args, err := scope{"x": x}.bindArgs(call.Args)
	if err != nil {
		return "", yqltype.Type{}, err
	}
	a, err := f.Call(args, distinct)
	if err != nil {
		return "", yqltype.Type{}, err
	}
	column := run(a, batch)
	result := column
	v, err := a.Of(expr.NewColumn(0, "result", a.Overload.Result))
	if err == nil && around != nil {
		v, err = around(v)
	}
	if err != nil {
		return "", yqltype.Type{}, err
	}
	shown := v
	if v.Type.Kind > yqltype.Tuple || v.Type.IsInstant() {
		return "", v.Type, err
	}
	document := must(Call("Yson", "From", []Named{{Value: shown}}))
	texts, err := computeOver(must(Call("Yson", "SerializeJson", []Named{{Value: document}})), &vector.Batch{Cols: []*vector.Vector{result}, N: 1})
	if err != nil {
		return "", v.Type, err
	}
	return texts[0], v.Type, nil
}

// run aggregates a batch into one group.
func run(a *Aggregation, b *vector.Batch) *vector.Vector {
	c := &expr.Context{Arena: b.Arena, Env: &function.Env{}}
	rows := vector.All(b.N)
	if a.Filter != nil {
		v, err := a.Filter.Eval(c, b, rows)
		if err != nil {
			panic(err)
		}
		sel := []int32{}
		for i := range b.N {
			if !v.IsNull(i) && v.Bool(i) {
				sel = append(sel, int32(i))
			}
		}
		rows = vector.Rows{Sel: sel, N: b.N}
	}
	var args []*vector.Vector
	for _, e := range a.Args {
		v, err := e.Eval(c, b, vector.All(b.N))
		if err != nil {
			panic(err)
		}
		args = append(args, v)
	}
	acc := a.Overload.New()
	acc.Grow(1)
	acc.Add(make([]uint32, rows.Count()), args, rows)
	return acc.Result(b.Arena, []uint32{0})
}

func TestAggregateExamples(t *testing.T) {
	for _, f := range Aggregates {
		if f.Refused != "" {
			if _, err := f.Call(nil, false); err == nil || !strings.Contains(err.Error(), f.Refused) {
				t.Errorf("%s: %v", f.Name, err)
			}
			continue
		}
		if f.Signature == "" || f.Doc == "" || f.Example == "" {
			t.Errorf("%s lacks a signature, a sentence or an example", f.Name)
			continue
		}
		got, _, err := aggregate(f.Example, false)
		if err != nil {
			t.Errorf("%s: %v", f.Example, err)
		} else if got != f.Result {
			t.Errorf("%s is %s, not %s", f.Example, got, f.Result)
		}
	}
}
