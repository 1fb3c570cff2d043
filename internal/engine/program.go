package engine

import (
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SetWatermarks has statements from now on read a table with the strategy of a program; the zero value takes it back. name is as in SQL. Errors of the user are *source.Error.
func (e *Engine) SetWatermarks(name source.Text, s watermark.Strategy) error {
	n, err := sql.ParseName(name)
	if err != nil {
		return err
	}
	t, err := bind.New(e.session, e.options.Connectors, name).Program(n, s)
	if err != nil {
		return err
	}
	e.session.Put(t)
	e.defined = nil
	return nil
}
