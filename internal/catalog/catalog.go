// Package catalog is what a session knows: its tables and views, and what was SET.
//
// It stores what package bind has checked and does not read SQL itself. A Session belongs to one goroutine.
package catalog

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Session is the tables, views and settings that a script has made so far.
type Session struct {
	Settings
	tables map[string]*Table
	views  map[string]*View
}

// NewSession makes an empty session.
func NewSession() *Session {
	return &Session{tables: map[string]*Table{}, views: map[string]*View{}}
}

// Table is a table as CREATE TABLE defined it.
type Table struct {
	Name    string
	Columns []Column
	// Watermark is nil without a WATERMARK clause.
	Watermark *Watermark
	Options   connector.Options
	// Places are where the options stand, and At is the table's name, for errors that show only when the table is used.
	Places map[string]Place
	At     Place
}

// Place is where something stands in a text.
type Place struct {
	Text source.Text
	Span source.Span
}

// Column is a column of a table.
type Column struct {
	Name string
	Type types.Type
	// Computed is the expression of a computed column over the columns of the table; nil for a physical column.
	Computed expr.Expr
}

// Watermark is the event time of a table and how its watermark follows from a row.
type Watermark struct {
	Column int
	Expr   expr.Expr // over the columns of the table
	Text   string    // as written
}

// Physical is the schema of what the connector reads and writes, and which columns of the table these are.
func (t *Table) Physical() (schema types.Schema, columns []int) {
	for i, c := range t.Columns {
		if c.Computed == nil {
			schema = append(schema, types.Field{Name: c.Name, Type: c.Type})
			columns = append(columns, i)
		}
	}
	return schema, columns
}

// View is a named query.
type View struct {
	Name    string
	Columns []sql.Ident // nil unless the view names them
	Query   sql.Query
	Text    source.Text
}

// Table finds a table.
func (s *Session) Table(name string) (*Table, bool) { t, ok := s.tables[name]; return t, ok }

// View finds a view.
func (s *Session) View(name string) (*View, bool) { v, ok := s.views[name]; return v, ok }

// Has reports whether there is a table or a view of that name; they share their names.
func (s *Session) Has(name string) bool { return s.tables[name] != nil || s.views[name] != nil }

// AddTable adds t, in place of a table of the same name.
func (s *Session) AddTable(t *Table) { s.tables[t.Name] = t }

// AddView adds v, in place of a view of the same name.
func (s *Session) AddView(v *View) { s.views[v.Name] = v }

// DropTable removes a table and reports whether it was there.
func (s *Session) DropTable(name string) bool {
	_, ok := s.tables[name]
	delete(s.tables, name)
	return ok
}

// DropView removes a view and reports whether it was there.
func (s *Session) DropView(name string) bool {
	_, ok := s.views[name]
	delete(s.views, name)
	return ok
}

// Names lists tables and views in alphabetical order.
func (s *Session) Names() []string {
	names := slices.Collect(maps.Keys(s.tables))
	names = slices.AppendSeq(names, maps.Keys(s.views))
	slices.Sort(names)
	return names
}
