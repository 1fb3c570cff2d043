package sql

// alter reads ALTER TABLE and ALTER VIEW; other objects are refused by name.
func (p *parser) alter() Statement {
	start := p.start()
	p.expect("ALTER")
	for _, object := range []string{"DATABASE", "CATALOG", "FUNCTION", "MODEL", "CONNECTION", "MATERIALIZED"} {
		if p.at(object) {
			p.unsupported(p.token().span, "ALTER "+object, "drop it and create it again")
		}
	}
	if p.choose("TABLE", "VIEW") == "VIEW" {
		return p.alterView(start)
	}
	s := &AlterTable{IfExists: p.ifExists(), Name: p.name("a table name")}
	s.Action = p.alterAction()
	s.Located = p.since(start)
	return s
}

func (p *parser) ifExists() bool {
	if !p.accept("IF") {
		return false
	}
	p.expect("EXISTS")
	return true
}

func (p *parser) alterView(start int) Statement {
	s := &AlterView{IfExists: p.ifExists(), Name: p.name("a view name")}
	if p.choose("RENAME", "AS") == "AS" {
		s.Query = p.query()
	} else {
		p.expect("TO")
		to := p.name("a view name")
		s.To = &to
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) alterAction() AlterAction {
	start := p.start()
	switch p.choose("ADD", "MODIFY", "DROP", "SET", "RESET", "RENAME") {
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
			return list(p, func() StringLit { return p.stringLit("a key in quotes") })
		})
		return &AlterReset{p.since(start), keys}
	}
	if p.accept("TO") {
		to := p.name("a table name")
		return &AlterRename{p.since(start), to}
	}
	from := p.name("TO or a column name")
	p.expect("TO")
	to := p.ident("a column name")
	return &AlterRenameColumn{p.since(start), from, to}
}

func (p *parser) alteredSchema() (TableSchema, *Distribution) {
	var schema TableSchema
	switch {
	case p.at("DISTRIBUTION"):
		return schema, p.distribution("DISTRIBUTION")
	case p.at("PARTITION"):
		p.unsupported(p.token().span, "PARTITION of ALTER TABLE", "")
	case p.atSymbol("("):
		return p.schemaInParens(true), nil
	}
	p.schemaElement(&schema, true)
	return schema, nil
}

func (p *parser) alterDrop(start int) AlterAction {
	switch {
	case p.at("WATERMARK") && !p.ahead(1).isSymbol("."):
		p.advance()
		return &AlterDrop{Located: p.since(start), Part: WatermarkPart}
	case p.accept("PRIMARY"):
		p.expect("KEY")
		return &AlterDrop{Located: p.since(start), Part: PrimaryKeyPart}
	case p.accept("DISTRIBUTION"):
		return &AlterDrop{Located: p.since(start), Part: DistributionPart}
	case p.accept("CONSTRAINT"):
		name := p.ident("a constraint name")
		return &AlterDrop{p.since(start), ConstraintPart, &name}
	case p.at("PARTITION"):
		p.unsupported(p.token().span, "PARTITION of ALTER TABLE", "")
	}
	column := func() Name { return p.name("a column name") }
	var columns []Name
	if p.atSymbol("(") {
		columns = inParens(p, func() []Name { return list(p, column) })
	} else {
		columns = []Name{column()}
	}
	return &AlterDropColumns{p.since(start), columns}
}
