package function

import (
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// BenchmarkCast converts a column between types of different families.
func BenchmarkCast(b *testing.B) {
	const n = 4096
	text := func(values ...string) func(*vector.Builder, int) {
		return func(b *vector.Builder, i int) { b.AppendBytes([]byte(values[i%len(values)])) }
	}
	number := func(b *vector.Builder, i int) { b.AppendInt(int64(i) * 7919) }
	double := func(b *vector.Builder, i int) { b.AppendFloat(float64(i) * 1.25) }
	sized := func(k types.Kind, length int32) types.Type { return types.Type{Kind: k, Length: length} }
	for _, c := range []struct {
		from, to types.Type
		put      func(*vector.Builder, int)
	}{
		{types.BigIntType, types.IntType, number},
		{types.BigIntType, types.DoubleType, number},
		{types.BigIntType, types.DecimalOf(18, 2), number},
		{types.BigIntType, types.DecimalOf(38, 10), number},
		{types.DecimalOf(18, 2), types.BigIntType, number},
		{types.DecimalOf(18, 2), types.DoubleType, number},
		{types.DecimalOf(18, 2), types.DecimalOf(10, 0), number},
		{types.DoubleType, types.DecimalOf(18, 2), double},
		{types.BigIntType, types.StringType, number},
		{types.DoubleType, types.StringType, double},
		{types.DecimalOf(18, 2), types.StringType, number},
		{types.DateType, types.StringType, func(b *vector.Builder, i int) { b.AppendInt(int64(i)) }},
		{types.StringType, types.BigIntType, text("123456", "-7")},
		{types.StringType, types.DoubleType, text("1.5", "123456.789")},
		{types.StringType, types.DecimalOf(18, 2), text("1.5", "123456.789")},
		{types.StringType, types.DateType, text("2026-01-31")},
		{types.StringType, types.TimestampType, text("2026-01-31 12:34:56.789")},
		{types.StringType, sized(types.Char, 8), text("tide", "low water mark")},
		{types.StringType, sized(types.String, 8), text("tide", "low water mark")},
		{types.TimestampType, types.DateType, number},
		{types.TimestampLTZType, types.TimestampType, number},
	} {
		b.Run(c.from.String()+" to "+c.to.String(), func(b *testing.B) {
			o, err := ResolveCast(c.from, c.to, false)
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			column := vector.NewBuilder(pool.Get(), vector.KindOf(c.from), n)
			for i := range n {
				c.put(column, i)
			}
			args := []*vector.Vector{column.Done()}
			for b.Loop() {
				arena := pool.Get()
				if _, err := o.Eval(arena, &Env{Zone: time.UTC}, args, vector.All(n), n); err != nil {
					b.Fatal(err)
				}
				arena.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
