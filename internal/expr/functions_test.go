package expr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// sampleCalls are calls of functions that have no overloads to go by, or whose overloads say too little: constants stand for themselves, and a type for a column of
// that type.
var (
	intArray  = types.ArrayOf(types.IntType)
	textArray = types.ArrayOf(types.StringType)
	countMap  = types.MapOf(types.StringType, types.IntType)
	rowArray  = types.ArrayOf(types.RowOf(types.Schema{{Name: "a", Type: types.IntType}, {Name: "b", Type: types.StringType}}))
	timeOfDay = types.Type{Kind: types.Time, Precision: 3}

	shortDecimal = types.Type{Kind: types.Decimal, Precision: 10, Scale: 2}
	longDecimal  = types.Type{Kind: types.Decimal, Precision: 30, Scale: 4}

	sampleCalls = map[string][][]any{
		"ROW": {{types.IntType, types.StringType}}, "ARRAY": {{types.IntType, types.IntType}, {types.StringType, types.StringType}},
		"MAP":  {{types.StringType, types.IntType, types.StringType, types.IntType}},
		"ITEM": {{intArray, types.IntType}, {textArray, types.IntType}, {countMap, types.StringType}}, "CARDINALITY": {{intArray}, {countMap}}, "ELEMENT": {{intArray}},
		"ARRAY_APPEND": {{intArray, types.IntType}, {textArray, types.StringType}}, "ARRAY_PREPEND": {{intArray, types.IntType}}, "ARRAY_CONCAT": {{intArray, intArray}},
		"ARRAY_CONTAINS": {{intArray, types.IntType}, {textArray, types.StringType}}, "ARRAY_POSITION": {{intArray, types.IntType}}, "ARRAY_REMOVE": {{intArray, types.IntType}},
		"ARRAY_REVERSE": {{intArray}}, "ARRAY_SLICE": {{intArray, types.IntType}, {intArray, types.IntType, types.IntType}}, "ARRAY_SORT": {{intArray}, {textArray, types.BooleanType, types.BooleanType}},
		"ARRAY_MAX": {{intArray}, {textArray}}, "ARRAY_MIN": {{intArray}}, "ARRAY_JOIN": {{textArray, types.StringType}, {textArray, types.StringType, types.StringType}},
		"ARRAY_DISTINCT": {{intArray}, {rowArray}}, "ARRAY_UNION": {{intArray, intArray}}, "ARRAY_EXCEPT": {{textArray, textArray}}, "ARRAY_INTERSECT": {{intArray, intArray}},
		"MAP_KEYS": {{countMap}}, "MAP_VALUES": {{countMap}}, "MAP_ENTRIES": {{countMap}}, "MAP_FROM_ARRAYS": {{textArray, textArray}}, "MAP_UNION": {{countMap, countMap}},
		"=":  {{countMap, countMap}, {intArray, intArray}, {types.IntType, types.BigIntType}, {types.StringType, types.StringType}, {longDecimal, longDecimal}},
		"<>": {{types.DoubleType, types.DoubleType}, {rowArray, rowArray}}, "<": {{types.StringType, types.StringType}, {types.DateType, types.TimestampType}},
		"<=": {{shortDecimal, types.IntType}, {types.DoubleType, types.IntType}}, ">": {{types.IntervalDayType, types.IntervalDayType}, {longDecimal, shortDecimal}},
		">=": {{types.BytesType, types.BytesType}, {types.BooleanType, types.BooleanType}}, "IS DISTINCT FROM": {{countMap, countMap}, {types.StringType, types.StringType}},
		"IS NOT DISTINCT FROM": {{rowArray, rowArray}, {types.DoubleType, types.DoubleType}}, "IS NULL": {{types.IntType}, {countMap}}, "IS NOT NULL": {{types.StringType}, {longDecimal}},
		"AND": {{types.BooleanType, types.BooleanType}}, "OR": {{types.BooleanType, types.BooleanType}},
		"*": {{types.IntType, types.BigIntType}, {shortDecimal, shortDecimal}, {longDecimal, types.IntType}, {types.IntervalDayType, types.IntType}, {types.DoubleType, types.DoubleType}},
		"/": {{types.IntType, types.IntType}, {types.DoubleType, types.DoubleType}, {shortDecimal, types.IntType}, {types.IntervalMonthType, types.IntType}},
		"%": {{types.IntType, types.IntType}, {types.DoubleType, types.DoubleType}, {longDecimal, shortDecimal}}, "MOD": {{types.BigIntType, types.IntType}},
		"GREATEST": {{types.IntType, types.BigIntType}, {types.StringType, types.StringType, types.StringType}}, "LEAST": {{longDecimal, types.IntType}, {types.DateType, types.DateType}},
		"COALESCE": {{types.IntType, types.BigIntType, types.IntType}, {countMap, countMap}}, "IFNULL": {{types.StringType, types.StringType}, {types.IntType, types.DoubleType}},
		"NULLIF": {{types.IntType, types.IntType}, {types.StringType, types.StringType}}, "IF": {{types.BooleanType, types.IntType, types.BigIntType}, {types.BooleanType, intArray, intArray}},
		"TYPEOF": {{types.IntType}, {countMap}}, "IS_ALPHA": {{types.StringType}, {types.IntType}}, "IS_DIGIT": {{types.StringType}}, "IS_DECIMAL": {{types.StringType}, {types.DoubleType}},
		"TRIM": {{types.StringType}, {"LEADING", types.StringType, types.StringType}, {"BOTH", " ", types.StringType}},
		"LIKE": {{types.StringType, types.StringType}, {types.StringType, "%t!_e%", "!"}}, "SIMILAR TO": {{types.StringType, "(ebb|t%)"}, {types.StringType, "x!%", "!"}},
		"PRINTF":      {{"%s|%5.1f|%d", types.StringType, types.DoubleType, types.IntType}, {types.StringType, types.IntType}},
		"JSON_EXISTS": {{types.StringType, "$.a", "FALSE"}, {types.StringType, types.StringType, "TRUE"}}, "JSON_STRING": {{types.StringType}, {intArray}, {countMap}, {types.TimestampType}},
		"JSON_VALUE": {{types.StringType, "$.a", types.StringType, "DEFAULT", types.StringType, "NULL", types.StringType}},
		"JSON_QUERY": {{types.StringType, "$.a", types.StringType, "WITHOUT", "NULL", "EMPTY ARRAY"}}, "JSON_OBJECT": {{"NULL", "k", "VALUE", types.IntType, "l", "VALUE", types.StringType}},
		"JSON_ARRAY": {{"ABSENT", "VALUE", types.IntType, "VALUE", types.BooleanType}},

		"EXTRACT": {{"DOY", types.DateType}, {"SECOND", timeOfDay}, {"WEEK", types.TimestampType}, {"HOUR", types.TimestampLTZType}, {"HOUR", types.IntervalDayType}, {"QUARTER", types.IntervalMonthType}},
		"FLOOR":   {{types.DateType, "MONTH"}, {timeOfDay, "MINUTE"}, {types.TimestampLTZType, "WEEK"}}, "CEIL": {{types.DateType, "QUARTER"}, {timeOfDay, "HOUR"}, {types.TimestampType, "DAY"}},
		"+": {{types.IntType, types.BigIntType}, {longDecimal, shortDecimal}, {types.DoubleType, types.IntType}, {types.DateType, types.IntervalMonthType}, {types.IntervalDayType, timeOfDay}, {types.DateType, types.IntervalDayType}}, "-": {{types.IntType}, {shortDecimal, shortDecimal}, {types.DateType, types.IntervalDayType}, {timeOfDay, types.IntervalMonthType}},
		"TIMESTAMPADD":  {{"HOUR", types.IntType, types.DateType}, {"MONTH", types.IntType, types.DateType}, {"MINUTE", types.IntType, timeOfDay}},
		"TIMESTAMPDIFF": {{"DAY", types.DateType, types.TimestampType}, {"SECOND", timeOfDay, timeOfDay}, {"MONTH", types.TimestampLTZType, types.TimestampLTZType}},
		"DAY TO SECOND": {{types.DateType, types.TimestampType}}, "YEAR TO MONTH": {{types.DateType, types.DateType}},
		"DATE_FORMAT": {{types.TimestampType, "EEE, d MMM yyyy HH:mm:ss.SSS"}, {types.TimestampLTZType, "QQQ w e"}, {types.StringType, "dd/MM"}, {types.TimestampType, types.StringType}},
		"TO_DATE":     {{types.StringType}, {types.StringType, "yyyy-MM-dd"}}, "TO_TIMESTAMP": {{types.StringType}, {types.StringType, "yyyy-MM-dd HH:mm:ss"}, {types.StringType, types.StringType}},
		"TO_TIMESTAMP_LTZ": {{types.BigIntType, int64(6)}, {types.DoubleType, types.IntType}, {types.StringType, "yyyy-MM-dd HH:mm:ss", "Asia/Tokyo"}},
		"FROM_UNIXTIME":    {{types.BigIntType}, {types.BigIntType, "EEE z"}, {types.BigIntType, types.StringType}},
		"UNIX_TIMESTAMP":   {{types.StringType}, {types.StringType, "yyyy-MM-dd HH:mm:ss"}}, "CONVERT_TZ": {{types.StringType, "Europe/Berlin", "GMT+5"}},
	}
)

