package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// YQL lays a script of YQL out. Names of functions and types stay as they are written. The error is that of yql.Parse: a text that is wrong is left
// alone.
func YQL(text source.Text) (string, error) {
	script, err := yql.Parse(text)
	if err != nil {
		return "", err
	}
	w := writing{text: text}
	ends := map[int]bool{} // places of an END that DO follows
	w.lexemes = yql.Lexemes(text)
	for i, t := range w.lexemes {
		if strings.EqualFold(text.Slice(t.Span), "END") && wordBehind(text, w.lexemes[i+1:]) == "DO" {
			ends[t.Span.Start] = true
		}
	}
	w.piece = func(t tokens.Lexeme) piece {
		p := newYQLPiece(text, script, t)
		p.closes = p.closes || ends[t.Span.Start]
		return p
	}
	for _, s := range script.Statements {
		w.statements = append(w.statements, s.Span())
	}
	return lay(w, func(p part) *builder {
		b := &builder{pieces: p.pieces, yql: true}
		b.pair()
		b.statementYQL(0, len(p.pieces))
		return b
	}), nil
}

// wordBehind is the first word of some tokens in upper case, comments aside.
func wordBehind(text source.Text, lexemes []tokens.Lexeme) string {
	for _, t := range lexemes {
		if t.Kind != tokens.CommentLexeme {
			return strings.ToUpper(text.Slice(t.Span))
		}
	}
	return ""
}

func newYQLPiece(text source.Text, script *yql.Script, t tokens.Lexeme) piece {
	p := piece{text: text.Slice(t.Span)}
	use := script.Use(t.Span.Start)
	switch {
	case t.Kind == tokens.WordLexeme && use != yql.KeywordUse:
		p.name = true
	case t.Kind == tokens.WordLexeme:
		p.text = strings.ToUpper(p.text)
		p.word = p.text
	case t.Kind == tokens.NameLexeme:
		p.name = true
	case t.Kind == tokens.NumberLexeme:
		p.number = true
	case t.Kind == tokens.SymbolLexeme:
		p.word = p.text
		p.sign, p.tight = use == yql.SignUse, use == yql.TightUse
		switch p.word {
		case ")", "]", "}", "|>":
			p.closes = true
		}
	}
	return p
}

// tightYQL reports whether no blank is to stand between p and q, which is piece i.
func (b *builder) tightYQL(p, q *piece, i int) bool {
	switch q.word {
	case ",", ";", ")", "]", "}", "|>", "::":
		return true
	case ".":
		return !b.literal(i - 1)
	}
	if q.tight {
		return true
	}
	switch p.word {
	case "(", "[", "{", "<|", "::":
		return true
	case ".":
		return !b.literal(i - 2)
	case "<":
		return p.tight
	}
	return p.sign && !q.sign
}

// literal reports whether piece i is a number that is not the place of an element: a point at it would be its own.
func (b *builder) literal(i int) bool { return b.pieces[i].number && b.word(i-1) != "." }
