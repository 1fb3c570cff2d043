package sql

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

type tokenKind uint8

const (
	tokenEnd     tokenKind = iota // end of input
	tokenFault                    // what stands here is no token; lexer.fault says why
	tokenWord                     // keyword or identifier without quotes
	tokenQuoted                   // `identifier`, value without backticks
	tokenString                   // 'string', value with its quotes resolved
	tokenBytes                    // x'0a', value is the bytes themselves
	tokenInteger                  // 10
	tokenDecimal                  // 1.5
	tokenApprox                   // 1e3
	tokenSymbol                   // operator, punctuation and the hint marks /*+ and */
)

// token is one lexical unit. For words value is the text as written and upper its
// form for comparison with keywords; for symbols both are the symbol.
type token struct {
	kind  tokenKind
	span  source.Span
	value string
	upper string
}

// symbols lists the operators, longer ones before their prefixes.
var symbols = []string{
	"=>", "<=", ">=", "<>", "!=", "||",
	"(", ")", "[", "]", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "?", "{", "}",
}

// lexer cuts a text into tokens. It never fails: a fault becomes the last token,
// so that a syntax error before it is reported first.
type lexer struct {
	text   source.Text
	offset int
	inHint bool
	tokens []token
	fault  *source.Error
}

// lex returns the tokens of a text, the last of which is the end or a fault.
func lex(text source.Text) ([]token, *source.Error) {
	l := &lexer{text: text}
	for l.skipBlanks(); l.fault == nil && l.offset < len(text.Body); l.skipBlanks() {
		l.next()
	}
	last := token{kind: tokenEnd, span: source.Span{Start: len(text.Body), End: len(text.Body)}}
	if l.fault != nil {
		last = token{kind: tokenFault, span: l.fault.Span}
	}
	return append(l.tokens, last), l.fault
}

func (l *lexer) rest() string { return l.text.Body[l.offset:] }

func (l *lexer) fail(span source.Span, message, hint string) {
	l.fault = &source.Error{Code: "syntax", Span: span, Message: message, Hint: hint, Text: l.text}
}

func (l *lexer) emit(kind tokenKind, length int, value string) {
	span := source.Span{Start: l.offset, End: l.offset + length}
	l.offset = span.End
	l.tokens = append(l.tokens, token{kind, span, value, strings.ToUpper(value)})
}

// skipBlanks passes white space and comments, but stops at a hint.
func (l *lexer) skipBlanks() {
	for l.offset < len(l.text.Body) {
		rest := l.rest()
		switch {
		case strings.HasPrefix(rest, "--"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.offset += end
			} else {
				l.offset = len(l.text.Body)
			}
		case strings.HasPrefix(rest, "/*+"):
			return
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "comment is not closed", "write */ where the comment ends")
				return
			}
			l.offset += end + 4
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return
			}
			l.offset += size
		}
	}
}

func (l *lexer) next() {
	rest := l.rest()
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case l.bareSetting():
	case strings.HasPrefix(rest, "/*+"):
		l.inHint = true
		l.emit(tokenSymbol, 3, "/*+")
	case l.inHint && strings.HasPrefix(rest, "*/"):
		l.inHint = false
		l.emit(tokenSymbol, 2, "*/")
	case r == '\'':
		l.quoted(tokenString, '\'')
	case r == '`':
		l.quoted(tokenQuoted, '`')
	case (r == 'x' || r == 'X') && strings.HasPrefix(rest[1:], "'"):
		l.bytes()
	case (r == 'u' || r == 'U') && strings.HasPrefix(rest[1:], "&'"):
		l.fail(source.Span{Start: l.offset, End: l.offset + 3}, "strings with unicode escapes (U&'…') are not supported",
			"write the characters themselves: strings are UTF-8")
	case isDigit(r) || r == '.' && len(rest) > 1 && isDigit(rune(rest[1])) && !l.afterName():
		l.number()
	case isWordStart(r):
		l.emit(tokenWord, wordLength(rest), rest[:wordLength(rest)])
	case r == '"':
		l.fail(source.Span{Start: l.offset, End: l.offset + 1}, "double quotes are not used in this dialect",
			"write `name` for a name and 'text' for a string")
	case strings.HasPrefix(rest, "=="):
		l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "unknown operator '=='", "write = to compare")
	case strings.HasPrefix(rest, "&&"):
		l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "unknown operator '&&'", "write AND")
	case strings.HasPrefix(rest, "::"):
		l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "unknown operator '::'", "write CAST(x AS type)")
	default:
		for _, symbol := range symbols {
			if strings.HasPrefix(rest, symbol) {
				l.emit(tokenSymbol, len(symbol), symbol)
				return
			}
		}
		l.fail(source.Span{Start: l.offset, End: l.offset + size}, "unexpected character "+describeRune(r), "")
	}
}

