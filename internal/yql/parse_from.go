package yql

// from reads the items of FROM. Joins, the comma among them, associate to the left.
func (p *parser) from() TableRef {
	start := p.start()
	leftAny := p.acceptAny()
	left := p.flattened()
	for n := 1; ; n++ {
		j := &Join{Left: left, LeftAny: leftAny}
		comma := p.atSymbol(",")
		if !p.joinWords(j) {
			if leftAny {
				p.expected("JOIN")
			}
			return left
		}
		p.link(n)
		leftAny = false
		j.RightAny = p.acceptAny()
		j.Right = p.flattened()
		switch {
		case comma || j.Kind == CrossJoin:
			if t := p.token(); t.isWord("ON") || t.isWord("USING") {
				p.fail("syntax", t.span, "a CROSS JOIN has no condition", "write JOIN … ON …")
			}
		case p.accept("ON"):
			j.On = p.expr()
		case p.accept("USING"):
			j.Using = p.using()
		default:
			p.refuseQueryTail()
			p.expected("ON", "USING")
		}
		j.Located = p.since(start)
		left = j
	}
}

// acceptAny reads ANY in front of a side of a join.
func (p *parser) acceptAny() bool {
	return p.at("ANY") && !p.delimited(1) && p.accept("ANY")
}

// using reads the columns of USING, in parentheses or not.
func (p *parser) using() []Ident {
	if p.atSymbol("(") {
		return p.words("a column name")
	}
	return list(p, func() Ident { return p.word("a column name") })
}

// joinWords reads the keywords of a join, if there is one.
func (p *parser) joinWords(j *Join) bool {
	t := p.token()
	switch {
	case p.acceptSymbol(","):
		j.Kind = CrossJoin
		return true
	case p.accept("JOIN"):
		j.Kind = InnerJoin
		j.Hints = p.hints()
		return true
	case p.accept("INNER"):
		j.Kind = InnerJoin
	case p.accept("CROSS"):
		j.Kind = CrossJoin
	case p.accept("EXCLUSION"):
		j.Kind = ExclusionJoin
	case p.at("LEFT"), p.at("RIGHT"), p.at("FULL"):
		p.advance()
		side := t.upper
		for _, word := range []string{"SEMI", "ONLY"} {
			if t.upper != "FULL" && p.accept(word) {
				side += " " + word
			}
		}
		j.Kind = JoinKind(side + " JOIN")
		p.accept("OUTER")
	case p.at("NATURAL"):
		p.unsupported(t.span, "NATURAL JOIN", "write USING (column, …)")
	default:
		return false
	}
	p.expect("JOIN")
	j.Hints = p.hints()
	return true
}

// flattened reads one item of FROM with its FLATTEN.
func (p *parser) flattened() TableRef {
	defer p.nested()()
	start := p.start()
	table := p.tableRef()
	if !p.accept("FLATTEN") {
		return table
	}
	f := &Flatten{Source: table}
	if p.accept("COLUMNS") {
		f.Kind = FlattenColumns
		f.Located = p.since(start)
		return f
	}
	for _, kind := range []FlattenKind{FlattenList, FlattenDict, FlattenOptional} {
		if p.accept(string(kind)) {
			f.Kind = kind
		}
	}
	if !p.accept("BY") {
		if f.Kind == FlattenAny {
			p.expected("BY", "LIST BY", "DICT BY", "OPTIONAL BY", "COLUMNS")
		}
		p.expected("BY")
	}
	if p.atSymbol("(") {
		f.By = listInParens(p, p.namedExpr)
	} else {
		f.By = list(p, p.flattenedColumn)
	}
	f.Located = p.since(start)
	return f
}

// flattenedColumn reads a column that stands without parentheses.
func (p *parser) flattenedColumn() NamedExpr {
	start := p.start()
	item := NamedExpr{Expr: p.postfix()}
	if p.accept("AS") {
		alias := p.word("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// tableRef reads one item of FROM without FLATTEN.
func (p *parser) tableRef() TableRef {
	start := p.start()
	const what = "a topic, a table, a named expression or a query in parentheses"
	p.refuseForeignTable()
	switch t := p.token(); {
	case p.atQueryInParens():
		d := &Derived{Query: p.queryInParens()}
		d.Options, d.Alias, d.Columns = p.tableTail()
		d.Located = p.since(start)
		return d
	case p.atSymbol("("):
		p.expected("a query")
	case t.kind == tokenNamed:
		n := &NamedTable{Ref: p.namedRef(what)}
		if p.atSymbol("(") {
			p.tight()
			p.advance()
			n.Args = listTo(p, ")", p.expr)
		}
		n.Options, n.Alias, n.Columns = p.tableTail()
		n.Located = p.since(start)
		return n
	case t.kind == tokenWord && !isReserved(t.upper) && p.ahead(1).isSymbol("("):
		f := &TableFunction{Call: p.tableCall()}
		f.Options, f.Alias, f.Columns = p.tableTail()
		f.Located = p.since(start)
		return f
	case t.kind == tokenWord, t.kind == tokenQuoted:
		n := &TableName{Name: p.name("a topic or a table")}
		if p.accept("VIEW") {
			view := p.word("the name of an index")
			n.View = &view
		}
		n.Options, n.Alias, n.Columns = p.tableTail()
		n.Located = p.since(start)
		return n
	case t.kind == tokenString:
		p.fail("syntax", t.span, "the name of a topic is not a string", "write it as a word, or in backticks")
	}
	p.expected("a topic", "a table", "a named expression", "a query in parentheses")
	return nil
}

// tableCall reads the call of a table function.
func (p *parser) tableCall() *Call {
	start := p.start()
	name := p.takeIdent()
	p.uses[start] = FunctionUse
	c := &Call{Callee: &FunctionRef{Located: name.Located, Name: name}}
	p.tight()
	p.expectSymbol("(")
	c.Args = listTo(p, ")", p.arg)
	c.Located = p.since(start)
	return c
}

// tableTail reads [WITH options] [[AS] alias [(columns)]]. The order is YQL's: the alias comes behind the options.
func (p *parser) tableTail() (options []TableOption, alias *Ident, columns []Ident) {
	if p.accept("WITH") {
		options = p.tableOptions()
	}
	if alias = p.alias("an alias"); alias != nil && p.atSymbol("(") {
		implicit := p.aliasEnd == p.pos
		if columns = p.words("a column name"); implicit {
			p.aliasEnd = p.pos
		}
	}
	if t := p.token(); alias != nil && t.isWord("WITH") && (p.ahead(1).isSymbol("(")) {
		p.fail("syntax", t.span, "WITH stands in front of the alias", "write "+"FROM topic WITH (…) AS "+shown(alias.Name))
	}
	if t := p.token(); t.isWord("SAMPLE") || t.isWord("TABLESAMPLE") {
		p.unsupported(t.span, t.upper, "filter on a hash of a column: WHERE Digest::NumericHash(id) % 10 = 0")
	}
	return options, alias, columns
}
