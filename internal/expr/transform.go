package expr

import (
	"errors"
	"strconv"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Element stands for an element of an array in the body of a Transform that is being made. Transforms may lie in each other: each has an Element of its own.
type Element struct {
	id  int64
	typ types.Type
}

var elementsMade atomic.Int64

// NewElement makes the variable of a body, of type t.
func NewElement(t types.Type) *Element { return &Element{elementsMade.Add(1), t} }

// Type is that of the elements.
func (e *Element) Type() types.Type { return e.typ }

// Eval is never called: a finished Transform has columns in the place of its Element.
func (e *Element) Eval(*Context, *vector.Batch, vector.Rows) (*vector.Vector, error) {
	panic("tidemark bug: an element is computed outside of its transform")
}

// String is a name.
func (e *Element) String() string { return "$element" + strconv.FormatInt(e.id, 10) }

// Children is empty.
func (e *Element) Children() []Expr { return nil }

func (e *Element) withChildren([]Expr) Expr { return e }

func (e *Element) same(other Expr) bool { return e == other.(*Element) }

// Transform is an array of what a body gives for each element of an array, in their order; NULL if that is NULL.
//
// The body is computed over all elements of a batch of rows at once, as columns: the element first, and then what the body reads of the row, spread to the row's
// elements.
type Transform struct {
	// children are the array and then what the body reads of the row.
	children []Expr
	body     Expr // over the columns element, captured …
	elem     types.Type
	typ      types.Type
}

// NewTransform makes the array of body, which says element for each element of array. What body reads beside it are columns of the row and Elements of transforms
// around this one.
func NewTransform(array Expr, element *Element, body Expr) Expr {
	e := &Transform{children: []Expr{array}, elem: element.typ}
	e.body = Map(body, func(part Expr) Expr {
		switch part := part.(type) {
		case *Element:
			if part == element {
				return NewColumn(0, "x", element.typ)
			}
			return e.capture(part, part.String())
		case *Column:
			return e.capture(part, part.Name)
		}
		return part
	})
	e.typ = types.ArrayOf(body.Type())
	e.typ.NotNull = array.Type().NotNull
	if _, ok := array.(*Literal); ok && stabilityOf(e) == function.Pure && len(e.children) == 1 {
		if l, ok := evaluateConstant(e).(*Literal); ok && l.size() <= maxFolded {
			return l
		}
	}
	return e
}

// capture makes an expression over the row a column of the body.
func (e *Transform) capture(read Expr, name string) Expr {
	for i, child := range e.children[1:] {
		if Equal(child, read) {
			return NewColumn(i+1, name, read.Type())
		}
	}
	e.children = append(e.children, read)
	return NewColumn(len(e.children)-1, name, read.Type())
}

// Type is ARRAY of the type of the body.
func (e *Transform) Type() types.Type { return e.typ }

// Eval spreads the rows to their elements, computes the body, and packs the results.
func (e *Transform) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	array, err := e.children[0].Eval(c, b, rows)
	if err != nil || array.IsNullConst() {
		return array, err
	}
	out := c.Arena.Flat(vector.Bytes, b.N)
	if array.Valid != nil {
		out.Valid = c.Arena.AllValid(b.N)
		for k := range rows.Count() {
			if i := rows.At(k); array.IsNull(i) {
				out.Valid.Clear(i)
			}
		}
	}
	elems, ends := nested.Expand(c.Arena, array, vector.KindOf(e.elem), rows)
	results, err := e.compute(c, b, rows, elems, ends)
	if err != nil {
		return nil, err
	}
	nested.Pack(c.Arena, results, ends, rows, out)
	return out, nil
}

// compute gives the body for every element.
func (e *Transform) compute(c *Context, b *vector.Batch, rows vector.Rows, elems *vector.Vector, ends []int32) (*vector.Vector, error) {
	n := elems.Len()
	if n == 0 {
		return c.Arena.Flat(vector.KindOf(e.body.Type()), 0), nil
	}
	inner := &vector.Batch{Cols: c.Arena.Columns(len(e.children)), N: n, Arena: b.Arena}
	inner.Cols[0] = elems
	owners := c.Arena.Sel(n)
	from := int32(0)
	for k, end := range ends {
		for at := from; at < end; at++ {
			owners[at] = int32(rows.At(k))
		}
		from = end
	}
	for i, read := range e.children[1:] {
		v, err := read.Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		inner.Cols[i+1] = v.Take(c.Arena, owners)
	}
	results, err := e.body.Eval(c, inner, vector.All(n))
	var failed *function.RowError
	if errors.As(err, &failed) {
		err = &RowError{Row: int(owners[failed.Row]), Err: failed.Err, Hint: failed.Hint}
	}
	return results, err
}

// String is TRANSFORM(array, x -> body).
func (e *Transform) String() string {
	written := Map(e.body, func(part Expr) Expr {
		if c, ok := part.(*Column); ok && c.Index > 0 {
			return e.children[c.Index]
		}
		return part
	})
	return "TRANSFORM(" + e.children[0].String() + ", x -> " + written.String() + ")"
}

// Children are the array and what the body reads of the row.
func (e *Transform) Children() []Expr { return e.children }

func (e *Transform) withChildren(children []Expr) Expr {
	return &Transform{children, e.body, e.elem, e.typ}
}

func (e *Transform) same(other Expr) bool { return Equal(e.body, other.(*Transform).body) }
