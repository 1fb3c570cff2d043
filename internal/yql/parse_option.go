package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// tableOptions reads (option, …), or one option without parentheses.
func (p *parser) tableOptions() []TableOption {
	if !p.AtSymbol("(") {
		return []TableOption{p.tableOption(false)}
	}
	return listInParens(p, func() TableOption { return p.tableOption(true) })
}

// tableOption reads one option; alone behind WITH it can be a flag with an alias behind it.
func (p *parser) tableOption(inParens bool) TableOption {
	start := p.Start()
	o := TableOption{Key: p.optionKey("the key of an option")}
	p.refuseWatermarkFor(o.Key)
	switch {
	case (o.Is("SCHEMA") || o.Is("COLUMNS")) && !o.Key.Quoted:
		p.AcceptSymbol("=")
		if p.AtSymbol("(") {
			o.IsSchema = true
			p.Advance()
			o.Schema = listTo(p, ")", p.schemaColumn)
		} else {
			o.Type = p.typeName()
		}
	case o.Is("WATERMARK") && p.At("AS") && p.Ahead(1).IsSymbol("("):
		p.Advance()
		o.Value = p.expr()
	case p.AcceptSymbol("="):
		o.Value = p.expr()
	case inParens && !p.AtSymbol(",") && !p.AtSymbol(")"):
		p.Expected("'='", "','", "')'")
	}
	o.Located = p.since(start)
	return o
}

// optionKey reads the key of an option or a setting: a word, or a name in backticks or quotes.
func (p *parser) optionKey(what string) Ident {
	t := p.Token()
	if t.Kind == tokens.String {
		return p.quotedIdent()
	}
	if t.Kind != tokens.Word && t.Kind != tokens.Quoted {
		p.Expected(what)
	}
	p.Advance()
	p.uses[t.Span.Start] = NameUse
	if dot := p.Token(); dot.IsSymbol(".") {
		p.Fail("syntax", dot.Span, "a key with dots stands in backticks", "write `"+tokens.Shown(t.Value)+".…` = …")
	}
	return Ident{Located{t.Span}, t.Value, t.Kind == tokens.Quoted}
}

func (p *parser) schemaColumn() SchemaColumn {
	start := p.Start()
	p.refuseWatermarkColumn()
	c := SchemaColumn{Name: p.columnName()}
	c.Type = p.columnType(c.Name)
	if p.Accept("NOT") {
		p.Expect("NULL")
		c.NotNull = true
	} else {
		p.Accept("NULL")
	}
	c.Located = p.since(start)
	return c
}

// columnType reads the type of a column that is declared.
func (p *parser) columnType(name Ident) *TypeName {
	shownName := tokens.Shown(name.Name)
	switch t := p.Token(); {
	case t.IsSymbol(","), t.IsSymbol(")"):
		p.Fail("syntax", name.At, "column "+shownName+" has no type", "write "+shownName+" String, or the type that it has")
	case t.IsSymbol(":"):
		p.Fail("syntax", t.Span, "the type of a column follows its name", "write "+shownName+" "+tokens.Shown(p.Ahead(1).Value))
	case t.IsWord("AS"):
		p.Unsupported(t.Span, "a computed column", "compute it in SELECT")
	}
	return p.typeName()
}

// columnName reads the name of a column where it is declared: any word.
func (p *parser) columnName() Ident {
	t := p.Token()
	if t.Kind == tokens.String {
		p.Fail("syntax", t.Span, "the name of a column is not a string", "write it as a word, or in backticks")
	}
	if t.Kind != tokens.Word && t.Kind != tokens.Quoted {
		p.Expected("a column name")
	}
	return p.takeIdent()
}
