package sql

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (f *formatter) statement(s Statement) {
	switch s := s.(type) {
	case *QueryStatement:
		f.query(s.Query)
	case *Insert:
		f.insert(s)
	case *StatementSet:
		f.WriteString("EXECUTE STATEMENT SET BEGIN")
		for _, insert := range s.Inserts {
			f.NewLine()
			f.insert(insert)
			f.WriteByte(';')
		}
		f.NewLine()
		f.WriteString("END")
	case *Explain:
		f.WriteString("EXPLAIN ")
		tokens.Commas(&f.Printer, s.Details, func(d ExplainDetail) { f.WriteString(string(d)) })
		f.When(len(s.Details) > 0, " ")
		f.statement(s.Statement)
	case *Set:
		f.WriteString("SET")
		if s.Option != nil {
			f.WriteByte(' ')
			f.option(*s.Option)
		}
	case *Reset:
		f.WriteString("RESET")
		if s.Key != nil {
			f.WriteByte(' ')
			f.string(*s.Key)
		}
	case *Describe:
		f.WriteString("DESCRIBE ")
		f.When(s.Extended, "EXTENDED ")
		f.name(s.Table)
	case *Show:
		f.show(s)
	case *Use:
		f.WriteString("USE ")
		f.When(s.Catalog, "CATALOG ")
		f.name(s.Name)
	case *CreateTable:
		f.createTable(s)
	case *CreateView:
		f.createView(s)
	case *CreateDatabase:
		f.WriteString("CREATE DATABASE ")
		f.When(s.IfNotExists, "IF NOT EXISTS ")
		f.name(s.Name)
		f.commentLine(s.Comment)
		f.withOptions(s.Options)
	case *CreateCatalog:
		f.WriteString("CREATE CATALOG ")
		f.When(s.IfNotExists, "IF NOT EXISTS ")
		f.ident(s.Name)
		f.commentLine(s.Comment)
		f.withOptions(s.Options)
	case *Drop:
		f.WriteString("DROP ")
		f.When(s.Temporary, "TEMPORARY ")
		f.Words(string(s.Kind), " ")
		f.When(s.IfExists, "IF EXISTS ")
		f.name(s.Name)
		f.When(s.Cascade, " CASCADE")
	case *AlterTable:
		f.WriteString("ALTER TABLE ")
		f.When(s.IfExists, "IF EXISTS ")
		f.name(s.Name)
		f.WriteByte(' ')
		f.alterAction(s.Action)
	case *AlterView:
		f.WriteString("ALTER VIEW ")
		f.When(s.IfExists, "IF EXISTS ")
		f.name(s.Name)
		if s.To != nil {
			f.WriteString(" RENAME TO ")
			f.name(*s.To)
			return
		}
		f.WriteString(" AS")
		f.NewLine()
		f.query(s.Query)
	}
}

func (f *formatter) insert(s *Insert) {
	f.WriteString("INSERT ")
	if s.Overwrite {
		f.WriteString("OVERWRITE ")
	} else {
		f.WriteString("INTO ")
	}
	f.name(s.Table)
	f.hints(s.Hints)
	if s.Columns != nil {
		f.WriteByte(' ')
		f.names(s.Columns)
	}
	f.NewLine()
	f.query(s.Query)
}

func (f *formatter) show(s *Show) {
	f.Words("SHOW ", string(s.What))
	if s.Name != nil {
		f.When(s.What != ShowCreateTable && s.What != ShowCreateView, " FROM")
		f.WriteByte(' ')
		f.name(*s.Name)
	}
	if s.Like != nil {
		f.When(s.NotLike, " NOT")
		f.When(s.IgnoreCase, " ILIKE ")
		f.When(!s.IgnoreCase, " LIKE ")
		f.string(*s.Like)
	}
}

func (f *formatter) createTable(s *CreateTable) {
	f.WriteString("CREATE ")
	f.When(s.Temporary, "TEMPORARY ")
	f.WriteString("TABLE ")
	f.When(s.IfNotExists, "IF NOT EXISTS ")
	f.name(s.Name)
	if elements := f.schemaElements(s.Schema); len(elements) > 0 {
		f.WriteByte(' ')
		f.Block("(", ")", func() { tokens.Lines(&f.Printer, elements, func(write func()) { write() }) })
	}
	f.commentLine(s.Comment)
	if s.Distributed != nil {
		f.NewLine()
		f.distribution("DISTRIBUTED", s.Distributed)
	}
	if s.Partitioned != nil {
		f.NewLine()
		f.WriteString("PARTITIONED BY ")
		f.names(s.Partitioned)
	}
	f.withOptions(s.Options)
	if s.Like != nil {
		f.NewLine()
		f.WriteString("LIKE ")
		f.name(s.Like.Table)
		if s.Like.Options != nil {
			f.WriteByte(' ')
			f.Block("(", ")", func() {
				for i, option := range s.Like.Options {
					if i > 0 {
						f.NewLine()
					}
					f.Words(option.Strategy, " ", option.Feature)
				}
			})
		}
	}
	if s.As != nil {
		f.NewLine()
		f.WriteString("AS")
		f.NewLine()
		f.query(s.As)
	}
}