// afterName says that a point here belongs to a path: `t`.5 is not a number.
func (l *lexer) afterName() bool {
	if len(l.tokens) == 0 {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	return last.span.End == l.offset && (last.kind == tokenWord || last.kind == tokenQuoted || last.value == "]" || last.value == ")")
}

// quoted reads up to the closing quote; a doubled quote stands for one.
func (l *lexer) quoted(kind tokenKind, quote byte) {
	rest := l.rest()
	var value strings.Builder
	for i := 1; i < len(rest); i++ {
		if rest[i] != quote {
			value.WriteByte(rest[i])
			continue
		}
		if i+1 < len(rest) && rest[i+1] == quote {
			value.WriteByte(quote)
			i++
			continue
		}
		if kind == tokenQuoted && value.Len() == 0 {
			l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "a name cannot be empty", "")
			return
		}
		if !utf8.ValidString(value.String()) {
			l.fail(source.Span{Start: l.offset, End: l.offset + i + 1}, "text is not valid UTF-8", "save the file as UTF-8")
			return
		}
		l.emit(kind, i+1, value.String())
		return
	}
	what := "string"
	if kind == tokenQuoted {
		what = "quoted name"
	}
	l.fail(source.Span{Start: l.offset, End: l.offset + 1}, what+" is not closed",
		"write "+string(quote)+" where it ends; inside it, write it twice")
}

func (l *lexer) bytes() {
	rest := l.rest()
	end := strings.IndexByte(rest[2:], '\'')
	if end < 0 {
		l.fail(source.Span{Start: l.offset, End: l.offset + 2}, "binary literal is not closed", "write ' where it ends")
		return
	}
	value, err := hex.DecodeString(rest[2 : 2+end])
	if err != nil {
		l.fail(source.Span{Start: l.offset, End: l.offset + end + 3}, "binary literal must hold pairs of hexadecimal digits", "write x'0aff'")
		return
	}
	l.emit(tokenBytes, end+3, string(value))
}

func (l *lexer) number() {
	rest := l.rest()
	kind, i := tokenInteger, countDigits(rest)
	if i < len(rest) && rest[i] == '.' {
		kind = tokenDecimal
		i++
		i += countDigits(rest[i:])
	}
	if i < len(rest) && (rest[i] == 'e' || rest[i] == 'E') {
		exponent := i + 1
		if exponent < len(rest) && (rest[exponent] == '+' || rest[exponent] == '-') {
			exponent++
		}
		if digits := countDigits(rest[exponent:]); digits > 0 {
			kind = tokenApprox
			i = exponent + digits
		}
	}
	if tail := wordLength(rest[i:]); tail > 0 {
		l.fail(source.Span{Start: l.offset, End: l.offset + i + tail}, "'"+rest[:i+tail]+"' is neither a number nor a name",
			"a name that starts with a digit needs backticks")
		return
	}
	l.emit(kind, i, rest[:i])
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(rune(s[n])) {
		n++
	}
	return n
}

// wordLength is the length in bytes of the run of word characters s begins with.
func wordLength(s string) int {
	for i, r := range s {
		if !isWordStart(r) && !isDigit(r) && !unicode.In(r, unicode.Mn, unicode.Nd) {
			return i
		}
	}
	return len(s)
}

// isWordStart includes the dollar sign: $rowtime and t$late are names.
func isWordStart(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && unicode.IsLetter(r)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func describeRune(r rune) string {
	switch {
	case r == utf8.RuneError:
		return "that is not valid UTF-8"
	case unicode.IsGraphic(r):
		return "'" + string(r) + "'"
	}
	return fmt.Sprintf("U+%04X", r)
}
