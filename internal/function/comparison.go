package function

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var comparisonFunctions = []Scalar{
	{
		Name: "=", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 = value2"},
		Doc:        "Whether two values are equal; NULL if one is NULL.",
		Example:    "1 = 1.0e0", ExampleResult: "TRUE",
		Resolver: byTypes(comparison(equal)),
	},
	{
		Name: "<>", Aliases: []string{"!="}, Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 <> value2"},
		Doc:        "Whether two values differ; NULL if one is NULL.",
		Example:    "'tide' <> 'ebb'", ExampleResult: "TRUE",
		Resolver: byTypes(comparison(notEqual)),
	},
	{
		Name: "<", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 < value2"},
		Doc:        "Whether the first value is less; strings compare byte by byte, FALSE is less than TRUE.",
		Example:    "'ebb' < 'tide'", ExampleResult: "TRUE",
		Resolver: byTypes(comparison(less)),
	},
	{
		Name: "<=", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 <= value2"},
		Doc:        "Whether the first value is less or equal.",
		Example:    "2 <= 2", ExampleResult: "TRUE",
		Resolver: byTypes(comparison(lessEqual)),
	},
	{
		Name: ">", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 > value2"},
		Doc:        "Whether the first value is greater.",
		Example:    "1 > 2", ExampleResult: "FALSE",
		Resolver: byTypes(comparison(greater)),
	},
	{
		Name: ">=", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 >= value2"},
		Doc:        "Whether the first value is greater or equal.",
		Example:    "2 >= 3", ExampleResult: "FALSE",
		Resolver: byTypes(comparison(greaterEqual)),
	},
	{
		Name: "IS DISTINCT FROM", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 IS DISTINCT FROM value2"},
		Doc:        "Whether two values differ, a NULL being equal to a NULL and to nothing else.",
		Example:    "1 IS DISTINCT FROM NULL", ExampleResult: "TRUE",
		Resolver: byTypes(distinctness(notEqual)),
	},
	{
		Name: "IS NOT DISTINCT FROM", Family: FamilyComparison, Notation: Infix,
		Signatures: []string{"value1 IS NOT DISTINCT FROM value2"},
		Doc:        "Whether two values are equal, a NULL being equal to a NULL and to nothing else.",
		Example:    "NULL IS NOT DISTINCT FROM NULL", ExampleResult: "TRUE",
		Resolver: byTypes(distinctness(equal)),
	},
}

// relation is what a comparison asks for.
type relation uint8

const (
	equal relation = iota
	notEqual
	less
	lessEqual
	greater
	greaterEqual
)

// mirrored is the relation of b to a when r is that of a to b.
func (r relation) mirrored() relation {
	return [...]relation{equal, notEqual, greater, greaterEqual, less, lessEqual}[r]
}

// outcomes are the results for a three-way comparison of -1, 0 and 1.
func (r relation) outcomes() [3]uint8 {
	return [...][3]uint8{{0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}}[r]
}

// comparison takes two values that have a common type.
func comparison(r relation) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		o, ok := comparing(r, args)
		if !ok || o.Params[0].IsNested() && r != equal && r != notEqual {
			return Overload{}, false
		}
		return o, true
	}
}

// comparing is the strict comparison of two values of any type.
func comparing(r relation, args []types.Type) (Overload, bool) {
	if len(args) != 2 {
		return Overload{}, false
	}
	if x, y, ok := decimalPair(args[0], args[1]); ok {
		if _, exact := types.CommonDecimal(x, y); !exact {
			return Overload{Params: []types.Type{args[0].Nullable(), args[1].Nullable()}, Result: types.BooleanType, Kernel: compareDecimals(r, x, y)}, true
		}
	}
	t, ok := comparedWithText(r, args[0], args[1])
	if !ok {
		t, ok = types.Common(args[0], args[1])
	}
	t = t.Nullable()
	o := Overload{Params: []types.Type{t, t}, Result: types.BooleanType, Kernel: compareValues(r, t), Nulls: StrictTotal}
	if vector.KindOf(t) == vector.Bytes {
		o.Nulls = Strict
	}
	return o, ok
}

// comparedWithText is the type in which text is compared with something else. Flink 2.3: the text is cast to the other type, but a number or a BOOLEAN is not equal or
// unequal to text.
func comparedWithText(r relation, a, b types.Type) (types.Type, bool) {
	if b.IsText() {
		a, b = b, a
	}
	if !a.IsText() {
		return a, false
	}
	ordered := r != equal && r != notEqual
	return b, b.IsTime() || b.Kind == types.Date || b.Kind == types.Time || ordered && (b.IsNumeric() || b.Kind == types.Boolean)
}

