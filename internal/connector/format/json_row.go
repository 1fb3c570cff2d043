package format

// row reads buf[i:end], which has something in it and no white space at its ends, into row n. If it returns
// false, d.flaw says why.
//
// Because the last byte is made sure to be '}', scans for the end of a number or of white space need no bound.
func (d *JSONDecoder) row(i, end, n int) bool {
	buf := d.buf
	if buf[i] != '{' {
		return d.fail(notAnObject, i)
	}
	if buf[end-1] != '}' || end-i < 2 {
		return d.unclosed(i, end)
	}
	d.stamp++
	d.depth = 0
	d.escaped = d.escaped[:0]
	missing := len(d.columns)
	if missing == 0 {
		return true
	}
	for p := 0; missing > 0; p++ {
		field := int32(noMore)
		if p < len(d.layout.members) && d.layout.members[p].at(buf, i) {
			m := &d.layout.members[p]
			i += len(m.text)
			field = m.field
			if buf[i] <= ' ' {
				i = d.space(i, end)
			}
		} else if i, field = d.key(&d.layout, p, i, end); i < 0 {
			return false
		}
		if field == noMore {
			return d.fillMissing(i, n)
		}
		if field == notNeeded || d.columns[field].stamp == d.stamp {
			i = d.skip(i, end)
		} else {
			c := &d.columns[field]
			c.stamp = d.stamp
			missing--
			i = d.value(c, i, end, n)
		}
		if i < 0 {
			return false
		}
	}
	return d.rest(i, end)
}

// unclosed says why buf[i:end], which begins with a bracket, does not end with that which closes it: something stands behind that, or it is not there.
func (d *JSONDecoder) unclosed(i, end int) bool {
	if after := d.skipCounting(i, end); after > 0 && after < end {
		return d.fail(trailing, d.space(after, end))
	}
	return d.fail(cutOff, end)
}

// last checks that the '}' at buf[i] ends the line.
func (d *JSONDecoder) last(i, end int) int {
	if i != end-1 {
		return d.failAt(trailing, d.space(i+1, end))
	}
	return i
}

// rest checks what follows the last needed value: the end of the object, or a comma and anything.
func (d *JSONDecoder) rest(i, end int) bool {
	i = d.space(i, end)
	switch {
	case i == end:
		return d.fail(cutOff, i)
	case d.buf[i] == '}':
		return d.last(i, end) >= 0
	case d.buf[i] == ',':
		return true
	}
	return d.fail(wantComma, i)
}

// fillMissing makes the fields that row n lacks NULL; the object ends at buf[i].
func (d *JSONDecoder) fillMissing(i, n int) bool {
	if d.partial {
		return true
	}
	for k := range d.columns {
		c := &d.columns[k]
		if c.stamp == d.stamp {
			continue
		}
		if d.options.FailOnMissingField || c.Type.NotNull {
			d.flaw = flaw{kind: missingField, at: i, end: i, column: c}
			return false
		}
		d.setNull(c, n)
	}
	return true
}

// space is the index of the first byte from buf[i] on that is not white space, or end.
func (d *JSONDecoder) space(i, end int) int {
	for i < end && isSpace(d.buf[i]) {
		i++
	}
	return i
}

// isSpace knows the white space of JSON, and so the carriage return before a line feed.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
