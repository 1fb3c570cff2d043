package function

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/javaregexp"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// bindSimilar compiles SIMILAR TO by way of a regular expression, as Flink does. The escape character must be constant.
func bindSimilar(constants []*vector.Vector) (Kernel, error) {
	escape := rune(-1)
	if len(constants) == 3 {
		var err error
		if escape, err = escapeCharacter(constants[2]); err != nil {
			return nil, err
		}
	}
	compile := func(pattern string) (*javaregexp.Pattern, error) {
		translated, err := similarToRegexp(pattern, escape)
		if err != nil {
			return nil, err
		}
		return javaregexp.CompileWhole(translated)
	}
	return onPattern("SIMILAR TO", 1, compile, similarMatch)(constants)
}

func similarMatch(c *Call, pattern func(i int) (*javaregexp.Pattern, error)) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		if p == nil {
			return rowErrorf(i, "'%.60s' is no pattern of SIMILAR TO", c.Args[1].Bytes(i))
		}
		c.Out.Bools[i] = bit(p.Match(c.Args[0].Bytes(i)))
	}
	return nil
}

// similarSpecial are the characters that mean something in a pattern of SIMILAR TO, and that an escape character may stand before.
const similarSpecial = "[]()|^-+*_%?{}"

// similarClasses are the names between [: and :], and what they are in Java.
var similarClasses = map[string]string{
	"ALPHA": `\p{Alpha}`, "UPPER": `\p{Upper}`, "LOWER": `\p{Lower}`, "DIGIT": `\d`, "ALNUM": `\p{Alnum}`, "SPACE": " ", "WHITESPACE": `\s`,
}

// similarToRegexp writes the regular expression that a pattern of SIMILAR TO stands for. Flink 2.3: % goes across lines and _ does not; a backslash and $
// stand for themselves; what else regular expressions of Java have is left as it is.
func similarToRegexp(pattern string, escape rune) (string, error) {
	var b strings.Builder
	for at := 0; at < len(pattern); {
		r, width := utf8.DecodeRuneInString(pattern[at:])
		at += width
		switch {
		case r == escape:
			var err error
			if at, err = similarEscaped(&b, pattern, at, escape); err != nil {
				return "", err
			}
		case r == '_':
			b.WriteByte('.')
		case r == '%':
			b.WriteString(`(?s:.*)`)
		case r == '\\', r == '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '[':
			var err error
			if at, err = similarClass(&b, pattern, at, escape); err != nil {
				return "", err
			}
		case r == ']':
			return "", similarError(pattern, "a ] without a [")
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), nil
}

func similarError(pattern, reason string) error {
	return fault.Errorf(fault.Data, "'%.60s' is no pattern of SIMILAR TO: %s", pattern, reason)
}

// similarEscaped takes the character behind an escape character.
func similarEscaped(b *strings.Builder, pattern string, at int, escape rune) (int, error) {
	r, width := utf8.DecodeRuneInString(pattern[at:])
	switch {
	case width == 0:
		return at, similarError(pattern, "it ends in its escape character")
	case r != escape && !strings.ContainsRune(similarSpecial, r):
		return at, similarError(pattern, "only "+similarSpecial+" and the escape character are escaped")
	}
	if strings.ContainsRune(similarSpecial+`\.$&`, r) {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
	return at + width, nil
}

// similarClass takes a class, whose [ has been read.
func similarClass(b *strings.Builder, pattern string, at int, escape rune) (int, error) {
	b.WriteByte('[')
	for at < len(pattern) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(pattern[at:], "[:"), ":]"); ok && strings.HasPrefix(pattern[at:], "[:") {
			class := similarClasses[strings.ToUpper(name)]
			if class == "" {
				return at, similarError(pattern, "there is no class [:"+name+":]")
			}
			b.WriteString(class)
			at = len(pattern) - len(rest)
			continue
		}
		r, width := utf8.DecodeRuneInString(pattern[at:])
		at += width
		switch {
		case r == ']':
			b.WriteByte(']')
			return at, nil
		case r == escape:
			var err error
			if at, err = similarEscaped(b, pattern, at, escape); err != nil {
				return at, err
			}
		case r == '-' || r == '^' || !strings.ContainsRune(similarSpecial, r):
			b.WriteRune(r)
		default:
			return at, similarError(pattern, string(r)+" cannot stand in [ ]")
		}
	}
	return at, similarError(pattern, "a [ without a ]")
}
