package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// refusedObjects are what Flink can create and this engine cannot, with what to do instead.
var refusedObjects = []struct {
	words []string
	hint  string
}{
	{[]string{"FUNCTION"}, noFunctions},
	{[]string{"SYSTEM", "FUNCTION"}, noFunctions},
	{[]string{"MATERIALIZED", "TABLE"}, "create a table with a primary key and INSERT INTO it: the statement keeps it up to date as long as it runs"},
	{[]string{"MODEL"}, "there are no models; join with what another program has inferred"},
	{[]string{"CONNECTION"}, "give the address and the login in the options of the table"},
}

const noFunctions = "functions from JAR files and Python cannot run here; SHOW FUNCTIONS lists those that are built in, and a view gives an expression a name"

// create reads everything that begins with CREATE.
func (p *parser) create() Statement {
	start := p.Start()
	p.Expect("CREATE")
	if p.At("OR", "REPLACE") {
		p.Unsupported(p.Token().Span, "CREATE OR REPLACE", "use DROP … IF EXISTS and CREATE")
	}
	temporary := p.Accept("TEMPORARY")
	switch {
	case p.Accept("TABLE"):
		return p.createTable(start, temporary)
	case p.Accept("VIEW"):
		return p.createView(start, temporary)
	case !temporary && p.Accept("DATABASE"):
		return p.createDatabase(start)
	case !temporary && p.Accept("CATALOG"):
		return p.createCatalog(start)
	}
	for _, refused := range refusedObjects {
		if p.At(refused.words...) {
			p.Unsupported(p.Token().Span, "CREATE "+strings.Join(refused.words, " "), refused.hint)
		}
	}
	p.Expected("TABLE", "VIEW", "DATABASE", "CATALOG")
	return nil
}

func (p *parser) ifNotExists() bool {
	if !p.Accept("IF") {
		return false
	}
	p.Expect("NOT", "EXISTS")
	return true
}

func (p *parser) createTable(start int, temporary bool) Statement {
	s := &CreateTable{Temporary: temporary, IfNotExists: p.ifNotExists(), Name: p.name("a table name")}
	if p.AtSymbol("(") {
		s.Schema = p.schemaInParens(false)
	}
	s.Comment = p.comment()
	if p.At("DISTRIBUTED") {
		s.Distributed = p.distribution("DISTRIBUTED")
	}
	if p.Accept("PARTITIONED") {
		p.Expect("BY")
		s.Partitioned = p.idents("a column name")
	}
	if p.Accept("WITH") {
		s.Options = p.options()
	}
	switch {
	case p.At("LIKE"):
		s.Like = p.like()
	case p.Accept("AS"):
		s.As = p.query()
	case p.Token().Kind != tokens.End && !p.AtSymbol(";"):
		p.Expected("COMMENT", "DISTRIBUTED", "PARTITIONED", "WITH", "LIKE", "AS", "the end of the statement")
	}
	if s.As == nil {
		for _, column := range s.Schema.Columns {
			if column.Kind == NamedColumn {
				p.Fail("syntax", column.At, "column '"+column.Name.Last().Name+"' has no type",
					"write a type such as STRING; bare names are only for CREATE TABLE … AS query")
			}
		}
	}
	s.Located = p.since(start)
	return s
}

// comment reads COMMENT 'text', if it is there.
func (p *parser) comment() *StringLit {
	if !p.Accept("COMMENT") {
		return nil
	}
	text := p.stringLit("a comment in quotes")
	return &text
}

// schemaInParens reads ( columns, watermark, key ).
func (p *parser) schemaInParens(alter bool) TableSchema {
	return inParens(p, func() TableSchema {
		var schema TableSchema
		p.schemaElement(&schema, alter)
		for p.AcceptSymbol(",") {
			p.schemaElement(&schema, alter)
		}
		return schema
	})
}