func sampleArg(t testing.TB, random *rand.Rand, a *vector.Arena, arg any, n int, b *vector.Batch) Expr {
	switch arg := arg.(type) {
	case string:
		return LiteralString(arg)
	case int64:
		return LiteralInt(types.IntType, arg)
	case types.Type:
		b.Cols = append(b.Cols, sampleColumn(random, a, arg, n))
		return NewColumn(len(b.Cols)-1, fmt.Sprintf("c%d", len(b.Cols)-1), arg)
	}
	t.Fatalf("argument %v", arg)
	return nil
}

var sampleStrings = []string{"2024-02-29 12:34:56", "2024-03-31 02:30:00", "1969-12-31 23:59:59", "2024-2-3", "", "ebb", "tide", "yyyy", "dd.MM", "2024-02-29 12:34:56.789",
	"(", "a%b,,c", "März 😀", `{"a":[1,2],"k":"v"}`, "12.5", "x=1;y=2", "aGk=", "http://u@example.org:80/a?k=v#r", "UTF-8"}

func sampleColumn(random *rand.Rand, a *vector.Arena, t types.Type, n int) *vector.Vector {
	b := vector.NewBuilder(a, vector.KindOf(t), n)
	for range n {
		if random.IntN(6) == 0 {
			b.AppendNull()
			continue
		}
		small := int64(random.IntN(9) - 2)
		switch t.Kind {
		case types.Array:
			count := random.IntN(5)
			b.AppendBytes(nested.AppendArray(nil, vector.KindOf(t.Elem()), sampleColumn(random, a, t.Elem(), count), 0, count))
		case types.Map:
			count := random.IntN(4)
			keys := vector.NewBuilder(a, vector.Bytes, count)
			for i := range count {
				keys.AppendBytes([]byte(sampleStrings[(int(small)+2+i)%len(sampleStrings)]))
			}
			b.AppendBytes(nested.AppendMap(nil, vector.Bytes, keys.Done(), vector.KindOf(t.Elem()), sampleColumn(random, a, t.Elem(), count), 0, count))
		case types.Row:
			var cols []*vector.Vector
			for _, f := range t.Fields() {
				cols = append(cols, sampleColumn(random, a, f.Type, 1))
			}
			b.AppendBytes(nested.AppendRow(nil, cols, 0))
		case types.String:
			b.AppendBytes([]byte(sampleStrings[random.IntN(len(sampleStrings))]))
		case types.Boolean:
			b.AppendBool(small > 2)
		case types.Double:
			b.AppendFloat(float64(small) * 1e8)
		case types.Date:
			b.AppendInt(small * 5000)
		case types.Time:
			b.AppendInt(int64(random.IntN(86_400_000)) * 1000)
		case types.Timestamp, types.TimestampLTZ:
			b.AppendInt(int64(random.IntN(2_000_000_000)-200_000_000) * 1_000_000)
		case types.IntervalDay:
			b.AppendInt(small * 40_000_000_000)
		default:
			switch vector.KindOf(t) {
			case vector.Float64:
				b.AppendFloat(float64(small) / 4)
			case vector.Int128:
				b.AppendWide(int128.From(small * 1_000_000_007))
			case vector.Bytes:
				b.AppendBytes([]byte{'0' + byte(small&7), byte(small)})
			default:
				b.AppendInt(small)
			}
		}
	}
	return b.Done()
}

