package tokens

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// Lexeme is a piece of a text as it is written, for tools that work on the writing: layout, completion, colours.
type Lexeme struct {
	Kind LexemeKind
	Span source.Span
}

// LexemeKind says what a Lexeme is.
type LexemeKind uint8

// The kinds of lexemes.
const (
	WordLexeme    LexemeKind = iota // keyword or name without quotes
	NameLexeme                      // name in backticks, or $name
	StringLexeme                    // a text or bytes in quotes, with a suffix if there is one
	NumberLexeme                    // 10, 0x1F, 1.5, 1e3
	SymbolLexeme                    // operator, punctuation, the marks of a hint
	CommentLexeme                   // -- up to the end of its line, without it, or /* … */
	FaultLexeme                     // what is no token, up to the end of the text: an open string, a strange character
)

// Lexeme is how the token is written.
func (t Token) Lexeme() Lexeme {
	kind := SymbolLexeme
	switch t.Kind {
	case Word:
		kind = WordLexeme
	case Quoted, Named:
		kind = NameLexeme
	case String, Bytes:
		kind = StringLexeme
	case Integer, Decimal, Approx:
		kind = NumberLexeme
	case Comment:
		kind = CommentLexeme
	}
	return Lexeme{kind, t.Span}
}
