package format

import (
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// node is where values that are part of a nested one wait until they are packed. A type holds no values of itself, so a node is in use once at a time.
type node struct {
	column // its vector has n values
	n      int
	key    *node // of a MAP or MULTISET
	elem   *node // of an ARRAY, MAP or MULTISET
	fields []*node
	byName map[string]int   // of a ROW
	cols   []*vector.Vector // those of fields
	at     map[string]int   // keys of the MAP being read
	found  bool             // as a field of the ROW being read
}

// newNode makes a node for values of f; names within are told with a dot.
func newNode(f types.Field) *node {
	n := &node{column: column{Field: f, vector: &vector.Vector{Kind: vector.KindOf(f.Type)}}}
	inner := func(name string, t types.Type, i int) *node {
		part := types.Field{Name: f.Name + name, Type: t}
		if f.Wording != nil {
			part.Wording = f.Wording.Part(i)
		}
		return newNode(part)
	}
	switch f.Type.Kind {
	case types.Array:
		n.elem = inner("[]", f.Type.Elem(), 0)
	case types.Map:
		n.key, n.elem = inner("[key]", f.Type.Key(), 0), inner("[]", f.Type.Elem(), 1)
	case types.Multiset:
		n.key, n.elem = inner("[key]", f.Type.Elem(), 0), inner("[]", types.IntType, 1)
	case types.Row:
		n.byName = map[string]int{}
		for i, field := range f.Type.Fields() {
			child := inner("."+field.Name, field.Type, i)
			n.fields, n.cols = append(n.fields, child), append(n.cols, child.vector)
			n.byName[field.Name] = i
		}
	}
	if n.key != nil {
		n.at = map[string]int{}
	}
	return n
}

// each visits n and all that is inside of it.
func (n *node) each(visit func(c *column)) {
	visit(&n.column)
	for _, part := range append([]*node{n.key, n.elem}, n.fields...) {
		if part != nil {
			part.each(visit)
		}
	}
}

// push makes room for one more value, which is not NULL so far.
func (n *node) push() int {
	i, v := n.n, n.vector
	n.n++
	if len(v.Valid) < vector.BitmapWords(n.n) {
		v.Valid = append(v.Valid, 0)
	}
	v.Valid.Set(i)
	if i < v.Len() {
		return i
	}
	switch v.Kind {
	case vector.Bool:
		v.Bools = append(v.Bools, 0)
	case vector.Int64:
		v.Ints = append(v.Ints, 0)
	case vector.Int128:
		v.Wides = append(v.Wides, int128.Int{})
	case vector.Float64:
		v.Floats = append(v.Floats, 0)
	case vector.Bytes:
		v.Views = append(v.Views, vector.View{})
	}
	return i
}

// setNull makes value i NULL.
func (n *node) setNull(i int) {
	n.vector.Valid.Clear(i)
	n.vector.Zero(i)
}

// setBytes makes value i a copy of text.
func (n *node) setBytes(i int, text []byte) {
	at := len(n.data)
	n.data = append(n.data, text...)
	n.seal(i, at)
}

// seal makes value i what stands in data from at on.
func (n *node) seal(i, at int) {
	n.vector.Views[i] = vector.View{Off: uint32(at), Len: uint32(len(n.data) - at)}
	n.vector.Buf = n.data
}

// clear forgets the values.
func (n *node) clear() {
	n.n = 0
	n.data = n.data[:0]
}

// reset forgets all that waits, in the parts too. A value that was given up may have left some.
func (n *node) reset() {
	n.clear()
	if n.key != nil {
		n.key.reset()
		clear(n.at)
	}
	if n.elem != nil {
		n.elem.reset()
	}
	for _, f := range n.fields {
		f.reset()
	}
}

// pack appends the value that the parts make, and forgets them.
func (n *node) pack(dst []byte) []byte {
	switch {
	case n.fields != nil || n.elem == nil:
		dst = nested.AppendRow(dst, n.cols, 0)
		for _, f := range n.fields {
			f.clear()
		}
	case n.key != nil:
		dst = nested.AppendMap(dst, n.key.vector.Kind, n.key.vector, n.elem.vector.Kind, n.elem.vector, 0, n.elem.n)
		n.key.clear()
		n.elem.clear()
		clear(n.at)
	default:
		dst = nested.AppendArray(dst, n.elem.vector.Kind, n.elem.vector, 0, n.elem.n)
		n.elem.clear()
	}
	vector.CheckBytes(len(dst))
	return dst
}
