package function

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var greatestFunctions = []Scalar{
	{
		Name: "GREATEST", Family: FamilyArithmetic,
		Signatures: []string{"GREATEST(value, value, …)"},
		Doc:        "The greatest of the values; NULL if one is NULL.",
		Example:    "GREATEST(3, 7, 5)", ExampleResult: "7",
		Resolver: byTypes(extremeOf(greater)),
	},
	{
		Name: "LEAST", Family: FamilyArithmetic,
		Signatures: []string{"LEAST(value, value, …)"},
		Doc:        "The least of the values; NULL if one is NULL.",
		Example:    "LEAST('b', 'a')", ExampleResult: "a",
		Resolver: byTypes(extremeOf(less)),
	},
}

// extremeOf picks the value that stands in relation r to all others.
func extremeOf(r relation) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) == 0 {
			return Overload{}, false
		}
		t, ok := args[0], true
		for _, arg := range args[1:] {
			if t, ok = types.Common(t, arg); !ok {
				return Overload{}, false
			}
		}
		if t.IsNested() {
			return Overload{}, false // arrays, maps and rows have no order
		}
		t = t.Nullable()
		return Overload{Params: slices.Repeat([]types.Type{t}, len(args)), Result: t, Kernel: extremeKernel(r, vector.KindOf(t))}, true
	}
}

func extremeKernel(r relation, k vector.Kind) Kernel {
	switch k {
	case vector.Bool:
		return func(c *Call) error {
			pick(r, c, c.Out.Bools, func(v *vector.Vector) []uint8 { return v.Bools })
			return nil
		}
	case vector.Int64:
		return func(c *Call) error {
			pick(r, c, c.Out.Ints, func(v *vector.Vector) []int64 { return v.Ints })
			return nil
		}
	case vector.Int128:
		return func(c *Call) error { pickWide(r, c); return nil }
	case vector.Float64:
		return func(c *Call) error { pickDoubles(r, c); return nil }
	}
	return func(c *Call) error { pickBytes(r, c); return nil }
}

func pick[T uint8 | int64](r relation, c *Call, out []T, values func(*vector.Vector) []T) {
	for a, v := range c.Args {
		x, mask := values(v), v.Mask()
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			candidate := x[i&mask]
			if a == 0 || (r == greater && candidate > out[i]) || (r == less && candidate < out[i]) {
				out[i] = candidate
			}
		}
	}
}

// pickDoubles takes NaN for greater than every number, as MAX does.
func pickDoubles(r relation, c *Call) {
	for a, v := range c.Args {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			candidate := v.Float(i)
			if a == 0 || (doubleKey(candidate) > doubleKey(c.Out.Floats[i])) == (r == greater) {
				c.Out.Floats[i] = candidate
			}
		}
	}
}

func pickWide(r relation, c *Call) {
	outcomes := r.outcomes()
	for a, v := range c.Args {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			if candidate := v.Wide(i); a == 0 || outcomes[candidate.Cmp(c.Out.Wides[i])+1] == 1 {
				c.Out.Wides[i] = candidate
			}
		}
	}
}

func pickBytes(r relation, c *Call) {
	outcomes := r.outcomes()
	w := newText(c, 0)
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		best := c.Args[0].Bytes(i)
		for _, v := range c.Args[1:] {
			if candidate := v.Bytes(i); outcomes[bytes.Compare(candidate, best)+1] == 1 {
				best = candidate
			}
		}
		w.buf = append(w.buf, best...)
		w.end(i)
	}
	w.done()
}
