package format

import (
	"bytes"
	"encoding/binary"
)

// layout is the members of the last object that was read, in order, and which of them are looked for.
type layout struct {
	byName  map[string]int32
	members []member
}

// member is what stood before a value in the last object: the separator, the key and the colon, with their white space.
// Objects of one file nearly always agree in it byte for byte, so comparing it replaces reading and looking up the key.
type member struct {
	text  []byte
	field int32 // what layout.byName says, or notNeeded
	// The first 16 bytes of text as two words, and masks that blank what lies beyond its end.
	head, headMask, tail, tailMask uint64
}

// Instead of an index: the key is not needed; the object has no more keys.
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
func (l *layout) remember(p int, text []byte, field int32) {
	if p > len(l.members) || p == maxLayout {
		return
	}
	if len(text) > maxMember {
		l.members = l.members[:p]
		return
	}
	if p == len(l.members) {
		l.members = append(l.members, member{})
	}
	m := &l.members[p]
	m.text, m.field = append(m.text[:0], text...), field
	var word, mask [16]byte
	for i := range mask[:copy(word[:], text)] {
		mask[i] = 0xff
	}
	m.head, m.tail = binary.LittleEndian.Uint64(word[:]), binary.LittleEndian.Uint64(word[8:])
	m.headMask, m.tailMask = binary.LittleEndian.Uint64(mask[:]), binary.LittleEndian.Uint64(mask[8:])
}

// key reads what stands before the p-th value of an object and returns where the value begins. Its index is -1 if that
// fails.
func (d *JSONDecoder) key(l *layout, p, i, end int) (value int, field int32) {
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
	field, needed := l.byName[string(key)]
	if !needed {
		field = notNeeded
	}
	l.remember(p, buf[start:i], field)
	return i, field
}
