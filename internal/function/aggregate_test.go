package function

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// aggregateCase is one overload of an aggregate.
type aggregateCase struct {
	name     string
	function string
	arg      types.Type
	star     bool
	distinct bool
}

func aggregateCases() []aggregateCase {
	cases := []aggregateCase{{name: "COUNT(*)", function: "COUNT", star: true}}
	for _, f := range Aggregates {
		for _, t := range []types.Type{types.BooleanType, types.TinyIntType, types.SmallIntType, types.FloatType, types.DecimalOf(10, 2), types.DecimalOf(38, 10), types.IntType, types.BigIntType, types.DoubleType, types.StringType, types.TimestampType,
			types.TimestampLTZType, types.IntervalDayType} {
			for _, distinct := range []bool{false, true} {
				if _, err := f.Resolve(t, true, distinct); err == nil {
					cases = append(cases, aggregateCase{fmt.Sprintf("%s(%v distinct=%v)", f.Name, t, distinct), f.Name, t, false, distinct})
				}
			}
		}
	}
	return cases
}

func (c aggregateCase) overload(t testing.TB) AggregateOverload {
	f, ok := LookupAggregate(c.function)
	if !ok {
		t.Fatalf("no aggregate %s", c.function)
	}
	o, err := f.Resolve(c.arg, !c.star, c.distinct)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const lawGroups = 5

// randomInput is a column with NULLs and repeats, a group for each row, and the rows that count. Doubles are whole numbers, so that sums do not depend on
// the order; the laws about order are SUM's own.
func randomInput(random *rand.Rand, c aggregateCase, n int) (arg *vector.Vector, ids []uint32, rows vector.Rows) {
	var pool vector.Pool
	a := pool.Get()
	b := vector.NewBuilder(a, vector.KindOf(c.arg), n)
	for range n {
		v := random.Int64N(7) - 3
		switch {
		case random.IntN(4) == 0:
			b.AppendNull()
		case vector.KindOf(c.arg) == vector.Bool:
			b.AppendBool(v > 0)
		case vector.KindOf(c.arg) == vector.Float64:
			b.AppendFloat([]float64{-1, math.Copysign(0, -1), 0, 1, 2, 3, 4}[v+3])
		case vector.KindOf(c.arg) == vector.Bytes:
			b.AppendBytes([]byte([]string{"", "a", "ab", "b", "tide", "\xff", "ä"}[v+3]))
		case vector.KindOf(c.arg) == vector.Int128:
			b.AppendWide([]int128.Int{int128.Pow10(37).Neg(), {Hi: -1, Lo: 5}, {}, {Lo: 1}, {Hi: 1}, int128.Pow10(20), int128.Pow10(37)}[v+3])
		default:
			b.AppendInt(v)
		}
	}
	arg = b.Done()
	rows = vector.All(n)
	if random.IntN(2) == 0 {
		rows.Sel = []int32{}
		for i := range n {
			if random.IntN(3) > 0 {
				rows.Sel = append(rows.Sel, int32(i))
			}
		}
	}
	if random.IntN(4) == 0 && n > 0 {
		arg = arg.Take(a, []int32{0})
		arg.Const = true
	}
	ids = make([]uint32, rows.Count())
	for k := range ids {
		ids[k] = uint32(random.IntN(lawGroups - 1)) // the last group stays empty
	}
	if c.star {
		arg = nil
	}
	return arg, ids, rows
}

func results(o AggregateOverload, acc Accumulator) []string {
	var pool vector.Pool
	ids := make([]uint32, lawGroups)
	for g := range ids {
		ids[g] = uint32(g)
	}
	v := acc.Result(pool.Get(), ids)
	texts := make([]string, lawGroups)
	for g := range texts {
		texts[g] = string(valuefmt.Append(nil, o.Result, v, g))
	}
	return texts
}

func filled(o AggregateOverload, arg *vector.Vector, ids []uint32, rows vector.Rows) Accumulator {
	acc := o.New()
	acc.Grow(lawGroups)
	acc.Add(ids, arg, rows)
	return acc
}

// cut is the part of an input between two of its row ordinals.
func cut(ids []uint32, rows vector.Rows, from, to int) ([]uint32, vector.Rows) {
	sel := make([]int32, 0, to-from)
	for k := from; k < to; k++ {
		sel = append(sel, int32(rows.At(k)))
	}
	return ids[from:to], vector.Rows{Sel: sel, N: rows.N}
}

// TestAggregateLaws holds every overload to what the engine relies on: rows may be split anywhere and merged in any grouping, states survive encoding,
// results come in any order, and an accumulator that was reset is as new.
func TestAggregateLaws(t *testing.T) {
	for _, c := range aggregateCases() {
		t.Run(c.name, func(t *testing.T) {
			o := c.overload(t)
			random := rand.New(rand.NewPCG(7, 7))
			reused := o.New()
			for round := range 200 {
				arg, ids, rows := randomInput(random, c, random.IntN(40))
				whole := filled(o, arg, ids, rows)
				want := results(o, whole)

				at := random.IntN(len(ids) + 1)
				headIDs, head := cut(ids, rows, 0, at)
				tailIDs, tail := cut(ids, rows, at, len(ids))

				inTwo := filled(o, arg, headIDs, head)
				inTwo.Add(tailIDs, arg, tail)
				expect(t, round, "added in two parts", results(o, inTwo), want)

				merged := filled(o, arg, headIDs, head)
				merged.Merge([]uint32{0, 1, 2, 3, 4}, filled(o, arg, tailIDs, tail), nil)
				expect(t, round, "merged", results(o, merged), want)

				// Merging with the groups turned round, into an accumulator with the groups turned round.
				reversed := []uint32{4, 3, 2, 1, 0}
				turned := o.New()
				turned.Grow(lawGroups)
				turned.Merge(reversed, whole, nil)
				got := results(o, turned)
				slices.Reverse(got)
				expect(t, round, "merged into other groups", got, want)

				// A selection of groups, and groups of one accumulator into each other: the empty one takes the values of group 1.
				part := o.New()
				part.Grow(lawGroups)
				part.Merge([]uint32{0, 3}, whole, []uint32{3, 1})
				part.Merge([]uint32{1}, part, []uint32{3})
				got = results(o, part)
				expect(t, round, "merged in part", got, []string{want[3], want[1], want[4], want[1], want[4]})

				decoded := o.New()
				decoded.Grow(lawGroups)
				for g := range uint32(lawGroups) {
					state := append(whole.Encode(nil, g), "rest"...)
					rest, err := decoded.Decode(state, g)
					if err != nil || string(rest) != "rest" {
						t.Fatalf("round %d: decoding left %q, %v", round, rest, err)
					}
				}
				expect(t, round, "decoded", results(o, decoded), want)

				reused.Reset()
				reused.Grow(2)
				reused.Grow(lawGroups)
				reused.Add(ids, arg, rows)
				expect(t, round, "reused", results(o, reused), want)

				var pool vector.Pool
				v := whole.Result(pool.Get(), reversed)
				for k, g := range reversed {
					if got := string(valuefmt.Append(nil, o.Result, v, k)); got != want[g] {
						t.Fatalf("round %d: in reverse order group %[3]d gives %[2]s, in order %[4]s", round, got, g, want[g])
					}
				}
				empty := "NULL"
				if o.Result.NotNull {
					empty = "0"
				}
				if want[lawGroups-1] != empty {
					t.Fatalf("round %d: the empty group gives %s, want %s", round, want[lawGroups-1], empty)
				}
				if whole.Bytes() <= 0 {
					t.Fatal("an accumulator with groups takes no memory")
				}
			}
		})
	}
}

func expect(t *testing.T, round int, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("round %d, %s: %v, want %v", round, what, got, want)
	}
}

