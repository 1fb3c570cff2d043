package functions

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	// acceptCharacters takes Utf8, and a constant String that is.
	acceptCharacters = accept{"Utf8", func(v Value) (Value, bool) {
		if v.Static == nil && v.Type.Kind == yqltype.String {
			to := typeUtf8
			to.Optional = v.Type.Optional
			w, err := Fit(v, to)
			return w, err == nil
		}
		return acceptUnicode.take(v)
	}}
	paramUtf8 = param{name: "string", accept: acceptCharacters}
)

// unicodeFunctions are those of module Unicode: they see characters. A String that is no constant is CAST to Utf8 first.
var unicodeFunctions = []Function{
	splitRow("Unicode"),
	joinRow("Unicode"),
	{
		Module: "Unicode", Name: "IsUtf", Signature: "Unicode::IsUtf(string)", Doc: "Whether the bytes of a String are UTF-8.",
		Example: `Unicode::IsUtf("tide")`, Result: "true",
		params: []param{paramString},
		apply:  gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) { return utf8.Valid(c.Args[0].Bytes(i)), nil })}),
	},
	{
		Module: "Unicode", Name: "GetLength", Signature: "Unicode::GetLength(string)", Doc: "How many characters the string has.",
		Example: `Unicode::GetLength("früh"u)`, Result: "4",
		params: []param{paramUtf8},
		apply: gives(count64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(utf8.RuneCount(c.Args[0].Bytes(i))), nil
		})}),
	},
	{
		Module: "Unicode", Name: "Substring", Signature: "Unicode::Substring(string [, start [, length]])",
		Doc:     "A part of a string: from a character on, counted from 0, so many characters or up to the end.",
		Example: `Unicode::Substring("früh"u, 2, 1)`, Result: "ü",
		params: []param{paramUtf8, {name: "start", accept: acceptWhole, absent: absentNumber}, {name: "length", accept: acceptWhole, absent: absentNumber}},
		apply:  func(c *invocation) (Value, error) { return substring(c.name, c.args, cutCharacters) },
	},
	placeOf("Find", "first, at or behind start", `Unicode::Find("über Ebbe"u, "Ebbe"u)`, "5", 0, findFrom),
	placeOf("RFind", "last, at or before start", `Unicode::RFind("üü"u, "ü"u)`, "1", math.MaxInt64, findLast),
	replaces("Unicode", "ReplaceAll", "The string with something in the place of each part.", `Unicode::ReplaceAll("ebb ebb"u, "ebb"u, "tide"u)`, "tide tide", replaceAll),
	replaces("Unicode", "ReplaceFirst", "The string with something in the place of the first part.", `Unicode::ReplaceFirst("ebb ebb"u, "ebb"u, "tide"u)`, "tide ebb", replaceFirst),
	replaces("Unicode", "ReplaceLast", "The string with something in the place of the last part.", `Unicode::ReplaceLast("ebb ebb"u, "ebb"u, "tide"u)`, "ebb tide", replaceLast),
	remakes("ToLower", "The string with small letters.", `Unicode::ToLower("FRÜH"u)`, "früh", strings.ToLower),
	remakes("ToUpper", "The string with capital letters.", `Unicode::ToUpper("früh"u)`, "FRÜH", strings.ToUpper),
	remakes("ToTitle", "The string with a capital letter at its beginning, the others small.", `Unicode::ToTitle("über"u)`, "Über", func(s string) string {
		_, size := utf8.DecodeRuneInString(s)
		return strings.ToTitle(s[:size]) + strings.ToLower(s[size:])
	}),
	remakes("Reverse", "The characters from the last to the first.", `Unicode::Reverse("früh"u)`, "hürf", func(s string) string {
		var b strings.Builder
		for len(s) > 0 {
			_, size := utf8.DecodeLastRuneInString(s)
			b.WriteString(s[len(s)-size:])
			s = s[:len(s)-size]
		}
		return b.String()
	}),
	remakes("Strip", "The string without the blanks at its ends.", `Unicode::Strip("  ebb "u)`, "ebb", strings.TrimSpace),
	allCharacters("IsAscii", `Unicode::IsAscii("tide"u)`, "of ASCII", func(r rune) bool { return r < utf8.RuneSelf }),
	allCharacters("IsSpace", `Unicode::IsSpace(" "u)`, "blanks", unicode.IsSpace),
	allCharacters("IsUpper", `Unicode::IsUpper("Ü"u)`, "capital letters", unicode.IsUpper),
	allCharacters("IsLower", `Unicode::IsLower("ü"u)`, "small letters", unicode.IsLower),
	allCharacters("IsAlpha", `Unicode::IsAlpha("über"u)`, "letters", unicode.IsLetter),
	allCharacters("IsAlnum", `Unicode::IsAlnum("über7"u)`, "letters or digits", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
	allCharacters("IsHex", `Unicode::IsHex("7fA"u)`, "hexadecimal digits", func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) }),
	levenshteinRow("Unicode", func(s []byte) []rune { return []rune(string(s)) }),
	{
		Module: "Unicode", Name: "ToCodePointList", Signature: "Unicode::ToCodePointList(string)", Doc: "The numbers of the characters as a List.",
		Example: `ListHead(Unicode::ToCodePointList("ü"u))`, Result: "252",
		params: []param{paramUtf8},
		apply: gives(yqltype.ListOf(typeUint32), spec{kernel: buildList(vector.Int64, func(b *vector.Builder, c *function.Call, i int) error {
			for _, r := range string(c.Args[0].Bytes(i)) {
				b.AppendInt(int64(r))
			}
			return nil
		})}),
	},
	{
		Module: "Unicode", Name: "ToUint64", Signature: "Unicode::ToUint64(string [, base])", Doc: "The number that the string shows, in a base or as 0x and 0 at its beginning say; else the query fails.",
		Example: `Unicode::ToUint64("0x1F"u)`, Result: "31",
		params: []param{paramUtf8, {name: "base", accept: acceptWhole, absent: Int(typeInt64, 0)}},
		apply: gives(count64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			n, ok := unsigned(c, i)
			if !ok {
				return 0, hintf(CodeValue, "Unicode::TryToUint64 gives NULL", "%q is no number", short(c.Args[0].Bytes(i)))
			}
			return n, nil
		})}),
	},
	{
		Module: "Unicode", Name: "TryToUint64", Signature: "Unicode::TryToUint64(string [, base])", Doc: "The number that the string shows; NULL if it shows none.",
		Example: `Unicode::TryToUint64("tide"u) IS NULL`, Result: "true",
		params: []param{paramUtf8, {name: "base", accept: acceptWhole, absent: Int(typeInt64, 0)}},
		apply: gives(count64, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			n, ok := unsigned(c, i)
			if !ok {
				return 0, errNull
			}
			return n, nil
		})}),
	},
}