func (f *formatter) createView(s *CreateView) {
	f.WriteString("CREATE ")
	f.When(s.Temporary, "TEMPORARY ")
	f.WriteString("VIEW ")
	f.When(s.IfNotExists, "IF NOT EXISTS ")
	f.name(s.Name)
	if s.Columns != nil {
		f.WriteString(" (")
		tokens.Commas(&f.Printer, s.Columns, func(c ViewColumn) {
			f.ident(c.Name)
			f.comment(c.Comment)
		})
		f.WriteByte(')')
	}
	f.commentLine(s.Comment)
	f.WriteString(" AS")
	f.NewLine()
	f.query(s.Query)
}

func (f *formatter) comment(c *StringLit) {
	if c != nil {
		f.WriteString(" COMMENT ")
		f.string(*c)
	}
}

func (f *formatter) commentLine(c *StringLit) {
	if c != nil {
		f.NewLine()
		f.WriteString("COMMENT ")
		f.string(*c)
	}
}

func (f *formatter) withOptions(options []Option) {
	if len(options) > 0 {
		f.NewLine()
		f.WriteString("WITH ")
		f.Block("(", ")", func() { tokens.Lines(&f.Printer, options, f.option) })
	}
}

// schemaElements returns a writer for each element: columns, watermark, key.
func (f *formatter) schemaElements(schema TableSchema) []func() {
	var elements []func()
	for _, c := range schema.Columns {
		elements = append(elements, func() { f.column(c) })
	}
	if w := schema.Watermark; w != nil {
		elements = append(elements, func() {
			f.WriteString("WATERMARK FOR ")
			f.name(w.Column)
			f.WriteString(" AS ")
			f.expr(w.Expr)
		})
	}
	if k := schema.PrimaryKey; k != nil {
		elements = append(elements, func() {
			if k.Constraint != nil {
				f.WriteString("CONSTRAINT ")
				f.ident(*k.Constraint)
				f.WriteByte(' ')
			}
			f.WriteString("PRIMARY KEY ")
			f.names(k.Columns)
			f.WriteString(" NOT ENFORCED")
		})
	}
	return elements
}

func (f *formatter) column(c Column) {
	f.name(c.Name)
	switch c.Kind {
	case ComputedColumn:
		f.WriteString(" AS ")
		f.expr(c.As)
	case PhysicalColumn, MetadataColumn:
		f.WriteByte(' ')
		f.typeName(c.Type)
	case NamedColumn:
	}
	if c.Kind == MetadataColumn {
		f.WriteString(" METADATA")
		if c.MetadataKey != nil {
			f.WriteString(" FROM ")
			f.string(*c.MetadataKey)
		}
		f.When(c.Virtual, " VIRTUAL")
	}
	f.comment(c.Comment)
	if c.Position == nil {
		return
	}
	if c.Position.After == nil {
		f.WriteString(" FIRST")
		return
	}
	f.WriteString(" AFTER ")
	f.name(*c.Position.After)
}

func (f *formatter) distribution(word string, d *Distribution) {
	f.WriteString(word)
	if d.Columns != nil {
		f.WriteString(" BY ")
		f.When(d.Kind != "", d.Kind)
		f.names(d.Columns)
	}
	if d.Buckets > 0 {
		f.Words(" INTO ", strconv.Itoa(d.Buckets), " BUCKETS")
	}
}

func (f *formatter) alterAction(a AlterAction) {
	switch a := a.(type) {
	case *AlterAdd:
		f.WriteString("ADD ")
		f.alteredSchema(a.Schema, a.Distributed)
	case *AlterModify:
		f.WriteString("MODIFY ")
		f.alteredSchema(a.Schema, a.Distributed)
	case *AlterDropColumns:
		f.WriteString("DROP (")
		tokens.Commas(&f.Printer, a.Columns, f.name)
		f.WriteByte(')')
	case *AlterDrop:
		f.Words("DROP ", string(a.Part))
		if a.Constraint != nil {
			f.WriteByte(' ')
			f.ident(*a.Constraint)
		}
	case *AlterSet:
		f.WriteString("SET ")
		f.Block("(", ")", func() { tokens.Lines(&f.Printer, a.Options, f.option) })
	case *AlterReset:
		f.WriteString("RESET (")
		tokens.Commas(&f.Printer, a.Keys, f.string)
		f.WriteByte(')')
	case *AlterRename:
		f.WriteString("RENAME TO ")
		f.name(a.To)
	case *AlterRenameColumn:
		f.WriteString("RENAME ")
		f.name(a.From)
		f.WriteString(" TO ")
		f.ident(a.To)
	}
}

func (f *formatter) alteredSchema(schema TableSchema, d *Distribution) {
	if d != nil {
		f.distribution("DISTRIBUTION", d)
		return
	}
	elements := f.schemaElements(schema)
	if len(elements) == 1 {
		elements[0]()
		return
	}
	f.Block("(", ")", func() { tokens.Lines(&f.Printer, elements, func(write func()) { write() }) })
}
