package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// executed runs the statements of a text and returns the last result.
func executed(t testing.TB, body string) *Result {
	t.Helper()
	text := source.Text{Name: "x.yql", Body: body}
	all, err := language.Parse(text, language.Auto)
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Connectors: []connector.Connector{datagen.Connector, blackhole.Connector}})
	var last *Result
	for _, s := range all {
		if last, err = e.Execute(t.Context(), text, s); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// TestManyDefinitions executes twice the definitions with twice the work, whatever stands between them.
func TestManyDefinitions(t *testing.T) {
	for name, line := range map[string]string{
		"values":   "$a%[2]d = $a%[1]d + 1;",
		"read":     "$a%[2]d = $a%[1]d + 1; SELECT $a%[2]d AS x;",
		"queries":  "$q%[2]d = SELECT x + 1 AS x FROM $q%[1]d;",
		"tables":   "$a%[2]d = $a%[1]d + 1; CREATE TABLE t%[2]d (a INT) WITH ('connector' = 'blackhole');",
		"settings": "PRAGMA SimpleColumns; $a%[2]d = $a%[1]d + 1;",
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) float64 {
				var b strings.Builder
				b.WriteString("$a0 = 1; $q0 = SELECT 1 AS x;")
				for i := range n {
					fmt.Fprintf(&b, line, i, i+1)
				}
				return testing.AllocsPerRun(1, func() { executed(t, b.String()) })
			}
			if few, many := work(100), work(400); many > 6*few {
				t.Errorf("100 lines take %.0f allocations, 400 take %.0f", few, many)
			}
		})
	}
}

// TestDefinitionsMeanWhatIsThere has definitions mean to a statement what they come to with the tables and settings as they are then.
func TestDefinitionsMeanWhatIsThere(t *testing.T) {
	const table = "CREATE TABLE t (%s INT) WITH ('connector' = 'datagen');"
	for name, between := range map[string]string{
		"made anew by YQL": "DROP TABLE t;" + fmt.Sprintf(table, "b"),
		"altered":          "ALTER TABLE t ADD b INT;",
	} {
		t.Run(name, func(t *testing.T) {
			r := executed(t, fmt.Sprintf(table, "a")+"$q = SELECT * FROM t AS t; SELECT * FROM $q;"+between+"SELECT * FROM $q;")
			if got := r.Query.Schema(); got[len(got)-1].Name != "b" {
				t.Errorf("got columns %v", got)
			}
		})
	}
}

// TestStatementsBehindDefinitionsAreApart plans a statement as if those in front of it that define nothing were not there.
func TestStatementsBehindDefinitionsAreApart(t *testing.T) {
	const define = "CREATE TABLE t (a INT) WITH ('connector' = 'datagen'); $q = SELECT a FROM t AS t; $f = ($x) -> ($x + 1);"
	const last = "SELECT $f(a) AS b FROM (SELECT a FROM $q UNION ALL SELECT a FROM $q) AS u;"
	alone := executed(t, define+last).Query.Explain()
	if behind := executed(t, define+strings.Repeat(last, 3)+"PRAGMA SimpleColumns;"+last).Query.Explain(); behind != alone {
		t.Errorf("got\n%s\nbehind others, and alone\n%s", behind, alone)
	}
	if executed(t, define+strings.Repeat(last, 3_000)) == nil { // bounds are those of a statement
		t.Error("no result")
	}
}
