package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// rowsOf is the kernel of a function that gives a List of Tuples: next gives the parts of Tuple n of row i, ok false behind the last.
func rowsOf(kinds []vector.Kind, next func(parts []*vector.Builder, c *function.Call, i, n int) (ok bool)) function.Kernel {
	return func(c *function.Call) error {
		rows := c.Rows.Count()
		parts := make([]*vector.Builder, len(kinds))
		for f, k := range kinds {
			parts[f] = vector.NewBuilder(c.Arena, k, rows)
		}
		ends := c.Arena.Sel(rows)
		for j := range rows {
			i := c.Rows.At(j)
			for n := 0; next(parts, c, i, n); n++ {
			}
			ends[j] = int32(parts[0].Len())
		}
		columns := make([]*vector.Vector, len(parts))
		for f, b := range parts {
			columns[f] = b.Done()
		}
		total := columns[0].Len()
		packed := c.Arena.Flat(vector.Bytes, total)
		nested.PackRows(c.Arena, columns, vector.All(total), packed)
		nested.Pack(c.Arena, packed, ends, c.Rows, c.Out)
		return nil
	}
}

func enumerate(c *invocation) (Value, error) {
	if c.args[0].Type.Kind == yqltype.EmptyList {
		return c.args[0], nil
	}
	elem := c.args[0].Type.Elem()
	k := kindOf(elem)
	t := yqltype.ListOf(yqltype.TupleOf(count64, elem))
	return call(c.name, spec{kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return rowsOf([]vector.Kind{vector.Int64, k}, func(parts []*vector.Builder, c *function.Call, i, n int) bool {
			if n == 0 {
				*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			}
			if n >= a.Len() {
				return false
			}
			parts[0].AppendInt(c.Args[1].Int(i) + int64(n)*c.Args[2].Int(i))
			parts[1].AppendFrom(a, n)
			return true
		})(c)
	}}, t, c.args...)
}

func zip(c *invocation, all bool) (Value, error) {
	elems := make([]yqltype.Type, len(c.args))
	layouts := make([]vector.Kind, len(c.args))
	for i, list := range c.args {
		if list.Type.Kind == yqltype.EmptyList {
			if !all {
				return List(nil)
			}
			list.Type = yqltype.ListOf(yqltype.Type{})
		}
		elems[i] = list.Type.Elem()
		if all && elems[i].Kind != yqltype.Null {
			elems[i].Optional = true
		}
		layouts[i] = kindOf(elems[i])
	}
	return call(c.name, spec{kernel: func(c *function.Call) error {
		arrays := make([]nested.Array, len(layouts))
		length := 0
		return rowsOf(layouts, func(parts []*vector.Builder, c *function.Call, i, n int) bool {
			if n == 0 {
				for f, k := range layouts {
					arrays[f] = nested.ReadArray(c.Args[f].Bytes(i), k)
					if f == 0 || (arrays[f].Len() > length) == all {
						length = arrays[f].Len()
					}
				}
			}
			if n >= length {
				return false
			}
			for f := range arrays {
				if n < arrays[f].Len() {
					parts[f].AppendFrom(&arrays[f], n)
				} else {
					parts[f].AppendNull()
				}
			}
			return true
		})(c)
	}}, yqltype.ListOf(yqltype.TupleOf(elems...)), c.args...)
}

func fromRange(c *invocation) (Value, error) {
	both, t, ok := Unify(c.args[:2])
	if !ok || !t.IsInteger() {
		return Value{}, errorf(CodeType, "%s takes whole numbers, not %s", c.name, describe(c.args[:2]))
	}
	return call(c.name, spec{kernel: buildList(vector.Int64, func(b *vector.Builder, c *function.Call, i int) error {
		from, to, step := c.Args[0].Int(i), c.Args[1].Int(i), c.Args[2].Int(i)
		if step == 0 {
			step = 1
		}
		for n, made := from, 0; step > 0 && n < to || step < 0 && n > to; n, made = n+step, made+1 {
			if made == maxMade {
				return errorf(CodeValue, "the List would have more than %d elements", maxMade)
			}
			b.AppendInt(n)
			if n > 0 && n+step < 0 && step > 0 {
				break
			}
		}
		return nil
	})}, yqltype.ListOf(t.Required()), append(slices.Clone(both), c.args[2])...)
}

func replicate(c *invocation) (Value, error) {
	t := c.args[0].Type
	k := kindOf(t)
	return call(c.name, spec{nulls: function.NullAware, kernel: buildList(k, func(b *vector.Builder, c *function.Call, i int) error {
		if c.Args[1].IsNull(i) {
			return errNull
		}
		n := c.Args[1].Int(i)
		if n > maxMade {
			return errorf(CodeValue, "the List would have more than %d elements", maxMade)
		}
		for range n {
			b.AppendFrom(c.Args[0], i)
		}
		return nil
	})}, withOptional(yqltype.ListOf(t), c.args[1].Type.Optional), c.args...)
}

func withOptional(t yqltype.Type, optional bool) yqltype.Type {
	t.Optional = t.Optional || optional
	return t
}
