package sql

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// bareSetting reads the key behind SET and RESET, and the value behind such a key, as a string if it stands there without quotes. Flink 2.3: a key ends at a blank, a
// value at a blank or a semicolon. It reports false if something else stands here.
func (l *lexer) bareSetting() bool {
	statement := l.Tokens[l.statementStart():]
	if len(statement) == 0 || statement[0].Kind != tokens.Word {
		return false
	}
	command, stop := statement[0].Upper, ""
	switch {
	case len(statement) == 1 && command == "RESET", len(statement) == 1 && command == "SET":
		stop = "=;'`()"
	case len(statement) == 3 && command == "SET" && statement[1].Kind == tokens.String && statement[2].Value == "=" && l.Text.Body[statement[1].Span.Start] != '\'':
		stop = ";'`"
	default:
		return false
	}
	rest := l.Rest()
	word := rest
	if end := strings.IndexAny(rest, " \t\r\n\f\v"+stop); end >= 0 {
		word = rest[:end]
	}
	if word == "" || !utf8.ValidString(word) || len(statement) == 1 && !l.endsKey(command, len(word)) {
		return false
	}
	l.Emit(tokens.String, len(word), word)
	return true
}

// endsKey tells whether what follows a word of this length makes it the key of the command: = behind SET, nothing behind RESET.
func (l *lexer) endsKey(command string, length int) bool {
	ahead := &lexer{Lexer: tokens.Lexer{Text: l.Text, Offset: l.Offset + length}}
	ahead.skipBlanks()
	if command == "SET" {
		return strings.HasPrefix(ahead.Rest(), "=")
	}
	return ahead.Rest() == "" || ahead.Rest()[0] == ';'
}

// statementStart is the number of the first token behind the last semicolon.
func (l *lexer) statementStart() int {
	for i := len(l.Tokens); i > 0 && len(l.Tokens)-i < 4; i-- {
		if l.Tokens[i-1].Value == ";" && l.Tokens[i-1].Kind == tokens.Symbol {
			return i
		}
	}
	return max(0, len(l.Tokens)-4)
}