// callsOf are the sample calls of a function: those of sampleCalls, or one with columns for each of its overloads.
func callsOf(t testing.TB, s *function.Scalar) [][]any {
	calls, known := sampleCalls[s.Name]
	if !known {
		for _, o := range s.Overloads {
			var call []any
			for _, p := range o.Params {
				call = append(call, p)
			}
			if o.Variadic {
				call = append(call, call[len(call)-1])
			}
			calls = append(calls, call)
		}
	}
	if len(calls) == 0 {
		t.Errorf("%s has no call among the samples", s.Name)
	}
	return calls
}

// sampled is a call over columns of random values.
type sampled struct {
	function *function.Scalar
	args     []Expr
	e        Expr
	b        *vector.Batch
}

// with is the same call with other arguments.
func (s sampled) with(change func(i int, arg Expr) Expr) (Expr, error) {
	args := make([]Expr, len(s.args))
	for i, arg := range s.args {
		args[i] = change(i, arg)
	}
	return NewCall(s.function, args)
}

// eachSample calls every function over n random rows.
func eachSample(t testing.TB, n int, f func(call sampled)) {
	random := rand.New(rand.NewPCG(4, 2))
	for i := range function.Scalars {
		s := &function.Scalars[i]
		for _, call := range callsOf(t, s) {
			var pool vector.Pool
			b := &vector.Batch{N: n, Arena: pool.Get()}
			var args []Expr
			for _, arg := range call {
				args = append(args, sampleArg(t, random, b.Arena, arg, n, b))
			}
			e, err := NewCall(s, args)
			if err != nil {
				t.Errorf("%s %v: %v", s.Name, call, err)
				continue
			}
			if call, ok := e.(*Call); ok && call.overload.Stability == function.Volatile {
				continue // TestRandom of package function
			}
			f(sampled{s, args, e, b})
		}
	}
}

