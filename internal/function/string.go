package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Positions and lengths count characters (code points), as in Flink.
var stringFunctions = []Scalar{
	{
		Name: "||", Family: FamilyString, Notation: Infix,
		Signatures: []string{"string1 || string2"},
		Doc:        "Both strings, one after the other; NULL if one is NULL.",
		Example:    "'tide' || 'mark'", ExampleResult: "tidemark",
		Overloads: []Overload{{Params: stringParams(2), Result: types.StringType, Kernel: rewriting(concat)}},
	},
	{
		Name: "CONCAT", Family: FamilyString,
		Signatures: []string{"CONCAT(string, …)"},
		Doc:        "All the strings, one after the other; NULL if one is NULL.",
		Example:    "CONCAT('a', 'b', 'c')", ExampleResult: "abc",
		Overloads: []Overload{{Params: stringParams(1), Variadic: true, Result: types.StringType, Kernel: rewriting(concat)}},
	},
	{
		Name: "CONCAT_WS", Family: FamilyString,
		Signatures: []string{"CONCAT_WS(separator, string, …)"},
		Doc:        "The strings with the separator between them, NULLs left out; NULL if the separator is.",
		Example:    "CONCAT_WS('-', 'a', NULL, 'c')", ExampleResult: "a-c",
		Overloads: []Overload{{Params: stringParams(2), Variadic: true, Result: types.StringType, Nulls: NullAware, Kernel: rewriting(concatWithSeparator)}},
	},
	{
		Name: "UPPER", Family: FamilyString,
		Signatures: []string{"UPPER(string)"},
		Doc:        "The string in upper case.",
		Example:    "UPPER('tide')", ExampleResult: "TIDE",
		Overloads: ofStrings(1, types.StringType, rewriting(upper)),
	},
	{
		Name: "LOWER", Family: FamilyString,
		Signatures: []string{"LOWER(string)"},
		Doc:        "The string in lower case.",
		Example:    "LOWER('TIDE')", ExampleResult: "tide",
		Overloads: ofStrings(1, types.StringType, rewriting(lower)),
	},
	{
		Name: "CHAR_LENGTH", Aliases: []string{"CHARACTER_LENGTH"}, Family: FamilyString,
		Signatures: []string{"CHAR_LENGTH(string)"},
		Doc:        "The number of characters.",
		Example:    "CHAR_LENGTH('März')", ExampleResult: "4",
		Overloads: ofStrings(1, types.IntType, charLength),
	},
	{
		Name: "SUBSTRING", Aliases: []string{"SUBSTR"}, Family: FamilyString,
		Signatures: []string{"SUBSTRING(string, start)", "SUBSTRING(string, start, length)"},
		Doc:        "The characters from position start on, at most length of them. The first is 1; a negative start counts from the end. NULL if length is negative.",
		Example:    "SUBSTRING('tidemark', 5, 3)", ExampleResult: "mar",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Kernel: cutting(0, substring)},
			{Params: []types.Type{types.StringType, types.BigIntType, types.BigIntType}, Result: types.StringType, MayBeNull: true, Kernel: cutting(0, substring)},
		},
	},
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
		Overloads: append(ofStrings(1, types.StringType, cutting(0, trimSide(true, false))),
			ofStrings(2, types.StringType, cutting(0, trimSide(true, false)))...),
	},
	{
		Name: "RTRIM", Family: FamilyString,
		Signatures: []string{"RTRIM(string)", "RTRIM(string, characters)"},
		Doc:        "The string without blanks, or the given characters, at its end.",
		Example:    "RTRIM('tidexx', 'x')", ExampleResult: "tide",
		Overloads: append(ofStrings(1, types.StringType, cutting(0, trimSide(false, true))),
			ofStrings(2, types.StringType, cutting(0, trimSide(false, true)))...),
	},
	{
		Name: "REPLACE", Family: FamilyString,
		Signatures: []string{"REPLACE(string, search, replacement)"},
		Doc:        "The string with every occurrence of search replaced.",
		Example:    "REPLACE('ebb and ebb', 'ebb', 'flow')", ExampleResult: "flow and flow",
		Overloads: ofStrings(3, types.StringType, rewriting(replace)),
	},
	{
		Name: "REVERSE", Family: FamilyString,
		Signatures: []string{"REVERSE(string)"},
		Doc:        "The characters in reverse order.",
		Example:    "REVERSE('tide')", ExampleResult: "edit",
		Overloads: ofStrings(1, types.StringType, rewriting(reverse)),
	},
	{
		Name: "LPAD", Family: FamilyString,
		Signatures: []string{"LPAD(string, length, pad)"},
		Doc:        "The string filled on the left with pad, or cut, to that length; NULL if the length is negative or pad is empty.",
		Example:    "LPAD('7', 3, '0')", ExampleResult: "007",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.BigIntType, types.StringType}, Result: types.StringType,
			MayBeNull: true, Kernel: padding(true)}},
	},
	{
		Name: "RPAD", Family: FamilyString,
		Signatures: []string{"RPAD(string, length, pad)"},
		Doc:        "The string filled on the right with pad, or cut, to that length; NULL if the length is negative or pad is empty.",
		Example:    "RPAD('ab', 5, 'xy')", ExampleResult: "abxyx",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.BigIntType, types.StringType}, Result: types.StringType,
			MayBeNull: true, Kernel: padding(false)}},
	},
	{
		Name: "POSITION", Family: FamilyString,
		Signatures: []string{"POSITION(search IN string)"},
		Doc:        "Where search first stands in string, the first character being 1; 0 if nowhere.",
		Example:    "POSITION('mark' IN 'tidemark')", ExampleResult: "5",
		Overloads: ofStrings(2, types.IntType, position),
	},
	{
		Name: "LOCATE", Family: FamilyString,
		Signatures: []string{"LOCATE(search, string)", "LOCATE(search, string, start)"},
		Doc:        "Where search first stands in string at or after start (1 unless given); 0 if nowhere.",
		Example:    "LOCATE('d', 'tide and tide', 4)", ExampleResult: "8",
		Overloads: append(ofStrings(2, types.IntType, position),
			Overload{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.IntType, Kernel: position}),
	},
	{
		Name: "SPLIT_INDEX", Family: FamilyString,
		Signatures: []string{"SPLIT_INDEX(string, separator, index)"},
		Doc:        "The part number index, from 0 on, of the string split at every separator; NULL if there is none.",
		Example:    "SPLIT_INDEX('a,b,c', ',', 1)", ExampleResult: "b",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.StringType,
			MayBeNull: true, Kernel: cutting(0, splitIndex)}},
	},
	{
		Name: "STARTSWITH", Family: FamilyString,
		Signatures: []string{"STARTSWITH(string, start)"},
		Doc:        "Whether the string begins with start.",
		Example:    "STARTSWITH('tidemark', 'tide')", ExampleResult: "TRUE",
		Overloads: ofStrings(2, types.BooleanType, pairTest(bytes.HasPrefix)),
	},
	{
		Name: "ENDSWITH", Family: FamilyString,
		Signatures: []string{"ENDSWITH(string, end)"},
		Doc:        "Whether the string ends with end.",
		Example:    "ENDSWITH('tidemark', 'tide')", ExampleResult: "FALSE",
		Overloads: ofStrings(2, types.BooleanType, pairTest(bytes.HasSuffix)),
	},
	{
		Name: "LIKE", Family: FamilyString, Notation: Infix,
		Signatures: []string{"string LIKE pattern", "string LIKE pattern ESCAPE character"},
		Doc:        "Whether the whole string fits the pattern: % is any characters, _ is one. There is no escape character unless given.",
		Example:    "'tidemark' LIKE 'tide%'", ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.BooleanType, Bind: bindLike},
			{Params: stringParams(3), Result: types.BooleanType, Bind: bindLike},
		},
	},
	{
		Name: "REGEXP_EXTRACT", Family: FamilyString,
		Signatures: []string{"REGEXP_EXTRACT(string, pattern)", "REGEXP_EXTRACT(string, pattern, group)"},
		Doc:        "What a group of the regular expression (0, the whole match, unless given) matched first; NULL if nothing. The syntax is RE2's, without look-around.",
		Example:    "REGEXP_EXTRACT('id=42;', 'id=([0-9]+)', 1)", ExampleResult: "42",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.StringType, MayBeNull: true, Bind: bindRegexpExtract},
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.StringType, MayBeNull: true, Bind: bindRegexpExtract},
		},
	},
}

