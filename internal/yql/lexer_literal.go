package yql

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// stringSuffixes are the letters behind the quotes of a text, with what they say about it.
var stringSuffixes = map[string]string{"s": "String", "u": "Utf8", "j": "Json", "y": "Yson"}

// quotedString reads a text in quotes; \ takes the next character, as in C.
func (l *lexer) quotedString(quote byte) {
	rest := l.Rest()
	var value strings.Builder
	for i := 1; i < len(rest); {
		switch rest[i] {
		case quote:
			l.emitString(i+1, value.String(), false)
			return
		case '\\':
			n, ok := unescape(&value, rest[i:])
			if !ok {
				l.Offset += i
				l.Fail(min(2, len(rest)-i), "unknown escape in a string", escapeHint)
				return
			}
			i += n
		default:
			value.WriteByte(rest[i])
			i++
		}
	}
	l.Fail(1, "string is not closed", "write "+string(quote)+" where it ends; inside it, write \\"+string(quote))
}

const escapeHint = `write \\ for a backslash; \n, \t, \", \', \x0A and \u044F are known`

// rawString reads @@text@@, in which nothing but @@@@ (for @@) is special.
func (l *lexer) rawString() {
	rest := l.Rest()
	var value strings.Builder
	for i := 2; ; {
		end := strings.Index(rest[i:], "@@")
		if end < 0 {
			l.Fail(2, "string is not closed", "write @@ where it ends; inside it, write @@@@")
			return
		}
		value.WriteString(rest[i : i+end])
		i += end + 2
		if !strings.HasPrefix(rest[i:], "@@") {
			if strings.HasPrefix(rest[i:], "@") {
				value.WriteByte('@')
				i++
			}
			l.emitString(i, value.String(), true)
			return
		}
		value.WriteString("@@")
		i += 2
	}
}

// emitString takes the suffix behind a text of so many bytes.
func (l *lexer) emitString(length int, value string, raw bool) {
	rest := l.Rest()
	n := wordLength(rest[length:])
	suffix := strings.ToLower(rest[length : length+n])
	if n > 0 && stringSuffixes[suffix] == "" {
		l.Offset += length
		l.Fail(n, "'"+rest[length:length+n]+"' is no suffix of a string", `known are "…"u (Utf8), "…"j (Json), "…"y (Yson) and "…"s (String)`)
		return
	}
	if suffix != "" && suffix != "s" && !utf8.ValidString(value) {
		l.Fail(length+n, "a "+stringSuffixes[suffix]+" must be valid UTF-8", "leave the suffix out for a String of any bytes")
		return
	}
	l.emitLiteral(tokens.String, length+n, value, suffix)
	if raw && !strings.Contains(value, "@") {
		l.Tokens[len(l.Tokens)-1].Upper = rawMark
	}
}

// rawMark is the upper form of a string that was written between @@ and can be written so again as it is.
const rawMark = "@@"

// unescape reads the escape that s begins with, writes what it means and returns how long it is.
func unescape(to *strings.Builder, s string) (int, bool) {
	if len(s) < 2 {
		return 0, false
	}
	if i := strings.IndexByte(`abfnrtv\'"?`+"`", s[1]); i >= 0 {
		to.WriteByte("\a\b\f\n\r\t\v\\'\"?`"[i])
		return 2, true
	}
	switch digits := s[2:]; s[1] {
	case 'x', 'X':
		n, value := hexDigits(digits, 2)
		to.WriteByte(byte(value))
		return 2 + n, n > 0
	case 'u':
		n, value := hexDigits(digits, 4)
		return 2 + n, n == 4 && writeRune(to, value)
	case 'U':
		n, value := hexDigits(digits, 8)
		return 2 + n, n == 8 && writeRune(to, value)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		value, n := 0, 1
		for ; n < len(s) && n <= 3 && '0' <= s[n] && s[n] <= '7' && value*8 < 256; n++ {
			value = value*8 + int(s[n]-'0')
		}
		to.WriteByte(byte(value))
		return n, true
	}
	return 0, false
}

func writeRune(to *strings.Builder, value uint64) bool {
	if value > utf8.MaxRune || !utf8.ValidRune(rune(value)) {
		return false
	}
	to.WriteRune(rune(value))
	return true
}

// hexDigits reads most hexadecimal digits at the most and returns how many there were.
func hexDigits(s string, most int) (n int, value uint64) {
	for n < len(s) && n < most {
		d := digit(s[n])
		if d >= 16 {
			break
		}
		value = value*16 + uint64(d)
		n++
	}
	return n, value
}

// digit is the value of a digit of any base up to 16, or 16.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return 16
}

// integerSuffixes are those of whole numbers: u for unsigned, then the width.
var integerSuffixes = map[string]bool{
	"": true, "u": true, "l": true, "ul": true, "t": true, "ut": true, "s": true, "us": true, "i": true, "ui": true,
}

// bases are the prefixes of numbers that are not decimal.
var bases = map[string]int{"0x": 16, "0o": 8, "0b": 2}

func (l *lexer) number() {
	rest := l.Rest()
	kind, end := tokens.Integer, 0
	if base := bases[strings.ToLower(rest[:min(2, len(rest))])]; base > 0 {
		end = 2
		for end < len(rest) && digit(rest[end]) < base {
			end++
		}
		if end == 2 {
			l.Fail(2+wordLength(rest[2:]), "'"+tokens.Shown(rest[:2+wordLength(rest[2:])])+"' is not a number", "")
			return
		}
	} else {
		kind, end = decimal(rest, l.afterDot())
	}
	tail := wordLength(rest[end:])
	suffix := strings.ToLower(rest[end : end+tail])
	switch {
	case kind == tokens.Integer && integerSuffixes[suffix], kind == tokens.Approx && (suffix == "" || suffix == "f"):
	case kind == tokens.Integer:
		l.Fail(end+tail, "'"+tokens.Shown(rest[:end+tail])+"' is neither a number nor a name",
			"the suffixes of whole numbers are u, l, ul, s, us, t and ut; a name that starts with a digit needs backticks")
		return
	default:
		l.Fail(end+tail, "'"+tokens.Shown(rest[:end+tail])+"' is not a number", "the suffix f makes a Float; without it, it is a Double")
		return
	}
	l.emitLiteral(kind, end+tail, rest[:end], suffix)
}

// afterDot says that digits here are the place of an element: t.0.1.
func (l *lexer) afterDot() bool {
	return len(l.Tokens) > 0 && l.Tokens[len(l.Tokens)-1].Value == "." && l.Tokens[len(l.Tokens)-1].Span.End == l.Offset
}

// decimal measures the decimal number that s begins with.
func decimal(s string, digitsOnly bool) (tokens.Kind, int) {
	kind, i := tokens.Integer, countDigits(s)
	if digitsOnly {
		return kind, i
	}
	if i < len(s) && s[i] == '.' {
		kind = tokens.Approx
		i++
		i += countDigits(s[i:])
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		exponent := i + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if digits := countDigits(s[exponent:]); digits > 0 {
			return tokens.Approx, exponent + digits
		}
	}
	return kind, i
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && tokens.IsDigit(rune(s[n])) {
		n++
	}
	return n
}