func unsigned(c *function.Call, i int) (int64, bool) {
	base := c.Args[1].Int(i)
	if base < 0 || base > 36 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(c.Args[0].Bytes(i)), int(base), 64)
	return n, err == nil && n >= 0
}

// cutCharacters cuts so many characters off.
func cutCharacters(s []byte, from, n int64) []byte {
	skip := func(s []byte, n int64) int {
		at := 0
		for ; n > 0 && at < len(s); n-- {
			_, size := utf8.DecodeRune(s[at:])
			at += size
		}
		return at
	}
	s = s[skip(s, from):]
	return s[:skip(s, n)]
}

// placeOf is the row of a function that finds a part by characters.
func placeOf(name, which, example, result string, absent int64, find func(s, part []byte, at int64) int) Function {
	return Function{
		Module: "Unicode", Name: name, Signature: "Unicode::" + name + "(string, part [, start])", Doc: "The character at which a part is found " + which + ", from 0 on; NULL if it is not there.",
		Example: example, Result: result,
		params: []param{paramUtf8, {name: "part", accept: acceptCharacters}, {name: "start", accept: acceptWhole, absent: Int(typeInt64, absent)}},
		apply: gives(count64, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			s, start := c.Args[0].Bytes(i), c.Args[2].Int(i)
			if start > 0 && start < int64(len(s)) {
				start = int64(len(s) - len(cutCharacters(s, start, math.MaxInt64)))
			}
			at := find(s, c.Args[1].Bytes(i), start)
			if at < 0 {
				return 0, errNull
			}
			return int64(utf8.RuneCount(s[:at])), nil
		})}),
	}
}

func remakes(name, doc, example, result string, remake func(s string) string) Function {
	return Function{
		Module: "Unicode", Name: name, Signature: "Unicode::" + name + "(string)", Doc: doc, Example: example, Result: result,
		params: []param{paramUtf8},
		apply: gives(typeUtf8, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return append(dst, remake(string(c.Args[0].Bytes(i)))...), nil
		})}),
	}
}

func allCharacters(name, example, what string, holds func(r rune) bool) Function {
	return Function{
		Module: "Unicode", Name: name, Signature: "Unicode::" + name + "(string)", Doc: "Whether all characters are " + what + ".", Example: example, Result: "true",
		params: []param{paramUtf8},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			for _, r := range string(c.Args[0].Bytes(i)) {
				if !holds(r) {
					return false, nil
				}
			}
			return true, nil
		})}),
	}
}
