package function

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Functions that take characters off the sides of a string.
var trimFunctions = []Scalar{
	{
		Name: "TRIM", Family: FamilyString,
		Signatures: []string{"TRIM(string)", "TRIM([BOTH | LEADING | TRAILING] [characters] FROM string)"},
		Doc:        "The string without blanks, or without the given characters, on both sides or one.",
		Example:    "TRIM(BOTH 'x' FROM 'xxtidex')", ExampleResult: "tide",
		Overloads: append(ofStrings(1, types.StringType, cutting(0, trimBlanks)),
			Overload{Params: stringParams(3), Result: types.StringType, Bind: bindTrim}),
	},
	{
		Name: "LTRIM", Family: FamilyString,
		Signatures: []string{"LTRIM(string)", "LTRIM(string, characters)"},
		Doc:        "The string without blanks, or the given characters, at its beginning.",
		Example:    "LTRIM('  tide')", ExampleResult: "tide",
		Overloads: trimOverloads(true, false),
	},
	{
		Name: "RTRIM", Family: FamilyString,
		Signatures: []string{"RTRIM(string)", "RTRIM(string, characters)"},
		Doc:        "The string without blanks, or the given characters, at its end.",
		Example:    "RTRIM('tidexx', 'x')", ExampleResult: "tide",
		Overloads: trimOverloads(false, true),
	},
	{
		Name: "BTRIM", Family: FamilyString,
		Signatures: []string{"BTRIM(string)", "BTRIM(string, characters)"},
		Doc:        "The string without blanks, or the given characters, at both sides.",
		Example:    "BTRIM('xxtidex', 'x')", ExampleResult: "tide",
		Overloads: trimOverloads(true, true),
	},
}

func trimOverloads(left, right bool) []Overload {
	kernel := cutting(0, trimSide(left, right))
	return append(ofStrings(1, types.StringType, kernel), ofStrings(2, types.StringType, kernel)...)
}

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
