package function

import (
	"unicode"
	"unicode/utf8"
)

// upper and lower convert as Java does: by the full rules of Unicode, in which one letter may become two, and a sigma at the end of a word has a
// form of its own; not by those of a language.

func upper(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	start := len(dst)
	dst = append(dst, s...)
	for k, b := range dst[start:] {
		switch {
		case b >= utf8.RuneSelf:
			return upperRunes(dst[:start+k], s[k:]), true
		case 'a' <= b && b <= 'z':
			dst[start+k] = b - ('a' - 'A')
		}
	}
	return dst, true
}

func upperRunes(dst, s []byte) []byte {
	for _, r := range string(s) {
		if whole, ok := upperSpecial[r]; ok {
			dst = append(dst, whole...)
			continue
		}
		dst = utf8.AppendRune(dst, unicode.ToUpper(r))
	}
	return dst
}

// upperSpecial are the letters whose upper case is several.
var upperSpecial = map[rune]string{
	'ß': "SS", 'ŉ': "ʼN", 'ǰ': "J̌", 'ΐ': "Ϊ́", 'ΰ': "Ϋ́", 'և': "ԵՒ", 'ẖ': "H̱", 'ẗ': "T̈", 'ẘ': "W̊", 'ẙ': "Y̊", 'ẚ': "Aʾ",
	'ﬀ': "FF", 'ﬁ': "FI", 'ﬂ': "FL", 'ﬃ': "FFI", 'ﬄ': "FFL", 'ﬅ': "ST", 'ﬆ': "ST", 'ﬓ': "ՄՆ", 'ﬔ': "ՄԵ", 'ﬕ': "ՄԻ", 'ﬖ': "ՎՆ", 'ﬗ': "ՄԽ",
}

func lower(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	start := len(dst)
	dst = append(dst, s...)
	for k, b := range dst[start:] {
		switch {
		case b >= utf8.RuneSelf:
			return lowerRunes(dst[:start], s), true
		case 'A' <= b && b <= 'Z':
			dst[start+k] = b + ('a' - 'A')
		}
	}
	return dst, true
}

func lowerRunes(dst, s []byte) []byte {
	for at, r := range string(s) {
		switch {
		case r == 'İ':
			dst = append(dst, "i̇"...)
		case r == 'Σ' && endsWord(s, at):
			dst = append(dst, "ς"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// endsWord reports whether the sigma at position at of s has a letter before and none behind it, marks apart.
func endsWord(s []byte, at int) bool {
	before, after := false, false
	for k := at; k > 0; {
		r, width := utf8.DecodeLastRune(s[:k])
		k -= width
		if !ignoredInCase(r) {
			before = unicode.IsLetter(r)
			break
		}
	}
	for k := at + len("Σ"); k < len(s); {
		r, width := utf8.DecodeRune(s[k:])
		k += width
		if !ignoredInCase(r) {
			after = unicode.IsLetter(r)
			break
		}
	}
	return before && !after
}

func ignoredInCase(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || r == '\'' || r == '.' || r == ':' || r == '·' || r == '’'
}
