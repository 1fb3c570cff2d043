package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// WordUse is what a word without quotes stands for.
type WordUse uint8

// The uses of words.
const (
	KeywordUse  WordUse = iota // part of the grammar
	NameUse                    // a name, in the letters of whoever gave it
	FunctionUse                // the name of a function or a module
	TypeUse                    // the name of a type
	SignUse                    // no word at all: the sign before an operand
	TightUse                   // no word at all: a sign that belongs to what is in front of it, such as the parenthesis of a call
)

// Use tells what the token at an offset of the script's text was read as.
func (s *Script) Use(offset int) WordUse { return s.uses[offset] }

// Lexemes cuts a text into lexemes, comments included. It never fails: a fault is the last one.
func Lexemes(text source.Text) []tokens.Lexeme {
	l := &lexer{Lexer: tokens.NewLexer(text, 0), comments: true}
	l.run()
	lexemes := make([]tokens.Lexeme, 0, len(l.Tokens)+1)
	for _, t := range l.Tokens {
		lexemes = append(lexemes, t.Lexeme())
	}
	if l.Fault != nil {
		lexemes = append(lexemes, tokens.Lexeme{Kind: tokens.FaultLexeme, Span: source.Span{Start: l.Offset, End: len(text.Body)}})
	}
	return lexemes
}

// Statements returns the stretches of a text between the semicolons that end statements, without blanks and comments around them; what is
// behind the last one is a stretch too. A streaming query is one stretch, and so is a lambda. The text need not be right.
func Statements(text source.Text) []source.Span {
	var spans []source.Span
	var s stretch
	for _, t := range Lexemes(text) {
		if t.Kind == tokens.CommentLexeme {
			continue
		}
		if s.add(t, text) {
			continue
		}
		if !s.empty() {
			spans = append(spans, s.span)
		}
		s = stretch{}
	}
	if !s.empty() {
		spans = append(spans, s.span)
	}
	return spans
}

// Complete reports whether the last statement of a text has ended with its semicolon. The text need not be right; one without statements is
// complete.
func Complete(text source.Text) bool {
	var s stretch
	for _, t := range Lexemes(text) {
		if t.Kind != tokens.CommentLexeme && !s.add(t, text) {
			s = stretch{}
		}
	}
	return s.empty()
}

// stretch is the part of a statement seen so far.
type stretch struct {
	span   source.Span
	any    bool
	last   string // the last word or sign in upper case
	blocks int    // DO BEGIN and DEFINE that no END has closed
	braces int    // { that no } has closed
}

func (s *stretch) empty() bool { return !s.any }

// add takes the next tokens.Token, or returns false when it is the semicolon that ends the statement.
func (s *stretch) add(t tokens.Lexeme, text source.Text) bool {
	word := ""
	if t.Kind == tokens.WordLexeme || t.Kind == tokens.SymbolLexeme {
		word = strings.ToUpper(text.Slice(t.Span))
	}
	if word == ";" && s.blocks == 0 && s.braces == 0 {
		return false
	}
	if !s.any {
		s.any, s.span.Start = true, t.Span.Start
	}
	s.span.End = t.Span.End
	switch pair := s.last + " " + word; {
	case pair == "DO BEGIN", pair == "DEFINE ACTION", pair == "DEFINE SUBQUERY":
		s.blocks++
	case pair == "END DO", pair == "END DEFINE":
		s.blocks = max(s.blocks-1, 0)
	case word == "{":
		s.braces++
	case word == "}":
		s.braces = max(s.braces-1, 0)
	}
	s.last = word
	return true
}
