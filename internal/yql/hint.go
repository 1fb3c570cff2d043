package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// hints reads the hints that were written just in front of the current token: name(value …) …, in a comment that begins with + . YDB: what is no hint is a
// comment, and so is what stands behind it.
func (p *parser) hints() []Hint {
	at, ok := p.hinted[p.Pos]
	if !ok {
		return nil
	}
	s := hintScanner{text: p.Text.Body[:at.End], at: at.Start}
	var hints []Hint
	for {
		h, ok := s.hint()
		if !ok {
			return hints
		}
		hints = append(hints, h)
	}
}

// hintScanner walks the text of hints.
type hintScanner struct {
	text string
	at   int
}

func (s *hintScanner) blanks() {
	s.at += len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], " \t\r\n"))
}

func (s *hintScanner) hint() (h Hint, ok bool) {
	s.blanks()
	start := s.at
	n := wordLength(s.text[s.at:])
	if n == 0 || tokens.IsDigit(rune(s.text[s.at])) {
		return h, false
	}
	s.at += n
	h.Name = s.text[start:s.at]
	if !strings.HasPrefix(s.text[s.at:], "(") {
		return h, false
	}
	for s.at++; ; {
		s.blanks()
		if strings.HasPrefix(s.text[s.at:], ")") {
			s.at++
			h.At = source.Span{Start: start, End: s.at}
			return h, true
		}
		value, ok := s.value()
		if !ok || strings.Contains(value, "*/") { // which could not be written back
			return h, false
		}
		h.Args = append(h.Args, value)
	}
}

// value reads characters up to a blank or a parenthesis, or a text in single quotes, in which two are one.
func (s *hintScanner) value() (value string, ok bool) {
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, "'") {
		n := strings.IndexAny(rest, " \t\r\n()'")
		if n <= 0 {
			return "", false
		}
		s.at += n
		return rest[:n], true
	}
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] != '\'':
			b.WriteByte(rest[i])
		case strings.HasPrefix(rest[i:], "''"):
			b.WriteByte('\'')
			i++
		default:
			s.at += i + 1
			return b.String(), true
		}
	}
	return "", false
}

func (f *formatter) hints(hints []Hint) {
	if len(hints) == 0 {
		return
	}
	f.WriteString(" /*+")
	for _, h := range hints {
		f.Words(" ", h.Name, "(")
		for i, arg := range h.Args {
			f.When(i > 0, " ")
			if arg == "" || strings.ContainsAny(arg, " \t\r\n()'") {
				arg = "'" + strings.ReplaceAll(arg, "'", "''") + "'"
			}
			f.WriteString(arg)
		}
		f.WriteByte(')')
	}
	f.WriteString(" */")
}
