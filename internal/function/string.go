package function

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// textFunctions are those of strings and bytes, family by family.
var textFunctions = slices.Concat(stringFunctions, substringFunctions, trimFunctions, searchFunctions, splitFunctions, characterFunctions, formatFunctions,
	patternFunctions, encodingFunctions, urlFunctions, hashFunctions, jsonFunctions)

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
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.StringType, Nulls: NullAware, Kernel: rewriting(concatWithSeparator)},
			{Params: stringParams(2), Variadic: true, Result: types.StringType, Nulls: NullAware, Kernel: rewriting(concatWithSeparator)},
		},
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
		Name: "INITCAP", Family: FamilyString,
		Signatures: []string{"INITCAP(string)"},
		Doc:        "The string with every word beginning in upper case and going on in lower case. Flink 2.3: words are of the letters A to Z and digits; others are left alone.",
		Example:    "INITCAP('spring TIDE')", ExampleResult: "Spring Tide",
		Overloads: ofStrings(1, types.StringType, rewriting(initcap)),
	},
	{
		Name: "REPLACE", Family: FamilyString,
		Signatures: []string{"REPLACE(string, search, replacement)"},
		Doc:        "The string with every occurrence of search replaced. An empty search stands between all characters.",
		Example:    "REPLACE('ebb and ebb', 'ebb', 'flow')", ExampleResult: "flow and flow",
		Overloads: ofStrings(3, types.StringType, rewriting(replace)),
	},
	{
		Name: "TRANSLATE", Aliases: []string{"TRANSLATE3"}, Family: FamilyString,
		Signatures: []string{"TRANSLATE(string, from, to)"},
		Doc:        "The string with every character of from replaced by the one at the same place of to, or left out if to is shorter.",
		Example:    "TRANSLATE('hello', 'el', 'ip')", ExampleResult: "hippo",
		Overloads: []Overload{{Params: stringParams(3), Result: types.StringType, Nulls: NullAware, Kernel: rewriting(translate)}},
	},
	{
		Name: "OVERLAY", Family: FamilyString,
		Signatures: []string{"OVERLAY(string PLACING replacement FROM start [FOR length])"},
		Doc: "The string with length characters (as many as replacement has, unless given) from position start on replaced. " +
			"Flink 2.3: as it is if start lies outside of it; cut off behind the replacement if length is below 1.",
		Example: "OVERLAY('low tide' PLACING 'high' FROM 1 FOR 3)", ExampleResult: "high tide",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.StringType, Kernel: rewriting(overlay)},
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType, types.BigIntType}, Result: types.StringType, Kernel: rewriting(overlay)},
		},
	},
	{
		Name: "REPEAT", Family: FamilyString,
		Signatures: []string{"REPEAT(string, times)"},
		Doc:        "The string so many times; empty if times is below 1.",
		Example:    "REPEAT('ab', 3)", ExampleResult: "ababab",
		Overloads: []Overload{{Params: []types.Type{types.StringType, types.BigIntType}, Result: types.StringType, Kernel: repeat}},
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
}

// counting is the kernel of a function whose result is a whole number.
func counting(count func(c *Call, i int) int64) Kernel {
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Ints[i] = count(c, i)
		}
		return nil
	}
}

// deciding is the kernel of a test.
func deciding(test func(c *Call, i int) bool) Kernel {
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Bools[i] = bit(test(c, i))
		}
		return nil
	}
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

func concat(dst []byte, c *Call, i int) ([]byte, bool) {
	for _, v := range c.Args {
		dst = append(dst, v.Bytes(i)...)
		if c.full(dst) {
			break
		}
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
		if c.full(dst) {
			break
		}
		if !first {
			dst = append(dst, c.Args[0].Bytes(i)...)
		}
		first = false
		dst = append(dst, v.Bytes(i)...)
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

func initcap(dst []byte, c *Call, i int) ([]byte, bool) {
	inside := false
	for _, b := range c.Args[0].Bytes(i) {
		letter := 'a' <= b|0x20 && b|0x20 <= 'z'
		switch {
		case letter && inside:
			b |= 0x20
		case letter:
			b &^= 0x20
		}
		inside = letter || '0' <= b && b <= '9'
		dst = append(dst, b)
	}
	return dst, true
}

func replace(dst []byte, c *Call, i int) ([]byte, bool) {
	s, search, replacement := c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Bytes(i)
	if len(search) == 0 {
		for len(s) > 0 && !c.full(dst) {
			_, width := utf8.DecodeRune(s)
			dst = append(append(dst, replacement...), s[:width]...)
			s = s[width:]
		}
		return append(dst, replacement...), true
	}
	for {
		at := bytes.Index(s, search)
		if at < 0 || c.full(dst) {
			return append(dst, s...), true
		}
		dst = append(append(dst, s[:at]...), replacement...)
		s = s[at+len(search):]
	}
}

// translate is NULL only if the string is. Flink 2.3: without from nothing changes, without to the characters are left out.
func translate(dst []byte, c *Call, i int) ([]byte, bool) {
	if c.Args[0].IsNull(i) {
		return dst, false
	}
	s := c.Args[0].Bytes(i)
	if c.Args[1].IsNull(i) {
		return append(dst, s...), true
	}
	from, to := c.Args[1].Bytes(i), []byte(nil)
	if !c.Args[2].IsNull(i) {
		to = c.Args[2].Bytes(i)
	}
	for len(s) > 0 {
		_, width := utf8.DecodeRune(s)
		at := bytes.Index(from, s[:width])
		if at < 0 {
			dst = append(dst, s[:width]...)
		} else {
			rest := to[byteOffset(to, utf8.RuneCount(from[:at])):]
			dst = append(dst, rest[:byteOffset(rest, 1)]...)
		}
		s = s[width:]
	}
	return dst, true
}

func overlay(dst []byte, c *Call, i int) ([]byte, bool) {
	s, replacement, start := c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Int(i)
	if start < 1 || start > int64(utf8.RuneCount(s)) {
		return append(dst, s...), true
	}
	length := 0
	if len(c.Args) == 4 {
		length = int(c.Args[3].Int(i))
	} else {
		length = utf8.RuneCount(replacement)
	}
	from := byteOffset(s, int(start-1))
	dst = append(append(dst, s[:from]...), replacement...)
	if length > 0 {
		dst = append(dst, s[from+byteOffset(s[from:], length):]...)
	}
	return dst, true
}

func repeat(c *Call) error {
	w := newText(c, size(c.Args[0], c.Rows))
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		s, times := c.Args[0].Bytes(i), c.Args[1].Int(i)
		if len(s) > 0 && times > 0 {
			vector.CheckValue(i, int(min(times, vector.MaxValue+1))*len(s))
			w.buf = append(w.buf, bytes.Repeat(s, int(times))...)
		}
		w.end(i)
	}
	w.done()
	return nil
}

func reverse(dst []byte, c *Call, i int) ([]byte, bool) {
	for s := c.Args[0].Bytes(i); len(s) > 0; {
		_, width := utf8.DecodeLastRune(s)
		dst = append(dst, s[len(s)-width:]...)
		s = s[:len(s)-width]
	}
	return dst, true
}

func padding(left bool) Kernel {
	return rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
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
		for width := utf8.RuneCount(pad); missing > 0 && !c.full(dst); missing -= width {
			dst = append(dst, pad[:byteOffset(pad, missing)]...)
		}
		if left {
			dst = append(dst, s...)
		}
		return dst, true
	})
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
