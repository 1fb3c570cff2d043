package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Width is how many cells a line takes at most, unless a single word or comment takes more.
const Width = 100

// SQL lays a script of Flink SQL out. The error is that of sql.Parse: a text that is wrong is left alone.
func SQL(text source.Text) (string, error) {
	script, err := sql.Parse(text)
	if err != nil {
		return "", err
	}
	w := writing{text: text, lexemes: sql.Lexemes(text), piece: func(t tokens.Lexeme) piece { return newPiece(text, script, t) }}
	for _, s := range script.Statements {
		w.statements = append(w.statements, s.Span())
	}
	return lay(w, func(p part) *builder {
		b := newBuilder(p.pieces)
		b.statement(0, len(p.pieces))
		return b
	}), nil
}

// lay lays a script out whose statements a function writes.
func lay(w writing, write func(p part) *builder) string {
	parts, tail := w.split()
	var b strings.Builder
	before := statementText{}
	for i, p := range parts {
		st := layStatement(p, write(p))
		if i > 0 && (p.blank || before.tall || st.tall) {
			b.WriteByte('\n')
		}
		for k, c := range p.lead {
			if c.blank && k > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(c.text + "\n")
		}
		if p.gap && len(p.lead) > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(st.text)
		before = st
	}
	for k, c := range tail {
		if c.blank && (k > 0 || len(parts) > 0) {
			b.WriteByte('\n')
		}
		b.WriteString(c.text + "\n")
	}
	return b.String()
}

// statementText is a statement laid out, with its semicolon, what stands behind that on the line, and the line end.
type statementText struct {
	text string
	tall bool // it takes several lines, so that empty lines set it off
}

func layStatement(p part, b *builder) statementText {
	text := strings.TrimRight(b.print(), "\n") + ";"
	tall := strings.Contains(text, "\n")
	for _, c := range p.behind {
		text += " " + c.text
	}
	return statementText{text + "\n", tall}
}
