package function

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Functions between text and bytes.
var encodingFunctions = []Scalar{
	{
		Name: "ENCODE", Family: FamilyEncoding,
		Signatures: []string{"ENCODE(string, charset)"},
		Doc:        "The bytes of the string in a charset: UTF-8, UTF-16, UTF-16BE, UTF-16LE, ISO-8859-1 or US-ASCII. What the charset has not is a question mark.",
		Example:    "TO_BASE64(ENCODE('März', 'ISO-8859-1'))", ExampleResult: "TeRyeg==",
		Overloads: []Overload{{Params: stringParams(2), Result: types.BytesType, Bind: bindEncode}},
	},
	{
		Name: "DECODE", Family: FamilyEncoding,
		Signatures: []string{"DECODE(bytes, charset)"},
		Doc:        "The string that the bytes are in a charset, see ENCODE. What is not valid becomes the character U+FFFD.",
		Example:    "DECODE(x'4de47279', 'ISO-8859-1')", ExampleResult: "Märy",
		Overloads: []Overload{{Params: []types.Type{types.BytesType, types.StringType}, Result: types.StringType, Bind: bindDecode}},
	},
	{
		Name: "TO_BASE64", Family: FamilyEncoding,
		Signatures: []string{"TO_BASE64(string)", "TO_BASE64(bytes)"},
		Doc:        "The bytes, or those of the string, in Base64.",
		Example:    "TO_BASE64('tide')", ExampleResult: "dGlkZQ==",
		Overloads: []Overload{
			{Params: stringParams(1), Result: types.StringType, Kernel: rewriting(toBase64)},
			{Params: []types.Type{types.BytesType}, Result: types.StringType, Kernel: rewriting(toBase64)},
		},
	},
	{
		Name: "FROM_BASE64", Family: FamilyEncoding,
		Signatures: []string{"FROM_BASE64(string)"},
		Doc:        "The string that is written in Base64; the padding may be left out. What is not UTF-8 becomes the character U+FFFD.",
		Example:    "FROM_BASE64('dGlkZQ==')", ExampleResult: "tide",
		Overloads: ofStrings(1, types.StringType, fromBase64),
	},
	{
		Name: "URL_ENCODE", Family: FamilyEncoding,
		Signatures: []string{"URL_ENCODE(string)"},
		Doc:        "The string for a form in a URL: a blank is +, and all but letters, digits and .-*_ is %XX.",
		Example:    "URL_ENCODE('ebb & flow')", ExampleResult: "ebb+%26+flow",
		Overloads: ofStrings(1, types.StringType, rewriting(urlEncode)),
	},
	{
		Name: "URL_DECODE", Family: FamilyEncoding,
		Signatures: []string{"URL_DECODE(string)"},
		Doc:        "The string that URL_ENCODE was given; NULL if a % is not followed by two hexadecimal digits.",
		Example:    "URL_DECODE('ebb+%26+flow')", ExampleResult: "ebb & flow",
		Overloads: []Overload{{Params: stringParams(1), Result: types.StringType, MayBeNull: true, Kernel: rewriting(urlDecode)}},
	},
}

func toBase64(dst []byte, c *Call, i int) ([]byte, bool) {
	return base64.StdEncoding.AppendEncode(dst, c.Args[0].Bytes(i)), true
}

func fromBase64(c *Call) error {
	w := newText(c, size(c.Args[0], c.Rows))
	var raw []byte
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		s := c.Args[0].Bytes(i)
		encoding := base64.StdEncoding
		if !bytes.HasSuffix(s, []byte{'='}) {
			encoding = base64.RawStdEncoding
		}
		var err error
		raw, err = encoding.AppendDecode(raw[:0], s)
		if err != nil || bytes.ContainsAny(s, "\r\n") {
			return rowErrorf(i, "cannot read '%.60s' as Base64", s)
		}
		w.buf = appendValid(w.buf, raw)
		w.end(i)
	}
	w.done()
	return nil
}

// urlEncode writes application/x-www-form-urlencoded as Java does.
func urlEncode(dst []byte, c *Call, i int) ([]byte, bool) {
	const digits = "0123456789ABCDEF"
	for _, b := range c.Args[0].Bytes(i) {
		switch {
		case 'a' <= b|0x20 && b|0x20 <= 'z', '0' <= b && b <= '9', b == '.', b == '-', b == '*', b == '_':
			dst = append(dst, b)
		case b == ' ':
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst, true
}

func urlDecode(dst []byte, c *Call, i int) ([]byte, bool) {
	s := c.Args[0].Bytes(i)
	for len(s) > 0 {
		switch s[0] {
		case '+':
			dst = append(dst, ' ')
			s = s[1:]
		case '%':
			var run []byte
			if run, s = percentRun(s); run == nil {
				return dst, false
			}
			dst = appendValid(dst, run)
		default:
			dst = append(dst, s[0])
			s = s[1:]
		}
	}
	return dst, true
}

// percentRun decodes all the %XX at the beginning of s, which are one piece of UTF-8; run is nil if one is malformed.
func percentRun(s []byte) (run, rest []byte) {
	for len(s) > 0 && s[0] == '%' {
		if len(s) < 3 {
			return nil, nil
		}
		var b [1]byte
		if _, err := hex.Decode(b[:], s[1:3]); err != nil {
			return nil, nil
		}
		run = append(run, b[0])
		s = s[3:]
	}
	return run, s
}
