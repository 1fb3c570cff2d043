package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// View checks CREATE VIEW and makes the view; it does not add it to the session.
func (b *Binder) View(c *sql.CreateView) (*catalog.View, error) {
	path, err := b.newPath(c.Name)
	if err != nil {
		return nil, err
	}
	v := &catalog.View{Path: path, Temporary: c.Temporary, Columns: c.Columns, At: catalog.Place{Text: b.text, Span: c.Name.Span()}}
	if c.Comment != nil {
		v.Comment = c.Comment.Value
	}
	return b.defineView(v, c.Query)
}

// AlterView is v with another query. Flink 2.3: its columns are then those of the query, whatever names it gave before.
func (b *Binder) AlterView(v *catalog.View, q sql.Query) (*catalog.View, error) {
	altered := *v
	altered.Columns = nil
	return b.defineView(&altered, q)
}

// defineView binds the query of v.
func (b *Binder) defineView(v *catalog.View, q sql.Query) (*catalog.View, error) {
	b.stars = map[*sql.Star][]sql.SelectItem{}
	n, err := b.query(q)
	stars := b.stars
	b.stars = nil
	if err != nil {
		return nil, err
	}
	if v.Columns != nil {
		if n, err = b.renamed(n, viewNames(v)); err != nil {
			return nil, err
		}
	}
	v.Text, v.Current, v.Schema = b.text, b.current, plan.SchemaOf(n)
	v.Query = sql.Expand(q, func(s *sql.Star) []sql.SelectItem { return stars[s] })
	return v, nil
}

func viewNames(v *catalog.View) []sql.Ident {
	var names []sql.Ident
	for _, col := range v.Columns {
		names = append(names, col.Name)
	}
	return names
}

// maxViews bounds the views that are read inside of each other: each of a chain of views is bound with all those before it.
const maxViews = 500

// errDeep is told where the outermost view is read.
var errDeep = fmt.Errorf("views that read each other are more than %d deep; read an earlier one, or write the rows of one to a table and read that", maxViews)

// Viewed is the query of a view that is read at a place of the text.
func (b *Binder) Viewed(v *catalog.View, at source.Span) (plan.Node, error) {
	n, err := b.view(v)
	if err == errDeep && len(b.views) == 0 {
		message, hint, _ := strings.Cut(err.Error(), "; ")
		return nil, b.errorf(source.CodeTooLarge, at, hint, "%s", message)
	}
	return n, err
}

// view puts in the query of a view.
func (b *Binder) view(v *catalog.View) (plan.Node, error) {
	if len(b.views) == maxViews {
		return nil, errDeep
	}
	inner := New(b.session, b.connectors, v.Text).Until(b.ctx)
	inner.current, inner.sessions, inner.queries, inner.views = v.Current, b.sessions, b.queries, append(b.views, v.Path) // one is bound at a time
	inner.inferred, inner.positioned, inner.shared = b.inferred, b.positioned, b.shared
	if slices.Contains(b.views, v.Path) {
		return nil, inner.errorf(source.CodeUnknownTable, v.At.Span, "ALTER or DROP it", "view '%s' reads itself", v.Name)
	}
	n, err := inner.query(v.Query)
	if err == nil && len(n.Columns()) != len(v.Schema) {
		err = inner.errorf(source.CodeType, v.At.Span, "ALTER VIEW "+v.Name+" AS …", "view '%s' was made with %s, and its query has %d now", v.Name, counted(len(v.Schema), "column"), len(n.Columns()))
	}
	if err != nil || v.Columns == nil {
		return n, err
	}
	return inner.renamed(n, viewNames(v))
}

// CheckView wants a view to be right as the session is now, with the columns that it was made with.
func (b *Binder) CheckView(v *catalog.View) error {
	alone := New(b.session, b.connectors, b.text).Until(b.ctx)
	alone.inferred = b.inferred
	n, err := alone.view(v)
	if err != nil {
		return err
	}
	for i, f := range plan.SchemaOf(n) {
		if f.Name != v.Schema[i].Name {
			return errors.New("its columns would have other names")
		}
	}
	return nil
}

// Message is what is wrong, in one sentence, for an error within another one.
func Message(err error) string {
	var placed *source.Error
	if errors.As(err, &placed) {
		return placed.Message
	}
	return err.Error()
}