// TestDecodeRefusesWrongBytes cuts states at every length.
func TestDecodeRefusesWrongBytes(t *testing.T) {
	for _, c := range aggregateCases() {
		o := c.overload(t)
		random := rand.New(rand.NewPCG(1, 1))
		arg, ids, rows := randomInput(random, c, 30)
		acc := filled(o, arg, ids, rows)
		state := acc.Encode(nil, 0)
		for n := range state {
			decoded := o.New()
			decoded.Grow(1)
			if _, err := decoded.Decode(state[:n], 0); err == nil {
				t.Errorf("%s: %d of %d bytes decode", c.name, n, len(state))
			}
		}
	}
}

// TestAggregateValues pins what the laws cannot see.
func TestAggregateValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		function string
		arg      types.Type
		distinct bool
		ints     []int64
		doubles  []float64
		want     string
	}{
		{"SUM", types.IntType, false, []int64{math.MaxInt32, 1}, nil, "-2147483648"},
		{"SUM", types.BigIntType, false, []int64{math.MaxInt64, 1}, nil, "-9223372036854775808"},
		{"SUM", types.DoubleType, false, nil, []float64{1e16, 1, 1}, "1.0E16"},
		{"SUM", types.DoubleType, false, nil, []float64{1, 1, 1e16}, "1.0000000000000002E16"},
		{"AVG", types.IntType, false, []int64{-1, -2}, nil, "-1"},
		{"AVG", types.IntType, false, []int64{math.MaxInt32, math.MaxInt32}, nil, "2147483647"},
		{"AVG", types.DoubleType, false, nil, []float64{1, 2}, "1.5"},
		{"MIN", types.BigIntType, false, []int64{5, math.MinInt64}, nil, "-9223372036854775808"},
		{"MAX", types.BigIntType, false, []int64{math.MinInt64}, nil, "-9223372036854775808"},
		{"MAX", types.TimestampType, false, []int64{-1, -2_000}, nil, "1969-12-31 23:59:59.999"},
		{"MAX", types.DoubleType, false, nil, []float64{inf, nan, 1}, "NaN"},
		{"MIN", types.DoubleType, false, nil, []float64{nan, inf, 1}, "1.0"},
		{"MIN", types.DoubleType, false, nil, []float64{0, math.Copysign(0, -1)}, "-0.0"},
		{"MIN", types.DoubleType, false, nil, []float64{-1.5, -2.5}, "-2.5"},
		{"COUNT", types.BigIntType, true, []int64{1, 2, 1, math.MinInt64}, nil, "3"},
		{"COUNT", types.DoubleType, true, nil, []float64{nan, -nan, 0, math.Copysign(0, -1)}, "2"},
	} {
		f, _ := LookupAggregate(c.function)
		o, err := f.Resolve(c.arg, true, c.distinct)
		if err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{Kind: vector.KindOf(c.arg), Ints: c.ints, Floats: c.doubles}
		acc := o.New()
		acc.Grow(1)
		acc.Add(make([]uint32, v.Len()), v, vector.All(v.Len()))
		var pool vector.Pool
		if got := string(valuefmt.Append(nil, o.Result, acc.Result(pool.Get(), []uint32{0}), 0)); got != c.want {
			t.Errorf("%s of %v%v %v is %s, want %s", c.function, c.ints, c.doubles, c.arg, got, c.want)
		}
	}
}

