package tokens

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Lexer collects the tokens of a text. The lexer of a language embeds one and moves it on. It never fails: a fault becomes the last token, so that a syntax
// error before it is reported first.
type Lexer struct {
	Text   source.Text
	Offset int
	Tokens []Token
	Fault  *source.Error
}

// NewLexer returns a lexer at an offset of a text.
func NewLexer(text source.Text, from int) Lexer {
	const bytesPerToken, most = 4, 256 // what most statements have
	return Lexer{Text: text, Offset: from, Tokens: make([]Token, 0, min((len(text.Body)-from)/bytesPerToken+1, most))}
}

// Rest is what has not been read of the text.
func (l *Lexer) Rest() string { return l.Text.Body[l.Offset:] }

// Done says whether there is nothing more to read.
func (l *Lexer) Done() bool { return l.Fault != nil || l.Offset >= len(l.Text.Body) }

// MaxTokens bounds the memory that reading a statement takes, which is some hundreds of bytes a token.
const MaxTokens = 4_000_000

// Emit makes a token of the next bytes, unless there are as many as there can be.
func (l *Lexer) Emit(kind Kind, length int, value string) {
	if len(l.Tokens) >= MaxTokens {
		l.Fail(length, fmt.Sprintf("the statement has more than %d words and signs", MaxTokens), "divide it into several, or read what it lists from a file")
		return
	}
	t := Token{Kind: kind, Span: source.Span{Start: l.Offset, End: l.Offset + length}, Value: value}
	if kind == Word || kind == Symbol {
		t.Upper = strings.ToUpper(value)
	}
	l.Offset = t.Span.End
	l.Tokens = append(l.Tokens, t)
}

// EmitSymbol makes a token of the first of the symbols that comes next, and says whether there is one.
func (l *Lexer) EmitSymbol(symbols []string) bool {
	rest := l.Rest()
	for _, symbol := range symbols {
		if strings.HasPrefix(rest, symbol) {
			l.Emit(Symbol, len(symbol), symbol)
			return true
		}
	}
	return false
}

// Fail ends the lexing: the next bytes are no token.
func (l *Lexer) Fail(length int, message, hint string) {
	span := source.Span{Start: l.Offset, End: l.Offset + length}
	l.Fault = &source.Error{Code: "syntax", Span: span, Message: message, Hint: hint, Text: l.Text}
}

// Close adds the last token: the end, or the fault.
func (l *Lexer) Close() {
	last := Token{Kind: End, Span: source.Span{Start: len(l.Text.Body), End: len(l.Text.Body)}}
	if l.Fault != nil {
		last = Token{Kind: Fault, Span: l.Fault.Span}
	}
	l.Tokens = append(l.Tokens, last)
}

// IsLetter says whether a word can begin with the character in every language.
func IsLetter(r rune) bool { return r == '_' || r != utf8.RuneError && unicode.IsLetter(r) }

// IsDigit says whether the character is a digit of a number.
func IsDigit(r rune) bool { return '0' <= r && r <= '9' }

// IsBlank says whether the character stands between tokens without a meaning.
func IsBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// Unexpected fails at a character that is no token, of size bytes.
func (l *Lexer) Unexpected(r rune, size int) {
	switch {
	case r == utf8.RuneError && size == 1:
		l.Fail(size, "unexpected character that is not valid UTF-8", "save the file as UTF-8")
	case unicode.IsGraphic(r):
		l.Fail(size, "unexpected character '"+string(r)+"'", "")
	default:
		l.Fail(size, fmt.Sprintf("unexpected character U+%04X", r), "")
	}
}
