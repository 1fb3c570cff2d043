package jsontext

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// AppendQuoted writes a string in quotes; only what must be is escaped.
func AppendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = appendEscape(append(dst, s[from:i]...), c)
		from = i + 1
	}
	return append(append(dst, s[from:]...), '"')
}

// AppendEscaped writes a character of ASCII as it stands in quotes.
func AppendEscaped(dst []byte, c byte) []byte {
	if c >= ' ' && c != '"' && c != '\\' {
		return append(dst, c)
	}
	return appendEscape(dst, c)
}

const hexDigits = "0123456789ABCDEF"

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendText writes what a scalar is as a string of SQL: a string without its quotes, a number in its one form, true, false or null.
func AppendText(dst, scalar []byte) []byte {
	switch KindOf(scalar) {
	case String:
		return AppendUnquoted(dst, scalar)
	case Number:
		return AppendNumber(dst, scalar)
	}
	return append(dst, scalar...)
}

// AppendNumber writes a number as Java does: whole numbers by their digits, others as BigDecimal, which keeps zeroes at the end and shows an exponent for
// what is less than 1e-6 or has one that is positive.
func AppendNumber(dst, number []byte) []byte {
	negative := number[0] == '-'
	digits := make([]byte, 0, 32)
	scale, exponent, point := 0, 0, false
scan:
	for i, c := range number {
		switch {
		case '0' <= c && c <= '9':
			if len(digits) > 0 || c != '0' {
				digits = append(digits, c)
			}
			if point {
				scale++
			}
		case c == '.':
			point = true
		case c|0x20 == 'e':
			exponent = readExponent(number[i+1:])
			break scan
		}
	}
	scale -= exponent
	if len(digits) == 0 {
		digits, negative = append(digits, '0'), false
	}
	if negative {
		dst = append(dst, '-')
	}
	adjusted := len(digits) - 1 - scale
	switch {
	case scale == 0:
		return append(dst, digits...)
	case scale > 0 && adjusted >= 0:
		whole := len(digits) - scale
		return append(append(append(dst, digits[:whole]...), '.'), digits[whole:]...)
	case scale > 0 && adjusted >= -6:
		dst = append(dst, "0."...)
		for range scale - len(digits) {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return appendExponent(dst, adjusted)
}

func readExponent(s []byte) int {
	negative := s[0] == '-'
	n := 0
	for _, c := range s {
		if '0' <= c && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	if negative {
		return -n
	}
	return n
}

func appendExponent(dst []byte, n int) []byte {
	sign := byte('+')
	if n < 0 {
		sign, n = '-', -n
	}
	dst = append(dst, 'E', sign)
	var digits [20]byte
	at := len(digits)
	for {
		at--
		digits[at] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return append(dst, digits[at:]...)
		}
	}
}

// Writer writes values in their one form: without blanks, with the keys of objects in order, each once. It is not safe for concurrent use.
type Writer struct {
	members []member // of the objects that are open
}

type member struct {
	key   []byte // quoted
	name  []byte // what key says
	value []byte
}

// Append writes a value.
func (w *Writer) Append(dst, value []byte) []byte {
	switch KindOf(value) {
	case Object:
		return w.appendObject(dst, value)
	case Array:
		dst = append(dst, '[')
		first := len(dst)
		Elements(value, func(v []byte) bool {
			if len(dst) > first {
				dst = append(dst, ',')
			}
			dst = w.Append(dst, v)
			return true
		})
		return append(dst, ']')
	case String:
		if bytes.IndexByte(value, '\\') < 0 {
			return append(dst, value...)
		}
		return AppendQuoted(dst, AppendUnquoted(make([]byte, 0, 64), value))
	case Number:
		return AppendNumber(dst, value)
	}
	return append(dst, value...)
}

func (w *Writer) appendObject(dst, object []byte) []byte {
	open := len(w.members)
	Members(object, func(key, value []byte) {
		name := key[1 : len(key)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = AppendUnquoted(nil, key)
			key = AppendQuoted(nil, name)
		}
		w.members = append(w.members, member{key, name, value})
	})
	members := w.members[open:]
	slices.SortStableFunc(members, func(a, b member) int { return CompareNames(a.name, b.name) })
	dst = append(dst, '{')
	first := true
	for i := range len(members) {
		m := w.members[open+i]
		if i+1 < len(members) && bytes.Equal(m.name, w.members[open+i+1].name) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, m.key...), ':')
		dst = w.Append(dst, m.value)
	}
	w.members = w.members[:open]
	return append(dst, '}')
}

// CompareNames orders keys as Java orders strings: by the code units of UTF-16.
func CompareNames(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		// In UTF-8 the lead bytes ee and ef are of characters from U+E000 on, which come behind those of two code units, f0 to f4.
		x, y := a[i], b[i]
		if utf8.RuneStart(x) && utf8.RuneStart(y) && x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0) {
			x, y = y, x
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}
