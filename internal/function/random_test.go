package function

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestRandom: functions without a seed give every row a number of its own, also of constants; NULL of a NULL.
func TestRandom(t *testing.T) {
	const n, bound = 64, 1 << 30
	a := (&vector.Pool{}).Get()
	bounds := vector.NewBuilder(a, vector.KindOf(types.IntType), 1)
	bounds.AppendInt(bound)
	many := bounds.Done()
	many.Const = true
	for _, c := range []struct {
		name string
		args []*vector.Vector
	}{{"RAND", nil}, {"RAND_INTEGER", []*vector.Vector{many}}, {"UUID", nil}} {
		o := MustScalar(c.name).Overloads[0]
		v, err := o.Eval(a, &Env{}, c.args, vector.All(n), n)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i := range n {
			seen[string(valuefmt.Append(nil, o.Result, v, i))] = true
		}
		if len(seen) < n-1 {
			t.Errorf("%s gives %d different values for %d rows", c.name, len(seen), n)
		}
	}
	o := MustScalar("RAND_INTEGER").Overloads[0]
	if v, err := o.Eval(a, &Env{}, []*vector.Vector{a.NullConstant(many.Kind)}, vector.All(n), n); err != nil || !v.IsNull(3) {
		t.Errorf("RAND_INTEGER of NULL: %v, %v", v, err)
	}
	zero := vector.NewBuilder(a, many.Kind, 1)
	zero.AppendInt(0)
	if _, err := o.Eval(a, &Env{}, []*vector.Vector{zero.Done()}, vector.All(1), 1); err == nil {
		t.Error("RAND_INTEGER of 0 is accepted")
	}
}

// The numbers are those that Flink 2.3 gives for a seed, in their order.
func TestJavaRandom(t *testing.T) {
	r := newJavaRandom(42)
	for i, want := range []float64{0.7275636800328681, 0.6832234717598454, 0.30871945533265976} {
		if got := float64(r.next(26)<<27+r.next(27)) / (1 << 53); got != want {
			t.Errorf("number %d of seed 42 is %v, want %v", i, got, want)
		}
	}
	r = newJavaRandom(42)
	for i, want := range []int64{30, 63, 48} {
		if got := r.below(100); got != want {
			t.Errorf("number %d below 100 of seed 42 is %d, want %d", i, got, want)
		}
	}
}