// stringParams is a list of n parameters of type STRING.
func stringParams(n int) []types.Type {
	params := make([]types.Type, n)
	for i := range params {
		params[i] = types.StringType
	}
	return params
}

// ofStrings is the only overload of a strict function of n strings.
func ofStrings(n int, result types.Type, kernel Kernel) []Overload {
	return []Overload{{Params: stringParams(n), Result: result, Kernel: kernel}}
}

// pairTest is the kernel of a test on two strings.
func pairTest(test func(a, b []byte) bool) Kernel {
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Bools[i] = bit(test(c.Args[0].Bytes(i), c.Args[1].Bytes(i)))
		}
		return nil
	}
}

func concat(dst []byte, c *Call, i int) ([]byte, bool) {
	for _, v := range c.Args {
		dst = append(dst, v.Bytes(i)...)
	}
	return dst, true
}

func concatWithSeparator(dst []byte, c *Call, i int) ([]byte, bool) {
	if c.Args[0].IsNull(i) {
		return dst, false
	}
	first := true
	for _, v := range c.Args[1:] {
		if v.IsNull(i) {
			continue
		}
		if !first {
			dst = append(dst, c.Args[0].Bytes(i)...)
		}
		first = false
		dst = append(dst, v.Bytes(i)...)
	}
	return dst, true
}

