package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Program is a table, of which n is the name, with what a program says of its watermarks; the zero value takes it back.
func (b *Binder) Program(n sql.Name, s watermark.Strategy) (*catalog.Table, error) {
	r, err := b.Relation(n)
	if err != nil {
		return nil, err
	}
	t, ok := r.(*catalog.Table)
	if !ok {
		return nil, b.errorf(source.CodeUnknownTable, n.Span(), "name the tables that it reads", "'%s' is a view, and watermarks are those of tables", r.Full().Name)
	}
	to := *t
	to.Program = nil
	if s == (watermark.Strategy{}) {
		return &to, nil
	}
	if t.Watermark == nil {
		return nil, b.errorf(source.CodeTime, n.Span(), "declare WATERMARK FOR ts AS ts, and the program says the rest", "table '%s' has no event time", t.Name)
	}
	if _, err := plan.ProgramLevel(s); err != nil {
		return nil, b.errorf(source.CodeOption, n.Span(), "", "%s", err)
	}
	to.Program = &s
	if _, err := b.scan(&to, nil); err != nil {
		return nil, b.place(err, n.Span())
	}
	return &to, nil
}
