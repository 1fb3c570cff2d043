package compile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestIntake: rows with their times and candidates, computed columns and all, come in as many batches as their texts need, and those in front of a row with an
// error come before it. That a batch has no room is told of memory that is charged and not used.
func TestIntake(t *testing.T) {
	const rows = 7
	call := func(name string, args ...expr.Expr) expr.Expr {
		e, err := expr.NewCall(function.MustScalar(name), args)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	id, text := expr.NewColumn(0, "id", types.BigIntType), expr.NewColumn(1, "s", types.StringType)
	n, instant := expr.NewColumn(2, "n", types.IntType), expr.NewColumn(3, "ts", types.TimestampType)
	number, err := expr.NewCast(text, types.BigIntType, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		texts   string // of the rows, one digit each
		charge  int
		output  []expr.Expr
		batches int
		rows    int // before the error
	}{
		{"they fit", "1234567", 0, []expr.Expr{id, call("REPEAT", text, n)}, 1, rows},
		{"they do not fit", "1234567", vector.MaxBatch - 65, []expr.Expr{id, call("REPEAT", text, n)}, 2, rows},
		{"an error", "123x567", 0, []expr.Expr{id, call("REPEAT", text, n), number}, 1, 3},
		{"an error in the first row", "x234567", 0, []expr.Expr{id, call("REPEAT", text, n), number}, 0, 0},
		{"an error among them", "123x567", vector.MaxBatch - 65, []expr.Expr{id, call("REPEAT", text, n), number}, 1, 3},
		{"an error behind", "12345x7", vector.MaxBatch - 65, []expr.Expr{id, call("REPEAT", text, n), number}, 2, 5},
	} {
		b := &vector.Batch{N: rows, Arena: new(vector.Pool).Get()}
		ids, texts, times, ns := vector.NewBuilder(b.Arena, vector.Int64, rows), vector.NewBuilder(b.Arena, vector.Bytes, rows), vector.NewBuilder(b.Arena, vector.Int64, rows), b.Arena.Constant(vector.Int64)
		for i := range rows {
			ids.AppendInt(int64(i))
			texts.AppendBytes([]byte{c.texts[i]})
			times.AppendInt(int64(100 + i))
			b.Ops = append(b.Ops, vector.Op(i%4))
		}
		ns.Ints[0] = 10
		b.Cols = []*vector.Vector{ids.Done(), texts.Done(), ns, times.Done()}
		b.Arena.Charge(max(c.charge-b.Arena.Charged(), 0))
		in := intake{output: c.output, time: instant, candidate: instant, env: &function.Env{}}
		var got []string
		batches := 0
		err := in.Prepare(b, func(b *vector.Batch, times, candidates []int64) {
			batches++
			if len(times) != b.N || len(candidates) != b.N || len(b.Ops) < b.N {
				t.Errorf("%s: %d rows, %d times, %d candidates, %d changes", c.name, b.N, len(times), len(candidates), len(b.Ops))
			}
			for i := range b.N {
				got = append(got, fmt.Sprint(b.Cols[0].Int(i), string(b.Cols[1].Bytes(i)), times[i], candidates[i], b.Ops[i]))
			}
			b.Release()
		})
		var want []string
		for i := range c.rows {
			want = append(want, fmt.Sprint(i, strings.Repeat(string(c.texts[i]), 10), 100+i, 100+i, vector.Op(i%4)))
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") || batches != c.batches {
			t.Errorf("%s: %d batches\n got %v\nwant %v", c.name, batches, got, want)
		}
		if _, bad := errors.AsType[*expr.RowError](err); bad != (c.rows < rows) || !bad && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