func TestAggregateRefusals(t *testing.T) {
	for _, c := range []struct {
		function         string
		arg              types.Type
		hasArg, distinct bool
		want, hint       string
	}{
		{"SUM", types.StringType, true, false, "cannot apply SUM to (STRING); it is called as SUM(number)", "CAST the string to a number"},
		{"SUM", types.Type{}, false, false, "cannot apply SUM to (*); it is called as SUM(number)", "only COUNT takes *"},
		{"AVG", types.TimestampType, true, false, "cannot apply AVG to (TIMESTAMP(3)); it is called as AVG(number)", ""},
		{"SUM", types.IntType, true, true, "cannot apply SUM(DISTINCT) to (INT); it is called as SUM(number)",
			"DISTINCT is there for COUNT, MIN and MAX; group by the value in a subquery first"},
	} {
		f, _ := LookupAggregate(c.function)
		_, err := f.Resolve(c.arg, c.hasArg, c.distinct)
		e, ok := err.(*SignatureError)
		if !ok || e.Error() != c.want || e.Hint != c.hint {
			t.Errorf("%s: %v, want %s (%s)", c.function, err, c.want, c.hint)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	const n = 4096
	for _, groups := range []int{1000, 1_000_000} {
		random := rand.New(rand.NewPCG(3, 3))
		ids := make([]uint32, n)
		values := &vector.Vector{Kind: vector.Int64, Ints: make([]int64, n)}
		for k := range ids {
			ids[k] = uint32(random.IntN(groups))
			values.Ints[k] = random.Int64N(1000)
		}
		for _, c := range []aggregateCase{
			{name: "COUNT(*)", function: "COUNT", star: true},
			{name: "SUM", function: "SUM", arg: types.BigIntType},
			{name: "MAX", function: "MAX", arg: types.BigIntType},
			{name: "AVG", function: "AVG", arg: types.BigIntType},
			{name: "COUNT(DISTINCT)", function: "COUNT", arg: types.BigIntType, distinct: true},
		} {
			b.Run(fmt.Sprintf("%s/groups=%d", c.name, groups), func(b *testing.B) {
				acc := c.overload(b).New()
				acc.Grow(groups)
				arg := values
				if c.star {
					arg = nil
				}
				for b.Loop() {
					acc.Add(ids, arg, vector.All(n))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
			})
		}
	}
}