func zoned(t testing.TB, a *vector.Arena) *Context {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return &Context{Arena: a, Env: &function.Env{Zone: zone}}
}

// TestFunctionsByRow: a function gives one value for a row whether the row stands alone, with all others, in a selection, or has constants in its columns; and only
// rows that were asked for can fail.
func TestFunctionsByRow(t *testing.T) {
	eachSample(t, 70, func(s sampled) {
		e, b := s.e, s.b
		c := zoned(t, b.Arena)
		alone := make([]string, b.N)
		var good []int32
		for i := range b.N {
			single, constant := &vector.Batch{N: 1, Arena: b.Arena}, &vector.Batch{N: 3, Arena: b.Arena}
			for _, column := range b.Cols {
				v := column.Take(b.Arena, []int32{int32(i)})
				single.Cols = append(single.Cols, v)
				v = column.Take(b.Arena, []int32{int32(i)})
				v.Const = true
				constant.Cols = append(constant.Cols, v)
			}
			v, err := e.Eval(c, single, vector.All(1))
			var row *RowError
			if err != nil && !errors.As(err, &row) {
				t.Fatalf("%s: %v", e, err)
			}
			w, err2 := e.Eval(c, constant, vector.All(3))
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%s: %v alone, %v of constants", e, err, err2)
			}
			if err != nil {
				continue
			}
			good = append(good, int32(i))
			alone[i] = string(valuefmt.Append(nil, e.Type(), v, 0))
			if of := string(valuefmt.Append(nil, e.Type(), w, 2)); of != alone[i] {
				t.Errorf("%s: %s alone, %s of constants", e, alone[i], of)
			}
		}
		some := good[len(good)/3:]
		for _, sel := range [][]int32{good, some} {
			rows := vector.Rows{Sel: sel, N: b.N}
			if len(sel) == b.N {
				rows = vector.All(b.N)
			}
			v, err := e.Eval(c, b, rows)
			if err != nil {
				t.Fatalf("%s fails together: %v", e, err)
			}
			for _, i := range sel {
				if got := string(valuefmt.Append(nil, e.Type(), v, int(i))); got != alone[i] {
					t.Errorf("%s: row %d is %s alone, %s together", e, i, alone[i], got)
				}
			}
		}
	})
}

// TestFunctionsOfNull puts a NULL in the place of each column: as a constant and as a column it gives the same, and NULL if the function is strict.
func TestFunctionsOfNull(t *testing.T) {
	eachSample(t, 12, func(s sampled) {
		for k, arg := range s.args {
			if _, ok := arg.(*Column); !ok {
				continue
			}
			constant, err := s.with(func(i int, arg Expr) Expr {
				if i == k {
					return Null(arg.Type())
				}
				return arg
			})
			if err != nil {
				t.Errorf("%s with a NULL for %s: %v", s.e, arg, err)
				continue
			}
			nulls := *s.b
			nulls.Cols = slices.Clone(s.b.Cols)
			nulls.Cols[arg.(*Column).Index] = s.b.Arena.NullConstant(vector.KindOf(arg.Type()))
			call, isCall := s.e.(*Call)
			for i := range int32(s.b.N) {
				row := vector.Rows{Sel: []int32{i}, N: s.b.N}
				of, err := constant.Eval(zoned(t, s.b.Arena), s.b, row)
				column, err2 := s.e.Eval(zoned(t, s.b.Arena), &nulls, row)
				if (err == nil) != (err2 == nil) {
					t.Fatalf("%s with a NULL for %s: %v as a constant, %v as a column", s.e, arg, err, err2)
				}
				if err != nil {
					continue
				}
				want, got := text(constant.Type(), of, int(i)), text(s.e.Type(), column, int(i))
				if want != got {
					t.Errorf("%s with a NULL for %s: %s as a constant, %s as a column", s.e, arg, want, got)
				}
				if isCall && call.overload.Nulls != function.NullAware && got != "NULL" {
					t.Errorf("%s of a NULL is %s", s.e, got)
				}
			}
		}
	})
}

