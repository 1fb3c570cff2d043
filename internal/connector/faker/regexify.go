package faker

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/brianvoe/gofakeit/v7"
)

// regexify makes texts that a regular expression matches. The generator writes what it cannot make as if it were a text, so whether it can is found out here.
func regexify(args []string) (generate, error) {
	g, err := pattern(args, (*gofakeit.Faker).Regex)
	if err != nil {
		return nil, err
	}
	if args[0] == "" {
		return nil, patternErrorf("it takes a regular expression")
	}
	re, err := syntax.Parse(args[0], syntax.Perl)
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		return nil, patternErrorf("the regular expression is wrong: %s: '%s'", e.Code, e.Expr)
	}
	shortest, longest, err := lengths(re)
	if err != nil {
		return nil, err
	}
	if limit := max(len(args[0])*100, shortest*utf8.UTFMax); longest >= limit {
		return nil, patternErrorf("its texts may have %d bytes, and the most for this regular expression is %d", longest, limit-1)
	}
	return g, nil
}

// patternError says what is wrong with a regular expression.
type patternError struct{ error }

func patternErrorf(format string, args ...any) error {
	return &patternError{fmt.Errorf(format, args...)}
}

// mostTimes is how often the generator repeats what may be repeated without end.
const mostTimes = 10

// lengths is how many characters the shortest and how many bytes the longest text has that is made of re; it saturates.
func lengths(re *syntax.Regexp) (shortest, longest int, err error) {
	const most = 1 << 30
	switch re.Op {
	case syntax.OpNoMatch:
		return 0, 0, patternErrorf("the regular expression matches nothing")
	case syntax.OpLiteral:
		return len(re.Rune), len(string(re.Rune)), nil
	case syntax.OpCharClass:
		longest, err = ofClass(re)
		return 1, longest, err
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1, nil
	}
	for i, sub := range re.Sub {
		s, l, err := lengths(sub)
		switch {
		case err != nil:
			return 0, 0, err
		case re.Op == syntax.OpAlternate && i > 0:
			shortest, longest = min(shortest, s), max(longest, l)
		default:
			shortest, longest = min(shortest+s, most), min(longest+l, most)
		}
	}
	switch re.Op {
	case syntax.OpStar:
		shortest, longest = 0, longest*mostTimes
	case syntax.OpPlus:
		longest *= mostTimes
	case syntax.OpQuest:
		shortest = 0
	case syntax.OpRepeat:
		shortest, longest = shortest*re.Min, longest*max(re.Min, min(re.Max, mostTimes))
	}
	return min(shortest, most), min(longest, most), nil
}

// ofClass is how many bytes the longest character has that is drawn of a class. Of one that goes on to the last of Unicode only characters of ASCII are.
func ofClass(re *syntax.Regexp) (int, error) {
	if len(re.Rune) == 0 {
		return 0, patternErrorf("the regular expression matches nothing")
	}
	if last := re.Rune[len(re.Rune)-1]; last != utf8.MaxRune {
		return len(string(last)), nil
	}
	const drawn = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?|!(){}<>=*+-_:;,. "
	for i := 0; i < len(re.Rune); i += 2 {
		if strings.ContainsFunc(drawn, func(r rune) bool { return re.Rune[i] <= r && r <= re.Rune[i+1] }) {
			return 1, nil
		}
	}
	return 0, patternErrorf("no text can be made of %s, which has no character of ASCII and goes on to the end of Unicode", re)
}
