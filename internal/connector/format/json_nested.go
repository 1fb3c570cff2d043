package format

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// nested reads the array or object at buf[i] into row n of c and returns what stands behind it, or -1.
func (d *JSONDecoder) nested(c *column, i, end, n int) int {
	c.node.reset()
	after := d.parts(c.node, i, end)
	if after < 0 {
		return -1
	}
	at := len(c.data)
	c.data = c.node.pack(c.data)
	c.vector.Views[n] = vector.View{Off: uint32(at), Len: uint32(len(c.data) - at)}
	return after
}

// parts reads what is in the array or object at buf[i].
func (d *JSONDecoder) parts(n *node, i, end int) int {
	opening := byte('{')
	if n.Type.Kind == types.Array {
		opening = '['
	}
	tuple := n.Type.Kind == types.Row && d.options.tuples && d.buf[i] == '['
	if d.buf[i] != opening && !tuple {
		return d.failAt(wrongValue, i)
	}
	d.depth++
	switch {
	case tuple:
		i = d.tuple(n, i, end)
	case n.Type.Kind == types.Array:
		i = d.elements(n, i, end)
	case n.Type.Kind == types.Row:
		i = d.fields(n, i, end)
	default:
		i = d.entries(n, i, end)
	}
	d.depth--
	return i
}

// elements reads an array. As in all loops below, the last byte of the record is a brace, so that nothing needs a bound but white space.
func (d *JSONDecoder) elements(n *node, i, end int) int {
	if i = d.space(i+1, end); i < end && d.buf[i] == ']' {
		return i + 1
	}
	for {
		if i = d.part(n.elem, n.elem.push(), i, end); i < 0 {
			return -1
		}
		switch i = d.space(i, end); {
		case i == end:
			return d.failAt(cutOff, i)
		case d.buf[i] == ']':
			return i + 1
		case d.buf[i] != ',':
			return d.failAt(wantCommaOrBracket, i)
		}
		i = d.space(i+1, end)
	}
}

// tuple reads an array as a ROW, by position. Elements behind those of its fields are left out.
func (d *JSONDecoder) tuple(n *node, i, end int) int {
	for _, f := range n.fields {
		f.setNull(f.push())
	}
	at := i
	i = d.space(i+1, end)
	for k := 0; i < end && (k > 0 || d.buf[i] != ']'); k++ {
		if k < len(n.fields) {
			n.fields[k].vector.Valid.Set(0)
			i = d.part(n.fields[k], 0, i, end)
		} else {
			i = d.skip(i, end)
		}
		if i < 0 {
			return -1
		}
		if i = d.space(i, end); i == end {
			break
		}
		if d.buf[i] == ']' {
			return d.wanting(n, k+1, at, i+1)
		}
		if d.buf[i] != ',' {
			return d.failAt(wantCommaOrBracket, i)
		}
		i = d.space(i+1, end)
	}
	if i == end {
		return d.failAt(cutOff, i)
	}
	return d.wanting(n, 0, at, i+1)
}

// wanting is after unless a field of n from k on, which the value at buf[at] does not have, may not be NULL.
func (d *JSONDecoder) wanting(n *node, k, at, after int) int {
	for ; k < len(n.fields); k++ {
		if f := n.fields[k]; f.Type.NotNull {
			d.flaw = flaw{kind: missingField, at: at, end: at, column: &f.column}
			return -1
		}
	}
	return after
}

// fields reads an object as a ROW. Of equal keys the last counts.
func (d *JSONDecoder) fields(n *node, i, end int) int {
	for _, f := range n.fields {
		f.setNull(f.push())
		f.found = false
	}
	after := d.members(i, end, func(key []byte, at int) int {
		k, ok := n.byName[string(key)]
		if !ok {
			return d.skip(at, end)
		}
		f := n.fields[k]
		f.found = true
		f.vector.Valid.Set(0)
		return d.part(f, 0, at, end)
	})
	if after < 0 {
		return -1
	}
	for _, f := range n.fields {
		if !f.found && (d.options.FailOnMissingField || f.Type.NotNull) {
			d.flaw = flaw{kind: missingField, at: i, end: i, column: &f.column}
			return -1
		}
	}
	return after
}

