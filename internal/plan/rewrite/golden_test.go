package rewrite

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

var update = flag.Bool("update", false, "rewrite the plans in testdata")

// goldenQuery is a case of a golden file: comment lines, a query in one line, four dashes, the plan as it was bound, the plan as it is run.
type goldenQuery struct{ comment, query, want string }

func goldens(t *testing.T, path string) []goldenQuery {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []goldenQuery
	for block := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n\n") {
		head, want, ok := strings.Cut(block, "\n----")
		if !ok {
			t.Fatalf("%s: %q has no line of four dashes", path, block)
		}
		g := goldenQuery{query: head, want: strings.TrimPrefix(want, "\n")}
		if i := strings.LastIndexByte(head, '\n'); i >= 0 {
			g.comment, g.query = head[:i+1], head[i+1:]
		}
		list = append(list, g)
	}
	return list
}

func goldenFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no plans: %v", err)
	}
	return files
}

// allQueries are those of this package's tests and those of the golden files.
func allQueries(t *testing.T) []string {
	all := queries
	for _, f := range goldenFiles(t) {
		for _, g := range goldens(t, f) {
			all = append(all, g.query)
		}
	}
	return all
}

// TestPlans compares plans before and after all rules with those in testdata.
func TestPlans(t *testing.T) {
	for _, file := range goldenFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			var text bytes.Buffer
			for i, g := range goldens(t, file) {
				n := bound(t, g.query)
				got := "bound:\n" + plan.Print(n) + "run:\n" + strings.TrimRight(plan.Print(rewritten(t, n)), "\n")
				if got != g.want && !*update {
					t.Errorf("%s\ngot:\n%s\nwant:\n%s", g.query, got, g.want)
				}
				if i > 0 {
					text.WriteByte('\n')
				}
				text.WriteString(g.comment + g.query + "\n----\n" + got + "\n")
			}
			if *update {
				if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
