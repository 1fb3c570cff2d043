package yql

// tableOptions reads (option, …), or one option without parentheses.
func (p *parser) tableOptions() []TableOption {
	if !p.atSymbol("(") {
		return []TableOption{p.tableOption(false)}
	}
	return listInParens(p, func() TableOption { return p.tableOption(true) })
}

// tableOption reads one option; alone behind WITH it can be a flag with an alias behind it.
func (p *parser) tableOption(inParens bool) TableOption {
	start := p.start()
	o := TableOption{Key: p.optionKey("the key of an option")}
	p.refuseWatermarkFor(o.Key)
	switch {
	case (o.Is("SCHEMA") || o.Is("COLUMNS")) && !o.Key.Quoted:
		p.acceptSymbol("=")
		if p.atSymbol("(") {
			o.IsSchema = true
			p.advance()
			o.Schema = listTo(p, ")", p.schemaColumn)
		} else {
			o.Type = p.typeName()
		}
	case o.Is("WATERMARK") && p.at("AS") && p.ahead(1).isSymbol("("):
		p.advance()
		o.Value = p.expr()
	case p.acceptSymbol("="):
		o.Value = p.expr()
	case inParens && !p.atSymbol(",") && !p.atSymbol(")"):
		p.expected("'='", "','", "')'")
	}
	o.Located = p.since(start)
	return o
}

// optionKey reads the key of an option or a setting: a word, or a name in backticks or quotes.
func (p *parser) optionKey(what string) Ident {
	t := p.token()
	if t.kind == tokenString {
		return p.quotedIdent()
	}
	if t.kind != tokenWord && t.kind != tokenQuoted {
		p.expected(what)
	}
	p.advance()
	p.uses[t.span.Start] = NameUse
	if dot := p.token(); dot.isSymbol(".") {
		p.fail("syntax", dot.span, "a key with dots stands in backticks", "write `"+shown(t.value)+".…` = …")
	}
	return Ident{Located{t.span}, t.value, t.kind == tokenQuoted}
}

func (p *parser) schemaColumn() SchemaColumn {
	start := p.start()
	p.refuseWatermarkColumn()
	c := SchemaColumn{Name: p.columnName()}
	c.Type = p.columnType(c.Name)
	if p.accept("NOT") {
		p.expect("NULL")
		c.NotNull = true
	} else {
		p.accept("NULL")
	}
	c.Located = p.since(start)
	return c
}

// columnType reads the type of a column that is declared.
func (p *parser) columnType(name Ident) *TypeName {
	shownName := shown(name.Name)
	switch t := p.token(); {
	case t.isSymbol(","), t.isSymbol(")"):
		p.fail("syntax", name.At, "column "+shownName+" has no type", "write "+shownName+" String, or the type that it has")
	case t.isSymbol(":"):
		p.fail("syntax", t.span, "the type of a column follows its name", "write "+shownName+" "+shown(p.ahead(1).value))
	case t.isWord("AS"):
		p.unsupported(t.span, "a computed column", "compute it in SELECT")
	}
	return p.typeName()
}

// columnName reads the name of a column where it is declared: any word.
func (p *parser) columnName() Ident {
	t := p.token()
	if t.kind == tokenString {
		p.fail("syntax", t.span, "the name of a column is not a string", "write it as a word, or in backticks")
	}
	if t.kind != tokenWord && t.kind != tokenQuoted {
		p.expected("a column name")
	}
	return p.takeIdent()
}