func compareKernel(r relation, k vector.Kind) Kernel {
	switch k {
	case vector.Bool:
		return func(c *Call) error { compareOrdered(r, c, c.Args[0].Bools, c.Args[1].Bools); return nil }
	case vector.Int64:
		return func(c *Call) error { compareOrdered(r, c, c.Args[0].Ints, c.Args[1].Ints); return nil }
	case vector.Int128:
		return func(c *Call) error { compareWide(r, c); return nil }
	case vector.Float64:
		return func(c *Call) error { compareOrdered(r, c, c.Args[0].Floats, c.Args[1].Floats); return nil }
	}
	return func(c *Call) error { compareBytes(r, c); return nil }
}

// compareOrdered fills the whole column. A constant goes to the right, so that there are two shapes of loops. DOUBLE follows IEEE 754 as in Flink: a NaN
// is not equal to itself.
func compareOrdered[T uint8 | int64 | float64](r relation, c *Call, x, y []T) {
	out := c.Out.Bools
	switch {
	case c.Args[1].Const:
		compareWithConstant(r, out, x[:len(out)], y[0])
	case c.Args[0].Const:
		compareWithConstant(r.mirrored(), out, y[:len(out)], x[0])
	default:
		compareColumns(r, out, x[:len(out)], y[:len(out)])
	}
}

func compareWithConstant[T uint8 | int64 | float64](r relation, out []uint8, x []T, y T) {
	switch r {
	case equal:
		for i := range out {
			out[i] = bit(x[i] == y)
		}
	case notEqual:
		for i := range out {
			out[i] = bit(x[i] != y)
		}
	case less:
		for i := range out {
			out[i] = bit(x[i] < y)
		}
	case lessEqual:
		for i := range out {
			out[i] = bit(x[i] <= y)
		}
	case greater:
		for i := range out {
			out[i] = bit(x[i] > y)
		}
	case greaterEqual:
		for i := range out {
			out[i] = bit(x[i] >= y)
		}
	}
}

func compareColumns[T uint8 | int64 | float64](r relation, out []uint8, x, y []T) {
	switch r {
	case equal:
		for i := range out {
			out[i] = bit(x[i] == y[i])
		}
	case notEqual:
		for i := range out {
			out[i] = bit(x[i] != y[i])
		}
	case less:
		for i := range out {
			out[i] = bit(x[i] < y[i])
		}
	case lessEqual:
		for i := range out {
			out[i] = bit(x[i] <= y[i])
		}
	default:
		compareColumns(r.mirrored(), out, y, x)
	}
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func compareWide(r relation, c *Call) {
	x, y, outcomes := c.Args[0], c.Args[1], r.outcomes()
	for i := range c.Out.Bools {
		c.Out.Bools[i] = outcomes[x.Wide(i).Cmp(y.Wide(i))+1]
	}
}

func compareBytes(r relation, c *Call) {
	x, y, out := c.Args[0], c.Args[1], c.Out.Bools
	if r == equal || r == notEqual {
		same := bit(r == equal)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			out[i] = same ^ 1 ^ bit(bytes.Equal(x.Bytes(i), y.Bytes(i)))
		}
		return
	}
	outcomes := r.outcomes()
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		out[i] = outcomes[bytes.Compare(x.Bytes(i), y.Bytes(i))+1]
	}
}

// distinctness compares as r where both values are there, and looks at the validity otherwise.
func distinctness(r relation) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		strict, ok := comparing(r, args)
		if !ok {
			return Overload{}, false
		}
		return Overload{Params: strict.Params, Result: booleanNotNull, Nulls: NullAware, Kernel: func(c *Call) error {
			v, err := strict.Eval(c.Arena, c.Env, c.Args, c.Rows, c.Out.Len())
			if err != nil {
				return err
			}
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				if !v.IsNull(i) {
					c.Out.Bools[i] = v.Bools[i&v.Mask()]
					continue
				}
				oneNull := c.Args[0].IsNull(i) != c.Args[1].IsNull(i)
				c.Out.Bools[i] = bit(oneNull == (r == notEqual))
			}
			return nil
		}}, true
	}
}