func text(t types.Type, v *vector.Vector, i int) string { return string(valuefmt.Append(nil, t, v, i)) }

// TestFunctionsOfLiterals: what is computed of literals while planning is what is computed of columns.
func TestFunctionsOfLiterals(t *testing.T) {
	eachSample(t, 25, func(s sampled) {
		if s.function.Name == "TYPEOF" {
			// The type of a literal says more than that of a column.
			return
		}
		for i := range s.b.N {
			folded, err := s.with(func(_ int, arg Expr) Expr {
				if column, ok := arg.(*Column); ok {
					return literalOf(column.Type(), s.b.Cols[column.Index].Take(s.b.Arena, []int32{int32(i)}))
				}
				return arg
			})
			var signature *function.SignatureError
			if errors.As(err, &signature) {
				t.Errorf("%s: %v", s.e, err)
			}
			if err != nil {
				// A constant that cannot be meant is refused.
				continue
			}
			single := &vector.Batch{N: 1, Arena: s.b.Arena}
			for _, column := range s.b.Cols {
				single.Cols = append(single.Cols, column.Take(s.b.Arena, []int32{int32(i)}))
			}
			v, err := s.e.Eval(zoned(t, s.b.Arena), single, vector.All(1))
			w, err2 := folded.Eval(zoned(t, s.b.Arena), single, vector.All(1))
			if (err == nil) != (err2 == nil) {
				t.Errorf("%s: %v of columns, %v of literals: %s", s.e, err, err2, folded)
				continue
			}
			if err == nil && !sameText(s.e.Type(), v, folded.Type(), w) {
				t.Errorf("%s: %s of columns, %s of literals: %s", s.e, text(s.e.Type(), v, 0), text(folded.Type(), w, 0), folded)
			}
		}
	})
}

// sameText compares values of which the second may have more digits behind the second, since its format is known.
func sameText(t types.Type, v *vector.Vector, u types.Type, w *vector.Vector) bool {
	if t.Kind == u.Kind && vector.KindOf(t) == vector.Int64 {
		return v.IsNull(0) == w.IsNull(0) && (v.IsNull(0) || v.Int(0) == w.Int(0))
	}
	return text(t, v, 0) == text(u, w, 0)
}

// BenchmarkFunctions tells of functions above the limit that are in no class of costlyFunctions. A single operation tells nothing: it pays for what all share.
func BenchmarkFunctions(b *testing.B) {
	const n = 4096
	eachSample(b, n, func(s sampled) {
		e, batch := s.e, s.b
		var pool vector.Pool
		rows, a := vector.Rows{N: n}, batch.Arena
		// Rows that fail are left out, and calls that fail as a whole.
		for {
			_, err := e.Eval(zoned(b, a), batch, rows)
			var row *RowError
			if err != nil && !errors.As(err, &row) {
				return
			}
			if err == nil {
				break
			}
			var rest []int32
			for k := range rows.Count() {
				if i := rows.At(k); i != row.Row {
					rest = append(rest, int32(i))
				}
			}
			rows = vector.Rows{Sel: rest, N: n}
		}
		c := zoned(b, nil)
		b.Run(e.String(), func(b *testing.B) {
			b.ReportAllocs()
			from := cputime.Used()
			for b.Loop() {
				c.Arena = pool.Get()
				if _, err := e.Eval(c, batch, rows); err != nil {
					b.Fatal(err)
				}
				c.Arena.Release()
			}
			cost := float64((cputime.Used() - from).Nanoseconds()) / float64(b.N) / float64(rows.Count())
			b.ReportMetric(cost, "cpu-ns/row")
			if b.N > 1 && cost > costlyAbove && !costly(s.function.Name) {
				b.Logf("%s takes %.0f ns a row and is in no class of costlyFunctions", s.function.Name, cost)
			}
		})
	})
}
