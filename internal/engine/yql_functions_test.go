package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// TestYQLExamples runs the example of every function of YQL as a statement.
func TestYQLExamples(t *testing.T) {
	e := newEngine(t)
	for _, f := range functions.Functions {
		if f.Example == "" || strings.HasPrefix(f.Example, "AggregationFactory") {
			continue
		}
		if got := yqlValue(t, e, "SELECT CAST("+f.Example+" AS String) AS v"); got != f.Result {
			t.Errorf("%s is %s, the row says %s", f.Example, got, f.Result)
		}
	}
}

// TestYQLAggregateExamples runs the example of every aggregate of YQL over a window of the values 1, 2, 2 and NULL.
func TestYQLAggregateExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	const rows = `{"x":1,"ts":"2026-01-01 00:00:00Z"}
{"x":2,"ts":"2026-01-01 00:00:01Z"}
{"x":2,"ts":"2026-01-01 00:00:02Z"}
{"x":null,"ts":"2026-01-01 00:00:03Z"}
`
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	table := "CREATE TABLE xs (x INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '" + path + "')"
	if _, err := execute(e, source.Text{Name: "q.sql", Body: table}); err != nil {
		t.Fatal(render(err))
	}
	for _, f := range functions.Aggregates {
		if f.Refused != "" {
			continue
		}
		got := yqlValue(t, e, "$r = SELECT "+f.Example+` AS v FROM xs GROUP BY HoppingWindow(ts, "PT1M", "PT1M"); SELECT CAST(Yson::SerializeJson(Yson::From(v)) AS String) AS v FROM $r`)
		if got != f.Result {
			t.Errorf("%s is %s, the row says %s", f.Example, got, f.Result)
		}
	}
}

// yqlValue runs a text of YQL whose last statement gives one value, as text, or gives what is wrong.
func yqlValue(t *testing.T, e *Engine, body string) string {
	t.Helper()
	text := source.Text{Name: "q.yql", Body: body}
	statements, err := language.Parse(text, language.YQL)
	if err != nil {
		return render(err)
	}
	result, err := e.Execute(t.Context(), text, statements[len(statements)-1])
	if err != nil {
		return render(err)
	}
	return only(t, result.Query)
}
