package function

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// aggregateCase is one overload of an aggregate.
type aggregateCase struct {
	name     string
	function string
	call     AggregateCall
}

// lawTypes has a type for each layout, and for each way of ordering and printing it.
var lawTypes = []types.Type{types.BooleanType, types.TinyIntType, types.SmallIntType, types.IntType, types.BigIntType, types.FloatType, types.DoubleType,
	types.DecimalOf(10, 2), types.DecimalOf(38, 10), types.StringType, types.BytesType, types.DateType, types.TimestampType, types.TimestampLTZType,
	types.IntervalDayType, types.IntervalMonthType, types.ArrayOf(types.IntType)}

// constant is a constant argument.
func constant(t types.Type, text string) *vector.Vector {
	b := vector.NewBuilder((&vector.Pool{}).Get(), vector.KindOf(t), 1)
	switch vector.KindOf(t) {
	case vector.Bytes:
		b.AppendBytes([]byte(text))
	case vector.Float64:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		b.AppendFloat(v)
	case vector.Bool:
		b.AppendBool(text == "1")
	case vector.Int64:
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		b.AppendInt(v)
	}
	v := b.Done()
	v.Const = true
	return v
}

// lawArgs are the arguments that aggregates are called with: one of each type, and those that have more.
func lawArgs() []AggregateCall {
	calls := []AggregateCall{{}}
	for _, t := range lawTypes {
		calls = append(calls, AggregateCall{Args: []types.Type{t}})
	}
	half, nulls := constant(types.DoubleType, "0.5"), constant(types.StringType, "NULL")
	three, descending, ascending := constant(types.BigIntType, "3"), constant(types.BooleanType, "1"), constant(types.BooleanType, "0")
	for _, key := range lawTypes {
		calls = append(calls,
			AggregateCall{Args: []types.Type{types.StringType, key, types.BigIntType, types.BooleanType}, Constants: []*vector.Vector{nil, nil, three, descending}},
			AggregateCall{Args: []types.Type{key, types.IntType, types.BigIntType, types.BooleanType}, Constants: []*vector.Vector{nil, nil, three, ascending}})
	}
	for _, t := range lawTypes {
		calls = append(calls, AggregateCall{Args: []types.Type{t, types.BigIntType}, Constants: []*vector.Vector{nil, three}},
			AggregateCall{Args: []types.Type{t, types.BigIntType}, Constants: []*vector.Vector{nil, constant(types.BigIntType, "0")}})
	}
	return append(calls, AggregateCall{Args: []types.Type{types.DoubleType, types.DoubleType}},
		AggregateCall{Args: []types.Type{types.StringType, types.StringType}, Constants: []*vector.Vector{nil, nulls}},
		AggregateCall{Args: []types.Type{types.StringType, types.StringType, types.StringType}, Constants: []*vector.Vector{nil, nil, nulls}},
		AggregateCall{Args: []types.Type{types.StringType, types.StringType}, Constants: []*vector.Vector{nil, constant(types.StringType, "; ")}},
		AggregateCall{Args: []types.Type{types.BigIntType, types.DoubleType}, Constants: []*vector.Vector{nil, half}},
		AggregateCall{Args: []types.Type{types.DecimalOf(10, 2), types.DoubleType, types.IntType}, Constants: []*vector.Vector{nil, half, nil}})
}

func aggregateCases() []aggregateCase {
	var cases []aggregateCase
	for _, f := range slices.Concat(Aggregates, OtherAggregates) {
		for _, c := range lawArgs() {
			for _, distinct := range []bool{false, true} {
				if distinct && strings.HasPrefix(f.Name, "JSON_") {
					continue // nobody can write that
				}
				for _, updates := range []bool{false, true} {
					c.Distinct, c.Updates = distinct, updates
					if _, err := f.Resolve(c); err == nil {
						cases = append(cases, aggregateCase{fmt.Sprintf("%s%s distinct=%v updates=%v", f.Name, typeList(c.Args), distinct, updates), f.Name, c})
					}
				}
			}
		}
	}
	return cases
}

