package function

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// building is the kernel of a function whose result is an array of elements of kind k. The first n arguments are arrays of such elements, which build finds read; it
// appends the elements of the result for row i.
func building(n int, k vector.Kind, build func(b *vector.Builder, arrays []nested.Array, c *Call, i int) error) Kernel {
	return func(c *Call) error {
		rows := c.Rows.Count()
		b := vector.NewBuilder(c.Arena, k, rows)
		ends := c.Arena.Sel(rows)
		arrays := make([]nested.Array, n)
		for j := range rows {
			i := c.Rows.At(j)
			for a := range arrays {
				arrays[a] = nested.ReadArray(c.Args[a].Bytes(i), k)
			}
			if err := build(b, arrays, c, i); err != nil {
				return err
			}
			ends[j] = int32(b.Len())
		}
		nested.Pack(c.Arena, b.Done(), ends, c.Rows, c.Out)
		return nil
	}
}

// appendAll appends all elements of a.
func appendAll(b *vector.Builder, a *nested.Array) {
	for e := range a.Len() {
		b.AppendFrom(a, e)
	}
}

// choosing is the kernel of a function whose result is an element of its first argument, an array of elements of kind k: number choose, or NULL if that is -1.
func choosing(k vector.Kind, choose func(a *nested.Array, c *Call, i int) (int, error)) Kernel {
	return func(c *Call) error {
		w := newElements(c)
		a := new(nested.Array)
		for j := range c.Rows.Count() {
			i := c.Rows.At(j)
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			e, err := choose(a, c, i)
			if err != nil {
				return err
			}
			w.put(i, a, e)
		}
		w.done()
		return nil
	}
}

// elements writes a result of which every value is an element of an array.
type elements struct {
	c *Call
	w text
}

func newElements(c *Call) elements {
	e := elements{c: c}
	if c.Out.Kind == vector.Bytes {
		e.w = newText(c, 0)
	}
	return e
}

// put makes element e of a the value of row i, or NULL if e is -1.
func (e *elements) put(i int, a *nested.Array, at int) {
	out := e.c.Out
	if at < 0 || a.IsNull(at) {
		e.c.SetNull(i)
		out.Zero(i)
		return
	}
	switch out.Kind {
	case vector.Bool:
		out.Bools[i] = bit(a.Bool(at))
	case vector.Int64:
		out.Ints[i] = a.Int(at)
	case vector.Int128:
		out.Wides[i] = a.Wide(at)
	case vector.Float64:
		out.Floats[i] = a.Float(at)
	case vector.Bytes:
		e.w.buf = append(e.w.buf, a.Bytes(at)...)
		e.w.end(i)
	}
}

func (e *elements) done() {
	if e.c.Out.Kind == vector.Bytes {
		e.w.done()
	}
}

// strictFirst makes a kernel that sees NULLs of one that wants none in its first n arguments.
func strictFirst(n int, kernel Kernel) Kernel {
	return func(c *Call) error {
		rows := c.Rows.Count()
		sel := c.Arena.Sel(rows)
		kept := 0
		for j := range rows {
			i := c.Rows.At(j)
			if anyNull(c.Args[:n], i) {
				c.SetNull(i)
				c.Out.Zero(i)
				continue
			}
			sel[kept] = int32(i)
			kept++
		}
		if kept < rows {
			c.Rows = vector.Rows{Sel: sel[:kept], N: c.Rows.N}
		}
		return kernel(c)
	}
}

func anyNull(list []*vector.Vector, i int) bool {
	for _, v := range list {
		if v.IsNull(i) {
			return true
		}
	}
	return false
}

// sameValue reports whether value i of a and value j of b, which are of kind k, are equal. A NULL is equal to a NULL. Flink 2.3: NaN is equal to
// nothing.
func sameValue(k vector.Kind, a vector.Values, i int, b vector.Values, j int) bool {
	if a.IsNull(i) || b.IsNull(j) {
		return a.IsNull(i) && b.IsNull(j)
	}
	switch k {
	case vector.Bool:
		return a.Bool(i) == b.Bool(j)
	case vector.Int64:
		return a.Int(i) == b.Int(j)
	case vector.Int128:
		return a.Wide(i) == b.Wide(j)
	case vector.Float64:
		return a.Float(i) == b.Float(j)
	}
	return bytes.Equal(a.Bytes(i), b.Bytes(j))
}

// mapBuilder makes a column of maps.
type mapBuilder struct {
	c            *Call
	keys, values *vector.Builder
	ends         []int32
}

func newMapBuilder(c *Call, key, value vector.Kind) mapBuilder {
	n := c.Rows.Count()
	return mapBuilder{c, vector.NewBuilder(c.Arena, key, n), vector.NewBuilder(c.Arena, value, n), c.Arena.Sel(n)[:0]}
}

// end makes what was appended since the last end the map of the next row.
func (m *mapBuilder) end() { m.ends = append(m.ends, int32(m.keys.Len())) }

func (m *mapBuilder) done() {
	nested.PackMap(m.c.Arena, m.keys.Done(), m.values.Done(), m.ends, m.c.Rows, m.c.Out)
}

// SameValue reports whether value i of a and value j of b, which are of kind k, are equal, as = of arrays has it.
func SameValue(k vector.Kind, a vector.Values, i int, b vector.Values, j int) bool {
	return sameValue(k, a, i, b, j)
}
