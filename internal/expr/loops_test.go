package expr

import (
	"crypto/md5"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// BenchmarkAgainstLoops sets functions against what a person would write in Go for slices of values, with a new slice for the results.
func BenchmarkAgainstLoops(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(3, 4))
	var pool vector.Pool
	keep := pool.Get()
	ints, floats, texts, more := make([]int64, n), make([]float64, n), make([]string, n), make([]int64, n)
	longs, others, doubles, words, times := vector.NewBuilder(keep, vector.Int64, n), vector.NewBuilder(keep, vector.Int64, n), vector.NewBuilder(keep, vector.KindOf(types.DoubleType), n),
		vector.NewBuilder(keep, vector.Bytes, n), vector.NewBuilder(keep, vector.Int64, n)
	for i := range n {
		ints[i], more[i], floats[i], texts[i] = r.Int64N(1000), r.Int64N(1000)+1, r.Float64(), sampleStrings[i%len(sampleStrings)]
		longs.AppendInt(ints[i])
		others.AppendInt(more[i])
		doubles.AppendFloat(floats[i])
		words.AppendBytes([]byte(texts[i]))
		times.AppendInt(ints[i] * 86_400_000_000)
	}
	batch := &vector.Batch{N: n, Cols: []*vector.Vector{longs.Done(), others.Done(), doubles.Done(), words.Done(), times.Done()}}
	bigint, double, text, timestamp := types.BigIntType, types.DoubleType, types.StringType, types.TimestampType
	column := func(i int, t types.Type) Expr { t.NotNull = true; return NewColumn(i, "c", t) }
	for _, c := range []struct {
		name string
		args []Expr
		loop func()
	}{
		{"+", []Expr{column(0, bigint), column(1, bigint)}, loop(n, func(i int) int64 { return ints[i] + more[i] })},
		{"/", []Expr{column(0, bigint), column(1, bigint)}, loop(n, func(i int) int64 { return ints[i] / more[i] })},
		{"<", []Expr{column(0, bigint), column(1, bigint)}, loop(n, func(i int) bool { return ints[i] < more[i] })},
		{"*", []Expr{column(2, double), column(2, double)}, loop(n, func(i int) float64 { return floats[i] * floats[i] })},
		{"SQRT", []Expr{column(2, double)}, loop(n, func(i int) float64 { return math.Sqrt(floats[i]) })},
		{"LN", []Expr{column(2, double)}, loop(n, func(i int) float64 { return math.Log(floats[i]) })},
		{"=", []Expr{column(3, text), LiteralString("tide")}, loop(n, func(i int) bool { return texts[i] == "tide" })},
		{"LIKE", []Expr{column(3, text), LiteralString("%ide%")}, loop(n, func(i int) bool { return strings.Contains(texts[i], "ide") })},
		{"UPPER", []Expr{column(3, text)}, loop(n, func(i int) string { return strings.ToUpper(texts[i]) })},
		{"||", []Expr{column(3, text), column(3, text)}, loop(n, func(i int) string { return texts[i] + texts[i] })},
		{"REPLACE", []Expr{column(3, text), LiteralString("e"), LiteralString("aa")}, loop(n, func(i int) string { return strings.ReplaceAll(texts[i], "e", "aa") })},
		{"MD5", []Expr{column(3, text)}, loop(n, func(i int) string { d := md5.Sum([]byte(texts[i])); return hex.EncodeToString(d[:]) })},
		{"YEAR", []Expr{column(4, timestamp)}, loop(n, func(i int) int64 { return int64(time.UnixMicro(ints[i] * 86_400_000_000).UTC().Year()) })},
	} {
		e, err := NewCall(function.MustScalar(c.name), c.args)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, once func()) {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				from := cputime.Used()
				for b.Loop() {
					once()
				}
				b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(b.N)/n, "cpu-ns/row")
			})
		}
		ctx := zoned(b, nil)
		run("here", func() {
			ctx.Arena = pool.Get()
			if _, err := e.Eval(ctx, batch, vector.All(n)); err != nil {
				b.Fatal(err)
			}
			ctx.Arena.Release()
		})
		run("loop", c.loop)
	}
}

// loop makes a new slice of results, as a caller without memory to reuse does.
func loop[T any](n int, f func(i int) T) func() {
	return func() {
		out := make([]T, n)
		for i := range out {
			out[i] = f(i)
		}
		kept = out
	}
}

// kept lets no loop be left out.
var kept any
