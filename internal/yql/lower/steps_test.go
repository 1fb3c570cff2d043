package lower

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// What the lambdas of a statement come to is bounded, and not what those of a text do: a statement leaves nothing on the account of the lambdas that it applies, only definitions stay.
func TestStepsOfStatements(t *testing.T) {
	text := source.Text{Body: "$f = ($x) -> ($x + 1 + 1); $a = $f(1); SELECT $f(2) AS a; SELECT $f($a) AS a, $f(3) AS b; $b = $f(4); SELECT $f(5) AS a;"}
	script, err := yql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	session := catalog.NewSession()
	l := New(bind.New(session, nil, text), session, text)
	definitions := 0
	var each int
	for _, s := range script.Statements {
		before := l.defined
		if done, err := l.Define(s); err != nil {
			t.Fatal(err)
		} else if done {
			if each = max(each, l.defined-before); l.defined > before {
				definitions++
			}
			continue
		}
		next, _ := l.Behind()
		if _, err := next.Statement(s); err != nil {
			t.Fatal(err)
		}
	}
	if l.Behind(); definitions != 2 || l.steps != 2*each {
		t.Errorf("%d definitions of %d steps, and %d in all", definitions, each, l.steps)
	}
}
