package function

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var blank = []byte{' '}

func trimBlanks(s []byte, _ *Call, _ int) (from, to int, ok bool) {
	from, to = trimmed(s, blank, true, true)
	return from, to, true
}

// trimSide trims blanks, or the characters of the second argument.
func trimSide(left, right bool) func([]byte, *Call, int) (int, int, bool) {
	return func(s []byte, c *Call, i int) (from, to int, ok bool) {
		characters := blank
		if len(c.Args) == 2 {
			characters = c.Args[1].Bytes(i)
		}
		from, to = trimmed(s, characters, left, right)
		return from, to, true
	}
}

// bindTrim makes TRIM(side, characters, string).
func bindTrim(constants []*vector.Vector) (Kernel, error) {
	side, err := constantWord(constants[0], "TRIM", "BOTH", "LEADING", "TRAILING")
	if err != nil {
		return nil, err
	}
	left, right := side != "TRAILING", side != "LEADING"
	return cutting(2, func(s []byte, c *Call, i int) (from, to int, ok bool) {
		from, to = trimmed(s, c.Args[1].Bytes(i), left, right)
		return from, to, true
	}), nil
}

// constantWord is the constant argument of a special form, one of a few words.
func constantWord(v *vector.Vector, function string, words ...string) (string, error) {
	if v != nil && !v.IsNullConst() {
		for _, w := range words {
			if w == string(v.Bytes(0)) {
				return w, nil
			}
		}
	}
	return "", fault.Errorf(fault.User, "the first argument of %s must be one of %s", function, strings.Join(words, ", "))
}

// trimmed is what remains of s without the given characters at its sides.
func trimmed(s, characters []byte, left, right bool) (from, to int) {
	to = len(s)
	for left && from < to {
		width := leading(s[from:to], characters)
		if width == 0 {
			break
		}
		from += width
	}
	for right && from < to {
		width := trailing(s[from:to], characters)
		if width == 0 {
			break
		}
		to -= width
	}
	return from, to
}

// leading is the width of the first character of s if it is one of characters, else 0.
func leading(s, characters []byte) int {
	r, width := utf8.DecodeRune(s)
	return widthIfIn(r, width, characters)
}

func trailing(s, characters []byte) int {
	r, width := utf8.DecodeLastRune(s)
	return widthIfIn(r, width, characters)
}

func widthIfIn(r rune, width int, characters []byte) int {
	for _, c := range string(characters) {
		if c == r {
			return width
		}
	}
	return 0
}