// entries reads an object as a MAP or MULTISET. Of equal keys the last counts, at the place of the first.
func (d *JSONDecoder) entries(n *node, i, end int) int {
	return d.members(i, end, func(key []byte, at int) int {
		k, twice := n.at[string(key)]
		if !twice {
			k = n.elem.push()
			n.key.setBytes(n.key.push(), key)
			n.at[string(key)] = k
		}
		n.elem.vector.Valid.Set(k)
		return d.part(n.elem, k, at, end)
	})
}

// members calls each with the key of every member of the object at buf[i], without escapes, and where its value begins; each returns what stands behind
// the value, or -1. The key is valid until then.
func (d *JSONDecoder) members(i, end int, each func(key []byte, at int) int) int {
	if i = d.space(i+1, end); i < end && d.buf[i] == '}' {
		return i + 1
	}
	for {
		if i == end || d.buf[i] != '"' {
			return d.failAt(wantKey, i)
		}
		key, closing := d.quoted(i, end)
		if closing < 0 {
			return -1
		}
		if i = d.space(closing+1, end); i == end || d.buf[i] != ':' {
			return d.failAt(wantColon, i)
		}
		if i = d.space(i+1, end); i == end {
			return d.failAt(cutOff, i)
		}
		if i = each(key, i); i < 0 {
			return -1
		}
		switch i = d.space(i, end); {
		case i == end:
			return d.failAt(cutOff, i)
		case d.buf[i] == '}':
			return i + 1
		case d.buf[i] != ',':
			return d.failAt(wantComma, i)
		}
		i = d.space(i+1, end)
	}
}

// part reads the value at buf[i] as value k of n.
func (d *JSONDecoder) part(n *node, k, i, end int) int {
	if i == end {
		return d.failAt(cutOff, i)
	}
	var after int
	switch {
	case n.Type.IsNested():
		if after = d.parts(n, i, end); after >= 0 {
			at := len(n.data)
			n.data = n.pack(n.data)
			n.seal(k, at)
		}
	case n.Type.IsText():
		var text []byte
		if text, after = d.textOf(i, end, n.verbatim); after >= 0 {
			n.setBytes(k, text)
		}
	case n.Type.IsBytes():
		at := len(n.data)
		if n.data, after = d.appendBase64(n.data, i, end); after >= 0 {
			n.seal(k, at)
		}
	default:
		return d.value(&n.column, i, end, k)
	}
	if after >= 0 {
		return after
	}
	// What was read of the value is taken back, in case it becomes NULL.
	for _, f := range n.fields {
		f.reset()
	}
	if n.elem != nil {
		n.elem.reset()
	}
	if n.key != nil {
		n.key.reset()
		clear(n.at)
	}
	return d.exception(&n.column, i, end, k)
}

// textOf is what a STRING takes of the value at buf[i]: the text of a string, unless it is to stay as it is, anything else as it is written.
func (d *JSONDecoder) textOf(i, end int, verbatim bool) (text []byte, after int) {
	if d.buf[i] == '"' && !verbatim {
		text, closing := d.quoted(i, end)
		if closing < 0 {
			return nil, -1
		}
		return text, closing + 1
	}
	if d.options.texts && !verbatim {
		return nil, d.failAt(wrongValue, i)
	}
	if after = d.skip(i, end); after < 0 {
		return nil, -1
	}
	text = d.buf[i:after]
	if string(text) == "null" || !json.Valid(text) || !utf8.Valid(text) {
		return nil, d.failAt(wrongValue, i)
	}
	return text, after
}

// cutAtBracket is where a scalar within an array ends: scalarEnd does not know the bracket.
func cutAtBracket(buf []byte, i, after int) int {
	if k := bytes.IndexByte(buf[i:after], ']'); k >= 0 {
		return i + k
	}
	return after
}
