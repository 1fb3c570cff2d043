package engine

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestSettings expects of SET alone a line for every setting, with its value and where that comes from.
func TestSettings(t *testing.T) {
	results, err := execute(newEngine(t), source.Text{Name: "q.sql", Body: "SET 'sql.local-time-zone' = 'America/Argentina/Buenos_Aires'; SET"})
	if err != nil {
		t.Fatal(render(err))
	}
	var text strings.Builder
	for _, row := range results[1].Rows.Values {
		text.WriteString(strings.Join(row, ", ") + "\n")
	}
	for _, want := range []string{"America/Argentina/Buenos_Aires, SET 'sql.local-time-zone'", "profile confluent", "parallelism.default, unset"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, text.String())
		}
	}
}
