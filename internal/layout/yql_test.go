package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

var ydb = dialect{YQL, canonicalYQL, remarksYQL}

// canonicalYQL is the tree of a script as text.
func canonicalYQL(t *testing.T, body string) string {
	t.Helper()
	script, err := yql.Parse(source.Text{Body: body})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range script.Statements {
		b.WriteString(yql.Format(s) + ";\n")
	}
	return b.String()
}

func remarksYQL(body string) []string {
	text := source.Text{Body: body}
	var all []string
	for _, token := range yql.Lexemes(text) {
		if token.Kind == tokens.CommentLexeme {
			all = append(all, strings.TrimRight(text.Slice(token.Span), " \t\r"))
		}
	}
	return all
}

// TestGoldenYQL lays scripts of YQL out, as TestGolden does.
func TestGoldenYQL(t *testing.T) { eachGolden(t, "testdata/yql/*.txt", ydb) }

// corpusYQL is every text of the corpus of YQL that parses.
func corpusYQL(t testing.TB) []string {
	var all []string
	for _, folder := range []string{"parse", "expr"} {
		paths, err := filepath.Glob("../yql/testdata/" + folder + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for piece := range strings.SplitSeq(strings.ReplaceAll(string(content), "\n----\n", "\n\n"), "\n\n") {
				if folder == "expr" {
					piece = "SELECT " + piece
				}
				if _, err := yql.Parse(source.Text{Body: piece}); err == nil {
					all = append(all, piece)
				}
			}
		}
	}
	if len(all) < 300 {
		t.Fatalf("only %d texts", len(all))
	}
	return all
}

// TestCorpusYQL lays out every text of YQL, as it is and with a comment between any two tokens.
func TestCorpusYQL(t *testing.T) {
	for _, body := range corpusYQL(t) {
		ydb.layOut(t, body)
		for _, comment := range []string{" -- c\n", "\n-- c\n", " /* c */ ", "\n/* c */ ", " /* c\n c */\n", " /* a */ -- b\n"} {
			ydb.layOut(t, strewnYQL(body, comment))
		}
	}
}

// strewnYQL puts a comment behind every token, but where blanks would change the text.
func strewnYQL(body, comment string) string {
	text := source.Text{Body: body}
	var b strings.Builder
	at := 0
	for _, token := range yql.Lexemes(text) {
		b.WriteString(text.Slice(source.Span{Start: at, End: token.Span.End}))
		at = token.Span.End
		next := body[at:min(len(body), at+1)]
		sign := text.Slice(token.Span)
		if token.Kind == tokens.CommentLexeme || sign == "." || strings.Contains(".<>", next) && next != "" || sign == ">" {
			continue
		}
		b.WriteString(comment)
	}
	b.WriteString(body[at:])
	return b.String()
}

// FuzzLayoutYQL lays out any text of YQL that parses.
func FuzzLayoutYQL(f *testing.F) {
	for _, body := range corpusYQL(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := yql.Parse(source.Text{Body: body}); err == nil {
			ydb.layOut(t, body)
		}
	})
}
