package jsontext

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// KindOf tells what a value is.
func KindOf(value []byte) Kind {
	switch value[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return Number
}

// IsScalar reports whether a value has no values inside. Null is a scalar.
func IsScalar(value []byte) bool { return KindOf(value) < Array }

// Elements calls each with the elements of an ARRAY until it returns false.
func Elements(array []byte, each func(value []byte) bool) {
	at := skipBlanks(array, 1)
	for array[at] != ']' {
		end := skip(array, at)
		if !each(array[at:end]) {
			return
		}
		if at = skipBlanks(array, end); array[at] == ',' {
			at = skipBlanks(array, at+1)
		}
	}
}

// Members calls each with key, still a quoted string, and value of the members of an OBJECT, as they stand there.
func Members(object []byte, each func(key, value []byte)) {
	at := skipBlanks(object, 1)
	for object[at] != '}' {
		keyEnd := skip(object, at)
		from := skipBlanks(object, skipBlanks(object, keyEnd)+1)
		end := skip(object, from)
		each(object[at:keyEnd], object[from:end])
		if at = skipBlanks(object, end); object[at] == ',' {
			at = skipBlanks(object, at+1)
		}
	}
}

// Member is the value of the last member of an object that is called name, nil if there is none.
func Member(object []byte, name []byte) []byte {
	var found []byte
	at := skipBlanks(object, 1)
	for object[at] != '}' {
		keyEnd := skip(object, at)
		from := skipBlanks(object, skipBlanks(object, keyEnd)+1)
		end := skip(object, from)
		if IsKey(object[at:keyEnd], name) {
			found = object[from:end]
		}
		if at = skipBlanks(object, end); object[at] == ',' {
			at = skipBlanks(object, at+1)
		}
	}
	return found
}

// IsKey reports whether a quoted string says name.
func IsKey(quoted, name []byte) bool {
	inside := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return bytes.Equal(inside, name)
	}
	return bytes.Equal(AppendUnquoted(nil, quoted), name)
}

func skipBlanks(s []byte, at int) int {
	for isBlank(s[at]) {
		at++
	}
	return at
}

// skip is where the value at position at ends.
func skip(s []byte, at int) int {
	switch s[at] {
	case '"':
		return skipString(s, at)
	case '{', '[':
		depth := 0
		for {
			switch s[at] {
			case '"':
				at = skipString(s, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	for at < len(s) && s[at] != ',' && s[at] != '}' && s[at] != ']' && !isBlank(s[at]) {
		at++
	}
	return at
}

func skipString(s []byte, at int) int {
	for at++; s[at] != '"'; at++ {
		if s[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// AppendUnquoted writes what a quoted string says. Half a character is a question mark, as in Flink 2.3.
func AppendUnquoted(dst, quoted []byte) []byte {
	dst, _ = appendUnescaped(dst, quoted[1:len(quoted)-1])
	return dst
}

// Unquote writes what text in quotes says, whatever quotes stand inside; false if an escape is malformed.
func Unquote(dst, text []byte) ([]byte, bool) { return appendUnescaped(dst, text[1:len(text)-1]) }

func appendUnescaped(dst, s []byte) ([]byte, bool) {
	for {
		at := bytes.IndexByte(s, '\\')
		if at < 0 {
			return append(dst, s...), true
		}
		if at+1 == len(s) {
			return dst, false
		}
		dst = append(dst, s[:at]...)
		c := s[at+1]
		s = s[at+2:]
		switch c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := Hex4(s)
			if !ok {
				return dst, false
			}
			r, s = secondHalf(r, s[4:])
			dst = utf8.AppendRune(dst, r)
		default:
			return dst, false
		}
	}
}

// secondHalf completes r by the \uXXXX at the beginning of s if it is the first half of a character.
func secondHalf(r rune, s []byte) (whole rune, rest []byte) {
	if !utf16.IsSurrogate(r) {
		return r, s
	}
	if bytes.HasPrefix(s, []byte(`\u`)) {
		if low, ok := Hex4(s[2:]); ok {
			if whole = utf16.DecodeRune(r, low); whole != utf8.RuneError {
				return whole, s[6:]
			}
		}
	}
	return '?', s
}
