package sql

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func TestStatementsOfText(t *testing.T) {
	const body = " BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"SELECT 1; SELECT 2 -- x;\n;", []string{"SELECT 1", "SELECT 2"}},
		{"EXECUTE STATEMENT SET" + body + "; SELECT 1", []string{"EXECUTE STATEMENT SET" + body, "SELECT 1"}},
		{"BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END; SELECT 1", []string{"BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END", "SELECT 1"}},
		{"explain statement set" + body + "; SELECT 1", []string{"explain statement set" + body, "SELECT 1"}},
		{"EXPLAIN EXECUTE STATEMENT SET" + body + ";", []string{"EXPLAIN EXECUTE STATEMENT SET" + body}},
		{"EXPLAIN PLAN FOR STATEMENT SET" + body, []string{"EXPLAIN PLAN FOR STATEMENT SET" + body}},
		{"EXPLAIN ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE EXECUTE STATEMENT SET" + body + "; SELECT 1",
			[]string{"EXPLAIN ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE EXECUTE STATEMENT SET" + body, "SELECT 1"}},
		{"EXECUTE INSERT INTO a SELECT 1; SELECT 2", []string{"EXECUTE INSERT INTO a SELECT 1", "SELECT 2"}},
		{"SET a.b = c;d;SET x='1;2'", []string{"SET a.b = c", "d", "SET x='1;2'"}},
	} {
		text := source.Text{Name: "q.sql", Body: c.text}
		var got []string
		for _, at := range Statements(text) {
			got = append(got, text.Slice(at))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}
