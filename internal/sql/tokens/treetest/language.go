// Package treetest tests the parser and the printer of a language: golden files of statements, expressions and faults, the way of every statement through its
// canonical form and back, places in the text, and texts that are too deep. The texts lie in the testdata of the language's package.
package treetest

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

// Node is a part of a tree.
type Node interface{ Span() source.Span }

// Nodes are the statements of a script.
func Nodes[S Node](statements []S) []Node {
	nodes := make([]Node, len(statements))
	for i, s := range statements {
		nodes[i] = s
	}
	return nodes
}

// Language is what is tested.
type Language struct {
	// File names the texts in messages.
	File string
	// Parse returns the statements of a script, and Expr what a text that is one expression comes to.
	Parse func(text source.Text) ([]Node, error)
	Expr  func(text source.Text) (Node, error)
	// Format writes a node as canonical text.
	Format func(n Node) string
	// Loose takes out of a tree, beside places, what its canonical text does not bring back. It may be nil.
	Loose func(n Node)
	// Beyond checks what else holds of a statement whose places are erased. It may be nil.
	Beyond func(t *testing.T, l Language, statement Node)
}

// goldenCase is one case of a golden file: comment lines, a text, a line of four dashes, what is expected, an empty line.
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
func (l Language) eachGolden(t *testing.T, folder string, produce func(text source.Text) string) {
	paths, err := filepath.Glob("testdata/" + folder + "/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files in %s: %v", folder, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var rewritten bytes.Buffer
			for i, c := range readGolden(t, path) {
				got := produce(source.Text{Name: l.File, Body: strings.TrimSuffix(c.input, "\n")})
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

// Statements parses testdata/parse and expects it back in canonical form.
func (l Language) Statements(t *testing.T) {
	l.eachGolden(t, "parse", func(text source.Text) string {
		out, err := l.script(text)
		if err != nil {
			t.Errorf("%s\nis refused:\n%s", text.Body, out)
		}
		return out
	})
}

// Expressions parses testdata/expr; parentheses that the tree does not need vanish.
func (l Language) Expressions(t *testing.T) {
	l.eachGolden(t, "expr", func(text source.Text) string {
		e, err := l.Expr(text)
		if err != nil {
			t.Errorf("%s\nis refused:\n%s", text.Body, Render(err))
			return Render(err)
		}
		return l.Format(e) + "\n"
	})
}

// Errors shows how each kind of fault in testdata/errors is explained.
func (l Language) Errors(t *testing.T) {
	l.eachGolden(t, "errors", func(text source.Text) string {
		out, err := l.script(text)
		if err == nil {
			t.Errorf("%s\nis accepted:\n%s", text.Body, out)
		}
		return out
	})
}

// script puts the statements of a script one after the other, or draws its error.
func (l Language) script(text source.Text) (string, error) {
	statements, err := l.Parse(text)
	if err != nil {
		return Render(err), err
	}
	var b strings.Builder
	for _, s := range statements {
		b.WriteString(l.Format(s) + ";\n")
	}
	return b.String(), nil
}

// Render draws an error with its code.
func Render(err error) string {
	var fault *source.Error
	if !errors.As(err, &fault) {
		return "not a source.Error: " + err.Error()
	}
	return "[" + fault.Code + "]\n" + fault.Render()
}

// Inputs returns the texts of all golden files, expressions as queries.
func Inputs(t testing.TB) []string {
	var inputs []string
	for _, folder := range []string{"parse", "errors", "expr"} {
		paths, err := filepath.Glob("testdata/" + folder + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			for _, c := range readGolden(t, path) {
				input := strings.TrimSuffix(c.input, "\n")
				if folder == "expr" {
					input = "SELECT " + input
				}
				inputs = append(inputs, input)
			}
		}
	}
	return inputs
}
