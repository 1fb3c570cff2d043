package yql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// symbols lists the operators, longer ones before their prefixes. Signs that close two things (>>, |>) are cut apart by the parser.
var symbols = []string{
	"|<<", ">>|", "<|", "|>", "->", "::", "??", "==", "<=", ">=", "<>", "!=", "||", "<<",
	"(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "?", "|", "&", "^", "~", "@",
}

// lexer cuts a text into tokens.
type lexer struct {
	tokens.Lexer
	comments bool                // comments are tokens
	hints    map[int]source.Span // of the text of /*+ … */, by the index of the token behind it
}

// lex returns the lexer that has read a text from an offset on; its last token is the end or a fault.
func lex(text source.Text, from int) *lexer {
	l := &lexer{Lexer: tokens.NewLexer(text, from), hints: map[int]source.Span{}}
	l.run()
	l.Close()
	return l
}

func (l *lexer) run() {
	for l.skipBlanks(); !l.Done(); l.skipBlanks() {
		l.next()
	}
}

func (l *lexer) emitLiteral(kind tokens.Kind, length int, value, suffix string) {
	l.Emit(kind, length, value)
	l.Tokens[len(l.Tokens)-1].Suffix = suffix
}

// skipBlanks passes white space and comments.
func (l *lexer) skipBlanks() {
	for l.Offset < len(l.Text.Body) && l.Fault == nil {
		rest := l.Rest()
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
				l.Fail(2, "comment is not closed", "write */ where the comment ends")
				return
			}
			l.comment(end + 4)
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !tokens.IsBlank(r) {
				return
			}
			l.Offset += size
		}
	}
}

func (l *lexer) comment(length int) {
	text := l.Rest()[:length]
	switch {
	case l.comments:
		l.Emit(tokens.Comment, length, text)
		return
	case strings.HasPrefix(text, "/*+"):
		l.hints[len(l.Tokens)] = source.Span{Start: l.Offset + len("/*+"), End: l.Offset + length - len("*/")}
	case strings.HasPrefix(text, "--+"):
		l.hints[len(l.Tokens)] = source.Span{Start: l.Offset + len("--+"), End: l.Offset + length}
	case strings.HasPrefix(text, "--!ansi_lexer"):
		l.Fail(length, "the lexer of ANSI is not supported", "leave the line out, and write `name` for a name and \"text\" for a string")
		return
	}
	l.Offset += length
}

func (l *lexer) next() {
	rest := l.Rest()
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '"' || r == '\'':
		l.quotedString(byte(r))
	case strings.HasPrefix(rest, "@@"):
		l.rawString()
	case r == '`':
		l.quotedName(0, tokens.Quoted)
	case r == '$':
		l.named()
	case tokens.IsDigit(r) || r == '.' && len(rest) > 1 && tokens.IsDigit(rune(rest[1])) && !l.afterName():
		l.number()
	case tokens.IsLetter(r):
		l.Emit(tokens.Word, wordLength(rest), rest[:wordLength(rest)])
	case strings.HasPrefix(rest, "&&"):
		l.Fail(2, "unknown operator '&&'", "write AND")
	case strings.HasPrefix(rest, "=>"):
		l.Fail(2, "unknown operator '=>'", "YQL gives an argument its name behind the value: f(value AS name)")
	default:
		if !l.EmitSymbol(symbols) {
			l.Unexpected(r, size)
		}
	}
}

// afterName says that a point here belongs to what is in front of it: t.0 is no number.
func (l *lexer) afterName() bool {
	if len(l.Tokens) == 0 {
		return false
	}
	last := l.Tokens[len(l.Tokens)-1]
	if last.Span.End != l.Offset {
		return false
	}
	switch last.Kind {
	case tokens.Word, tokens.Quoted, tokens.Named, tokens.Integer, tokens.String:
		return true
	}
	return last.Value == "]" || last.Value == ")" || last.Value == "}" || last.Value == "|>"
}

// quotedName reads a name in backticks, the first of which is that far ahead, as a token of a kind.
func (l *lexer) quotedName(ahead int, kind tokens.Kind) {
	rest := l.Rest()
	var value strings.Builder
	for i := ahead + 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			n, ok := unescape(&value, rest[i:])
			if !ok {
				l.Offset += i
				l.Fail(min(2, len(rest)-i), "unknown escape in a name", escapeHint)
				return
			}
			i += n - 1
		case rest[i] == '`' && i+1 < len(rest) && rest[i+1] == '`':
			i++
			value.WriteByte('`')
		case rest[i] == '`':
			l.emitName(i+1, kind, value.String())
			return
		default:
			value.WriteByte(rest[i])
		}
	}
	l.Fail(ahead+1, "quoted name is not closed", "write ` where it ends; inside it, write it twice")
}

func (l *lexer) emitName(length int, kind tokens.Kind, name string) {
	switch {
	case name == "":
		l.Fail(length, "a name cannot be empty", "")
	case !utf8.ValidString(name):
		l.Fail(length, "text is not valid UTF-8", "save the file as UTF-8")
	default:
		l.Emit(kind, length, name)
	}
}

func (l *lexer) named() {
	rest := l.Rest()
	if strings.HasPrefix(rest, "$`") {
		l.quotedName(1, tokens.Named)
		return
	}
	n := wordLength(rest[1:])
	if n == 0 || tokens.IsDigit(rune(rest[1])) {
		l.Fail(1, "'$' stands alone", "write the name directly behind it: $name, or in backticks: $`a name`")
		return
	}
	l.Emit(tokens.Named, 1+n, rest[1:1+n])
}

// wordLength is the length in bytes of the run of word characters s begins with.
func wordLength(s string) int {
	for i, r := range s {
		if !tokens.IsLetter(r) && !tokens.IsDigit(r) && !unicode.In(r, unicode.Mn, unicode.Nd) {
			return i
		}
	}
	return len(s)
}
