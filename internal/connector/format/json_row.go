package format

import (
	"bytes"
	"encoding/binary"
)

// member is what stood before a value in the last row: the separator, the key and the colon, with their white space.
// Rows of one file nearly always agree in it byte for byte, so comparing it replaces reading and looking up the key.
type member struct {
	text  []byte
	field int32 // index in JSONDecoder.columns, or notNeeded
	// The first 16 bytes of text as two words, and masks that blank what lies beyond its end.
	head, headMask, tail, tailMask uint64
}

// Instead of a column index: the key is not needed; the object has no more keys.
const (
	notNeeded = -1 - iota
	noMore
)

// Longer layouts and members are not remembered, so that odd data cannot make a decoder large.
const (
	maxLayout = 256
	maxMember = 256
)

// at reports whether buf[i:] begins with the text of m.
func (m *member) at(buf []byte, i int) bool {
	if len(m.text) > 16 || i+16 > len(buf) {
		return bytes.HasPrefix(buf[i:], m.text)
	}
	w := buf[i : i+16]
	return binary.LittleEndian.Uint64(w)&m.headMask == m.head && binary.LittleEndian.Uint64(w[8:])&m.tailMask == m.tail
}

// remember makes text the p-th member of the layout. If it is too long to keep, the layout ends before it.
func (d *JSONDecoder) remember(p int, text []byte, field int32) {
	if p > len(d.layout) || p == maxLayout {
		return
	}
	if len(text) > maxMember {
		d.layout = d.layout[:p]
		return
	}
	if p == len(d.layout) {
		d.layout = append(d.layout, member{})
	}
	m := &d.layout[p]
	m.text, m.field = append(m.text[:0], text...), field
	var word, mask [16]byte
	for i := range mask[:copy(word[:], text)] {
		mask[i] = 0xff
	}
	m.head, m.tail = binary.LittleEndian.Uint64(word[:]), binary.LittleEndian.Uint64(word[8:])
	m.headMask, m.tailMask = binary.LittleEndian.Uint64(mask[:]), binary.LittleEndian.Uint64(mask[8:])
}

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
		return d.fail(cutOff, end)
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
		if p < len(d.layout) && d.layout[p].at(buf, i) {
			m := &d.layout[p]
			i += len(m.text)
			field = m.field
			if buf[i] <= ' ' {
				i = d.space(i, end)
			}
		} else if i, field = d.key(p, i, end); i < 0 {
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

// key reads what stands before the p-th value of a row and returns where the value begins. Its index is -1 if that
// fails.
func (d *JSONDecoder) key(p, i, end int) (value int, field int32) {
	buf, start := d.buf, i
	if i = d.space(i, end); i == end {
		return d.failAt(cutOff, i), 0
	}
	switch {
	case buf[i] == '}' && p > 0:
		return d.last(i, end), noMore
	case buf[i] == ',' && p > 0, p == 0:
		i = d.space(i+1, end)
	default:
		return d.failAt(wantComma, i), 0
	}
	switch {
	case p == 0 && buf[i] == '}':
		return d.last(i, end), noMore
	case buf[i] != '"':
		return d.failAt(wantKey, i), 0
	}
	closing := closingQuote(buf, i+1, end)
	if closing < 0 {
		return d.failAt(openString, i), 0
	}
	key := buf[i+1 : closing]
	if bytes.IndexByte(key, '\\') >= 0 {
		if bad := badEscape(key); bad >= 0 {
			return d.failAt(wrongEscape, i+1+bad), 0
		}
		key = d.unescaped(key)
	}
	if i = d.space(closing+1, end); buf[i] != ':' {
		return d.failAt(wantColon, i), 0
	}
	i = d.space(i+1, end)
	field, needed := d.byName[string(key)]
	if !needed {
		field = notNeeded
	}
	d.remember(p, buf[start:i], field)
	return i, field
}

// last checks that the '}' at buf[i] ends the line.
func (d *JSONDecoder) last(i, end int) int {
	if i != end-1 {
		return d.failAt(trailing, i+1)
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
