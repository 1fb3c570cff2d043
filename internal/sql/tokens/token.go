package tokens

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Kind is what a token is.
type Kind uint8

// The kinds of tokens. A language has no token of a kind that it does not know.
const (
	End     Kind = iota // end of input
	Fault               // what stands here is no token; Cursor.Refuse says why
	Word                // keyword or identifier without quotes
	Quoted              // `identifier`, value without backticks
	Named               // $name, value without the dollar sign
	String              // 'string', value with its quotes and escapes resolved
	Bytes               // x'0a', value is the bytes themselves
	Integer             // 10
	Decimal             // 1.5, where that is an exact number
	Approx              // 1e3, and 1.5 where that is no exact number
	Symbol              // operator, punctuation and the marks of hints
	Comment             // only where the lexer keeps them
)

// Token is one lexical unit. For words Value is the text as written and Upper its form for comparison with keywords; for symbols both are the symbol.
// Suffix is that of a literal, in lower case, which Value does without.
type Token struct {
	Kind   Kind
	Span   source.Span
	Value  string
	Upper  string
	Suffix string
}

// IsWord says whether the token is the word, which is given in upper case.
func (t Token) IsWord(word string) bool { return t.Kind == Word && t.Upper == word }

// IsSymbol says whether the token is the symbol.
func (t Token) IsSymbol(symbol string) bool { return t.Kind == Symbol && t.Value == symbol }

// Describe is the token in the sentence "found …".
func (t Token) Describe() string {
	switch t.Kind {
	case End:
		return "the end of the text"
	case String, Bytes:
		return "a string"
	case Quoted:
		return "`" + Shown(t.Value) + "`"
	case Named:
		return "'$" + Shown(t.Value) + "'"
	}
	return "'" + Shown(t.Value+t.Suffix) + "'"
}

// Misspelling says which of the expected keywords a word was meant to be, if one is close.
func (t Token) Misspelling(expected []string) string {
	if t.Kind != Word {
		return ""
	}
	var keywords []string
	for _, phrase := range expected {
		if phrase == strings.ToUpper(phrase) && !strings.HasPrefix(phrase, "'") {
			keywords = append(keywords, strings.Fields(phrase)[0])
		}
	}
	if near := source.Nearest(t.Value, keywords); near != "" && near != t.Upper {
		return "did you mean " + near + "?"
	}
	return ""
}

// Shown makes a piece of a text fit for a message: one line, not too long.
func Shown(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
