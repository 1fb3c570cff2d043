package format

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// several reads the objects of buf[start:end], which are an array or have line feeds between them. Either all of them are read or none is, unless parse errors are
// ignored.
func (d *JSONDecoder) several(start, end int) (rows int, err error) {
	first := d.n
	// Strings lose their escapes when their row is read, and an error is to show the record as it came.
	line := bytes.Clone(d.buf[start:min(end, start+maxErrorLine)])
	if d.walk(start, end) {
		return d.n - first, nil
	}
	for n := first; n < min(d.n+1, d.room); n++ {
		d.forget(n)
	}
	d.n = first
	if d.options.IgnoreParseErrors {
		d.skipped++
		return 0, nil
	}
	e := d.explain(start, end)
	e.Line = line
	return 0, e
}

// walk goes from object to object. If it returns false, d.flaw says why.
func (d *JSONDecoder) walk(start, end int) bool {
	switch array := d.buf[start] == '['; {
	case array && d.options.shape == objects:
		return d.fail(aList, start)
	case !array && d.options.shape == list:
		return d.fail(noList, start)
	case array:
		return d.elementsOf(start, end)
	}
	for i := start; ; {
		after := d.one(i, end)
		if after < 0 {
			return false
		}
		i = d.space(after, end)
		if i == end {
			return true
		}
		if bytes.IndexByte(d.buf[after:i], '\n') < 0 {
			return d.fail(wantLineFeed, i)
		}
	}
}

// elementsOf reads the array buf[start:end].
func (d *JSONDecoder) elementsOf(start, end int) bool {
	if d.buf[end-1] != ']' || end-start < 2 {
		return d.unclosed(start, end)
	}
	i := d.space(start+1, end)
	if d.buf[i] == ']' {
		return d.last(i, end) >= 0
	}
	for {
		after := d.one(i, end)
		if after < 0 {
			return false
		}
		i = d.space(after, end)
		switch {
		case i == end:
			return d.fail(cutOff, end)
		case d.buf[i] == ']':
			return d.last(i, end) >= 0
		case d.buf[i] != ',':
			return d.fail(wantComma, i)
		}
		if i = d.space(i+1, end); i == end {
			return d.fail(cutOff, end)
		}
	}
}

// one reads the object at buf[i] and returns what stands behind it, or -1.
func (d *JSONDecoder) one(i, end int) int {
	if d.buf[i] != '{' {
		return d.failAt(notAnObject, i)
	}
	after := d.skipNested(i, end)
	if after < 0 {
		return -1
	}
	if d.n == d.room {
		d.grow()
	}
	switch {
	case d.options.shape == unparsed:
		if !d.take(i, after) {
			return -1
		}
		d.n++
	case d.row(i, after, d.n):
		d.unescapeRow(d.n)
		d.n++
	case d.options.IgnoreParseErrors:
		d.forget(d.n)
		d.skipped++
	default:
		return -1
	}
	return after
}

// take makes buf[i:after] the value of the one column, if it is needed.
func (d *JSONDecoder) take(i, after int) bool {
	if text := d.buf[i:after]; !isASCII(text) && !utf8.Valid(text) {
		return d.fail(notUTF8, i)
	}
	for k := range d.columns {
		d.columns[k].vector.Views[d.n] = vector.View{Off: uint32(i), Len: uint32(after - i)}
	}
	return true
}