func upper(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	start := len(dst)
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return append(dst[:start], bytes.ToUpper(s)...), true
		}
		if 'a' <= b && b <= 'z' {
			b -= 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst, true
}

func lower(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	start := len(dst)
	for _, b := range s {
		if b >= utf8.RuneSelf {
			return append(dst[:start], bytes.ToLower(s)...), true
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst, true
}

func charLength(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		c.Out.Ints[i] = int64(utf8.RuneCount(c.Args[0].Bytes(i)))
	}
	return nil
}

func replace(dst []byte, c *Call, i int) ([]byte, bool) {
	s, search, replacement := c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Bytes(i)
	if len(search) == 0 {
		return append(dst, s...), true
	}
	for {
		at := bytes.Index(s, search)
		if at < 0 {
			return append(dst, s...), true
		}
		dst = append(append(dst, s[:at]...), replacement...)
		s = s[at+len(search):]
	}
}

func reverse(dst []byte, c *Call, i int) ([]byte, bool) {
	for s := c.Args[0].Bytes(i); len(s) > 0; {
		_, width := utf8.DecodeLastRune(s)
		dst = append(dst, s[len(s)-width:]...)
		s = s[:len(s)-width]
	}
	return dst, true
}

// maxPadded bounds a padded string, so that a wrong length is an error of its row and not the end of memory.
const maxPadded = 1 << 20

func padding(left bool) Kernel {
	fill := rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
		s, length, pad := c.Args[0].Bytes(i), int(c.Args[1].Int(i)), c.Args[2].Bytes(i)
		if length < 0 || len(pad) == 0 {
			return dst, false
		}
		missing := length - utf8.RuneCount(s)
		if missing <= 0 {
			return append(dst, s[:byteOffset(s, length)]...), true
		}
		if !left {
			dst = append(dst, s...)
		}
		for width := utf8.RuneCount(pad); missing > 0; missing -= width {
			dst = append(dst, pad[:byteOffset(pad, missing)]...)
		}
		if left {
			dst = append(dst, s...)
		}
		return dst, true
	})
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			if i := c.Rows.At(k); c.Args[1].Int(i) > maxPadded {
				return rowErrorf(i, "cannot pad a string to %d characters; the most is %d", c.Args[1].Int(i), maxPadded)
			}
		}
		return fill(c)
	}
}

// position serves POSITION and LOCATE. A start below 1 finds nothing (Flink 2.3).
func position(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		start := int64(1)
		if len(c.Args) == 3 {
			start = c.Args[2].Int(i)
		}
		c.Out.Ints[i] = positionFrom(c.Args[0].Bytes(i), c.Args[1].Bytes(i), start)
	}
	return nil
}

func positionFrom(search, s []byte, start int64) int64 {
	if start < 1 {
		return 0
	}
	from := byteOffset(s, int(start-1))
	at := bytes.Index(s[from:], search)
	if at < 0 {
		return 0
	}
	return int64(utf8.RuneCount(s[:from+at])) + 1
}

// byteOffset is where character number n (from 0) begins, or the end of s.
func byteOffset(s []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, width := utf8.DecodeRune(s[at:])
		at += width
	}
	return at
}
