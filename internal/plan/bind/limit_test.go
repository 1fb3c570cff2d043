package bind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestDoubling: a statement of which each line reads the one before twice is refused before it takes all memory.
func TestDoubling(t *testing.T) {
	var b strings.Builder
	b.WriteString("WITH a0 AS (SELECT 1 AS x)")
	for i := range 40 {
		fmt.Fprintf(&b, ", a%d AS (SELECT * FROM a%d UNION ALL SELECT * FROM a%d)", i+1, i, i)
	}
	b.WriteString(" SELECT * FROM a40")
	text := source.Text{Name: "q.sql", Body: b.String()}
	q, err := sql.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(catalog.NewSession(), nil, text).Query(q)
	var placed *source.Error
	if !errors.As(err, &placed) || placed.Code != source.CodeTooLarge {
		t.Errorf("got %v", err)
	}
}

// TestViewsInViews: a chain of views that is longer than what is bound of one is refused where it is made longer, and each longer one is no more work than that.
func TestViewsInViews(t *testing.T) {
	session := catalog.NewSession()
	bind := func(body string) error {
		text := source.Text{Name: "q.sql", Body: body}
		script, err := sql.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		b := New(session, nil, text)
		switch s := script.Statements[0].(type) {
		case *sql.CreateView:
			v, err := b.View(s)
			if err == nil {
				session.Put(v)
			}
			return err
		case *sql.QueryStatement:
			_, err := b.Query(s.Query)
			return err
		}
		panic("no such statement")
	}
	last := "SELECT 1 AS x"
	for i := range maxViews {
		if err := bind(fmt.Sprintf("CREATE VIEW v%d AS %s", i, last)); err != nil {
			t.Fatal(err)
		}
		last = fmt.Sprintf("SELECT x + 1 AS x FROM v%d", i)
	}
	if err := bind(last); err != nil {
		t.Fatal(err)
	}
	if err := bind("CREATE VIEW deep AS " + last); err != nil {
		t.Fatal(err)
	}
	err := bind("SELECT 1 AS x UNION ALL SELECT x FROM deep")
	var placed *source.Error
	if !errors.As(err, &placed) || placed.Code != source.CodeTooLarge || placed.Text.Slice(placed.Span) != "deep" {
		t.Errorf("got %v", err)
	}
}
