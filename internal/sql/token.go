package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Lexemes cuts a text into lexemes, comments included. It never fails: a fault is the last one.
func Lexemes(text source.Text) []tokens.Lexeme {
	lexed, fault := lex(text, 0)
	lexed = lexed[:len(lexed)-1]
	var lexemes []tokens.Lexeme
	at := 0
	for _, t := range lexed {
		lexemes = append(lexemes, comments(text, source.Span{Start: at, End: t.Span.Start})...)
		lexemes = append(lexemes, t.Lexeme())
		at = t.Span.End
	}
	end := len(text.Body)
	if fault != nil {
		end = max(fault.Span.Start, at)
	}
	lexemes = append(lexemes, comments(text, source.Span{Start: at, End: end})...)
	if end < len(text.Body) {
		lexemes = append(lexemes, tokens.Lexeme{Kind: tokens.FaultLexeme, Span: source.Span{Start: end, End: len(text.Body)}})
	}
	return lexemes
}

// comments finds the comments in a stretch of a text that holds nothing else.
func comments(text source.Text, within source.Span) []tokens.Lexeme {
	var found []tokens.Lexeme
	for at := within.Start; at < within.End; {
		rest := text.Body[at:within.End]
		length := 0
		switch {
		case strings.HasPrefix(rest, "--"):
			if length = strings.IndexByte(rest, '\n'); length < 0 {
				length = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			length = strings.Index(rest[2:], "*/") + 4
		default:
			at++
			continue
		}
		found = append(found, tokens.Lexeme{Kind: tokens.CommentLexeme, Span: source.Span{Start: at, End: at + length}})
		at += length
	}
	return found
}

// Statements returns the stretches of a text between the semicolons that end statements, without blanks and comments around them; what is
// behind the last one is a stretch too. A statement set is one stretch. The text need not be right.
func Statements(text source.Text) []source.Span {
	var spans []source.Span
	var s stretch
	for _, t := range Lexemes(text) {
		if t.Kind == tokens.CommentLexeme {
			continue
		}
		word := strings.ToUpper(text.Slice(t.Span))
		if word == ";" && !s.insideSet() {
			if s.first != nil {
				spans = append(spans, s.span)
			}
			s = stretch{}
			continue
		}
		s.add(word, t.Span)
	}
	if s.first != nil {
		spans = append(spans, s.span)
	}
	return spans
}

// stretch is the part of a statement seen so far.
type stretch struct {
	span  source.Span
	first []string // the first words and signs in upper case, firstWords at most
	last  string
	ended bool // the END of a statement set was seen
}

func (s *stretch) add(word string, at source.Span) {
	if s.first == nil {
		s.span.Start = at.Start
	}
	s.span.End = at.End
	if len(s.first) < firstWords {
		s.first = append(s.first, word)
	}
	s.ended = word == "END" && s.last == ";"
	s.last = word
}

// firstWords are enough for EXPLAIN with all its details in front of EXECUTE STATEMENT SET BEGIN.
const firstWords = 12

// insideSet reports whether a semicolon that comes next stands within a statement set.
func (s *stretch) insideSet() bool {
	if s.ended || s.first == nil {
		return false
	}
	words := strings.Join(s.first, " ")
	switch s.first[0] {
	case "BEGIN":
		return strings.HasPrefix(words, "BEGIN STATEMENT SET")
	case "EXECUTE", "EXPLAIN":
		return strings.Contains(words, "STATEMENT SET BEGIN") || strings.Contains(words, "BEGIN STATEMENT SET")
	}
	return false
}

// WordUse is what a word without quotes stands for.
type WordUse uint8

// The uses of words.
const (
	KeywordUse  WordUse = iota // part of the grammar, a type or a unit
	NameUse                    // a name, in the letters of whoever gave it
	FunctionUse                // the name of a function: case does not matter
	SignUse                    // no word at all: the sign before an operand
)

// Use tells what the token at an offset of the script's text was read as.
func (s *Script) Use(offset int) WordUse { return s.uses[offset] }

// Reserved reports whether a word needs backticks to be a name.
func Reserved(word string) bool { return isReserved(word) }

// Callable reports whether a reserved word stands for a function, a type or a constructor if a parenthesis follows.
func Callable(word string) bool {
	upper := strings.ToUpper(word)
	return callableWords[upper] || reservedTypes[upper] || upper == "TABLE" || upper == "UNNEST"
}

// Keywords lists the reserved words and those that statements begin with, in no order.
func Keywords() []string {
	seen := wordSet("")
	for _, set := range []map[string]bool{reservedWords, callableWords, bareFunctions} {
		for word := range set {
			seen[word] = true
		}
	}
	for _, form := range statementForms() {
		seen[form.word] = true
	}
	words := make([]string, 0, len(seen))
	for word := range seen {
		words = append(words, word)
	}
	return words
}

// Complete reports whether the last statement of a text has ended with its semicolon. The text need not be right; one without statements is
// complete.
func Complete(text source.Text) bool {
	var s stretch
	for _, t := range Lexemes(text) {
		switch word := strings.ToUpper(text.Slice(t.Span)); {
		case t.Kind == tokens.CommentLexeme:
			// One that is not closed yet is a tokens.FaultLexeme.
		case word == ";" && !s.insideSet():
			s = stretch{}
		default:
			s.add(word, t.Span)
		}
	}
	return s.first == nil
}
