package function

import (
	"errors"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Eval computes o over some rows of a batch of n rows, the arguments already being of its parameter types. It makes the result column, settles NULLs and
// constants, and leaves the rest to the kernel. Only the rows asked for mean anything in the result.
func (o *Overload) Eval(a *vector.Arena, env *Env, args []*vector.Vector, rows vector.Rows, n int) (*vector.Vector, error) {
	kind := vector.KindOf(o.Result)
	if rows.Count() == 0 {
		return a.NullConstant(kind), nil
	}
	c := Call{Arena: a, Env: env, Rows: rows, Args: args}
	constant := o.Stability != Volatile && allConstant(args)
	if constant {
		n, c.Rows = 1, vector.All(1)
		c.Out = a.Constant(kind)
	} else {
		c.Out = a.Flat(kind, n)
	}
	if o.Nulls != NullAware {
		for _, v := range args {
			if v.IsNullConst() {
				return a.NullConstant(kind), nil
			}
		}
		c.Out.Valid = commonValidity(a, args, n)
		c.Rows = strictRows(&c, o.Nulls, n)
	}
	err := o.run(&c)
	if err != nil && constant {
		var e *RowError
		if errors.As(err, &e) {
			err = &RowError{Row: rows.At(0), Err: e.Err, Hint: e.Hint}
		}
	}
	return c.Out, err
}

// run calls the kernel. A result that is too large is an error that names the function: of the row, if it is one value.
func (o *Overload) run(c *Call) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *vector.TooLarge:
			err = fmt.Errorf("%s: %w", o.Name, r)
			if r.Row != vector.NoRow {
				err = &RowError{Row: r.Row, Err: err}
			}
		default:
			panic(r)
		}
	}()
	return o.Kernel(c)
}

func allConstant(args []*vector.Vector) bool {
	for _, v := range args {
		if !v.Const {
			return false
		}
	}
	return true
}

// commonValidity is the rows in which every argument is valid, or nil for all. The bitmap is new: a kernel may clear bits in it.
func commonValidity(a *vector.Arena, args []*vector.Vector, n int) vector.Bitmap {
	var valid vector.Bitmap
	for _, v := range args {
		if v.Valid == nil || v.Const {
			continue
		}
		if valid == nil {
			valid = a.Words(vector.BitmapWords(n))
			copy(valid, v.Valid)
			continue
		}
		for i := range valid {
			valid[i] &= v.Valid[i]
		}
	}
	return valid
}

// strictRows are the rows that a strict kernel is to compute. A total one takes the whole batch in one dense loop: even with a selection that is cheaper than
// going from row to row.
func strictRows(c *Call, policy NullPolicy, n int) vector.Rows {
	if policy == StrictTotal {
		return vector.All(n)
	}
	if c.Out.Valid == nil {
		return c.Rows
	}
	sel := c.Arena.Sel(c.Rows.Count())
	k := 0
	for j := range sel {
		if i := c.Rows.At(j); c.Out.Valid.Get(i) {
			sel[k] = int32(i)
			k++
		}
	}
	return vector.Rows{Sel: sel[:k], N: n}
}
