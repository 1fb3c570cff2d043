package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// alter reads ALTER TABLE and ALTER VIEW; other objects are refused by name.
func (p *parser) alter() Statement {
	start := p.Start()
	p.Expect("ALTER")
	for _, object := range []string{"DATABASE", "CATALOG", "FUNCTION", "MODEL", "CONNECTION", "MATERIALIZED"} {
		if p.At(object) {
			p.Unsupported(p.Token().Span, "ALTER "+object, "drop it and create it again")
		}
	}
	if p.Choose("TABLE", "VIEW") == "VIEW" {
		return p.alterView(start)
	}
	s := &AlterTable{IfExists: p.ifExists(), Name: p.name("a table name")}
	s.Action = p.alterAction()
	s.Located = p.since(start)
	return s
}

func (p *parser) ifExists() bool {
	if !p.Accept("IF") {
		return false
	}
	p.Expect("EXISTS")
	return true
}

func (p *parser) alterView(start int) Statement {
	s := &AlterView{IfExists: p.ifExists(), Name: p.name("a view name")}
	if p.Choose("RENAME", "AS") == "AS" {
		s.Query = p.query()
	} else {
		p.Expect("TO")
		to := p.name("a view name")
		s.To = &to
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) alterAction() AlterAction {
	start := p.Start()
	switch p.Choose("ADD", "MODIFY", "DROP", "SET", "RESET", "RENAME") {
	case "ADD":
		schema, distributed := p.alteredSchema()
		return &AlterAdd{p.since(start), schema, distributed}
	case "MODIFY":
		schema, distributed := p.alteredSchema()
		return &AlterModify{p.since(start), schema, distributed}
	case "DROP":
		return p.alterDrop(start)
	case "SET":
		options := p.options()
		return &AlterSet{p.since(start), options}
	case "RESET":
		keys := inParens(p, func() []StringLit {
			return tokens.List(&p.Cursor, func() StringLit { return p.stringLit("a key in quotes") })
		})
		return &AlterReset{p.since(start), keys}
	}
	if p.Accept("TO") {
		to := p.name("a table name")
		return &AlterRename{p.since(start), to}
	}
	from := p.name("TO or a column name")
	p.Expect("TO")
	to := p.ident("a column name")
	return &AlterRenameColumn{p.since(start), from, to}
}

func (p *parser) alteredSchema() (TableSchema, *Distribution) {
	var schema TableSchema
	switch {
	case p.At("DISTRIBUTION"):
		return schema, p.distribution("DISTRIBUTION")
	case p.At("PARTITION"):
		p.Unsupported(p.Token().Span, "PARTITION of ALTER TABLE", "")
	case p.AtSymbol("("):
		return p.schemaInParens(true), nil
	}
	p.schemaElement(&schema, true)
	return schema, nil
}

func (p *parser) alterDrop(start int) AlterAction {
	switch {
	case p.At("WATERMARK") && !p.Ahead(1).IsSymbol("."):
		p.Advance()
		return &AlterDrop{Located: p.since(start), Part: WatermarkPart}
	case p.Accept("PRIMARY"):
		p.Expect("KEY")
		return &AlterDrop{Located: p.since(start), Part: PrimaryKeyPart}
	case p.Accept("DISTRIBUTION"):
		return &AlterDrop{Located: p.since(start), Part: DistributionPart}
	case p.Accept("CONSTRAINT"):
		name := p.ident("a constraint name")
		return &AlterDrop{p.since(start), ConstraintPart, &name}
	case p.At("PARTITION"):
		p.Unsupported(p.Token().Span, "PARTITION of ALTER TABLE", "")
	}
	column := func() Name { return p.name("a column name") }
	var columns []Name
	if p.AtSymbol("(") {
		columns = inParens(p, func() []Name { return tokens.List(&p.Cursor, column) })
	} else {
		columns = []Name{column()}
	}
	return &AlterDropColumns{p.since(start), columns}
}
