package function

import (
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Functions whose result is a part of their argument.
var substringFunctions = []Scalar{
	{
		Name: "SUBSTRING", Aliases: []string{"SUBSTR"}, Family: FamilyString,
		Signatures: []string{"SUBSTRING(string, start)", "SUBSTRING(string, start, length)", "SUBSTRING(string FROM start [FOR length])"},
		Doc:        "The characters from position start on, at most length of them. The first is 1; a negative start counts from the end. NULL if length is negative.",
		Example:    "SUBSTRING('tidemark', 5, 3)", ExampleResult: "mar",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Kernel: cutting(0, substring)},
			{Params: []types.Type{types.StringType, types.BigIntType, types.BigIntType}, Result: types.StringType, MayBeNull: true, Kernel: cutting(0, substring)},
		},
	},
	{
		Name: "LEFT", Family: FamilyString,
		Signatures: []string{"LEFT(string, length)"},
		Doc:        "The first characters, at most length of them; none if length is below 1.",
		Example:    "LEFT('tidemark', 4)", ExampleResult: "tide",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Kernel: cutting(0, left)}},
	},
	{
		Name: "RIGHT", Family: FamilyString,
		Signatures: []string{"RIGHT(string, length)"},
		Doc:        "The last characters, at most length of them; none if length is below 1.",
		Example:    "RIGHT('tidemark', 4)", ExampleResult: "mark",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Kernel: cutting(0, right)}},
	},
}

// substring is where SUBSTRING cuts. Flink 2.3: a start of 0 is the first character, a negative one counts from the end, one before the beginning
// gives the empty string.
func substring(s []byte, c *Call, i int) (from, to int, ok bool) {
	start := int(c.Args[1].Int(i))
	length := len(s)
	if len(c.Args) == 3 {
		length = int(c.Args[2].Int(i))
	}
	if length < 0 {
		return 0, 0, false
	}
	switch {
	case start > 0:
		start--
	case start < 0:
		if start += utf8.RuneCount(s); start < 0 {
			return 0, 0, true
		}
	}
	from = byteOffset(s, start)
	return from, from + byteOffset(s[from:], length), true
}

func left(s []byte, c *Call, i int) (from, to int, ok bool) {
	return 0, byteOffset(s, int(c.Args[1].Int(i))), true
}

func right(s []byte, c *Call, i int) (from, to int, ok bool) {
	from = len(s)
	for n := c.Args[1].Int(i); n > 0 && from > 0; n-- {
		_, width := utf8.DecodeLastRune(s[:from])
		from -= width
	}
	return from, len(s), true
}