func (c aggregateCase) overload(t testing.TB) AggregateOverload {
	f, ok := LookupAggregate(c.function)
	if !ok {
		f, ok = LookupOther(c.function)
	}
	if !ok {
		t.Fatalf("no aggregate %s", c.function)
	}
	o, err := f.Resolve(c.call)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const lawGroups = 5

// randomColumn is n values with NULLs and repeats. Doubles are whole numbers, so that sums do not depend on the order; the laws about order are SUM's own.
func randomColumn(random *rand.Rand, a *vector.Arena, t types.Type, n int) *vector.Vector {
	b := vector.NewBuilder(a, vector.KindOf(t), n)
	for range n {
		v := random.Int64N(7) - 3
		switch {
		case random.IntN(4) == 0:
			b.AppendNull()
		case t.Kind == types.Array:
			elements := &vector.Vector{Kind: vector.Int64, Ints: []int64{v, v, v}}
			b.AppendBytes(nested.AppendArray(nil, vector.Int64, elements, 0, int(v&3)))
		case vector.KindOf(t) == vector.Bool:
			b.AppendBool(v > 0)
		case vector.KindOf(t) == vector.Float64:
			b.AppendFloat([]float64{-1, math.Copysign(0, -1), 0, 1, 2, 3, 4}[v+3])
		case vector.KindOf(t) == vector.Bytes:
			b.AppendBytes([]byte([]string{"", "a", "ab", "b", "tide", "\xff", "ä"}[v+3]))
		case vector.KindOf(t) == vector.Int128:
			b.AppendWide([]int128.Int{int128.Pow10(37).Neg(), {Hi: -1, Lo: 5}, {}, {Lo: 1}, {Hi: 1}, int128.Pow10(20), int128.Pow10(37)}[v+3])
		default:
			b.AppendInt(v)
		}
	}
	return b.Done()
}

// randomInput is columns for the parameters of an aggregate, a group for each row, and the rows that count.
func randomInput(random *rand.Rand, o AggregateOverload, n int) (args []*vector.Vector, ids []uint32, rows vector.Rows) {
	a := (&vector.Pool{}).Get()
	for _, t := range o.Params {
		arg := randomColumn(random, a, t, n)
		if random.IntN(4) == 0 && n > 0 {
			arg = arg.Take(a, []int32{0})
			arg.Const = true
		}
		args = append(args, arg)
	}
	rows = vector.All(n)
	if random.IntN(2) == 0 {
		rows.Sel = []int32{}
		for i := range n {
			if random.IntN(3) > 0 {
				rows.Sel = append(rows.Sel, int32(i))
			}
		}
	}
	ids = make([]uint32, rows.Count())
	for k := range ids {
		ids[k] = uint32(random.IntN(lawGroups - 1)) // the last group stays empty
	}
	return args, ids, rows
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

func filled(o AggregateOverload, args []*vector.Vector, ids []uint32, rows vector.Rows) Accumulator {
	acc := o.New()
	acc.Grow(lawGroups)
	acc.Add(ids, args, rows)
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
			for round := range 40 {
				args, ids, rows := randomInput(random, o, random.IntN(40))
				whole := filled(o, args, ids, rows)
				want := results(o, whole)

				at := random.IntN(len(ids) + 1)
				headIDs, head := cut(ids, rows, 0, at)
				tailIDs, tail := cut(ids, rows, at, len(ids))

				inTwo := filled(o, args, headIDs, head)
				inTwo.Add(tailIDs, args, tail)
				expect(t, c, round, "added in two parts", results(o, inTwo), want)

				merged := filled(o, args, headIDs, head)
				merged.Merge([]uint32{0, 1, 2, 3, 4}, filled(o, args, tailIDs, tail), nil)
				expect(t, c, round, "merged", results(o, merged), want)

				// Merging with the groups turned round, into an accumulator with the groups turned round.
				reversed := []uint32{4, 3, 2, 1, 0}
				turned := o.New()
				turned.Grow(lawGroups)
				turned.Merge(reversed, whole, nil)
				got := results(o, turned)
				slices.Reverse(got)
				expect(t, c, round, "merged into other groups", got, want)

				// A selection of groups, and groups of one accumulator into each other: the empty one takes the values of group 1.
				part := o.New()
				part.Grow(lawGroups)
				part.Merge([]uint32{0, 3}, whole, []uint32{3, 1})
				part.Merge([]uint32{1}, part, []uint32{3})
				got = results(o, part)
				expect(t, c, round, "merged in part", got, []string{want[3], want[1], want[4], want[1], want[4]})

				decoded := o.New()
				decoded.Grow(lawGroups)
				for g := range uint32(lawGroups) {
					state := append(whole.Encode(nil, g), "rest"...)
					rest, err := decoded.Decode(state, g)
					if err != nil || string(rest) != "rest" {
						t.Fatalf("round %d: decoding left %q, %v", round, rest, err)
					}
				}
				expect(t, c, round, "decoded", results(o, decoded), want)

				cleared := filled(o, args, ids, rows)
				cleared.Clear(1)
				got = results(o, cleared)
				expect(t, c, round, "group 1 cleared", got, []string{want[0], want[lawGroups-1], want[2], want[3], want[4]})

				// A DOUBLE that has seen 10^27 has forgotten everything small.
				if c.call.Updates && !(c.disperses() && vector.KindOf(c.call.Args[0]) == vector.Int128) {
					testRetraction(t, random, o, c)
				}

				reused.Reset()
				reused.Grow(2)
				reused.Grow(lawGroups)
				reused.Add(ids, args, rows)
				expect(t, c, round, "reused", results(o, reused), want)

				var pool vector.Pool
				v := whole.Result(pool.Get(), reversed)
				for k, g := range reversed {
					if got := string(valuefmt.Append(nil, o.Result, v, k)); got != want[g] {
						t.Fatalf("round %d: in reverse order group %[3]d gives %[2]s, in order %[4]s", round, got, g, want[g])
					}
				}
				empty := "NULL"
				switch {
				case o.Result.Kind == types.Multiset, c.function == "JSON_OBJECTAGG":
					empty = "{}"
				case c.function == "JSON_ARRAYAGG", o.Result.Kind == types.Array && o.Result.NotNull:
					empty = "[]"
				case o.Result.NotNull:
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

// testRetraction adds rows, some of which are taken back later, in between and in any order, and wants what comes of the others alone. Of equal rows the oldest goes.
func testRetraction(t *testing.T, random *rand.Rand, o AggregateOverload, c aggregateCase) {
	t.Helper()
	args, ids, rows := randomInput(random, o, random.IntN(40))
	acc := o.New().(Retractor)
	acc.Grow(lawGroups)
	one := func(f func([]uint32, []*vector.Vector, vector.Rows), k int) {
		f(ids[k:k+1], args, vector.Rows{Sel: []int32{int32(rows.At(k))}, N: rows.N})
	}
	var live, open []int
	back := func(at int) {
		k := open[at]
		one(acc.Retract, k)
		open = slices.Delete(open, at, at+1)
		oldest := slices.IndexFunc(live, func(l int) bool { return ids[l] == ids[k] && c.rowOf(args, rows.At(l)) == c.rowOf(args, rows.At(k)) })
		live = slices.Delete(live, oldest, oldest+1)
	}
	for k := range ids {
		one(acc.Add, k)
		live = append(live, k)
		if random.IntN(2) == 0 {
			open = append(open, k)
		}
		for len(open) > 0 && random.IntN(3) == 0 {
			back(random.IntN(len(open)))
		}
	}
	for len(open) > 0 {
		back(random.IntN(len(open)))
	}
	var keptIDs []uint32
	kept := vector.Rows{Sel: []int32{}, N: rows.N}
	for _, k := range live {
		keptIDs, kept.Sel = append(keptIDs, ids[k]), append(kept.Sel, int32(rows.At(k)))
	}
	expect(t, c, 0, "taken back", results(o, acc), results(o, filled(o, args, keptIDs, kept)))
}

// rowOf is what rows that are equal to the aggregate have in common. Those that group values do not tell zeroes of either sign apart.
func (c aggregateCase) rowOf(args []*vector.Vector, i int) string {
	f, _ := LookupAggregate(c.function)
	if c.call.Distinct && !f.IgnoresDistinct || c.function == "ARRAY_AGG" || c.function == "COLLECT" {
		return string(tuple{}.append(nil, args, i))
	}
	var row []byte
	for _, v := range args {
		if row = append(row, bit(v.IsNull(i))); !v.IsNull(i) {
			row = appendOrdered(row, v, i)
		}
	}
	return string(row)
}

func expect(t *testing.T, c aggregateCase, round int, what string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, c.same) {
		t.Fatalf("round %d, %s: %v, want %v", round, what, got, want)
	}
}

func (c aggregateCase) disperses() bool {
	return strings.HasPrefix(c.function, "VAR") || strings.HasPrefix(c.function, "STDDEV") || strings.HasPrefix(c.function, "COVAR") || c.function == "CORR"
}

// same reports whether two results are the same as far as the laws go. Spreads are rounded in another order, and may be cut off to the whole number below; what
// is listed once stays where it came first though that occurrence was taken back.
func (c aggregateCase) same(got, want string) bool {
	switch {
	case got == want:
		return true
	case c.disperses():
		x, err := strconv.ParseFloat(got, 64)
		y, err2 := strconv.ParseFloat(want, 64)
		slack := 1e-6 * max(1, math.Abs(y))
		if c.call.Args[0].IsInteger() {
			slack = 1
		}
		return err == nil && err2 == nil && math.Abs(x-y) <= slack
	case c.call.Distinct && c.call.Updates:
		x, y := []byte(got), []byte(want)
		slices.Sort(x)
		slices.Sort(y)
		return bytes.Equal(x, y)
	}
	return false
}

// TestDecodeRefusesWrongBytes cuts states at every length.
func TestDecodeRefusesWrongBytes(t *testing.T) {
	for _, c := range aggregateCases() {
		o := c.overload(t)
		random := rand.New(rand.NewPCG(1, 1))
		args, ids, rows := randomInput(random, o, 30)
		acc := filled(o, args, ids, rows)
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
		{"AVG", types.IntType, false, []int64{math.MaxInt32, math.MaxInt32}, nil, "-1"},
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
		o, err := f.Resolve(AggregateCall{Args: []types.Type{c.arg}, Distinct: c.distinct})
		if err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{Kind: vector.KindOf(c.arg), Ints: c.ints, Floats: c.doubles}
		acc := o.New()
		acc.Grow(1)
		acc.Add(make([]uint32, v.Len()), []*vector.Vector{v}, vector.All(v.Len()))
		var pool vector.Pool
		if got := string(valuefmt.Append(nil, o.Result, acc.Result(pool.Get(), []uint32{0}), 0)); got != c.want {
			t.Errorf("%s of %v%v %v is %s, want %s", c.function, c.ints, c.doubles, c.arg, got, c.want)
		}
	}
}

func TestAggregateRefusals(t *testing.T) {
	of := func(list ...types.Type) AggregateCall { return AggregateCall{Args: list} }
	for _, c := range []struct {
		function   string
		call       AggregateCall
		want, hint string
	}{
		{"SUM", of(types.StringType), "cannot apply SUM to (STRING); it is called as SUM(number)", "CAST the string to a number"},
		{"SUM", of(), "cannot apply SUM to (*); it is called as SUM(number)", "only COUNT takes *"},
		{"AVG", of(types.TimestampType), "cannot apply AVG to (TIMESTAMP(3)); it is called as AVG(number)", ""},
		{"COUNT", of(types.IntType, types.IntType), "cannot apply COUNT to (INT, INT); it is called as COUNT(*) or COUNT(value) or COUNT(DISTINCT value)", ""},
		{"COUNT", AggregateCall{Distinct: true}, "cannot apply COUNT(DISTINCT) to (*); it is called as COUNT(*) or COUNT(value) or COUNT(DISTINCT value)", "name the value: COUNT(DISTINCT value)"},
		{"COUNT", AggregateCall{Distinct: true, Args: []types.Type{types.BytesType}}, "cannot apply COUNT(DISTINCT) to (BYTES); it is called as COUNT(*) or COUNT(value) or COUNT(DISTINCT value)",
			"DISTINCT is not for bytes, maps, multisets and rows; CAST the value to STRING"},
	} {
		f, _ := LookupAggregate(c.function)
		_, err := f.Resolve(c.call)
		e, ok := err.(*SignatureError)
		if !ok || e.Error() != c.want || e.Hint != c.hint {
			t.Errorf("%s: %v, want %s (%s)", c.function, err, c.want, c.hint)
		}
	}
}
