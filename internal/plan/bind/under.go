package bind

import (
	"maps"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Layout is what is in the records of a table for a statement that does not take the table's word for it.
type Layout struct {
	// Format is the name of a format, and Options are its options, without prefix.
	Format  string
	Options connector.Options
	// Columns are physical ones, in the order in which they are in a record if that counts; metadata, such as MetadataOf tells; and computed ones over all of them.
	Columns []catalog.Column
	// Watermark is nil for none.
	Watermark *catalog.Watermark
	// At is where the statement says so, for errors about the format.
	At catalog.Place
}

// Under is the table whose records are those of t and whose columns are those of l, for a statement that reads or writes it. It has the name of t, and of its options those
// that are about neither formats nor watermarks. It has no key, and each record is a new row, whatever t takes it for.
func (b *Binder) Under(t *catalog.Table, l Layout) (*catalog.Table, error) {
	c, err := b.connector(t)
	if err != nil {
		return nil, b.tableError(err, t)
	}
	if c.Recast == nil {
		return nil, b.within(l.At.Text).errorf(source.CodeOption, l.At.Span, "leave the format out: the table has columns as it is",
			"table '%s' has connector '%s', whose rows are in no records", t.Name, c.Name)
	}
	out := &catalog.Table{Path: t.Path, Temporary: t.Temporary, Columns: l.Columns, Watermark: l.Watermark, Declared: t.Declared, Places: maps.Clone(t.Places), At: t.At}
	out.Declared.Watermark = nil
	out.Options = c.Recast(t.Options, l.Format, l.Options)
	for key, value := range out.Options {
		if before, ok := t.Options[key]; !ok || before != value {
			out.Places[key] = l.At
		}
	}
	for _, s := range plan.WatermarkOptions {
		delete(out.Options, s.Key)
	}
	out.Places["connector"] = l.At
	return out, nil
}

// MetadataOf is what the connector and the format of t know of a record beside its columns.
func (b *Binder) MetadataOf(t *catalog.Table) ([]connector.MetadataColumn, error) {
	c, err := b.connector(t)
	if err != nil {
		return nil, b.tableError(err, t)
	}
	return c.MetadataOf(t.Options), nil
}
