package yql

// atQueryWord says whether a query begins here. FROM in front of SELECT is one, and so is PROCESS or REDUCE of something.
func (p *parser) atQueryWord(i int) bool {
	t := p.tokens[i]
	if t.kind != tokenWord {
		return false
	}
	next := p.tokens[min(i+1, len(p.tokens)-1)]
	switch t.upper {
	case "SELECT", "DISCARD":
		return true
	case "VALUES":
		return next.isSymbol("(")
	case "FROM", "PROCESS", "REDUCE":
		return next.kind == tokenWord || next.kind == tokenQuoted || next.kind == tokenNamed || next.isSymbol("(")
	case "WITH":
		return next.kind == tokenWord || next.kind == tokenQuoted
	}
	return false
}

// atQueryInParens says whether ( query ) stands here, rather than an expression, a join or a list of names in parentheses.
// ((SELECT 1) UNION …) is a query, ((SELECT 1) + 1) is not: what follows the inner parentheses decides.
func (p *parser) atQueryInParens() bool { return p.queryInParensAt(p.pos, maxNesting) }

func (p *parser) queryInParensAt(i, depth int) bool {
	if !p.tokens[i].isSymbol("(") || depth == 0 {
		return false
	}
	if p.atQueryWord(i + 1) {
		return true
	}
	if !p.queryInParensAt(i+1, depth-1) {
		return false
	}
	closing := p.closes[i+1]
	if closing == 0 {
		return true
	}
	after := p.tokens[closing+1]
	return after.endsQuery() || after.continuesQuery()
}

// endsQuery says whether a complete query may stand before the token.
func (t token) endsQuery() bool {
	return t.kind == tokenEnd || t.isSymbol(")") || t.isSymbol(";")
}

// continuesQuery says whether the token goes on after a query term.
func (t token) continuesQuery() bool {
	if t.kind != tokenWord {
		return false
	}
	switch t.upper {
	case "UNION", "INTERSECT", "EXCEPT", "ORDER", "ASSUME", "LIMIT", "OFFSET":
		return true
	}
	return false
}

// atQueryEnd says whether a query may end here: END DO closes a body whose last statement has no semicolon.
func (p *parser) atQueryEnd() bool {
	return p.token().endsQuery() || p.at("END", "DO")
}

// query reads a query with its tail, up to the end of the statement or a closing parenthesis.
func (p *parser) query() Query {
	defer p.nested()()
	start := p.start()
	if p.at("WITH") {
		p.unsupported(p.token().span, "WITH in front of a query", "give the inner query a name: $name = (SELECT …);")
	}
	body := p.unionQuery()
	o := &Ordered{Body: body}
	remaining := []string{"ORDER BY", "LIMIT"}
	if p.at("ASSUME") || p.at("ORDER") {
		o.Assume = p.accept("ASSUME")
		p.expect("ORDER", "BY")
		o.OrderBy = list(p, p.orderItem)
		remaining = []string{"','", "LIMIT"}
	}
	switch {
	case p.accept("LIMIT"):
		o.Limit = p.expr()
		remaining = []string{"OFFSET"}
		if p.acceptSymbol(",") {
			o.Offset, o.Limit = o.Limit, p.expr()
		} else if p.accept("OFFSET") {
			o.Offset = p.expr()
		}
	case p.at("OFFSET"):
		p.fail("syntax", p.token().span, "OFFSET stands behind LIMIT", "write LIMIT n OFFSET m")
	}
	p.refuseQueryTail()
	if !p.atQueryEnd() {
		p.expected(append(remaining, queryEnd)...)
	}
	if o.OrderBy == nil && o.Limit == nil {
		return body
	}
	o.Located = p.since(start)
	return o
}

// queryInParens reads ( query ); the parentheses are not part of the node.
func (p *parser) queryInParens() Query {
	p.expectSymbol("(")
	q := p.query()
	p.expectSymbol(")")
	return q
}

func (p *parser) orderItem() OrderItem {
	start := p.start()
	item := OrderItem{Expr: p.expr()}
	if !p.accept("ASC") {
		item.Desc = p.accept("DESC")
	}
	if p.at("NULLS") {
		p.unsupported(p.token().span, "NULLS FIRST or LAST", "NULL is less than every value")
	}
	item.Located = p.since(start)
	return item
}

// unionQuery reads UNION and EXCEPT, which bind less than INTERSECT.
func (p *parser) unionQuery() Query {
	return p.setOperations(p.intersectQuery, Union, Except)
}

func (p *parser) intersectQuery() Query {
	return p.setOperations(p.queryTerm, Intersect)
}

func (p *parser) setOperations(operand func() Query, ops ...SetOp) Query {
	start := p.start()
	left := operand()
	for n := 1; ; n++ {
		var op SetOp
		for _, candidate := range ops {
			if p.accept(string(candidate)) {
				op = candidate
			}
		}
		if op == "" {
			return left
		}
		p.link(n)
		all := p.accept("ALL")
		if !all {
			p.accept("DISTINCT")
		}
		right := operand()
		left = &SetOperation{p.since(start), op, all, left, right}
	}
}

func (p *parser) queryTerm() Query {
	start := p.start()
	switch {
	case p.at("SELECT"), p.at("FROM"):
		return p.selectQuery()
	case p.at("PROCESS"), p.at("REDUCE"):
		return p.process()
	case p.at("DISCARD"):
		p.unsupported(p.token().span, "DISCARD", "a query without INSERT writes nothing; leave it out")
	case p.accept("VALUES"):
		return p.values(start)
	case p.atSymbol("("):
		return p.queryInParens()
	}
	p.expected("SELECT", "a query in parentheses")
	return nil
}

func (p *parser) values(start int) Query {
	rows := list(p, func() ValuesRow {
		rowStart := p.start()
		exprs := listInParens(p, p.expr)
		return ValuesRow{p.since(rowStart), exprs}
	})
	return &Values{p.since(start), rows}
}

// process reads PROCESS and REDUCE.
func (p *parser) process() Query {
	start := p.start()
	q := &Process{Reduce: p.advance().upper == "REDUCE"}
	q.Stream = p.accept("STREAM")
	q.Sources = list(p, p.flattened)
	if p.accept("PRESORT") {
		q.Presort = list(p, p.orderItem)
	}
	if q.Reduce {
		p.expect("ON")
		q.On = p.without()
		if !p.at("USING") {
			p.expected("','", "USING")
		}
	}
	if p.accept("USING") {
		q.All = p.accept("ALL")
		q.Using = p.expr()
		if p.accept("AS") {
			alias := p.word("an alias")
			q.Alias = &alias
		}
	}
	if p.accept("WHERE") {
		q.Where = p.expr()
	}
	if p.accept("HAVING") {
		q.Having = p.expr()
	}
	q.Located = p.since(start)
	return q
}
