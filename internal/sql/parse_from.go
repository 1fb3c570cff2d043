package sql

// from reads the items of FROM; a comma is a cross join that binds less than JOIN.
func (p *parser) from() TableRef {
	start := p.start()
	left := p.joinTree()
	for n := 1; p.acceptSymbol(","); n++ {
		p.link(n)
		right := p.joinTree()
		left = &Join{Located: p.since(start), Kind: CrossJoin, Left: left, Right: right}
	}
	return left
}

// joinTree reads joins, which associate to the left.
func (p *parser) joinTree() TableRef {
	start := p.start()
	left := p.tableRef()
	for n := 1; ; n++ {
		j := &Join{Left: left}
		if !p.joinWords(j) {
			return left
		}
		p.link(n)
		j.Right = p.tableRef()
		switch {
		case j.Natural || j.Kind == CrossJoin:
		case p.accept("ON"):
			j.On = p.expr()
		case p.accept("USING"):
			j.Using = p.idents("a column name")
		default:
			p.expected("ON", "USING")
		}
		j.Located = p.since(start)
		left = j
	}
}

// joinWords reads the keywords of a join, if there is one.
func (p *parser) joinWords(j *Join) bool {
	j.Natural = p.accept("NATURAL")
	switch {
	case p.accept("JOIN"):
		j.Kind = InnerJoin
		return true
	case p.accept("INNER"):
		j.Kind = InnerJoin
	case p.at("LEFT"), p.at("RIGHT"), p.at("FULL"):
		j.Kind = JoinKind(p.advance().upper + " JOIN")
		for _, word := range []string{"SEMI", "ANTI"} {
			if p.at(word) {
				p.unsupported(p.token().span, word+" JOIN", "use WHERE EXISTS (…), IN or NOT EXISTS (…)")
			}
		}
		p.accept("OUTER")
	case !j.Natural && p.accept("CROSS"):
		j.Kind = CrossJoin
	case j.Natural:
		p.expected("JOIN", "INNER", "LEFT", "RIGHT", "FULL")
	default:
		return false
	}
	p.expect("JOIN")
	return true
}

// tableRef reads one item of FROM.
func (p *parser) tableRef() TableRef {
	defer p.nested()()
	start := p.start()
	lateral := p.accept("LATERAL")
	switch {
	case p.at("UNNEST"):
		return p.unnest(start, lateral)
	case p.at("TABLE"):
		return p.tableOfFunction(start, lateral)
	case p.atQueryInParens():
		d := &Derived{Lateral: lateral, Query: p.queryInParens()}
		d.Located = p.since(start)
		if m, ok := p.matched(start, d); ok {
			return m
		}
		d.Alias = p.alias()
		d.Located = p.since(start)
		return d
	case p.atSymbol("(") && !lateral:
		return inParens(p, p.from)
	case p.atIdent():
		name := p.name("a table name")
		if p.atSymbol("(") {
			f := &TableFunction{Lateral: lateral, Call: p.call(start, name, true)}
			f.Alias = p.alias()
			f.Located = p.since(start)
			return f
		}
		if !lateral {
			return p.tableName(start, name)
		}
		p.expected("'('")
	case p.token().kind == tokenWord:
		p.reserved("a table name, a table function or a query in parentheses")
	}
	p.expected("a table name", "a table function", "a query in parentheses")
	return nil
}

func (p *parser) tableName(start int, name Name) TableRef {
	t := &TableName{Name: name, Hints: p.hints()}
	if p.accept("FOR") {
		p.expect("SYSTEM_TIME", "AS", "OF")
		t.AsOf = p.expr()
	}
	t.Located = p.since(start)
	if m, ok := p.matched(start, t); ok {
		return m
	}
	if token := p.token(); p.at("TABLESAMPLE") {
		p.unsupported(token.span, "TABLESAMPLE", "filter on RAND() < fraction")
	} else if (p.at("PIVOT") || p.at("UNPIVOT")) && p.ahead(1).isSymbol("(") {
		p.unsupported(token.span, token.upper, "use CASE inside aggregates")
	}
	t.Alias = p.alias()
	t.Located = p.since(start)
	return t
}

// tableOfFunction reads TABLE(f(…)).
func (p *parser) tableOfFunction(start int, lateral bool) TableRef {
	p.expect("TABLE")
	if !p.atSymbol("(") {
		p.fail("syntax", p.token().span, "TABLE is only for table functions here", "write the table's name alone, or TABLE(f(…))")
	}
	f := &TableFunction{Lateral: lateral}
	f.Call = inParens(p, func() *Call {
		callStart := p.start()
		name := p.name("a table function")
		if !p.atSymbol("(") {
			p.fail("syntax", name.Span(), "'"+name.Last().Name+"' is not a call", "write the table's name without TABLE(…), or arguments after it")
		}
		return p.call(callStart, name, true)
	})
	f.Alias = p.alias()
	f.Located = p.since(start)
	return f
}

func (p *parser) unnest(start int, lateral bool) TableRef {
	p.expect("UNNEST")
	u := &Unnest{Lateral: lateral}
	u.Collection = inParens(p, p.expr)
	if p.accept("WITH") {
		p.expect("ORDINALITY")
		u.Ordinality = true
	}
	u.Alias = p.alias()
	u.Located = p.since(start)
	return u
}

// alias reads [AS] name [(columns)], if it is there.
func (p *parser) alias() *Alias {
	start := p.start()
	a := &Alias{}
	switch {
	case p.accept("AS"):
		a.Name = p.ident("an alias")
	case p.atIdent() && !p.at("QUALIFY"):
		p.implicitAlias = p.pos
		a.Name = p.ident("an alias")
	default:
		return nil
	}
	if p.atSymbol("(") {
		a.Columns = p.idents("a column name")
	}
	a.Located = p.since(start)
	return a
}
