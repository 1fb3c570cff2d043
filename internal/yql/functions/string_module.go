package functions

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// rewrites is the row of a function of module String that makes another string of one.
func rewrites(name, doc, example, result string, write func(dst, s []byte) ([]byte, error), aliases ...string) Function {
	return Function{
		Module: "String", Name: name, Aliases: aliases, Signature: "String::" + name + "(string)", Doc: doc, Example: example, Result: result,
		params: []param{paramString},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return write(dst, c.Args[0].Bytes(i))
		})}),
	}
}

// decodes is rewrites where what cannot be read is NULL.
func decodes(name, doc, example, result string, write func(dst, s []byte) ([]byte, error)) Function {
	f := rewrites(name, doc, example, result, nil)
	f.apply = gives(typeString, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		out, err := write(dst, c.Args[0].Bytes(i))
		if err != nil {
			return nil, errNull
		}
		return out, nil
	})})
	return f
}

// tests is the row of a function of module String that says something of two strings.
func tests(name, doc, example, result string, holds func(s, t []byte) bool, aliases ...string) Function {
	return Function{
		Module: "String", Name: name, Aliases: aliases, Signature: "String::" + name + "(string, part)", Doc: doc, Example: example, Result: result,
		params: []param{paramString, paramPart},
		apply:  gives(one, spec{kernel: bools(saying(holds))}),
	}
}

// classifies is the row of a function of module String that says something of all bytes of a string.
func classifies(name, doc, example string, holds func(c byte) bool) Function {
	return Function{
		Module: "String", Name: name, Signature: "String::" + name + "(string)", Doc: doc, Example: example, Result: "true",
		params: []param{paramString},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			return !slices.ContainsFunc(c.Args[0].Bytes(i), func(c byte) bool { return !holds(c) }), nil
		})}),
	}
}

// replaces is the row of a function that puts something in the place of a part.
func replaces(module, name, doc, example, result string, write func(dst, s, part, with []byte) []byte) Function {
	p := param{name: "string", accept: acceptText}
	return Function{
		Module: module, Name: name, Signature: module + "::" + name + "(string, part, replacement)", Doc: doc, Example: example, Result: result,
		params: []param{p, paramPart, {name: "replacement", accept: acceptText}},
		apply: func(c *invocation) (Value, error) {
			return call(c.name, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
				return write(dst, c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Bytes(i)), nil
			})}, typeOfModule(module), c.args...)
		},
	}
}

// typeOfModule is what strings of a module are.
func typeOfModule(module string) yqltype.Type {
	if module == "Unicode" {
		return typeUtf8
	}
	return typeString
}

