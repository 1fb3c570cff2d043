package format

import "bytes"

// array reads the array of objects buf[start:end]. Either all its rows are read or none is, unless parse errors are ignored.
func (d *JSONDecoder) array(start, end int) (rows int, err error) {
	first := d.n
	// Strings lose their escapes when their row is read, and an error is to show the record as it came.
	line := bytes.Clone(d.buf[start:min(end, start+maxErrorLine)])
	fails := func() (int, error) {
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
	if d.buf[end-1] != ']' || end-start < 2 {
		d.fail(cutOff, end)
		return fails()
	}
	i := d.space(start+1, end)
	if d.buf[i] == ']' {
		if d.last(i, end) < 0 {
			return fails()
		}
		return 0, nil
	}
	for {
		after := -1
		if d.buf[i] != '{' {
			d.fail(notAnObject, i)
		} else {
			after = d.skipNested(i, end)
		}
		if after < 0 {
			return fails()
		}
		if d.n == d.room {
			d.grow()
		}
		switch {
		case d.row(i, after, d.n):
			d.unescapeRow(d.n)
			d.n++
		case d.options.IgnoreParseErrors:
			d.forget(d.n)
			d.skipped++
		default:
			return fails()
		}
		i = d.space(after, end)
		switch {
		case i == end:
			d.fail(cutOff, end)
			return fails()
		case d.buf[i] == ']':
			if d.last(i, end) < 0 {
				return fails()
			}
			return d.n - first, nil
		case d.buf[i] != ',':
			d.fail(wantComma, i)
			return fails()
		}
		if i = d.space(i+1, end); i == end {
			d.fail(cutOff, end)
			return fails()
		}
	}
}
