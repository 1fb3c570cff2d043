package sql

import (
	"strings"
	"unicode/utf8"
)

// bareSetting reads the key behind SET and RESET, and the value behind such a key, as a string if it stands there without quotes. Flink 2.3: a key ends at a blank, a
// value at a blank or a semicolon. It reports false if something else stands here.
func (l *lexer) bareSetting() bool {
	statement := l.tokens[l.statementStart():]
	if len(statement) == 0 || statement[0].kind != tokenWord {
		return false
	}
	command, stop := statement[0].upper, ""
	switch {
	case len(statement) == 1 && command == "RESET", len(statement) == 1 && command == "SET":
		stop = "=;'`()"
	case len(statement) == 3 && command == "SET" && statement[1].kind == tokenString && statement[2].value == "=" && l.text.Body[statement[1].span.Start] != '\'':
		stop = ";'`"
	default:
		return false
	}
	rest := l.rest()
	word := rest
	if end := strings.IndexAny(rest, " \t\r\n\f\v"+stop); end >= 0 {
		word = rest[:end]
	}
	if word == "" || !utf8.ValidString(word) || len(statement) == 1 && !l.endsKey(command, len(word)) {
		return false
	}
	l.emit(tokenString, len(word), word)
	return true
}

// endsKey tells whether what follows a word of this length makes it the key of the command: = behind SET, nothing behind RESET.
func (l *lexer) endsKey(command string, length int) bool {
	ahead := &lexer{text: l.text, offset: l.offset + length}
	ahead.skipBlanks()
	if command == "SET" {
		return strings.HasPrefix(ahead.rest(), "=")
	}
	return ahead.rest() == "" || ahead.rest()[0] == ';'
}

// statementStart is the number of the first token behind the last semicolon.
func (l *lexer) statementStart() int {
	for i := len(l.tokens); i > 0 && len(l.tokens)-i < 4; i-- {
		if l.tokens[i-1].value == ";" && l.tokens[i-1].kind == tokenSymbol {
			return i
		}
	}
	return max(0, len(l.tokens)-4)
}