// schemaElement reads a column, watermark or key. In ALTER TABLE a column may be
// nested and have a position.
func (p *parser) schemaElement(schema *TableSchema, alter bool) {
	start := p.Start()
	switch {
	case p.At("WATERMARK", "FOR"):
		watermark := p.watermark()
		if schema.Watermark != nil {
			p.Fail("duplicate-watermark", watermark.At, "a table has one watermark, and this is the second",
				"keep one of them; it may be computed from several columns")
		}
		schema.Watermark = watermark
	case p.At("PRIMARY", "KEY"), p.At("CONSTRAINT"):
		key := &PrimaryKey{}
		if p.Accept("CONSTRAINT") {
			name := p.ident("a constraint name")
			key.Constraint = &name
		}
		p.primaryKeyWords()
		key.Columns = p.idents("a column name")
		p.notEnforced(start)
		key.Located = p.since(start)
		p.setPrimaryKey(schema, key)
	default:
		p.refuseUnique()
		p.column(schema, alter)
	}
}

func (p *parser) setPrimaryKey(schema *TableSchema, key *PrimaryKey) {
	if schema.PrimaryKey != nil {
		p.Fail("duplicate-key", key.At, "a table has one primary key, and this is the second", "list all its columns in one PRIMARY KEY (…)")
	}
	schema.PrimaryKey = key
}

func (p *parser) primaryKeyWords() {
	p.refuseUnique()
	p.Expect("PRIMARY", "KEY")
}

func (p *parser) refuseUnique() {
	if p.At("UNIQUE") {
		p.Unsupported(p.Token().Span, "UNIQUE", "declare a PRIMARY KEY … NOT ENFORCED")
	}
}

// notEnforced insists on what Flink insists on: nobody checks the key of a stream.
func (p *parser) notEnforced(start int) {
	if p.Accept("NOT", "ENFORCED") {
		return
	}
	p.Fail("syntax", p.since(start).At, "a primary key must say NOT ENFORCED", "write PRIMARY KEY (…) NOT ENFORCED: the engine trusts the key and does not check it")
}

func (p *parser) watermark() *Watermark {
	start := p.Start()
	p.Expect("WATERMARK", "FOR")
	w := &Watermark{Column: p.name("a column name")}
	p.Expect("AS")
	w.Expr = p.expr()
	w.Located = p.since(start)
	return w
}

func (p *parser) column(schema *TableSchema, alter bool) {
	start := p.Start()
	var c Column
	if alter {
		c.Name = p.name("a column name")
	} else {
		c.Name = Name{Parts: []Ident{p.ident("a column name")}}
	}
	var key *PrimaryKey
	switch {
	case p.Accept("AS"):
		c.Kind = ComputedColumn
		c.As = p.expr()
	case !alter && (p.AtSymbol(",") || p.AtSymbol(")")):
		c.Kind = NamedColumn
	default:
		c.Type = p.typeName()
		if p.At("METADATA") {
			p.metadata(&c)
		}
		p.refuseUnique()
		keyStart := p.Start()
		if p.Accept("CONSTRAINT") {
			name := p.ident("a constraint name")
			key = &PrimaryKey{Constraint: &name}
			p.primaryKeyWords()
		} else if p.Accept("PRIMARY") {
			key = &PrimaryKey{}
			p.Expect("KEY")
		}
		if key != nil {
			p.notEnforced(keyStart)
			key.Located = p.since(keyStart)
			column := c.Name.Last()
			key.Columns = []Ident{{key.Located, column.Name, column.Quoted}}
		}
	}
	c.Comment = p.comment()
	if alter {
		c.Position = p.columnPosition()
	}
	c.Located = p.since(start)
	schema.Columns = append(schema.Columns, c)
	if key != nil {
		p.setPrimaryKey(schema, key)
	}
}

// metadata reads METADATA [FROM 'key'] [VIRTUAL] after the type.
func (p *parser) metadata(c *Column) {
	p.Expect("METADATA")
	c.Kind = MetadataColumn
	if p.Accept("FROM") {
		key := p.stringLit("a metadata key in quotes")
		c.MetadataKey = &key
	}
	c.Virtual = p.Accept("VIRTUAL")
}

