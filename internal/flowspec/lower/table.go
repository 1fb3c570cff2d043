package lower

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// table is what a source or a sink is outside: a table of the catalog, or one of the connector that is written with its options and has these columns.
func (l *lowering) table(e flowspec.External, name string, at source.Span, columns []flowspec.Column) (*catalog.Table, error) {
	if e.Table.Text == "" {
		return l.declared(e, name, at, columns)
	}
	path, err := l.tables.Path(l.queueName(e.Table))
	if err != nil {
		return nil, err
	}
	r, ok, err := l.tables.Topic(path)
	if err != nil {
		return nil, err
	}
	t, isTable := r.(*catalog.Table)
	switch {
	case !ok:
		_, err := l.tables.Relation(l.queueName(e.Table))
		if err == nil {
			err = l.errorf(source.CodeUnknownTable, e.Table.At, "declare it with CREATE TABLE, or write a connector with its options", "there is no table '%s'", e.Table.Text)
		}
		return nil, err
	case !isTable:
		return nil, l.errorf(source.CodeUnknownTable, e.Table.At, "name a table, or read the view in a query", "'%s' is a view", e.Table.Text)
	}
	return t, nil
}

// queueName is the name of a table: the last part of a path of YTsaurus, or a name as SQL has it.
func (l *lowering) queueName(w flowspec.Word) sql.Name {
	at := sql.Located{At: w.At}
	if !strings.HasPrefix(w.Text, "//") {
		if name, err := sql.ParseName(source.Text{Body: w.Text}); err == nil {
			for i := range name.Parts {
				name.Parts[i].Located = at
			}
			return name
		}
	}
	return sql.Name{Parts: []sql.Ident{{Located: at, Name: w.Text[strings.LastIndex(w.Text, "/")+1:], Quoted: true}}}
}

// declared is a table of a connector, as CREATE TABLE would make it.
func (l *lowering) declared(e flowspec.External, name string, at source.Span, columns []flowspec.Column) (*catalog.Table, error) {
	place := sql.Located{At: at}
	c := &sql.CreateTable{Located: place, Temporary: true, Name: sql.Name{Parts: []sql.Ident{{Located: place, Name: name, Quoted: true}}}}
	for _, col := range columns {
		typ, err := typeName(col.Type, col.Name.At)
		if err != nil {
			return nil, l.placed(err, col.Name.At)
		}
		c.Schema.Columns = append(c.Schema.Columns, sql.Column{Located: sql.Located{At: col.Name.At}, Kind: sql.PhysicalColumn, Type: typ,
			Name: sql.Name{Parts: []sql.Ident{{Located: sql.Located{At: col.Name.At}, Name: col.Name.Text, Quoted: true}}}})
	}
	for _, o := range e.Options {
		c.Options = append(c.Options, sql.Option{Located: sql.Located{At: o.Key.At.To(o.Value.At)}, Key: sql.StringLit{Located: sql.Located{At: o.Key.At}, Value: o.Key.Text},
			Value: sql.StringLit{Located: sql.Located{At: o.Value.At}, Value: o.Value.Text}})
	}
	t, err := l.tables.Table(c)
	if err != nil {
		return nil, err
	}
	for i := range t.Columns {
		if k := slices.IndexFunc(columns, func(col flowspec.Column) bool { return col.Name.Text == t.Columns[i].Name }); k >= 0 {
			t.Columns[i].Wording = columns[k].Wording
		}
	}
	return t, nil
}

// typeName is a type as CREATE TABLE writes it.
func typeName(t types.Type, at source.Span) (*sql.TypeName, error) {
	n, err := sql.ParseType(source.Text{Body: t.String()})
	if err != nil {
		return nil, err
	}
	n.Located = sql.Located{At: at}
	return n, nil
}

// columnsOf are the columns of a source that says no schema: those of the only stream that is written of it.
func (l *lowering) columnsOf(c *flowspec.Computation, s *flowspec.Source) ([]flowspec.Column, error) {
	switch {
	case s.Schema != nil || s.Table.Text != "":
		return s.Schema, nil
	case c.Class.Passthrough && len(c.Outputs) == 1:
		return slices.Clone(l.spec.Stream(c.Outputs[0].Text).Schema), nil
	}
	return nil, l.errorf(source.CodeUnknownColumn, s.Name.At, "write schema: [{name: …, type: …}] among its parameters", "source stream '%s' does not say which columns it has", s.Name.Text)
}
