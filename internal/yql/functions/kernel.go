package functions

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// spec is how a call of this package is computed.
type spec struct {
	// nulls says what the kernel sees of NULLs, mayBeNull that it makes some of its own.
	nulls     function.NullPolicy
	mayBeNull bool
	stability function.Stability
	// One of kernel and bind is set, as in function.Overload.
	kernel function.Kernel
	bind   func(constants []*vector.Vector) (function.Kernel, error)
	// variant tells calls of one name and types from each other that compute different things.
	variant string
	// spell writes the call if NAME(a, b) is not the way.
	spell func(args []string, params []types.Type) string
}

// call makes the call of a kernel. What is called name computes the same for arguments of the same YQL types, a result of the same type and the same variant: those
// are the key of its function.Scalar, so that equal calls are equal expressions. The result is Optional if an argument is, or if the kernel makes NULLs.
func call(name string, s spec, result yqltype.Type, args ...Value) (Value, error) {
	exprs := make([]expr.Expr, len(args))
	var key strings.Builder
	key.WriteString(name)
	for i, a := range args {
		exprs[i] = a.Expr
		key.WriteString(" " + a.Type.String())
	}
	if s.nulls != function.NullAware {
		result.Optional = result.Optional || s.mayBeNull
		for _, a := range args {
			result.Optional = result.Optional || a.Type.Optional || a.Type.Kind == yqltype.Null
		}
	}
	key.WriteString(" " + result.String() + " " + s.variant)
	e, err := expr.NewCall(scalarOf(key.String(), name, s.named(name), result.Physical()), exprs)
	if err != nil {
		return Value{}, own(name, args, err)
	}
	return Value{Expr: e, Type: result}, nil
}

// telling is a kernel whose errors say which function they are of.
func telling(name string, kernel function.Kernel) function.Kernel {
	return func(c *function.Call) error {
		err := kernel(c)
		if row, ok := err.(*function.RowError); ok {
			return &function.RowError{Row: row.Row, Err: fmt.Errorf("%s: %w", name, row.Err), Hint: row.Hint}
		}
		return err
	}
}

// named is s with kernels whose errors say which function they are of.
func (s spec) named(name string) spec {
	if kernel := s.kernel; kernel != nil {
		s.kernel = telling(name, kernel)
	}
	if bind := s.bind; bind != nil {
		s.bind = func(constants []*vector.Vector) (function.Kernel, error) {
			kernel, err := bind(constants)
			if err != nil {
				return nil, err
			}
			return telling(name, kernel), nil
		}
	}
	return s
}

func scalarOf(key, name string, s spec, result types.Type) *function.Scalar {
	f := &function.Scalar{Name: name, Key: key, Signatures: []string{name + "(…)"}, Spell: s.spell}
	f.Resolver = func(args []types.Type, _ []*vector.Vector) (function.Overload, bool) {
		params := make([]types.Type, len(args))
		for i, t := range args {
			params[i] = t.Nullable()
		}
		return function.Overload{Params: params, Result: result, Nulls: s.nulls, MayBeNull: s.mayBeNull, Stability: s.stability, Kernel: s.kernel, Bind: s.bind}, true
	}
	if name[0]|0x20 < 'a' {
		f.Notation = function.Infix
	}
	return f
}

// native applies a function of Tidemark and says which YQL type the result has.
func native(name string, result yqltype.Type, args ...Value) (Value, error) {
	exprs := make([]expr.Expr, len(args))
	for i, a := range args {
		exprs[i] = a.Expr
		result.Optional = result.Optional || a.Type.Optional || a.Type.Kind == yqltype.Null
	}
	e, err := expr.NewCall(function.MustScalar(name), exprs)
	if err != nil {
		return Value{}, own(name, args, err)
	}
	return Value{Expr: e, Type: result}, nil
}

// errNull is what the function of a row gives for NULL.
var errNull = function.ErrNull

// fail makes an error of row i, and of errNull a NULL.
func fail(c *function.Call, i int, err error) error {
	if err == errNull {
		c.SetNull(i)
		c.Out.Zero(i)
		return nil
	}
	return &function.RowError{Row: i, Err: err}
}

// ints is the kernel of a function that gives a whole number, instant or interval for each row.
func ints(f func(c *function.Call, i int) (int64, error)) function.Kernel {
	return func(c *function.Call) error { return each(c, c.Out.Ints, f) }
}

// floats is ints for a Float or Double.
func floats(f func(c *function.Call, i int) (float64, error)) function.Kernel {
	return func(c *function.Call) error { return each(c, c.Out.Floats, f) }
}

// each computes every row of a call into out.
func each[T int64 | float64](c *function.Call, out []T, f func(c *function.Call, i int) (T, error)) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		v, err := f(c, i)
		if err != nil {
			if err = fail(c, i, err); err != nil {
				return err
			}
			continue
		}
		out[i] = v
	}
	return nil
}

// bools is ints for a Bool.
func bools(f func(c *function.Call, i int) (bool, error)) function.Kernel {
	return func(c *function.Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			v, err := f(c, i)
			if err != nil {
				if err = fail(c, i, err); err != nil {
					return err
				}
				continue
			}
			c.Out.Bools[i] = 0
			if v {
				c.Out.Bools[i] = 1
			}
		}
		return nil
	}
}

// texts is the kernel of a function that appends the text of each row to dst.
func texts(f func(dst []byte, c *function.Call, i int) ([]byte, error)) function.Kernel {
	return function.Writing(f)
}

// keep gives the argument as it is, under another type.
func keep(c *function.Call) error {
	valid := c.Out.Valid
	*c.Out = *c.Args[0]
	c.Out.Valid = valid
	return nil
}
