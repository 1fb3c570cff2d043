package shell

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// The colours of a statement, as a terminal takes them; the terminal library leaves them out where there are none.
const (
	keywordColour = "\x1b[1;34m"
	stringColour  = "\x1b[32m"
	numberColour  = "\x1b[35m"
	commentColour = "\x1b[2m"
	faultColour   = "\x1b[31m"
	plainColour   = "\x1b[0m"
)

// coloured is a statement as it is drawn, line by line; every line ends without a colour.
func coloured(body string) []string {
	text := source.Text{Body: body}
	var b strings.Builder
	at := 0
	for _, t := range sql.Lexemes(text) {
		b.WriteString(body[at:t.Span.Start])
		at = t.Span.End
		colour := colourOf(t.Kind, text.Slice(t.Span))
		if colour == "" {
			b.WriteString(text.Slice(t.Span))
			continue
		}
		b.WriteString(colour + strings.ReplaceAll(text.Slice(t.Span), "\n", plainColour+"\n"+colour) + plainColour)
	}
	b.WriteString(body[at:])
	return strings.Split(b.String(), "\n")
}

func colourOf(kind tokens.LexemeKind, text string) string {
	switch kind {
	case tokens.WordLexeme:
		if sql.Reserved(text) {
			return keywordColour
		}
	case tokens.StringLexeme:
		return stringColour
	case tokens.NumberLexeme:
		return numberColour
	case tokens.CommentLexeme:
		return commentColour
	case tokens.FaultLexeme:
		// A string that is still being typed is a string.
		if strings.HasPrefix(text, "'") {
			return stringColour
		}
		return faultColour
	}
	return ""
}
