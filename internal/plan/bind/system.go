package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// System is a system view with the rows that it has now; ok is false if there is none of that name.
func (b *Binder) System(p catalog.Path) (n plan.Node, ok bool) {
	v, ok := b.session.System(p.Name)
	if !ok {
		return nil, false
	}
	values := &plan.Values{Rows: v.Rows()}
	for _, c := range v.Columns {
		values.Cols = append(values.Cols, plan.Column{Name: c.Name, Type: c.Type})
	}
	return values, true
}
