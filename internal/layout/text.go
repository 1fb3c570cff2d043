package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Text lays a text out that may have statements of several languages. The error is that of language.Parse: a text that is wrong is left alone.
func Text(text source.Text, as language.Language) (string, error) {
	if _, err := language.Parse(text, as); err != nil {
		return "", err
	}
	if flowspec.Is(text.Body) {
		return text.Body, nil // YAML has layouts of its own
	}
	pieces := language.Cut(text, as)
	var laid []string
	for from := 0; from < len(pieces); {
		to := from + 1
		for to < len(pieces) && pieces[to].YQL == pieces[from].YQL {
			to++
		}
		lay := SQL
		if pieces[from].YQL {
			lay = YQL
		}
		stretch, err := lay(source.Text{Name: text.Name, Body: text.Body[pieces[from].Begin:pieces[to-1].End]})
		if err != nil {
			return "", err
		}
		laid = append(laid, stretch)
		from = to
	}
	if len(pieces) == 0 {
		return SQL(text)
	}
	return strings.Join(laid, "\n"), nil
}
