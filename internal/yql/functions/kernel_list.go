package functions

import (
	"bytes"
	"cmp"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// buildList is the kernel of a function that gives a List of elements of kind k: build appends those of row i.
func buildList(k vector.Kind, build func(b *vector.Builder, c *function.Call, i int) error) function.Kernel {
	return func(c *function.Call) error {
		rows := c.Rows.Count()
		b := vector.NewBuilder(c.Arena, k, rows)
		ends := c.Arena.Sel(rows)
		for j := range rows {
			i := c.Rows.At(j)
			if err := build(b, c, i); err != nil {
				if err = fail(c, i, err); err != nil {
					return err
				}
			}
			ends[j] = int32(b.Len())
		}
		nested.Pack(c.Arena, b.Done(), ends, c.Rows, c.Out)
		return nil
	}
}

// reading is buildList for a function whose first argument is a List of elements of kind in.
func reading(in, out vector.Kind, build func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error) function.Kernel {
	return func(c *function.Call) error {
		a := new(nested.Array)
		return buildList(out, func(b *vector.Builder, c *function.Call, i int) error {
			*a = nested.ReadArray(c.Args[0].Bytes(i), in)
			return build(b, a, c, i)
		})(c)
	}
}

// picking is the kernel of a function whose results, of kind k, are values that lie in its arguments: pick appends one for row i.
func picking(k vector.Kind, pick func(b *vector.Builder, c *function.Call, i int) error) function.Kernel {
	return func(c *function.Call) error {
		rows := c.Rows.Count()
		b := vector.NewBuilder(c.Arena, k, rows)
		at := c.Arena.Sel(rows)
		for j := range rows {
			i := c.Rows.At(j)
			if err := pick(b, c, i); err != nil {
				return &function.RowError{Row: i, Err: err}
			}
			at[j] = int32(i)
		}
		c.Out.Put(c.Arena, at, b.Done())
		return nil
	}
}

// buildDict is the kernel of a function that gives a Dict: build appends the entries of row i, keys that differ.
func buildDict(key, value vector.Kind, build func(keys, values *vector.Builder, c *function.Call, i int) error) function.Kernel {
	return func(c *function.Call) error {
		rows := c.Rows.Count()
		keys, values := vector.NewBuilder(c.Arena, key, rows), vector.NewBuilder(c.Arena, value, rows)
		ends := c.Arena.Sel(rows)
		for j := range rows {
			i := c.Rows.At(j)
			if err := build(keys, values, c, i); err != nil {
				if err = fail(c, i, err); err != nil {
					return err
				}
			}
			ends[j] = int32(keys.Len())
		}
		nested.PackMap(c.Arena, keys.Done(), values.Done(), ends, c.Rows, c.Out)
		return nil
	}
}

// appendKey writes value i of v so that equal values, and no others, have equal bytes.
func appendKey(dst []byte, k vector.Kind, v vector.Values, i int) []byte {
	return nested.AppendArray(dst[:0], k, v, i, i+1)
}

// order compares value i of a with value j of b; NULL is less than any value, NaN greater.
type order func(a vector.Values, i int, b vector.Values, j int) int

// orderOf is the order of a type that has one.
func orderOf(t yqltype.Type) order {
	if t.Kind == yqltype.Tuple {
		return orderOfTuples(t)
	}
	k := kindOf(t)
	return func(a vector.Values, i int, b vector.Values, j int) int {
		if a.IsNull(i) || b.IsNull(j) {
			return compareBools(!a.IsNull(i), !b.IsNull(j))
		}
		switch k {
		case vector.Bool:
			return compareBools(a.Bool(i), b.Bool(j))
		case vector.Int64:
			return cmp.Compare(a.Int(i), b.Int(j))
		case vector.Int128:
			return a.Wide(i).Cmp(b.Wide(j))
		case vector.Float64:
			return compareFloats(a.Float(i), b.Float(j))
		}
		return bytes.Compare(a.Bytes(i), b.Bytes(j))
	}
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareFloats(a, b float64) int {
	if a != a || b != b {
		return compareBools(a != a, b != b)
	}
	return cmp.Compare(a, b)
}

func orderOfTuples(t yqltype.Type) order {
	orders := make([]order, len(t.Elems()))
	for i, elem := range t.Elems() {
		orders[i] = orderOf(elem)
	}
	return func(a vector.Values, i int, b vector.Values, j int) int {
		if a.IsNull(i) || b.IsNull(j) {
			return compareBools(!a.IsNull(i), !b.IsNull(j))
		}
		x, y := nested.ReadRow(a.Bytes(i), len(orders)), nested.ReadRow(b.Bytes(j), len(orders))
		for f, compare := range orders {
			if r := compare(x, f, y, f); r != 0 {
				return r
			}
		}
		return 0
	}
}

// listedTexts are the strings of a List.
func listedTexts(list []byte) []string {
	a := nested.ReadArray(list, vector.Bytes)
	texts := make([]string, 0, a.Len())
	for e := range a.Len() {
		if !a.IsNull(e) {
			texts = append(texts, string(a.Bytes(e)))
		}
	}
	return texts
}
