package javaregexp

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Pattern is a compiled pattern. It is safe for concurrent use.
type Pattern struct {
	re *regexp.Regexp
	// after finds a match that begins right behind the first character of a text; nil if the pattern cannot match the empty string.
	after *regexp.Regexp
}

// SyntaxError says why a pattern is none in Java either.
type SyntaxError struct {
	Pattern string
	// At is where in Pattern, in bytes.
	At     int
	Reason string
}

// Error names reason and place; characters are counted from 1.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("'%s' is no regular expression: %s at character %d", shorten(e.Pattern), e.Reason, position(e.Pattern, e.At))
}

// UnsupportedError says what a pattern of Java asks for that RE2 cannot do.
type UnsupportedError struct {
	Pattern string
	// At is where in Pattern, in bytes.
	At int
	// What is in the plural.
	What string
}

// Error names the feature and its place; characters are counted from 1.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s in regular expressions are not supported: character %d of '%s'", e.What, position(e.Pattern, e.At), shorten(e.Pattern))
}

func position(pattern string, at int) int { return len([]rune(pattern[:at])) + 1 }

func shorten(pattern string) string {
	const most = 60
	if r := []rune(pattern); len(r) > most {
		return string(r[:most]) + "…"
	}
	return pattern
}

// Compile reads a pattern of Java. The error is a *SyntaxError or an *UnsupportedError.
func Compile(pattern string) (*Pattern, error) {
	translated, err := translate(pattern)
	if err != nil {
		return nil, err
	}
	return compile(pattern, translated)
}

// CompileWhole is Compile for a pattern that must match a whole text.
func CompileWhole(pattern string) (*Pattern, error) {
	translated, err := translate(pattern)
	if err != nil {
		return nil, err
	}
	return compile(pattern, `\A(?:`+translated+`)\z`)
}

func compile(pattern, translated string) (*Pattern, error) {
	re, err := regexp.Compile(translated)
	if err != nil {
		var e *syntax.Error
		if errors.As(err, &e) && (e.Code == syntax.ErrLarge || e.Code == syntax.ErrInvalidRepeatSize || e.Code == syntax.ErrNestingDepth) {
			return nil, &UnsupportedError{pattern, 0, "so many repetitions, or so deep groups,"}
		}
		return nil, &SyntaxError{pattern, 0, "nothing to repeat"}
	}
	p := &Pattern{re: re}
	tree, err := syntax.Parse(translated, syntax.Perl)
	if err == nil && matchesEmpty(tree) {
		p.after = regexp.MustCompile(`\A(?s:.)(` + translated + `)`)
	}
	return p, nil
}

// matchesEmpty reports whether t may match without taking a character.
func matchesEmpty(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpLiteral:
		return len(t.Rune) == 0
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesEmpty(t.Sub[0])
	case syntax.OpRepeat:
		return t.Min == 0 || matchesEmpty(t.Sub[0])
	case syntax.OpConcat:
		for _, sub := range t.Sub {
			if !matchesEmpty(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range t.Sub {
			if matchesEmpty(sub) {
				return true
			}
		}
		return false
	}
	return true // *, ? and what takes no characters by nature
}
