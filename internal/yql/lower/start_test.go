package lower_test

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// TestReadFromIsNotForViews has no query pass over its READ_FROM: what a view reads begins where its table says.
func TestReadFromIsNotForViews(t *testing.T) {
	s, connectors := session(t)
	text := source.Text{Name: "q.yql", Body: "CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO Output SELECT who ?? \"\" AS who FROM seen; END DO"}
	script, err := yql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	stmt := script.Statements[0].(*yql.CreateStreamingQuery)
	for _, asked := range []bool{true, false} {
		l := lower.New(bind.New(s, connectors, text), s, text)
		_, err := l.StreamingQuery(stmt.Body.Statements, stmt.Span(), lower.Options{Start: connector.Options{"scan.startup.mode": "earliest-offset"}, StartAsked: asked})
		refused := err != nil && strings.Contains(err.Error(), "READ_FROM of a query that reads the view 'seen' is not supported")
		if refused != asked || !refused && err != nil {
			t.Errorf("READ_FROM is asked for: %v; error: %v", asked, err)
		}
	}
}
