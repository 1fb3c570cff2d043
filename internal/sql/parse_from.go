package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// from reads the items of FROM; a comma is a cross join that binds less than JOIN.
func (p *parser) from() TableRef {
	start := p.Start()
	left := p.joinTree()
	for n := 1; p.AcceptSymbol(","); n++ {
		p.Link(n)
		right := p.joinTree()
		left = &Join{Located: p.since(start), Kind: CrossJoin, Left: left, Right: right}
	}
	return left
}

// joinTree reads joins, which associate to the left.
func (p *parser) joinTree() TableRef {
	start := p.Start()
	left := p.tableRef()
	for n := 1; ; n++ {
		j := &Join{Left: left}
		if !p.joinWords(j) {
			return left
		}
		p.Link(n)
		j.Right = p.tableRef()
		switch {
		case j.Natural || j.Kind == CrossJoin:
		case p.Accept("ON"):
			j.On = p.expr()
		case p.Accept("USING"):
			j.Using = p.idents("a column name")
		default:
			p.Expected("ON", "USING")
		}
		j.Located = p.since(start)
		left = j
	}
}

// joinWords reads the keywords of a join, if there is one.
func (p *parser) joinWords(j *Join) bool {
	j.Natural = p.Accept("NATURAL")
	switch {
	case p.Accept("JOIN"):
		j.Kind = InnerJoin
		return true
	case p.Accept("INNER"):
		j.Kind = InnerJoin
	case p.At("LEFT"), p.At("RIGHT"), p.At("FULL"):
		j.Kind = JoinKind(p.Advance().Upper + " JOIN")
		for _, word := range []string{"SEMI", "ANTI"} {
			if p.At(word) {
				p.Unsupported(p.Token().Span, word+" JOIN", "use WHERE EXISTS (…), IN or NOT EXISTS (…)")
			}
		}
		p.Accept("OUTER")
	case !j.Natural && p.Accept("CROSS"):
		j.Kind = CrossJoin
	case j.Natural:
		p.Expected("JOIN", "INNER", "LEFT", "RIGHT", "FULL")
	default:
		return false
	}
	p.Expect("JOIN")
	return true
}

// tableRef reads one item of FROM.
func (p *parser) tableRef() TableRef {
	defer p.Nested()()
	start := p.Start()
	lateral := p.Accept("LATERAL")
	switch {
	case p.At("UNNEST"):
		return p.unnest(start, lateral)
	case p.At("TABLE"):
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
	case p.AtSymbol("(") && !lateral:
		return inParens(p, p.from)
	case p.atIdent():
		name := p.name("a table name")
		if p.AtSymbol("(") {
			f := &TableFunction{Lateral: lateral, Call: p.call(start, name, true)}
			f.Alias = p.alias()
			f.Located = p.since(start)
			return f
		}
		if !lateral {
			return p.tableName(start, name)
		}
		p.Expected("'('")
	case p.Token().Kind == tokens.Word:
		p.reserved("a table name, a table function or a query in parentheses")
	}
	p.Expected("a table name", "a table function", "a query in parentheses")
	return nil
}

func (p *parser) tableName(start int, name Name) TableRef {
	t := &TableName{Name: name, Hints: p.hints()}
	if p.Accept("FOR") {
		p.Expect("SYSTEM_TIME", "AS", "OF")
		t.AsOf = p.expr()
	}
	t.Located = p.since(start)
	if m, ok := p.matched(start, t); ok {
		return m
	}
	if token := p.Token(); p.At("TABLESAMPLE") {
		p.Unsupported(token.Span, "TABLESAMPLE", "filter on RAND() < fraction")
	} else if (p.At("PIVOT") || p.At("UNPIVOT")) && p.Ahead(1).IsSymbol("(") {
		p.Unsupported(token.Span, token.Upper, "use CASE inside aggregates")
	}
	t.Alias = p.alias()
	t.Located = p.since(start)
	return t
}

// tableOfFunction reads TABLE(f(…)).
func (p *parser) tableOfFunction(start int, lateral bool) TableRef {
	p.Expect("TABLE")
	if !p.AtSymbol("(") {
		p.Fail("syntax", p.Token().Span, "TABLE is only for table functions here", "write the table's name alone, or TABLE(f(…))")
	}
	f := &TableFunction{Lateral: lateral}
	f.Call = inParens(p, func() *Call {
		callStart := p.Start()
		name := p.name("a table function")
		if !p.AtSymbol("(") {
			p.Fail("syntax", name.Span(), "'"+name.Last().Name+"' is not a call", "write the table's name without TABLE(…), or arguments after it")
		}
		return p.call(callStart, name, true)
	})
	f.Alias = p.alias()
	f.Located = p.since(start)
	return f
}

func (p *parser) unnest(start int, lateral bool) TableRef {
	p.Expect("UNNEST")
	u := &Unnest{Lateral: lateral}
	u.Collection = inParens(p, p.expr)
	if p.Accept("WITH") {
		p.Expect("ORDINALITY")
		u.Ordinality = true
	}
	u.Alias = p.alias()
	u.Located = p.since(start)
	return u
}

// alias reads [AS] name [(columns)], if it is there.
func (p *parser) alias() *Alias {
	start := p.Start()
	a := &Alias{}
	switch {
	case p.Accept("AS"):
		a.Name = p.ident("an alias")
	case p.atIdent() && !p.At("QUALIFY"):
		p.ImplicitAlias()
		a.Name = p.ident("an alias")
	default:
		return nil
	}
	if p.AtSymbol("(") {
		a.Columns = p.idents("a column name")
	}
	a.Located = p.since(start)
	return a
}
