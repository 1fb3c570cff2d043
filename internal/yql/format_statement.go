package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

func (f *formatter) statement(s Statement) {
	switch s := s.(type) {
	case *QueryStatement:
		f.query(s.Query)
	case *Assign:
		f.assign(s)
	case *Pragma:
		f.pragma(s)
	case *Declare:
		f.Words("DECLARE $", s.Name.Name.Name, " AS ")
		f.typeName(s.Type)
	case *Insert:
		f.insert(s)
	case *Commit:
		f.WriteString("COMMIT")
	case *Explain:
		f.WriteString("EXPLAIN ")
		f.statement(s.Statement)
	case *CreateStreamingQuery:
		f.create(s.OrReplace, "STREAMING QUERY ", s.IfNotExists, s.Name)
		f.settings(" WITH", s.Settings)
		f.body(s.Body)
	case *AlterStreamingQuery:
		f.object("ALTER STREAMING QUERY ", s.IfExists, s.Name)
		f.settings(" SET", s.Settings)
		f.body(s.Body)
	case *DropStreamingQuery:
		f.object("DROP STREAMING QUERY ", s.IfExists, s.Name)
	default:
		f.definition(s)
	}
}

func (f *formatter) definition(s Statement) {
	switch s := s.(type) {
	case *CreateTable:
		f.createTable(s)
	case *DropTable:
		f.object("DROP TABLE ", s.IfExists, s.Name)
	case *CreateTopic:
		f.create(false, "TOPIC ", s.IfNotExists, s.Name)
		if s.Consumers != nil {
			f.Block(" (", ")", func() {
				tokens.Lines(&f.Printer, s.Consumers, func(c Consumer) {
					f.WriteString("CONSUMER ")
					f.ident(c.Name)
					f.settings(" WITH", c.Settings)
				})
			})
		}
		f.settings(" WITH", s.Settings)
	case *AlterTopic:
		f.object("ALTER TOPIC ", s.IfExists, s.Name)
		f.WriteByte(' ')
		tokens.Commas(&f.Printer, s.Actions, f.topicAction)
	case *DropTopic:
		f.object("DROP TOPIC ", s.IfExists, s.Name)
	case *CreateExternalDataSource:
		f.create(s.OrReplace, "EXTERNAL DATA SOURCE ", s.IfNotExists, s.Name)
		f.settings(" WITH", s.Settings)
	case *DropExternalDataSource:
		f.object("DROP EXTERNAL DATA SOURCE ", s.IfExists, s.Name)
	default:
		panic("tidemark bug: no format for this kind of statement")
	}
}

func (f *formatter) create(orReplace bool, kind string, ifNotExists bool, name Name) {
	f.WriteString("CREATE ")
	f.When(orReplace, "OR REPLACE ")
	f.WriteString(kind)
	f.When(ifNotExists, "IF NOT EXISTS ")
	f.name(name)
}

func (f *formatter) object(verb string, ifExists bool, name Name) {
	f.WriteString(verb)
	f.When(ifExists, "IF EXISTS ")
	f.name(name)
}

// body writes AS DO BEGIN … END DO if there is a body.
func (f *formatter) body(b *Body) {
	if b == nil {
		return
	}
	f.NewLine()
	f.Block("AS DO BEGIN", "END DO", func() {
		for i, s := range b.Statements {
			if i > 0 {
				f.NewLine()
			}
			f.statement(s)
			f.WriteByte(';')
		}
	})
}

func (f *formatter) assign(a *Assign) {
	tokens.Commas(&f.Printer, a.Names, func(n NamedRef) { f.named(n.Name) })
	f.WriteString(" = ")
	f.expr(a.Value)
}

func (f *formatter) pragma(s *Pragma) {
	f.WriteString("PRAGMA ")
	for i, part := range s.Name {
		f.When(i > 0, ".")
		f.ident(part)
	}
	switch {
	case s.Equals:
		f.WriteString(" = ")
		f.expr(s.Values[0])
	case s.Values != nil:
		f.WriteByte('(')
		tokens.Commas(&f.Printer, s.Values, f.expr)
		f.WriteByte(')')
	}
}

func (f *formatter) insert(s *Insert) {
	f.Words(string(s.Verb), " ")
	f.name(s.Into)
	if s.Options != nil {
		f.WriteString(" WITH")
		f.Block(" (", ")", func() { tokens.Lines(&f.Printer, s.Options, f.tableOption) })
	}
	if s.Columns != nil {
		f.WriteByte(' ')
		f.idents(s.Columns)
	}
	f.NewLine()
	f.query(s.Query)
}

func (f *formatter) createTable(s *CreateTable) {
	f.create(false, "TABLE ", s.IfNotExists, s.Name)
	f.Block(" (", ")", func() {
		tokens.Lines(&f.Printer, s.Columns, func(c ColumnDef) {
			f.ident(c.Name)
			f.WriteByte(' ')
			f.typeName(c.Type)
			f.When(c.NotNull, " NOT NULL")
			if c.Default != nil {
				f.WriteString(" DEFAULT ")
				f.operand(c.Default, bindCoalesce)
			}
		})
		if s.PrimaryKey != nil {
			if len(s.Columns) > 0 {
				f.WriteByte(',')
				f.NewLine()
			}
			f.WriteString("PRIMARY KEY ")
			f.idents(s.PrimaryKey)
		}
	})
	if s.PartitionBy != nil {
		f.WriteString(" PARTITION BY HASH ")
		f.idents(s.PartitionBy)
	}
	f.settings(" WITH", s.Settings)
}

func (f *formatter) topicAction(a TopicAction) {
	f.WriteString(string(a.Kind))
	switch a.Kind {
	case SetTopic:
		f.settings("", a.Settings)
	case ResetTopic:
		f.WriteByte(' ')
		f.idents(a.Reset)
	case AddConsumer:
		f.WriteByte(' ')
		f.ident(*a.Consumer)
		f.settings(" WITH", a.Settings)
	case SetConsumer:
		f.WriteByte(' ')
		f.ident(*a.Consumer)
		f.settings(" SET", a.Settings)
	case DropConsumer:
		f.WriteByte(' ')
		f.ident(*a.Consumer)
	}
}
