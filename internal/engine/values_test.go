package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestValues computes the expressions of testdata/values/*.values. A line that is not indented and no comment is an expression, or @zone and a time zone; below it,
// indented, stand the type and the value, or why it is refused. How a plan writes a row, array or map must be read as the same again.
func TestValues(t *testing.T) {
	files, err := filepath.Glob("testdata/values/*.values")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".values")
		t.Run(name, func(t *testing.T) {
			if name == "limits" && testing.Short() {
				t.Skip("makes values of 64 MB, for minutes where memory is watched")
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e := newEngine(t)
			var got strings.Builder
			for _, line := range strings.Split(strings.TrimRight(string(content), "\n"), "\n") {
				if strings.HasPrefix(line, " ") {
					continue
				}
				got.WriteString(line + "\n")
				if zone, ok := strings.CutPrefix(line, "@zone "); ok {
					if _, err := execute(e, source.Text{Name: "zone.sql", Body: "SET 'table.local-time-zone' = '" + zone + "'"}); err != nil {
						t.Fatal(render(err))
					}
				} else if line != "" && line[0] != '#' {
					got.WriteString("    " + valueOf(t, e, line) + "\n")
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(content) {
				t.Errorf("differs; run with -update and look at the difference in version control\n%s", firstDifference(string(content), got.String()))
			}
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return g[max(i-1, 0)] + "\nwant: " + w[i] + "\ngot:  " + g[i]
		}
	}
	return "one is longer"
}

// nestedLiteral is a constant row, array or map in which nothing needs a CAST.
var nestedLiteral = regexp.MustCompile(`^(ROW|ARRAY|MAP)[^()NC]*$`)

// valueOf is the type and value of an expression, or the message that refuses it.
func valueOf(t *testing.T, e *Engine, expression string) string {
	bound, err := selected(e, expression)
	if err != nil {
		return "refused: " + message(err)
	}
	again, err := selected(e, bound)
	if !nestedLiteral.MatchString(bound) {
		// How a plan writes a call of EXTRACT is for people.
	} else if err != nil {
		t.Errorf("%s is written as %s, which is refused: %s", expression, bound, message(err))
	} else if again != bound {
		t.Errorf("%s is written as %s, which is read as %s", expression, bound, again)
	}
	results, err := execute(e, source.Text{Name: "q.sql", Body: "SELECT " + expression})
	if err != nil {
		t.Fatal(err)
	}
	text := value(t, e, "SELECT "+expression)
	if failed, ok := strings.CutPrefix(text, "not a source.Error: "); ok {
		return "fails: " + strings.TrimSpace(failed)
	}
	return results[0].Query.Schema()[0].Type.String() + " = " + text
}

// selected is how a plan writes an expression.
func selected(e *Engine, expression string) (string, error) {
	results, err := execute(e, source.Text{Name: "q.sql", Body: "SELECT " + expression})
	if err != nil {
		return "", err
	}
	return results[0].Query.Bound[0].(*plan.Project).Exprs[0].String(), nil
}

func message(err error) string {
	text := render(err)
	if i := strings.Index(text, "error: "); i >= 0 {
		text = text[i+len("error: "):]
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}
