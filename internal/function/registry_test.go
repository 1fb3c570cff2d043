package function

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// sampled is one way to call a function, for tests over the whole registry: an overload, and constants where they are wanted.
type sampled struct {
	name     string
	overload Overload
	// constants are texts of arguments that do not vary, by position.
	constants map[int]string
}

// sampleArgs are types of arguments for functions with a resolver, and constants for those that want them. A type of "" is STRING.
var sampleArgs = map[string][]struct {
	types     []types.Type
	constants map[int]string
}{
	"TRIM":       {{types: stringParams(1)}, {types: stringParams(3), constants: map[int]string{0: "LEADING"}}},
	"LIKE":       {{types: stringParams(2)}, {types: stringParams(3), constants: map[int]string{1: "a!_%e", 2: "!"}}},
	"SIMILAR TO": {{types: stringParams(2), constants: map[int]string{1: "%(a|t)_*"}}},
	"IS_ALPHA":   {{types: stringParams(1)}, {types: []types.Type{types.IntType}}},
	"IS_DIGIT":   {{types: stringParams(1)}, {types: []types.Type{types.DoubleType}}},
	"IS_DECIMAL": {{types: stringParams(1)}, {types: []types.Type{types.BigIntType}}},
	"PRINTF": {{types: stringParams(2)}, {types: []types.Type{types.StringType, types.IntType, types.DoubleType, types.StringType},
		constants: map[int]string{0: "%d|%5.1f|%s"}}},
	"JSON_EXISTS": {{types: stringParams(3), constants: map[int]string{2: "FALSE"}}, {types: stringParams(3), constants: map[int]string{1: "lax $.a[0]", 2: "UNKNOWN"}}},
	"JSON_VALUE": {{types: stringParams(7), constants: map[int]string{1: "lax $.a[0]", 3: "DEFAULT", 5: "NULL"}},
		{types: []types.Type{types.StringType, types.StringType, types.IntType, types.StringType, types.IntType, types.StringType, types.IntType},
			constants: map[int]string{1: "$.b", 3: "NULL", 5: "ERROR"}}},
	"JSON_QUERY": {{types: stringParams(6), constants: map[int]string{1: "lax $.a[*]", 3: "WITHOUT", 4: "NULL", 5: "NULL"}},
		{types: []types.Type{types.StringType, types.StringType, stringArray, types.StringType, types.StringType, types.StringType},
			constants: map[int]string{1: "$.a", 3: "CONDITIONAL", 4: "EMPTY ARRAY", 5: "NULL"}}},
	"JSON_OBJECT": {{types: []types.Type{types.StringType, types.StringType, types.StringType, types.IntType},
		constants: map[int]string{0: "ABSENT", 1: "k", 2: "VALUE"}}},
	"JSON_ARRAY": {{types: []types.Type{types.StringType, types.StringType, types.DoubleType, types.StringType, types.TimestampType},
		constants: map[int]string{0: "NULL", 1: "VALUE", 3: "VALUE"}}},
	"JSON_STRING": {{types: stringParams(1)}, {types: []types.Type{types.ArrayOf(types.IntType)}}, {types: []types.Type{stringMap}}},
}

// textFamilies are those whose functions are sampled here.
func isTextFamily(f *Scalar) bool { return f.ofText() }

// samples lists ways to call every function of text.
func samples(t testing.TB) []sampled {
	var list []sampled
	for i := range Scalars {
		f := &Scalars[i]
		if !isTextFamily(f) {
			continue
		}
		calls := sampleArgs[f.Name]
		if calls == nil {
			for _, o := range f.Overloads {
				if o.Variadic {
					params, _ := spread(o, len(o.Params)+1)
					calls = append(calls, struct {
						types     []types.Type
						constants map[int]string
					}{types: params})
				}
				calls = append(calls, struct {
					types     []types.Type
					constants map[int]string
				}{types: o.Params})
			}
		}
		if calls == nil {
			t.Errorf("%s has a resolver; say in sampleArgs how it is called", f.Name)
		}
		for _, call := range calls {
			o, err := f.Resolve(call.types, nil)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			list = append(list, sampled{f.Name + typeList(o.Params), o, call.constants})
		}
	}
	return list
}

// columns makes arguments of n rows, and binds the overload to the constant ones.
func (s *sampled) columns(t testing.TB, a *vector.Arena, r *rand.Rand, n int) []*vector.Vector {
	args := make([]*vector.Vector, len(s.overload.Params))
	constants := make([]*vector.Vector, len(args))
	for k, p := range s.overload.Params {
		if text, ok := s.constants[k]; ok {
			v := a.Constant(vector.Bytes)
			v.Buf = []byte(text)
			v.Views[0] = vector.View{Len: uint32(len(text))}
			args[k], constants[k] = v, v
			continue
		}
		args[k] = sampleColumn(a, r, p, n)
	}
	if s.overload.Bind != nil {
		kernel, err := s.overload.Bind(constants)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		s.overload.Kernel = kernel
	}
	return args
}

var sampleTexts = []string{"", "a", "tide", "März", "a,b,,c", "1.5", "😀x", `{"a":[1,2],"b":7}`, "x=1,y=2", "  pad ", "tide and tide", "UTF-8", "(", "aGk=", "%41+b",
	"http://u@example.org:80/a?k=v#r", "10.0.0.1", `"q\n"`, "lax $.a", "%s", "224"}

