package yql

import (
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
	tokenNamed                    // $name, value without the dollar sign
	tokenString                   // "string", value with its escapes resolved
	tokenInteger                  // 10u, value without the suffix
	tokenFloat                    // 1.5f, value without the suffix
	tokenSymbol                   // operator or punctuation
	tokenComment                  // only if the lexer keeps them
)

// token is one lexical unit. For words value is the text as written and upper its form for comparison with keywords; for symbols both are the
// symbol. Suffix is that of a literal, in lower case.
type token struct {
	kind   tokenKind
	span   source.Span
	value  string
	upper  string
	suffix string
}

// symbols lists the operators, longer ones before their prefixes. Signs that close two things (>>, |>) are cut apart by the parser.
var symbols = []string{
	"|<<", ">>|", "<|", "|>", "->", "::", "??", "==", "<=", ">=", "<>", "!=", "||", "<<",
	"(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "?", "|", "&", "^", "~", "@",
}

// lexer cuts a text into tokens. It never fails: a fault becomes the last token, so that a syntax error before it is reported first.
type lexer struct {
	text     source.Text
	offset   int
	comments bool // comments are tokens
	tokens   []token
	hints    map[int]source.Span // of the text of /*+ … */, by the index of the token behind it
	fault    *source.Error
}

// lex returns the lexer behind a whole text; its last token is the end or a fault.
func lex(text source.Text) *lexer {
	l := &lexer{text: text, hints: map[int]source.Span{}}
	l.run()
	last := token{kind: tokenEnd, span: source.Span{Start: len(text.Body), End: len(text.Body)}}
	if l.fault != nil {
		last = token{kind: tokenFault, span: l.fault.Span}
	}
	l.tokens = append(l.tokens, last)
	return l
}

func (l *lexer) run() {
	for l.skipBlanks(); l.fault == nil && l.offset < len(l.text.Body); l.skipBlanks() {
		l.next()
	}
}

func (l *lexer) rest() string { return l.text.Body[l.offset:] }

// fail ends the lexing; the fault is so many bytes long.
func (l *lexer) fail(length int, message, hint string) {
	span := source.Span{Start: l.offset, End: l.offset + length}
	l.fault = &source.Error{Code: "syntax", Span: span, Message: message, Hint: hint, Text: l.text}
}

func (l *lexer) emit(kind tokenKind, length int, value string) {
	l.emitLiteral(kind, length, value, "")
}

func (l *lexer) emitLiteral(kind tokenKind, length int, value, suffix string) {
	span := source.Span{Start: l.offset, End: l.offset + length}
	l.offset = span.End
	t := token{kind: kind, span: span, value: value, suffix: suffix}
	if kind == tokenWord || kind == tokenSymbol {
		t.upper = strings.ToUpper(value)
	}
	l.tokens = append(l.tokens, t)
}

// skipBlanks passes white space and comments.
func (l *lexer) skipBlanks() {
	for l.offset < len(l.text.Body) && l.fault == nil {
		rest := l.rest()
		switch {
		case strings.HasPrefix(rest, "--"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.comment(end)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.fail(2, "comment is not closed", "write */ where the comment ends")
				return
			}
			l.comment(end + 4)
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return
			}
			l.offset += size
		}
	}
}

func (l *lexer) comment(length int) {
	text := l.rest()[:length]
	switch {
	case l.comments:
		l.emit(tokenComment, length, text)
		return
	case strings.HasPrefix(text, "/*+"):
		l.hints[len(l.tokens)] = source.Span{Start: l.offset + len("/*+"), End: l.offset + length - len("*/")}
	case strings.HasPrefix(text, "--+"):
		l.hints[len(l.tokens)] = source.Span{Start: l.offset + len("--+"), End: l.offset + length}
	case strings.HasPrefix(text, "--!ansi_lexer"):
		l.fail(length, "the lexer of ANSI is not supported", "leave the line out, and write `name` for a name and \"text\" for a string")
		return
	}
	l.offset += length
}

func (l *lexer) next() {
	rest := l.rest()
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '"' || r == '\'':
		l.quotedString(byte(r))
	case strings.HasPrefix(rest, "@@"):
		l.rawString()
	case r == '`':
		l.quotedName()
	case r == '$':
		l.named()
	case isDigit(r) || r == '.' && len(rest) > 1 && isDigit(rune(rest[1])) && !l.afterName():
		l.number()
	case isWordStart(r):
		l.emit(tokenWord, wordLength(rest), rest[:wordLength(rest)])
	case strings.HasPrefix(rest, "&&"):
		l.fail(2, "unknown operator '&&'", "write AND")
	case strings.HasPrefix(rest, "=>"):
		l.fail(2, "unknown operator '=>'", "YQL gives an argument its name behind the value: f(value AS name)")
	default:
		for _, symbol := range symbols {
			if strings.HasPrefix(rest, symbol) {
				l.emit(tokenSymbol, len(symbol), symbol)
				return
			}
		}
		l.fail(size, "unexpected character "+describeRune(r), "")
	}
}

// afterName says that a point here belongs to what is in front of it: t.0 is no number.
func (l *lexer) afterName() bool {
	if len(l.tokens) == 0 {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	if last.span.End != l.offset {
		return false
	}
	switch last.kind {
	case tokenWord, tokenQuoted, tokenNamed, tokenInteger, tokenString:
		return true
	}
	return last.value == "]" || last.value == ")" || last.value == "}" || last.value == "|>"
}

func (l *lexer) quotedName() {
	rest := l.rest()
	var value strings.Builder
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			n, ok := unescape(&value, rest[i:])
			if !ok {
				l.offset += i
				l.fail(min(2, len(rest)-i), "unknown escape in a name", escapeHint)
				return
			}
			i += n - 1
		case rest[i] == '`' && i+1 < len(rest) && rest[i+1] == '`':
			i++
			value.WriteByte('`')
		case rest[i] == '`':
			l.emitName(i+1, value.String())
			return
		default:
			value.WriteByte(rest[i])
		}
	}
	l.fail(1, "quoted name is not closed", "write ` where it ends; inside it, write it twice")
}

func (l *lexer) emitName(length int, name string) {
	switch {
	case name == "":
		l.fail(length, "a name cannot be empty", "")
	case !utf8.ValidString(name):
		l.fail(length, "text is not valid UTF-8", "save the file as UTF-8")
	default:
		l.emit(tokenQuoted, length, name)
	}
}

func (l *lexer) named() {
	rest := l.rest()
	n := wordLength(rest[1:])
	if n == 0 || isDigit(rune(rest[1])) {
		l.fail(1, "'$' stands alone", "write the name directly behind it: $name")
		return
	}
	l.emit(tokenNamed, 1+n, rest[1:1+n])
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

func isWordStart(r rune) bool {
	return r == '_' || r != utf8.RuneError && unicode.IsLetter(r)
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