// stringFunctions are those of module String: they see bytes, and letters of ASCII.
var stringFunctions = []Function{
	splitRow("String"),
	joinRow("String"),
	tests("Contains", "Whether a string has a part.", `String::Contains("tidemark", "dem")`, "true", bytes.Contains),
	tests("HasPrefix", "Whether a string begins with another.", `String::HasPrefix("tidemark", "tide")`, "true", bytes.HasPrefix, "StartsWith"),
	tests("HasSuffix", "Whether a string ends with another.", `String::HasSuffix("tidemark", "mark")`, "true", bytes.HasSuffix, "EndsWith"),
	tests("AsciiContainsIgnoreCase", "Whether a string has a part, whatever the case of its letters.", `String::AsciiContainsIgnoreCase("Tidemark", "DEM")`, "true",
		func(s, t []byte) bool { return bytes.Contains(lowerASCII(nil, s), lowerASCII(nil, t)) }),
	tests("AsciiStartsWithIgnoreCase", "Whether a string begins with another, whatever the case of its letters.", `String::AsciiStartsWithIgnoreCase("Tidemark", "tide")`, "true",
		func(s, t []byte) bool { return len(s) >= len(t) && equalASCII(s[:len(t)], t) }, "HasPrefixIgnoreCase", "StartsWithIgnoreCase"),
	tests("AsciiEndsWithIgnoreCase", "Whether a string ends with another, whatever the case of its letters.", `String::AsciiEndsWithIgnoreCase("TideMark", "mark")`, "true",
		func(s, t []byte) bool { return len(s) >= len(t) && equalASCII(s[len(s)-len(t):], t) }, "HasSuffixIgnoreCase", "EndsWithIgnoreCase"),
	tests("AsciiEqualsIgnoreCase", "Whether two strings are equal but for the case of their letters.", `String::AsciiEqualsIgnoreCase("Tide", "tIDE")`, "true", equalASCII),
	findRow("Find", "The byte at which a part is found first, from 0 on; -1 if it is not there.", `String::Find("ebb tide", "tide")`, "4", 0, findFrom),
	findRow("ReverseFind", "The byte at which a part is found last, at or before a position; -1 if it is not there.", `String::ReverseFind("tide tide", "tide")`, "5", 1<<62, findLast),
	{
		Module: "String", Name: "Substring", Signature: "String::Substring(string [, start [, length]])",
		Doc:     "A part of a string, as the Substring that is built in gives it.",
		Example: `String::Substring("tidemark", 4)`, Result: "mark",
		params: []param{paramString, {name: "start", accept: acceptWhole, absent: absentNumber}, {name: "length", accept: acceptWhole, absent: absentNumber}},
		apply:  func(c *invocation) (Value, error) { return substring(c.name, c.args, cutBytes) },
	},
	rewrites("AsciiToLower", "The string with small letters.", `String::AsciiToLower("Tide")`, "tide", func(dst, s []byte) ([]byte, error) { return lowerASCII(dst, s), nil }, "ToLower"),
	rewrites("AsciiToUpper", "The string with capital letters.", `String::AsciiToUpper("Tide")`, "TIDE", func(dst, s []byte) ([]byte, error) {
		from := len(dst)
		dst = append(dst, s...)
		for i, c := range dst[from:] {
			if c >= 'a' && c <= 'z' {
				dst[from+i] = c - 'a' + 'A'
			}
		}
		return dst, nil
	}, "ToUpper"),
	rewrites("AsciiToTitle", "The string with a capital letter at its beginning, the others small.", `String::AsciiToTitle("tIDE")`, "Tide", func(dst, s []byte) ([]byte, error) {
		from := len(dst)
		dst = lowerASCII(dst, s)
		if len(s) > 0 && dst[from] >= 'a' && dst[from] <= 'z' {
			dst[from] -= 'a' - 'A'
		}
		return dst, nil
	}, "ToTitle"),
	rewrites("Strip", "The string without the blanks at its ends.", `String::Strip("  ebb tide ")`, "ebb tide", func(dst, s []byte) ([]byte, error) {
		return append(dst, bytes.Trim(s, " \t\r\n\v\f")...), nil
	}),
	rewrites("Collapse", "The string without the blanks at its ends, and one where there are several.", `String::Collapse("  ebb \t tide ")`, "ebb tide", func(dst, s []byte) ([]byte, error) {
		return append(dst, bytes.Join(bytes.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\v\f", r) }), []byte{' '})...), nil
	}),
	rewrites("Reverse", "The bytes from the last to the first.", `String::Reverse("tide")`, "edit", func(dst, s []byte) ([]byte, error) {
		for i := len(s) - 1; i >= 0; i-- {
			dst = append(dst, s[i])
		}
		return dst, nil
	}),
	replaces("String", "ReplaceAll", "The string with something in the place of each part.", `String::ReplaceAll("ebb ebb", "ebb", "tide")`, "tide tide", replaceAll),
	replaces("String", "ReplaceFirst", "The string with something in the place of the first part.", `String::ReplaceFirst("ebb ebb", "ebb", "tide")`, "tide ebb", replaceFirst),
	replaces("String", "ReplaceLast", "The string with something in the place of the last part.", `String::ReplaceLast("ebb ebb", "ebb", "tide")`, "ebb tide", replaceLast),
	removes("RemoveAll", "The string without all bytes of a set.", `String::RemoveAll("tidemark", "ie")`, "tdmark", func(dst, s, set []byte) []byte {
		for _, c := range s {
			if bytes.IndexByte(set, c) < 0 {
				dst = append(dst, c)
			}
		}
		return dst
	}),
	removes("RemoveFirst", "The string without the first byte of a set.", `String::RemoveFirst("tidemark", "ie")`, "tdemark", func(dst, s, set []byte) []byte {
		for i, c := range s {
			if bytes.IndexByte(set, c) >= 0 {
				return append(append(dst, s[:i]...), s[i+1:]...)
			}
		}
		return append(dst, s...)
	}),
	removes("RemoveLast", "The string without the last byte of a set.", `String::RemoveLast("tidemark", "ie")`, "tidmark", func(dst, s, set []byte) []byte {
		for i := len(s) - 1; i >= 0; i-- {
			if bytes.IndexByte(set, s[i]) >= 0 {
				return append(append(dst, s[:i]...), s[i+1:]...)
			}
		}
		return append(dst, s...)
	}),
	pads("LeftPad", "The string with a byte before it, as often as it takes for a length.", `String::LeftPad("7", 3, "0")`, "007", func(dst, s, fill []byte) []byte {
		return append(append(dst, fill...), s...)
	}),
	pads("RightPad", "The string with a byte behind it, as often as it takes for a length.", `String::RightPad("7", 3)`, "7  ", func(dst, s, fill []byte) []byte {
		return append(append(dst, s...), fill...)
	}),
	rewrites("Base64Encode", "The bytes in base 64.", `String::Base64Encode("tide")`, "dGlkZQ==", func(dst, s []byte) ([]byte, error) {
		return base64.StdEncoding.AppendEncode(dst, s), nil
	}),
	rewrites("Base64EncodeUrl", "The bytes in base 64 with the signs that a URL may have.", `String::Base64EncodeUrl("~~~?")`, "fn5-Pw,,", func(dst, s []byte) ([]byte, error) {
		return bytes.ReplaceAll(base64.URLEncoding.AppendEncode(dst, s), []byte("="), []byte(",")), nil
	}),
	decodes("Base64Decode", "The bytes that a string is in base 64, with or without its padding; NULL if it is not.", `String::Base64Decode("dGlkZQ")`, "tide", decodeBase64),
	decodes("Base64StrictDecode", "The bytes that a string is in base 64, padding and all; NULL if it is not.", `String::Base64StrictDecode("dGlkZQ==")`, "tide", func(dst, s []byte) ([]byte, error) {
		return base64.StdEncoding.AppendDecode(dst, s)
	}),
	rewrites("Base32Encode", "The bytes in base 32.", `String::Base32Encode("tide")`, "ORUWIZI=", func(dst, s []byte) ([]byte, error) {
		return base32.StdEncoding.AppendEncode(dst, s), nil
	}),
	decodes("Base32Decode", "The bytes that a string is in base 32; NULL if it is not.", `String::Base32Decode("ORUWIZI=")`, "tide", func(dst, s []byte) ([]byte, error) {
		return base32.StdEncoding.AppendDecode(dst, s)
	}),
	rewrites("HexEncode", "The bytes as hexadecimal digits.", `String::HexEncode("tide")`, "74696465", func(dst, s []byte) ([]byte, error) {
		return append(dst, strings.ToUpper(hex.EncodeToString(s))...), nil
	}),
	decodes("HexDecode", "The bytes that hexadecimal digits are; NULL if they are none.", `String::HexDecode("74696465")`, "tide", func(dst, s []byte) ([]byte, error) {
		return hex.AppendDecode(dst, s)
	}),
	rewrites("HexText", "The bytes as pairs of hexadecimal digits with blanks between them.", `String::HexText("ti")`, "74 69", func(dst, s []byte) ([]byte, error) {
		for i, c := range s {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, strings.ToUpper(hex.EncodeToString([]byte{c}))...)
		}
		return dst, nil
	}),
	rewrites("BinText", "The bytes as eight binary digits each, with blanks between them.", `String::BinText("ti")`, "01110100 01101001", func(dst, s []byte) ([]byte, error) {
		for i, c := range s {
			if i > 0 {
				dst = append(dst, ' ')
			}
			for bit := 7; bit >= 0; bit-- {
				dst = append(dst, '0'+c>>bit&1)
			}
		}
		return dst, nil
	}),
	rewrites("EscapeC", "The string as it stands in quotes in C.", `String::EscapeC("a\n\"b\"")`, `a\n\"b\"`, func(dst, s []byte) ([]byte, error) { return escapeC(dst, s), nil }),
	rewrites("UnescapeC", "The string that stands in quotes in C.", `String::UnescapeC("a\\tb")`, "a\tb", func(dst, s []byte) ([]byte, error) { return unescapeC(dst, s), nil }),
	rewrites("EncodeHtml", "The string with & < > and quotes as HTML writes them.", `String::EncodeHtml("a<b")`, "a&lt;b", func(dst, s []byte) ([]byte, error) {
		return append(dst, html.EscapeString(string(s))...), nil
	}),
	rewrites("DecodeHtml", "The string that HTML writes so.", `String::DecodeHtml("a&lt;b")`, "a<b", func(dst, s []byte) ([]byte, error) {
		return append(dst, html.UnescapeString(string(s))...), nil
	}),
	rewrites("CgiEscape", "The string as a part of a query in a URL.", `String::CgiEscape("a b&c")`, "a+b%26c", func(dst, s []byte) ([]byte, error) {
		return append(dst, url.QueryEscape(string(s))...), nil
	}),
	rewrites("CgiUnescape", "The string that is written so in the query of a URL; what is not stays as it is.", `String::CgiUnescape("a+b%26c")`, "a b&c", func(dst, s []byte) ([]byte, error) {
		if text, err := url.QueryUnescape(string(s)); err == nil {
			return append(dst, text...), nil
		}
		return append(dst, s...), nil
	}),
	numbers("Hex", "The number as hexadecimal digits, 0x before them.", "String::Hex(255)", "0x00000000000000FF", func(n int64) string {
		return "0x" + strings.ToUpper(padded(strconv.FormatUint(uint64(n), 16), 16))
	}),
	numbers("Bin", "The number as binary digits, 0b before them.", "String::Bin(5)", "0b"+strings.Repeat("0", 61)+"101", func(n int64) string {
		return "0b" + padded(strconv.FormatUint(uint64(n), 2), 64)
	}),
	classifies("IsAscii", "Whether all bytes are of ASCII.", `String::IsAscii("tide")`, func(c byte) bool { return c < 0x80 }),
	classifies("IsAsciiSpace", "Whether all bytes are blanks.", `String::IsAsciiSpace(" ")`, func(c byte) bool { return strings.IndexByte(" \t\r\n\v\f", c) >= 0 }),
	classifies("IsAsciiUpper", "Whether all bytes are capital letters.", `String::IsAsciiUpper("TIDE")`, func(c byte) bool { return c >= 'A' && c <= 'Z' }),
	classifies("IsAsciiLower", "Whether all bytes are small letters.", `String::IsAsciiLower("tide")`, func(c byte) bool { return c >= 'a' && c <= 'z' }),
	classifies("IsAsciiAlpha", "Whether all bytes are letters.", `String::IsAsciiAlpha("Tide")`, isLetter),
	classifies("IsAsciiAlnum", "Whether all bytes are letters or digits.", `String::IsAsciiAlnum("tide7")`, func(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }),
	classifies("IsAsciiHex", "Whether all bytes are hexadecimal digits.", `String::IsAsciiHex("7fA")`, func(c byte) bool {
		return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
	}),
	levenshteinRow("String", func(s []byte) []rune {
		runes := make([]rune, len(s))
		for i, c := range s {
			runes[i] = rune(c)
		}
		return runes
	}),
}

func findRow(name, doc, example, result string, absent int64, find func(s, part []byte, at int64) int) Function {
	return Function{
		Module: "String", Name: name, Signature: "String::" + name + "(string, part [, start])", Doc: doc, Example: example, Result: result,
		params: []param{paramString, paramPart, {name: "start", accept: acceptWhole, absent: Int(typeInt64, absent)}},
		apply: gives(typeInt64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(find(c.Args[0].Bytes(i), c.Args[1].Bytes(i), c.Args[2].Int(i))), nil
		})}),
	}
}

