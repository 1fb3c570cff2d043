package ysontext

import (
	"iter"
	"strconv"
)

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Entity Kind = iota
	Bool
	Int
	Uint
	Double
	String
	List
	Map
)

var kindNames = [...]string{"an entity", "a boolean", "an int64", "a uint64", "a double", "a string", "a list", "a map"}

// String names the kind for an error.
func (k Kind) String() string { return kindNames[k] }

// KindOf tells what a canonical value is, whatever its attributes.
func KindOf(value []byte) Kind {
	_, value = Split(value)
	switch value[0] {
	case '#':
		return Entity
	case '"':
		return String
	case '[':
		return List
	case '{':
		return Map
	case '%':
		if value[1] == 't' || value[1] == 'f' {
			return Bool
		}
		return Double
	}
	for _, c := range value {
		if c == '.' || c == 'e' {
			return Double
		}
	}
	if value[len(value)-1] == 'u' {
		return Uint
	}
	return Int
}

// Split parts a value into its attributes, brackets and all, nil if it has none, and what they are of.
func Split(value []byte) (attributes, rest []byte) {
	if value[0] != '<' {
		return nil, value
	}
	end := skip(value, 0)
	return value[:end], value[end:]
}

// skip is where the string, number or bracket that begins at a place ends.
func skip(text []byte, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '[', '{', '<':
			depth++
			continue
		case ']', '}', '>':
			if depth == 0 {
				return at
			}
			depth--
		case ';', '=':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return at + 1
		}
	}
	return at
}

// skipValue is where a value ends, attributes and all.
func skipValue(text []byte, at int) int {
	if text[at] == '<' {
		at = skip(text, at)
	}
	return skip(text, at)
}

// Elements are the items of a list.
func Elements(list []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_, list := Split(list)
		for at := 1; list[at] != ']'; {
			end := skipValue(list, at)
			if !yield(list[at:end]) {
				return
			}
			if at = end; list[at] == ';' {
				at++
			}
		}
	}
}

// Entries are those of a map, or of attributes with their brackets: keys, in quotes, and values.
func Entries(value []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		if value[0] == '<' && value[len(value)-1] != '>' {
			_, value = Split(value)
		}
		for at := 1; at < len(value)-1; {
			keyEnd := skip(value, at)
			end := skipValue(value, keyEnd+1)
			if !yield(value[at:keyEnd], value[keyEnd+1:end]) {
				return
			}
			if at = end; value[at] == ';' {
				at++
			}
		}
	}
}

// Lookup is the value of a key of a map; nil if it has none. Of several the last counts.
func Lookup(value, key []byte) []byte {
	var found []byte
	for k, v := range Entries(value) {
		if isKey(k, key) {
			found = v
		}
	}
	return found
}

// isKey reports whether a quoted string is s.
func isKey(quoted, s []byte) bool {
	inside := quoted[1 : len(quoted)-1]
	if len(inside) == len(s) {
		return string(inside) == string(s)
	}
	return len(inside) > len(s) && string(AppendText(nil, quoted)) == string(s)
}

// At is item number i of a list, from the end if that is negative; nil if there is none.
func At(list []byte, i int) []byte {
	if i < 0 {
		i += Len(list)
	}
	for item := range Elements(list) {
		if i == 0 {
			return item
		}
		i--
	}
	return nil
}

// Len counts the items of a list or the entries of a map, or the bytes of a string; 0 for anything else.
func Len(value []byte) int {
	n := 0
	switch _, plain := Split(value); KindOf(plain) {
	case List:
		for range Elements(plain) {
			n++
		}
	case Map:
		for range Entries(plain) {
			n++
		}
	case String:
		n = len(AppendText(nil, plain))
	}
	return n
}

// Bytes is the value without its attributes.
func Bytes(value []byte) []byte { _, value = Split(value); return value }

// IntOf is the number that an Int is.
func IntOf(value []byte) int64 {
	n, _ := strconv.ParseInt(string(Bytes(value)), 10, 64)
	return n
}

// UintOf is the number that a Uint is.
func UintOf(value []byte) uint64 {
	value = Bytes(value)
	n, _ := strconv.ParseUint(string(value[:len(value)-1]), 10, 64)
	return n
}

// FloatOf is the number that a Double is.
func FloatOf(value []byte) float64 {
	value = Bytes(value)
	if value[0] == '%' {
		value = value[1:]
	}
	f, _ := strconv.ParseFloat(string(value), 64)
	return f
}

// BoolOf is the truth that a Bool is.
func BoolOf(value []byte) bool { return Bytes(value)[1] == 't' }

// AppendText appends the string that stands in quotes.
func AppendText(dst, quoted []byte) []byte {
	s := Bytes(quoted)
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			dst = append(dst, s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == 'x' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			n, _ := strconv.ParseUint(string(s[i+1:i+3]), 16, 8)
			dst = append(dst, byte(n))
			i += 2
		case c >= '0' && c <= '7':
			n := 0
			k := i
			for ; k < len(s) && k < i+3 && s[k] >= '0' && s[k] <= '7'; k++ {
				n = 8*n + int(s[k]-'0')
			}
			dst = append(dst, byte(n))
			i = k - 1
		default:
			dst = append(dst, plain(c))
		}
	}
	return dst
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// plain is the byte that a letter behind a backslash means.
func plain(c byte) byte {
	switch c {
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	}
	return c
}
