package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestStatements is the corpus of statements that are accepted, with what each prints: DDL nothing, SHOW and DESCRIBE their rows, EXPLAIN its text,
// and what would run its columns. Refused ones are in testdata/errors. To add a case, write it with a line of four dashes and run with -update.
func TestStatements(t *testing.T) {
	eachGolden(t, "testdata/statements/*.txt", func(t *testing.T, text source.Text) string {
		e := newEngine(t)
		results, err := execute(e, text)
		if err != nil {
			t.Errorf("%s\nis refused:\n%s", text.Body, render(err))
			return render(err)
		}
		var b strings.Builder
		for _, r := range results {
			b.WriteString(printed(r))
		}
		declaresItself(t, e)
		return b.String()
	})
}

func printed(r *Result) string {
	var b strings.Builder
	b.WriteString(r.Text)
	for _, note := range r.Notes {
		b.WriteString("note: " + note + "\n")
	}
	if r.Rows != nil {
		if !r.Rows.Verbatim {
			b.WriteString(strings.Join(r.Rows.Schema.Names(), " | ") + "\n")
		}
		for _, row := range r.Rows.Values {
			b.WriteString(strings.TrimRight(strings.Join(row, " | "), " ") + "\n")
		}
	}
	if r.Query == nil {
		return b.String()
	}
	for _, p := range r.Query.Plans {
		into := "rows"
		if p.Into != nil {
			into = "into " + p.Into.Name
		}
		var columns []string
		for _, f := range p.Schema() {
			columns = append(columns, f.Name+" "+f.Type.String())
		}
		fmt.Fprintf(&b, "%s: %s\n", into, strings.Join(columns, ", "))
	}
	return b.String()
}

// path is the full name of something in the current database.
func (e *Engine) path(name string) catalog.Path {
	c := e.session.Current()
	return catalog.Path{Catalog: c.Catalog, Database: c.Database, Name: name}
}

// declaresItself makes everything that e knows once more, from what SHOW CREATE says of it, and expects the same again.
func declaresItself(t *testing.T, e *Engine) {
	t.Helper()
	twin := newSession(t, false)
	var all []catalog.Relation
	for _, c := range e.session.Catalogs() {
		if _, there := twin.session.Catalog(c); !there {
			twin.session.AddCatalog(c, "", "default")
		}
		made, _ := e.session.Catalog(c)
		for _, d := range made.Databases() {
			twin.session.AddDatabase(c, d, "")
			all = append(all, e.session.Relations(c, d)...)
		}
	}
	var views []*catalog.View
	for _, r := range all {
		if v, ok := r.(*catalog.View); ok {
			views = append(views, v)
			continue
		}
		remake(t, e, twin, r)
	}
	// A view may read others, which must be there before it.
	for len(views) > 0 {
		made := slices.IndexFunc(views, func(v *catalog.View) bool { return remake(nil, e, twin, v) })
		if made < 0 {
			t.Errorf("no way to make view '%s' again: %s", views[0].Name, sql.Format(declaration(views[0])))
			return
		}
		views = slices.Delete(views, made, made+1)
	}
}

// remake makes r in twin; without a t it says whether that was possible.
func remake(t *testing.T, e, twin *Engine, r catalog.Relation) bool {
	ddl := sql.FormatQuoted(declaration(r))
	name := r.Full().String()
	if v, ok := r.(*catalog.View); ok {
		twin.session.Use(v.Current)
	}
	again, err := execute(twin, source.Text{Name: "again.sql", Body: ddl + "; DESCRIBE EXTENDED " + name})
	if err != nil {
		if t != nil {
			t.Errorf("%s\nis refused:\n%s", ddl, render(err))
		}
		return false
	}
	first, err := execute(e, source.Text{Name: "first.sql", Body: "DESCRIBE EXTENDED " + name})
	if t == nil {
		return err == nil
	}
	if err != nil {
		t.Errorf("%s\ncannot be described:\n%s", ddl, render(err))
		return false
	}
	if got, want := printed(again[1]), printed(first[0]); got != want {
		t.Errorf("%s\nmakes:\n%s\nwant:\n%s", ddl, got, want)
	}
	made, _ := twin.session.Find(r.Full())
	if got := sql.FormatQuoted(declaration(made)); got != ddl {
		t.Errorf("%s\nis shown as\n%s", ddl, got)
	}
	return true
}