func removes(name, doc, example, result string, write func(dst, s, set []byte) []byte) Function {
	return Function{
		Module: "String", Name: name, Signature: "String::" + name + "(string, bytes)", Doc: doc, Example: example, Result: result,
		params: []param{paramString, {name: "bytes", accept: acceptText}},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return write(dst, c.Args[0].Bytes(i), c.Args[1].Bytes(i)), nil
		})}),
	}
}

func pads(name, doc, example, result string, write func(dst, s, fill []byte) []byte) Function {
	return Function{
		Module: "String", Name: name, Signature: "String::" + name + "(string, length [, fill])", Doc: doc, Example: example, Result: result,
		params: []param{paramString, {name: "length", accept: acceptWhole}, {name: "fill", accept: acceptText, absent: String(" ")}},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			s, n, fill := c.Args[0].Bytes(i), c.Args[1].Int(i), c.Args[2].Bytes(i)
			switch {
			case len(fill) != 1:
				return nil, errorf(CodeValue, "it fills with a string of one byte, not %q", short(fill))
			case n > maxMade:
				return nil, errorf(CodeValue, "it makes strings of at most %d bytes, not %d", maxMade, n)
			case n > int64(len(s)):
				return write(dst, s, bytes.Repeat(fill, int(n)-len(s))), nil
			}
			return append(dst, s...), nil
		})}),
	}
}

func numbers(name, doc, example, result string, write func(n int64) string) Function {
	return Function{
		Module: "String", Name: name, Signature: "String::" + name + "(number)", Doc: doc, Example: example, Result: result,
		params: []param{{name: "number", accept: acceptWhole}},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return append(dst, write(c.Args[0].Int(i))...), nil
		})}),
	}
}

const upperHex = "0123456789ABCDEF"
