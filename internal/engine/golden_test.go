package engine

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/connector/faker"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/print"
	"github.com/tidemark-sql/tidemark/internal/connector/stdio"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

var update = flag.Bool("update", false, "rewrite the expected part of the golden files")

// newEngine makes an engine with the connectors of the command line, in which testdata/setup.sql was run.
func newEngine(t testing.TB) *Engine {
	t.Helper()
	return newSession(t, true)
}

// newSession makes an engine that knows the tables of testdata/setup.sql or none.
func newSession(t testing.TB, setup bool) *Engine {
	t.Helper()
	e := New(Options{
		Connectors: []connector.Connector{filesystem.Connector, datagen.Connector, faker.Connector, stdio.Stdin, stdio.Stdout, print.Connector, blackhole.Connector, logConnector},
		Stdout:     &bytes.Buffer{},
		Stderr:     &bytes.Buffer{},
	})
	if !setup {
		return e
	}
	body, err := os.ReadFile("testdata/setup.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := execute(e, source.Text{Name: "setup.sql", Body: string(body)}); err != nil {
		t.Fatal(render(err))
	}
	return e
}

// execute runs the statements of a text up to the first error.
func execute(e *Engine, text source.Text) ([]*Result, error) {
	script, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	var results []*Result
	for _, s := range script.Statements {
		r, err := e.Execute(context.Background(), text, s)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

func render(err error) string {
	var placed *source.Error
	if !errors.As(err, &placed) {
		return "not a source.Error: " + err.Error() + "\n"
	}
	return "[" + placed.Code + "]\n" + placed.Render()
}

// goldenCase is one case of a golden file: comment lines, SQL, a line of four dashes, what is expected. Files hold cases with a line of
// four equals signs between them, because SQL and what EXPLAIN prints have empty lines.
type goldenCase struct {
	comment, input, want string
	line                 int
}

const caseEnd = "====\n"

func readGolden(t testing.TB, path string) []goldenCase {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	line := 1
	for body := range strings.SplitSeq(string(content), caseEnd) {
		c := goldenCase{line: line}
		line += strings.Count(body, "\n") + 1
		for strings.HasPrefix(body, "#") {
			comment, rest, _ := strings.Cut(body, "\n")
			c.comment, body = c.comment+comment+"\n", rest
		}
		var found bool
		if c.input, c.want, found = strings.Cut(body, "----\n"); !found && !*update {
			t.Fatalf("%s:%d: a case without a line of four dashes", path, c.line)
		}
		cases = append(cases, c)
	}
	return cases
}

// eachGolden compares what produce makes of every case's SQL with what is expected.
func eachGolden(t *testing.T, pattern string, produce func(t *testing.T, text source.Text) string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files match %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			var rewritten []string
			for _, c := range readGolden(t, path) {
				got := produce(t, source.Text{Name: "q.sql", Body: strings.TrimSuffix(c.input, "\n")})
				if got != c.want && !*update {
					t.Errorf("%s:%d\n%s\ngot:\n%s\nwant:\n%s", path, c.line, c.input, got, c.want)
				}
				rewritten = append(rewritten, c.comment+c.input+"----\n"+got)
			}
			if *update {
				if err := os.WriteFile(path, []byte(strings.Join(rewritten, caseEnd)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
