package bind

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Among is b for queries in a text that read relations under names of one part, as they read WITH queries. Such a name hides a table of that name.
func (b *Binder) Among(text source.Text, relations map[string]plan.Node) *Binder {
	among := b.within(text)
	among.given = relations
	return among
}

// Given is the relation that Among gave a name, nil if it gave it to none.
func (b *Binder) Given(name string) plan.Node { return b.given[name] }

// relation is what a name stands for that is neither a WITH query nor in the catalog, nil if that is nothing.
func (b *Binder) relation(r *sql.TableName) plan.Node {
	if len(r.Name.Parts) != 1 {
		return nil
	}
	return b.given[r.Name.Last().Name]
}

// Expression binds an expression over the columns of a relation. where says in what it stands, for errors: "WHERE".
func (b *Binder) Expression(e sql.Expr, over []plan.Column, where string) (expr.Expr, error) {
	return b.expr(e, scopeOf(over, "").in(where))
}
