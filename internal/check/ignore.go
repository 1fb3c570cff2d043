package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// ignoring matches the comment that silences lints: their names, with commas or blanks between them, then a colon and the reason, if any.
var ignoring = regexp.MustCompile(`^(?:--|/\*)\s*tidemark:ignore\s+([a-z-]+(?:[,\s]+[a-z-]+)*)`)

var separators = regexp.MustCompile(`[,\s]+`)

// silenced are the lints that a comment silences. Words behind the first that is no lint are prose.
func silenced(comment string) []string {
	m := ignoring.FindStringSubmatch(comment)
	if m == nil {
		return nil
	}
	names := separators.Split(m[1], -1)
	for i, name := range names {
		if i > 0 && !known(name) && !strings.Contains(m[1], ",") {
			return names[:i]
		}
	}
	return names
}

func known(name string) bool {
	return slices.ContainsFunc(Lints, func(l Lint) bool { return l.Name == name })
}

// withIgnored gives each statement the lints that comments silence for it: those between the line on which the statement before it ends and the
// end of its own last line.
func withIgnored(text source.Text, trees []language.Statement) []statement {
	statements := make([]statement, len(trees))
	comments := commentsOf(text)
	next := 0
	for i, tree := range trees {
		statements[i].tree = tree
		end := len(text.Body)
		if line := strings.IndexByte(text.Body[tree.Span().End:], '\n'); line >= 0 {
			end = tree.Span().End + line
		}
		if i+1 < len(trees) {
			end = min(end, trees[i+1].Span().Start)
		}
		for ; next < len(comments) && comments[next].Start < end; next++ {
			statements[i].ignored = append(statements[i].ignored, silenced(text.Slice(comments[next]))...)
		}
	}
	return statements
}

func commentsOf(text source.Text) []source.Span {
	var spans []source.Span
	for _, t := range sql.Lexemes(text) {
		if t.Kind == tokens.CommentLexeme {
			spans = append(spans, t.Span)
		}
	}
	return spans
}

// unknown finds the comments that silence what is no lint.
func unknown(text source.Text, l *Lint) []Finding {
	var names []string
	for _, l := range Lints {
		names = append(names, l.Name)
	}
	var findings []Finding
	for _, at := range commentsOf(text) {
		for _, name := range silenced(text.Slice(at)) {
			if known(name) {
				continue
			}
			hint := "tidemark check --list shows the lints"
			if near := source.Nearest(name, names); near != "" {
				hint = "did you mean '" + near + "'?"
			}
			start := at.Start + strings.Index(text.Slice(at), name)
			findings = append(findings, Finding{l.Severity, &source.Error{Code: l.Name, Span: source.Span{Start: start, End: start + len(name)},
				Message: "there is no lint '" + name + "'", Hint: hint, Text: text}})
		}
	}
	return findings
}
