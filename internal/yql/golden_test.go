package yql

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

var update = flag.Bool("update", false, "rewrite the expected part of the golden files")

// goldenCase is one case of a golden file: comment lines, YQL, a line of four
// dashes, what is expected, an empty line.
type goldenCase struct {
	comment, input, want string
	line                 int
}

func readGolden(t testing.TB, path string) []goldenCase {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	var c goldenCase
	part := &c.input
	for i, line := range strings.SplitAfter(string(content), "\n") {
		bare := strings.TrimSuffix(line, "\n")
		switch {
		case part == &c.input && c.input == "" && (bare == "" || strings.HasPrefix(bare, "#")):
			c.comment += line
		case part == &c.input && bare == "----":
			part = &c.want
		case part == &c.want && bare == "":
			cases = append(cases, c)
			c = goldenCase{line: i + 2}
			part = &c.input
		default:
			*part += line
		}
	}
	if part == &c.want {
		cases = append(cases, c)
	}
	return cases
}

// eachGolden compares what produce makes of every case's text with what is expected.
func eachGolden(t *testing.T, pattern string, produce func(text source.Text) string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files match %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var rewritten bytes.Buffer
			for i, c := range readGolden(t, path) {
				got := produce(source.Text{Name: "q.yql", Body: strings.TrimSuffix(c.input, "\n")})
				if got != c.want && !*update {
					t.Errorf("%s:%d\n%s\ngot:\n%s\nwant:\n%s", path, c.line, c.input, got, c.want)
				}
				if i > 0 {
					rewritten.WriteByte('\n')
				}
				rewritten.WriteString(c.comment + c.input + "----\n" + got)
			}
			if *update {
				if err := os.WriteFile(path, rewritten.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func render(err error) string {
	var fault *source.Error
	if !errors.As(err, &fault) {
		return "not a source.Error: " + err.Error()
	}
	return "[" + fault.Code + "]\n" + fault.Render()
}

// formatScript puts the statements of a script one after the other.
func formatScript(text source.Text) string {
	script, err := Parse(text)
	if err != nil {
		return render(err)
	}
	var b strings.Builder
	for _, s := range script.Statements {
		b.WriteString(Format(s) + ";\n")
	}
	return b.String()
}

// TestStatements parses YQL and expects it back in canonical form.
func TestStatements(t *testing.T) {
	eachGolden(t, "testdata/parse/*.txt", func(text source.Text) string {
		out := formatScript(text)
		if strings.HasPrefix(out, "[") {
			t.Errorf("%s\nis refused:\n%s", text.Body, out)
		}
		return out
	})
}

// TestExpressions parses expressions; parentheses that the tree does not need vanish.
func TestExpressions(t *testing.T) {
	eachGolden(t, "testdata/expr/*.txt", func(text source.Text) string {
		e, err := ParseExpr(text)
		if err != nil {
			t.Errorf("%s\nis refused:\n%s", text.Body, render(err))
			return render(err)
		}
		return Format(e) + "\n"
	})
}

// TestErrors shows how each kind of fault is explained.
func TestErrors(t *testing.T) {
	eachGolden(t, "testdata/errors/*.txt", func(text source.Text) string {
		out := formatScript(text)
		if !strings.HasPrefix(out, "[") {
			t.Errorf("%s\nis accepted:\n%s", text.Body, out)
		}
		return out
	})
}
