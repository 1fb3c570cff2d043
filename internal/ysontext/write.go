package ysontext

import (
	"math"
	"strconv"
	"strings"
)

// AppendInt writes a signed number.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// AppendUint writes a number without a sign.
func AppendUint(dst []byte, n uint64) []byte { return append(strconv.AppendUint(dst, n, 10), 'u') }

// AppendBool writes %true or %false.
func AppendBool(dst []byte, v bool) []byte { return strconv.AppendBool(append(dst, '%'), v) }

// AppendFloat writes a number that has a point or an exponent, in the shortest digits that give it again.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "%nan"...)
	case math.IsInf(f, 1):
		return append(dst, "%inf"...)
	case math.IsInf(f, -1):
		return append(dst, "%-inf"...)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	dst = append(dst, text...)
	if !strings.ContainsAny(text, ".e") {
		dst = append(dst, '.')
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendQuoted writes a string in quotes; what is no printable character of ASCII is escaped, but for UTF-8.
func AppendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// AppendPretty writes a value over several lines, an item each, as people read it.
func AppendPretty(dst, value []byte) []byte { return appendPretty(dst, value, 0) }

func appendPretty(dst, value []byte, depth int) []byte {
	attributes, value := Split(value)
	if len(attributes) > 2 {
		dst = appendItems(dst, attributes, '<', '>', depth)
		dst = append(dst, ' ')
	}
	switch KindOf(value) {
	case Map:
		return appendItems(dst, value, '{', '}', depth)
	case List:
		return appendItems(dst, value, '[', ']', depth)
	}
	return append(dst, value...)
}

func appendItems(dst, value []byte, open, end byte, depth int) []byte {
	dst = append(dst, open)
	line := func(depth int) { dst = append(append(dst, '\n'), strings.Repeat("    ", depth)...) }
	empty := true
	if open == '[' {
		for item := range Elements(value) {
			line(depth + 1)
			dst = append(appendPretty(dst, item, depth+1), ';')
			empty = false
		}
	} else {
		for key, item := range Entries(value) {
			line(depth + 1)
			dst = append(append(dst, key...), " = "...)
			dst = append(appendPretty(dst, item, depth+1), ';')
			empty = false
		}
	}
	if !empty {
		line(depth)
	}
	return append(dst, end)
}
