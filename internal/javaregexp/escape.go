package javaregexp

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Classes by one letter, as Java has them: of ASCII but for the spaces and line ends.
var (
	digits   = setOf('0', '9')
	wordSet  = setOf('0', '9', 'A', 'Z', '_', '_', 'a', 'z')
	spaces   = setOf('\t', '\r', ' ', ' ')
	lineEnds = setOf('\n', '\n', '\r', '\r', 0x85, 0x85, 0x2028, 0x2029)
	vertical = setOf('\n', '\r', 0x85, 0x85, 0x2028, 0x2029)
	blanks   = setOf('\t', '\t', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000)
)

var classLetters = map[rune]runeSet{'d': digits, 'w': wordSet, 's': spaces, 'v': vertical, 'h': blanks}

// escape translates what stands behind a backslash outside of a class; at is where the backslash is.
func (t *translator) escape(at int) {
	switch c := t.peek(); c {
	case 'b':
		t.next()
		if t.peek() == '{' {
			t.unsupported(at, "boundaries of grapheme clusters")
		}
		t.out.WriteString(`(?:\b)`)
	case 'B':
		t.next()
		t.out.WriteString(`(?:\B)`)
	case 'A':
		t.next()
		t.out.WriteString(`(?:\A)`)
	case 'z', 'Z':
		t.next()
		t.out.WriteString(`(?:\z)`)
	case 'R':
		t.next()
		t.out.WriteString(`(?:\r\n|`)
		t.set(vertical)
		t.out.WriteByte(')')
	case 'G':
		t.unsupported(at, "matches at the end of the last one by \\G")
	case 'X':
		t.unsupported(at, "grapheme clusters by \\X")
	case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		t.unsupported(at, "back-references")
	default:
		if set, ok := t.classEscape(at); ok {
			t.set(set)
			return
		}
		t.literal(t.runeEscape(at))
	}
}

// classEscape reads \d, \p{…} and the like, inside and outside of classes.
func (t *translator) classEscape(at int) (runeSet, bool) {
	c := t.peek()
	switch {
	case c == 'p' || c == 'P':
		t.next()
		set := t.property(at)
		if c == 'P' {
			set = set.negated()
		}
		return set, true
	case classLetters[c] != nil:
		t.next()
		return classLetters[c], true
	case classLetters[c|0x20] != nil && 'A' <= c && c <= 'Z':
		t.next()
		return classLetters[c|0x20].negated(), true
	}
	return nil, false
}

// runeEscape reads an escape that stands for one character.
func (t *translator) runeEscape(at int) rune {
	switch c := t.next(); c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 'f':
		return '\f'
	case 'a':
		return '\a'
	case 'e':
		return 0x1b
	case 'c':
		return t.next() ^ 64
	case '0':
		return t.octal(at)
	case 'x':
		if t.accept("{") {
			return t.hexUntilBrace(at)
		}
		return t.hex(at, 2)
	case 'u':
		return t.utf16(at)
	default:
		if 'a' <= c|0x20 && c|0x20 <= 'z' {
			t.fail(at, "an unknown escape")
		}
		return c
	}
}

// octal reads one to three digits, at most 377.
func (t *translator) octal(at int) rune {
	r, n := rune(0), 0
	for c := t.peek(); n < 3 && '0' <= c && c <= '7' && 8*r+c-'0' <= 0o377; c = t.peek() {
		r = 8*r + t.next() - '0'
		n++
	}
	if n == 0 {
		t.fail(at, "an escape without its digits")
	}
	return r
}

func (t *translator) hex(at, n int) rune {
	if len(t.pattern)-t.at < n {
		t.fail(at, "an escape without its digits")
	}
	v, err := strconv.ParseUint(t.pattern[t.at:t.at+n], 16, 32)
	if err != nil {
		t.fail(at, "an escape without its digits")
	}
	t.at += n
	return rune(v)
}

func (t *translator) hexUntilBrace(at int) rune {
	end := strings.IndexByte(t.pattern[t.at:], '}')
	if end < 1 || end > 8 {
		t.fail(at, "an escape without its digits")
	}
	r := t.hex(at, end)
	t.at++
	if r < 0 || r > unicode.MaxRune {
		t.fail(at, "a code that no character has")
	}
	return t.whole(at, r)
}

// utf16 reads four digits, and another \uXXXX if they are the first half of a character.
func (t *translator) utf16(at int) rune {
	r := t.hex(at, 4)
	if utf16.IsSurrogate(r) && t.accept(`\u`) {
		r = utf16.DecodeRune(r, t.hex(at, 4))
		if r == utf8.RuneError {
			t.unsupported(at, "halves of characters")
		}
	}
	return t.whole(at, r)
}

func (t *translator) whole(at int, r rune) rune {
	if utf16.IsSurrogate(r) {
		t.unsupported(at, "halves of characters")
	}
	return r
}
