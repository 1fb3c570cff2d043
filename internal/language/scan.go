package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner goes through a text token by token, as far as that is needed to see where a statement ends. It never fails: what is open is open to the end.
type scanner struct {
	body string
	at   int
}

// token is a piece of a text: a word in upper case, a sign, or what is quoted, of which the first character is told.
type token struct {
	start, end int
	text       string
	quoted     bool
}

// next reads a token of SQL, or of YQL; ok is false at the end. The two differ in their quotes alone: 'it”s' and 'it\'s', and @@…@@.
func (s *scanner) next(yql bool) (t token, ok bool) {
	s.blanks()
	if s.at == len(s.body) {
		return token{}, false
	}
	t.start = s.at
	rest := s.body[s.at:]
	switch c := rest[0]; {
	case c == '`', c == '\'', c == '"': // the last is a fault in SQL, up to its end
		t.quoted, t.text = true, rest[:1]
		s.at += closing(rest, c, yql)
	case yql && strings.HasPrefix(rest, "@@"):
		t.quoted, t.text = true, "@@"
		s.at += raw(rest)
	default:
		n := 0
		for n < len(rest) && wordByte(rest[n]) {
			n++
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
		}
		t.text = strings.ToUpper(rest[:n])
		s.at += n
	}
	t.end = s.at
	return t, true
}

// blanks passes white space and comments, which both languages write alike.
func (s *scanner) blanks() {
	for s.at < len(s.body) {
		rest := s.body[s.at:]
		switch {
		case strings.HasPrefix(rest, "--"):
			s.at += through(rest, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			s.at += through(rest, "*/", 2)
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return
			}
			s.at += size
		}
	}
}

// through is the length of text up to the end of the first mark that begins at from or later, or of all of it.
func through(text, mark string, from int) int {
	if i := strings.Index(text[from:], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(text)
}

// closing is the length of what is quoted at the beginning of text. In SQL a quote within is doubled, which makes two pieces of it; in YQL it stands behind a backslash.
func closing(text string, quote byte, yql bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && yql:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// raw is the length of @@…@@ at the beginning of text; @@@@ within stands for @@.
func raw(text string) int {
	for i := 2; ; i += 4 {
		n := strings.Index(text[min(i, len(text)):], "@@")
		if n < 0 {
			return len(text)
		}
		if i += n; !strings.HasPrefix(text[i:], "@@@@") {
			return i + 2
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}
