package engine

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestSettings expects of SET alone a line for every setting, in columns that stay columns if a value is long.
func TestSettings(t *testing.T) {
	results, err := execute(newEngine(t), source.Text{Name: "q.sql", Body: "SET 'sql.local-time-zone' = 'America/Argentina/Buenos_Aires'; SET"})
	if err != nil {
		t.Fatal(render(err))
	}
	text := results[1].Text
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	column := strings.Index(lines[0], "which system's defaults hold")
	for i, l := range lines {
		if column < 0 || len(l) <= column || l[column-1] != ' ' || l[column] == ' ' {
			t.Errorf("line %d is not in columns:\n%s", i+1, text)
		}
	}
	for _, want := range []string{"America/Argentina/Buenos_Aires  SET 'sql.local-time-zone'", "profile confluent", "parallelism.default"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