func (p *parser) columnPosition() *ColumnPosition {
	start := p.Start()
	switch {
	case p.Accept("FIRST"):
		return &ColumnPosition{Located: p.since(start)}
	case p.Accept("AFTER"):
		after := p.name("a column name")
		return &ColumnPosition{p.since(start), &after}
	}
	return nil
}

// distribution reads what follows DISTRIBUTED, or DISTRIBUTION in ALTER TABLE.
func (p *parser) distribution(word string) *Distribution {
	start := p.Start()
	p.Expect(word)
	d := &Distribution{}
	if p.Accept("BY") {
		for _, kind := range []string{"HASH", "RANGE"} {
			if p.At(kind) {
				d.Kind = p.Advance().Upper
			}
		}
		d.Columns = p.idents("a column name")
	} else if !p.At("INTO") {
		p.Expected("BY", "INTO")
	}
	if p.Accept("INTO") {
		number := p.Token()
		d.Buckets = p.count("a number of buckets")
		if d.Buckets == 0 {
			p.Fail("syntax", number.Span, "a table needs at least one bucket", "write a number of 1 or more, or leave INTO out")
		}
		p.Expect("BUCKETS")
	}
	d.Located = p.since(start)
	return d
}

func (p *parser) like() *LikeTable {
	start := p.Start()
	p.Expect("LIKE")
	l := &LikeTable{Table: p.name("a table name")}
	if p.AcceptSymbol("(") {
		for !p.AcceptSymbol(")") {
			optionStart := p.Start()
			strategy := p.Choose("INCLUDING", "EXCLUDING", "OVERWRITING")
			feature := p.Choose("ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS")
			l.Options = append(l.Options, LikeOption{p.since(optionStart), strategy, feature})
		}
	}
	l.Located = p.since(start)
	return l
}

func (p *parser) createView(start int, temporary bool) Statement {
	s := &CreateView{Temporary: temporary, IfNotExists: p.ifNotExists(), Name: p.name("a view name")}
	if p.AtSymbol("(") {
		s.Columns = inParens(p, func() []ViewColumn { return tokens.List(&p.Cursor, p.viewColumn) })
	}
	s.Comment = p.comment()
	p.Expect("AS")
	s.Query = p.query()
	s.Located = p.since(start)
	return s
}

func (p *parser) viewColumn() ViewColumn {
	start := p.Start()
	c := ViewColumn{Name: p.ident("a column name"), Comment: p.comment()}
	c.Located = p.since(start)
	return c
}

func (p *parser) createDatabase(start int) Statement {
	s := &CreateDatabase{IfNotExists: p.ifNotExists(), Name: p.name("a database name"), Comment: p.comment()}
	if p.Accept("WITH") {
		s.Options = p.options()
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) createCatalog(start int) Statement {
	s := &CreateCatalog{IfNotExists: p.ifNotExists(), Name: p.ident("a catalog name"), Comment: p.comment()}
	if p.Accept("WITH") {
		s.Options = p.options()
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) drop() Statement {
	start := p.Start()
	p.Expect("DROP")
	s := &Drop{Temporary: p.Accept("TEMPORARY")}
	kinds := []ObjectKind{TableObject, ViewObject, DatabaseObject, CatalogObject}
	if s.Temporary {
		kinds = kinds[:2]
	}
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = string(kind)
	}
	if p.At("FUNCTION") {
		p.Unsupported(p.Token().Span, "DROP FUNCTION", "all functions are built in")
	}
	s.Kind = ObjectKind(p.Choose(words...))
	s.IfExists = p.ifExists()
	s.Name = p.name("a " + strings.ToLower(string(s.Kind)) + " name")
	if s.Kind == DatabaseObject && !p.Accept("RESTRICT") {
		s.Cascade = p.Accept("CASCADE")
	}
	s.Located = p.since(start)
	return s
}