func sampleColumn(a *vector.Arena, r *rand.Rand, t types.Type, n int) *vector.Vector {
	b := vector.NewBuilder(a, vector.KindOf(t), n)
	for range n {
		if r.IntN(5) == 0 {
			b.AppendNull()
			continue
		}
		small, kind := int64(r.IntN(14)-3), vector.KindOf(t)
		switch {
		case t.IsNested():
			b.AppendBytes(sampleNested(a, r, t))
		case kind == vector.Bool:
			b.AppendBool(small > 3)
		case kind == vector.Int64:
			b.AppendInt(small)
		case kind == vector.Int128:
			b.AppendWide(int128.From(small))
		case kind == vector.Float64:
			b.AppendFloat(float64(small) / 4)
		default:
			b.AppendBytes([]byte(sampleTexts[r.IntN(len(sampleTexts))]))
		}
	}
	return b.Done()
}

func sampleNested(a *vector.Arena, r *rand.Rand, t types.Type) []byte {
	n := r.IntN(4)
	if t.Kind == types.Map {
		keys := vector.NewBuilder(a, vector.KindOf(t.Key()), n)
		for i := range n {
			keys.AppendBytes([]byte{byte('z' - i)})
		}
		return nested.AppendMap(nil, vector.KindOf(t.Key()), keys.Done(), vector.KindOf(t.Elem()), sampleColumn(a, r, t.Elem(), n), 0, n)
	}
	return nested.AppendArray(nil, vector.KindOf(t.Elem()), sampleColumn(a, r, t.Elem(), n), 0, n)
}

// TestEveryFunction evaluates every function of text row by row, then over random selections: the results are the same, only rows that were asked for fail,
// and a strict function is NULL exactly where an argument is, unless it may be NULL elsewhere.
func TestEveryFunction(t *testing.T) {
	env := &Env{Zone: time.UTC}
	for _, s := range samples(t) {
		if s.overload.Stability == Volatile {
			continue // TestRandom
		}
		t.Run(s.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(len(s.name))))
			const n = 96
			a := (&vector.Pool{}).Get()
			args := s.columns(t, a, r, n)
			want := make([]string, n)
			failed := make([]bool, n)
			for i := range n {
				v, err := s.overload.Eval(a, env, args, vector.Rows{Sel: []int32{int32(i)}, N: n}, n)
				if failed[i] = err != nil; failed[i] {
					if e, ok := err.(*RowError); !ok || e.Row != i {
						t.Fatalf("row %d: %v is no error of that row", i, err)
					}
					continue
				}
				want[i] = string(valuefmt.Append(nil, s.overload.Result, v, i))
				checkNull(t, &s, args, i, v.IsNull(i))
			}
			for range 20 {
				var sel []int32
				firstFailed := -1
				for i := range n {
					if r.IntN(3) > 0 && (!failed[i] || r.IntN(20) == 0) {
						sel = append(sel, int32(i))
						if failed[i] && firstFailed < 0 {
							firstFailed = i
						}
					}
				}
				if len(sel) == 0 {
					continue
				}
				v, err := s.overload.Eval(a, env, args, vector.Rows{Sel: sel, N: n}, n)
				if (err != nil) != (firstFailed >= 0) {
					t.Fatalf("rows %v: error %v, the first row that fails alone is %d", sel, err, firstFailed)
				}
				for _, i := range sel {
					if err != nil {
						break
					}
					if got := string(valuefmt.Append(nil, s.overload.Result, v, int(i))); got != want[i] {
						t.Fatalf("row %d is %s alone and %s among others: %s", i, want[i], got, describe(args, s.overload.Params, int(i)))
					}
				}
			}
		})
	}
}

func checkNull(t *testing.T, s *sampled, args []*vector.Vector, i int, null bool) {
	t.Helper()
	anyNull := false
	for _, v := range args {
		anyNull = anyNull || v.IsNull(i)
	}
	switch o := &s.overload; {
	case null && o.Result.NotNull:
		t.Fatalf("NULL, which its type rules out: %s", describe(args, o.Params, i))
	case o.Nulls != NullAware && anyNull && !null, o.Nulls != NullAware && !anyNull && null && !o.MayBeNull:
		t.Fatalf("NULL is %v: %s", null, describe(args, o.Params, i))
	}
}

func describe(args []*vector.Vector, params []types.Type, i int) string {
	var b strings.Builder
	for k, v := range args {
		fmt.Fprintf(&b, "[%s]", valuefmt.Append(nil, params[k], v, i))
	}
	return b.String()
}

// BenchmarkEveryFunction runs every function of text over 4,096 rows of texts without NULLs.
func BenchmarkEveryFunction(b *testing.B) {
	const n = 4096
	for _, s := range samples(b) {
		b.Run(s.name, func(b *testing.B) {
			var pool vector.Pool
			keep := pool.Get()
			args := s.columns(b, keep, rand.New(rand.NewPCG(1, 1)), n)
			rows := runnable(&s, args, n)
			env := &Env{Zone: time.UTC}
			b.ReportAllocs()
			from := cputime.Used()
			for b.Loop() {
				a := pool.Get()
				if _, err := s.overload.Eval(a, env, args, vector.Rows{Sel: rows, N: n}, n); err != nil {
					b.Fatal(err)
				}
				a.Release()
			}
			b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(b.N)/float64(len(rows)), "cpu-ns/row")
		})
	}
}

// runnable are the rows that have no error and no NULL.
func runnable(s *sampled, args []*vector.Vector, n int) []int32 {
	var rows []int32
	a := (&vector.Pool{}).Get()
	for i := range n {
		null := false
		for _, v := range args {
			null = null || v.IsNull(i)
		}
		if _, err := s.overload.Eval(a, &Env{Zone: time.UTC}, args, vector.Rows{Sel: []int32{int32(i)}, N: n}, n); err == nil && !null {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
