package sql

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// symbols lists the operators, longer ones before their prefixes.
var symbols = []string{
	"=>", "<=", ">=", "<>", "!=", "||",
	"(", ")", "[", "]", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "?", "{", "}",
}

// lexer cuts a text into tokens.
type lexer struct {
	tokens.Lexer
	inHint bool
}

// lex returns the tokens of a text from an offset on, the last of which is the end or a fault.
func lex(text source.Text, from int) ([]tokens.Token, *source.Error) {
	l := &lexer{Lexer: tokens.NewLexer(text, from)}
	for l.skipBlanks(); !l.Done(); l.skipBlanks() {
		l.next()
	}
	l.Close()
	return l.Tokens, l.Fault
}

// skipBlanks passes white space and comments, but stops at a hint.
func (l *lexer) skipBlanks() {
	for l.Offset < len(l.Text.Body) {
		rest := l.Rest()
		switch {
		case rest[0] == ' ' || rest[0] == '\n': // a query within the spec of a pipeline has as many in front as that is long
			l.Offset++
		case strings.HasPrefix(rest, "--"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.Offset += end
			} else {
				l.Offset = len(l.Text.Body)
			}
		case strings.HasPrefix(rest, "/*+"):
			return
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.Fail(2, "comment is not closed", "write */ where the comment ends")
				return
			}
			l.Offset += end + 4
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !tokens.IsBlank(r) {
				return
			}
			l.Offset += size
		}
	}
}

func (l *lexer) next() {
	rest := l.Rest()
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case l.bareSetting():
	case strings.HasPrefix(rest, "/*+"):
		l.inHint = true
		l.Emit(tokens.Symbol, 3, "/*+")
	case l.inHint && strings.HasPrefix(rest, "*/"):
		l.inHint = false
		l.Emit(tokens.Symbol, 2, "*/")
	case r == '\'':
		l.quoted(tokens.String, '\'')
	case r == '`':
		l.quoted(tokens.Quoted, '`')
	case (r == 'x' || r == 'X') && strings.HasPrefix(rest[1:], "'"):
		l.bytes()
	case (r == 'u' || r == 'U') && strings.HasPrefix(rest[1:], "&'"):
		l.Fail(3, "strings with unicode escapes (U&'…') are not supported",
			"write the characters themselves: strings are UTF-8")
	case tokens.IsDigit(r) || r == '.' && len(rest) > 1 && tokens.IsDigit(rune(rest[1])) && !l.afterName():
		l.number()
	case isWordStart(r):
		l.Emit(tokens.Word, wordLength(rest), rest[:wordLength(rest)])
	case r == '"':
		l.Fail(1, "double quotes are not used in this dialect",
			"write `name` for a name and 'text' for a string")
	case strings.HasPrefix(rest, "=="):
		l.Fail(2, "unknown operator '=='", "write = to compare")
	case strings.HasPrefix(rest, "&&"):
		l.Fail(2, "unknown operator '&&'", "write AND")
	case strings.HasPrefix(rest, "::"):
		l.Fail(2, "unknown operator '::'", "write CAST(x AS type)")
	default:
		if !l.EmitSymbol(symbols) {
			l.Unexpected(r, size)
		}
	}
}

// afterName says that a point here belongs to a path: `t`.5 is not a number.
func (l *lexer) afterName() bool {
	if len(l.Tokens) == 0 {
		return false
	}
	last := l.Tokens[len(l.Tokens)-1]
	return last.Span.End == l.Offset && (last.Kind == tokens.Word || last.Kind == tokens.Quoted || last.Value == "]" || last.Value == ")")
}

// quoted reads up to the closing quote; a doubled quote stands for one.
func (l *lexer) quoted(kind tokens.Kind, quote byte) {
	rest := l.Rest()
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
		if kind == tokens.Quoted && value.Len() == 0 {
			l.Fail(2, "a name cannot be empty", "")
			return
		}
		if !utf8.ValidString(value.String()) {
			l.Fail(i+1, "text is not valid UTF-8", "save the file as UTF-8")
			return
		}
		l.Emit(kind, i+1, value.String())
		return
	}
	what := "string"
	if kind == tokens.Quoted {
		what = "quoted name"
	}
	l.Fail(1, what+" is not closed",
		"write "+string(quote)+" where it ends; inside it, write it twice")
}

func (l *lexer) bytes() {
	rest := l.Rest()
	end := strings.IndexByte(rest[2:], '\'')
	if end < 0 {
		l.Fail(2, "binary literal is not closed", "write ' where it ends")
		return
	}
	value, err := hex.DecodeString(rest[2 : 2+end])
	if err != nil {
		l.Fail(end+3, "binary literal must hold pairs of hexadecimal digits", "write x'0aff'")
		return
	}
	l.Emit(tokens.Bytes, end+3, string(value))
}

func (l *lexer) number() {
	rest := l.Rest()
	kind, i := tokens.Integer, countDigits(rest)
	if i < len(rest) && rest[i] == '.' {
		kind = tokens.Decimal
		i++
		i += countDigits(rest[i:])
	}
	if i < len(rest) && (rest[i] == 'e' || rest[i] == 'E') {
		exponent := i + 1
		if exponent < len(rest) && (rest[exponent] == '+' || rest[exponent] == '-') {
			exponent++
		}
		if digits := countDigits(rest[exponent:]); digits > 0 {
			kind = tokens.Approx
			i = exponent + digits
		}
	}
	if tail := wordLength(rest[i:]); tail > 0 {
		l.Fail(i+tail, "'"+rest[:i+tail]+"' is neither a number nor a name",
			"a name that starts with a digit needs backticks")
		return
	}
	l.Emit(kind, i, rest[:i])
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && tokens.IsDigit(rune(s[n])) {
		n++
	}
	return n
}

// wordLength is the length in bytes of the run of word characters s begins with.
func wordLength(s string) int {
	for i, r := range s {
		if !isWordStart(r) && !tokens.IsDigit(r) && !unicode.In(r, unicode.Mn, unicode.Nd) {
			return i
		}
	}
	return len(s)
}

// isWordStart includes the dollar sign: $rowtime and t$late are names.
func isWordStart(r rune) bool { return r == '$' || tokens.IsLetter(r) }
