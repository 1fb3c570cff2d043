package lower

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// sqlText is a text that holds a piece of SQL of the spec at its own place, with blanks around it; errors point into the spec. A piece that is written with escapes or folded lines is a text of its own.
func (l *lowering) sqlText(n *flowspec.Node, name string) source.Text {
	if !n.Verbatim {
		return source.Text{Name: name, Body: n.Text}
	}
	if l.blank == "" {
		body := []byte(l.spec.Text.Body)
		for i, c := range body {
			if c != '\n' && c != '\r' {
				body[i] = ' '
			}
		}
		l.blank = string(body)
	}
	start, end := n.Span.Start, n.Span.End
	if end-start == len(n.Text)+2 { // in quotes
		start, end = start+1, end-1
	}
	return source.Text{Name: l.spec.Text.Name, Body: l.blank[:start] + l.spec.Text.Body[start:end] + l.blank[end:]}
}

// unmasked shows an error about the piece n of the spec within the spec. What is missing at the end of the piece is missing there.
func (l *lowering) unmasked(err error, masked source.Text, n *flowspec.Node) error {
	e, ok := errors.AsType[*source.Error](err)
	if !ok || e.Text != masked || len(masked.Body) != len(l.spec.Text.Body) {
		return err
	}
	shown := *e
	shown.Text = l.spec.Text
	if shown.Span.Start > n.Span.End {
		shown.Span = source.Span{Start: n.Span.End, End: n.Span.End}
	}
	return &shown
}

// within is the text in which what sqlText gave stands.
func (l *lowering) within(masked source.Text) source.Text {
	if len(masked.Body) == len(l.spec.Text.Body) {
		return l.spec.Text
	}
	return masked
}

// singleQuoted writes texts in double quotes, as Flow's expressions have them, in single ones, if that changes no place.
func singleQuoted(text source.Text) source.Text {
	var b strings.Builder
	quote := byte(0)
	for i := range len(text.Body) {
		c := text.Body[i]
		switch {
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		case quote == c:
			if c == '"' {
				c = '\''
			}
			b.WriteByte(c)
			quote = 0
			continue
		}
		if quote == '"' && c == '"' {
			c = '\''
		}
		b.WriteByte(c)
	}
	return source.Text{Name: text.Name, Body: b.String()}
}
