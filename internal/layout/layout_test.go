package layout

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

var update = flag.Bool("update", false, "rewrite the expected part of the golden files")

// TestGolden lays scripts out: each case of a file in testdata is a script, a line of four dashes, and its layout, up to a line of four equal signs.
func TestGolden(t *testing.T) {
	eachGolden(t, "testdata/*.txt", flink)
}

func eachGolden(t *testing.T, pattern string, d dialect) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var rewritten bytes.Buffer
		for c := range strings.SplitSeq(strings.TrimSuffix(string(content), "====\n"), "====\n") {
			input, want, _ := strings.Cut(c, "----\n")
			got := d.layOut(t, input)
			if got != want && !*update {
				t.Errorf("%s: of\n%s\ncomes\n%s\nwant\n%s", path, input, got, want)
			}
			rewritten.WriteString(input + "----\n" + got + "====\n")
		}
		if *update {
			if err := os.WriteFile(path, rewritten.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// layOut lays a script out and checks what holds of every layout.
func layOut(t *testing.T, body string) string {
	t.Helper()
	return flink.layOut(t, body)
}

// dialect is what the tests need to know of a language.
type dialect struct {
	lay       func(source.Text) (string, error)
	canonical func(t *testing.T, body string) string
	remarks   func(body string) []string
}

var flink = dialect{SQL, canonical, remarks}

func (d dialect) layOut(t *testing.T, body string) string {
	t.Helper()
	laid, err := d.lay(source.Text{Name: "q.sql", Body: body})
	if err != nil {
		t.Fatalf("%s\n%v", body, err)
	}
	again, err := d.lay(source.Text{Name: "laid.sql", Body: laid})
	if err != nil {
		t.Fatalf("the layout\n%s\nof\n%s\ndoes not parse: %v", laid, body, err)
	}
	if again != laid {
		t.Fatalf("the layout of\n%s\nis\n%s\nand that of this is\n%s", body, laid, again)
	}
	if before, after := d.canonical(t, body), d.canonical(t, laid); before != after {
		t.Fatalf("the layout\n%s\nof\n%s\nsays\n%s\nand not\n%s", laid, body, after, before)
	}
	if before, after := d.remarks(body), d.remarks(laid); !slices.Equal(before, after) {
		t.Fatalf("the layout\n%s\nof\n%s\nhas the comments %q and not %q", laid, body, after, before)
	}
	for line := range strings.Lines(laid) {
		if bare := strings.TrimSuffix(line, "\n"); strings.TrimRight(bare, " ") != bare && !strings.ContainsAny(bare, "'`\"@") && !strings.Contains(laid, "/*") && !strings.Contains(laid, "@@") {
			t.Errorf("a blank ends the line %q of\n%s", bare, laid)
		}
	}
	return laid
}

// canonical is the tree of a script as text, apart from the case of functions.
func canonical(t *testing.T, body string) string {
	t.Helper()
	script, err := sql.Parse(source.Text{Body: body})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range script.Statements {
		b.WriteString(sql.Format(s) + ";\n")
	}
	text := source.Text{Body: b.String()}
	again, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, token := range sql.Lexemes(text) {
		word := text.Slice(token.Span)
		if again.Use(token.Span.Start) == sql.FunctionUse {
			word = strings.ToUpper(word)
		}
		out.WriteString(word + " ")
	}
	return out.String()
}

func remarks(body string) []string {
	text := source.Text{Body: body}
	var all []string
	for _, token := range sql.Lexemes(text) {
		if token.Kind == tokens.CommentLexeme {
			all = append(all, strings.TrimRight(text.Slice(token.Span), " \t\r"))
		}
	}
	return all
}

// corpus is every script of the repository that parses.
func corpus(t testing.TB) []string {
	var all []string
	for _, pattern := range []string{"../../examples/*/*.sql", "../sql/testdata/*/*.txt", "../engine/testdata/*/*.txt", "testdata/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			pieces := strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(string(content), "\n\n", "\x00"), "\n----\n", "\x00"), func(r rune) bool { return r == 0 })
			for _, piece := range append(pieces, string(content)) {
				if _, err := sql.Parse(source.Text{Body: piece}); err == nil {
					all = append(all, piece)
				}
			}
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d scripts", len(all))
	}
	return all
}

// TestCorpus lays out every script there is, as it is and with a comment between any two tokens.
func TestCorpus(t *testing.T) {
	for _, body := range corpus(t) {
		layOut(t, body)
		for _, comment := range []string{" -- c\n", "\n-- c\n", " /* c */ ", "\n/* c */ ", " /* c\n c */\n", " /* a */ -- b\n"} {
			layOut(t, strewn(body, comment))
		}
	}
}

// strewn puts a comment behind every token.
func strewn(body, comment string) string {
	text := source.Text{Body: body}
	var b strings.Builder
	at, hint := 0, false
	for _, token := range sql.Lexemes(text) {
		b.WriteString(text.Slice(source.Span{Start: at, End: token.Span.End}))
		at = token.Span.End
		switch text.Slice(token.Span) {
		case "/*+":
			hint = true
		case "*/":
			hint = false
		}
		if token.Kind != tokens.CommentLexeme && !hint && !strings.Contains(body[token.Span.End:min(len(body), token.Span.End+1)], ".") && text.Slice(token.Span) != "." {
			b.WriteString(comment)
		}
	}
	b.WriteString(body[at:])
	return b.String()
}

// FuzzLayout lays out any text that parses.
func FuzzLayout(f *testing.F) {
	for _, body := range corpus(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := sql.Parse(source.Text{Body: body}); err == nil {
			layOut(t, body)
		}
	})
}
