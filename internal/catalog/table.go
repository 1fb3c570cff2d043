package catalog

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Relation is a table or a view: *Table or *View. They share their names.
type Relation interface {
	// Full is the relation's name. A temporary relation hides one of the same name that is not.
	Full() Path
	IsTemporary() bool
}

// Table is a table as it is now. Plans hold it, so it never changes: ALTER TABLE puts another one in its place.
type Table struct {
	Path
	Temporary bool
	Columns   []Column
	// Watermark is nil if the table has none.
	Watermark *Watermark
	// PrimaryKey are the columns of the key in its order, nil without one.
	PrimaryKey []int
	// Distribution is nil without a DISTRIBUTED clause.
	Distribution *Distribution
	Options      connector.Options
	// Program is what the program that runs the engine says of the watermark, nil if that is nothing.
	Program *watermark.Strategy
	// Declared is the table as it can be written again.
	Declared Declaration
	// Places are where the options stand, and At is the table's name, for errors that show only when the table is used.
	Places map[string]Place
	At     Place
}

// Place is where something stands in a text.
type Place struct {
	Text source.Text
	Span source.Span
	// Hint is the hint that an option stands in, empty for one of a WITH clause.
	Hint string
}

// Column is a column of a table.
type Column struct {
	Name string
	Type types.Type
	// Computed is the expression of a computed column over the columns of the table; nil for the others.
	Computed expr.Expr
	// Metadata is what a metadata column shows; nil for the others.
	Metadata *Metadata
	Comment  string
	// Wording is nil for a column whose type is spoken of in SQL.
	Wording types.Wording
	// Hidden columns are there for whoever names them, and are neither declared nor part of *.
	Hidden bool
}

// Rowtime is the hidden column with the timestamp of a record. Confluent Cloud: every table has it.
const Rowtime = "$rowtime"

// Metadata is what the connector knows of a row beside its columns.
type Metadata struct {
	Key string
	// Type is the connector's; the column shows it converted to its own.
	Type types.Type
	// Virtual columns are read and never written.
	Virtual bool
}

// Physical reports whether the column is in the data.
func (c *Column) Physical() bool { return c.Computed == nil && c.Metadata == nil }

// Watermark is the event time of a table and how its watermark follows from a row.
type Watermark struct {
	Column int
	Expr   expr.Expr // over the columns of the table
	Text   string    // as written
	// Of says which rows it is about, TRUE for those; nil is all of them. The others do not move it and are not late, whatever their time is: somebody leaves them out. Over the columns of the table.
	Of expr.Expr
	// Default says that no WATERMARK clause declares it.
	Default bool
}

// Distribution is how rows are spread over the buckets of a table.
type Distribution struct {
	// Keys are the columns that say so, nil if the connector does.
	Keys []int
	// Buckets is 0 unless written.
	Buckets int
}

// Full implements Relation.
func (t *Table) Full() Path { return t.Path }

// IsTemporary implements Relation.
func (t *Table) IsTemporary() bool { return t.Temporary }

// Read is the table as its connector reads it, and which columns of the table those of the schema are.
func (t *Table) Read() (connector.Table, []int) { return t.stored(true) }

// Written is the table as its connector writes it, and which columns of the table those of the schema are. Metadata may be NULL unless it is declared
// NOT NULL.
func (t *Table) Written() (connector.Table, []int) { return t.stored(false) }

func (t *Table) stored(virtual bool) (connector.Table, []int) {
	out := connector.Table{Name: t.Name, Primary: t.PrimaryKey != nil}
	if t.HandsOver() && !t.Undecided() && t.Watermark != nil {
		out.HandedOver = t.Columns[t.Watermark.Column].Name
	}
	var columns []int
	var metadata []string
	any := false
	for i, c := range t.Columns {
		switch {
		case c.Computed != nil, c.Metadata != nil && c.Metadata.Virtual && !virtual:
			continue
		case c.Metadata != nil:
			t := c.Metadata.Type
			t.NotNull = t.NotNull && (virtual || c.Type.NotNull)
			out.Schema = append(out.Schema, types.Field{Name: c.Name, Type: t})
			metadata, any = append(metadata, c.Metadata.Key), true
		default:
			out.Schema = append(out.Schema, types.Field{Name: c.Name, Type: c.Type, Wording: c.Wording})
			metadata = append(metadata, "")
		}
		columns = append(columns, i)
	}
	if any {
		out.Metadata = metadata
	}
	keys := t.PrimaryKey
	if d := t.Distribution; d != nil {
		out.Buckets = d.Buckets
		if keys == nil {
			keys = d.Keys
		}
	}
	for _, k := range keys {
		out.Keys = append(out.Keys, slices.Index(columns, k))
	}
	return out, columns
}

// HandsOver reports whether pipelines hand their watermarks over in the table.
func (t *Table) HandsOver() bool { return t.Options[connector.OptionHandover] == "true" }

// Undecided reports whether the table is to hand a watermark over that it does not declare, as ALTER TABLE may leave it. It cannot be read or written then.
func (t *Table) Undecided() bool { return t.HandsOver() && t.Declared.Watermark == nil }

// WatermarkExpression is how the watermark, which there must be, is written, with its names quoted.
func (t *Table) WatermarkExpression() string {
	if t.Watermark.Default {
		return t.Watermark.Text
	}
	return sql.FormatQuoted(t.Declared.Watermark.Part.Expr)
}

// Index finds a column, -1 if there is none of that name.
func (t *Table) Index(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// View is a named query.
type View struct {
	Path
	Temporary bool
	// Schema is what the view had as columns when it was made; a query over it finds the same ones, or is refused.
	Schema  types.Schema
	Comment string
	// Columns are the names that the view gives, nil unless it names them.
	Columns []sql.ViewColumn
	// Query has its stars written out, so that the view keeps its columns when a table below gets more. Names in it stand for what they stood for
	// when Catalog and Database were the current ones.
	Query   sql.Query
	Text    source.Text
	Current Current
	At      Place
}

// Current is the catalog and the database in which a name of one part is looked for.
type Current struct{ Catalog, Database string }

// Full implements Relation.
func (v *View) Full() Path { return v.Path }

// IsTemporary implements Relation.
func (v *View) IsTemporary() bool { return v.Temporary }
