package engine

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestExplain shows plans as EXPLAIN prints them: what the last statement of each case runs, and how its watermarks are made.
func TestExplain(t *testing.T) {
	eachGolden(t, "testdata/explain/*.txt", func(t *testing.T, text source.Text) string {
		return lastQuery(t, text).Explain()
	})
}

// TestRewrite shows plans as they are written and as they run.
func TestRewrite(t *testing.T) {
	eachGolden(t, "testdata/rewrite/*.txt", func(t *testing.T, text source.Text) string {
		q := lastQuery(t, text)
		return plan.Print(q.Bound[0]) + "runs as\n" + plan.Print(q.Plans[0].Root)
	})
}

// TestExplainStatement expects of the statement EXPLAIN what Query.Explain says, and no query to run.
func TestExplainStatement(t *testing.T) {
	const query = "SELECT price FROM bids WHERE paid"
	results, err := execute(newEngine(t), source.Text{Name: "q.sql", Body: query + "; EXPLAIN " + query})
	if err != nil {
		t.Fatal(render(err))
	}
	if got, want := results[1].Text, results[0].Query.Explain(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if results[1].Query != nil {
		t.Error("EXPLAIN gives a query to run")
	}
}

func lastQuery(t *testing.T, text source.Text) *Query {
	t.Helper()
	results, err := execute(newEngine(t), text)
	if err != nil {
		t.Fatalf("%s\nis refused:\n%s", text.Body, render(err))
	}
	q := results[len(results)-1].Query
	if q == nil {
		t.Fatalf("%s\ndoes not end in a query", text.Body)
	}
	return q
}
