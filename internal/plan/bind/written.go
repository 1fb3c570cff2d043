package bind

import (
	"maps"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Rows are what is written to a table: a relation, and where its parts stand in the text, for errors.
type Rows struct {
	Node plan.Node
	// At is the statement that writes, Query what makes the rows, and Item one of their columns.
	At, Query source.Span
	Item      func(column int) source.Span
	// Columns are the columns of the table that the rows have; nil is all that take values, in their order.
	Columns []sql.Ident
}

// rowsOf are the rows n of the query of i.
func rowsOf(i *sql.Insert, n plan.Node) Rows {
	columns := len(n.Columns())
	return Rows{Node: n, At: i.Span(), Query: i.Query.Span(), Columns: i.Columns, Item: func(at int) source.Span { return itemSpan(i.Query, at, columns) }}
}

// Scan reads all columns of a table that the text names at a place, with the changes that its rows stand for as whole rows. The first level wins over the others, and
// all over the table's own options. The table need not be one of the session.
func (b *Binder) Scan(t *catalog.Table, levels []plan.Level, at source.Span) (plan.Node, error) {
	n, err := b.scanNamed(b.use(t, at), levels, at)
	if err != nil {
		return nil, err
	}
	return b.normalized(n), nil
}

// scanNamed scans a table, which is the statement's own, or a snapshot of it.
func (b *Binder) scanNamed(t *catalog.Table, levels []plan.Level, at source.Span) (*plan.Scan, error) {
	n, err := b.scan(b.snapshot(t), levels)
	if err != nil {
		return nil, b.tableError(err, t)
	}
	if b.snapshots() && !n.Strategy.Bounded {
		return nil, b.unsupported(at, "give it an end, such as 'number-of-rows', or SET 'sql.snapshot.mode' = 'off'", "a snapshot of '%s', whose rows have no end, is", t.Name)
	}
	return n, nil
}

// Target is a table that the text names at a place and writes to; its connector takes rows.
func (b *Binder) Target(t *catalog.Table, at source.Span) (*catalog.Table, error) {
	t = b.use(t, at)
	return t, b.writable(t)
}

// Write writes rows to a Target.
func (b *Binder) Write(t *catalog.Table, r Rows) (*plan.Statement, error) {
	p, err := b.fit(t, r)
	if err != nil {
		return nil, err
	}
	return &plan.Statement{Root: p, Into: t, Guarantee: b.guarantee(t)}, b.checkChanges(t, p, r.Query)
}

// Now is t as it is read up to what it has when the statement starts, if its connector can; else t.
func (b *Binder) Now(t *catalog.Table) *catalog.Table {
	c := b.connectorNamed(t.Options["connector"])
	if c == nil || c.Snapshot == nil {
		return t
	}
	now := *t
	now.Options = c.Snapshot(maps.Clone(t.Options))
	return &now
}

// Takes reports whether a table like t can have an option.
func (b *Binder) Takes(t *catalog.Table, key string) bool {
	c := b.connectorNamed(t.Options["connector"])
	return c != nil && connector.Known(key, c.Specs)
}

// Declared is the table that a text declares, which is one CREATE TABLE and nothing else. It is not added to the session.
func (b *Binder) Declared(text source.Text) (*catalog.Table, error) {
	script, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	return b.within(text).Table(script.Statements[0].(*sql.CreateTable))
}
