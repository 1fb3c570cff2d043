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
