package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// atQueryWord says whether a query begins here. FROM in front of SELECT is one, and so is PROCESS or REDUCE of something.
func (p *parser) atQueryWord(i int) bool {
	t := p.TokenAt(i)
	if t.Kind != tokens.Word {
		return false
	}
	next := p.TokenAt(i + 1)
	switch t.Upper {
	case "SELECT", "DISCARD":
		return true
	case "VALUES":
		return next.IsSymbol("(")
	case "FROM", "PROCESS", "REDUCE":
		return next.Kind == tokens.Word || next.Kind == tokens.Quoted || next.Kind == tokens.Named || next.IsSymbol("(")
	case "WITH":
		return next.Kind == tokens.Word || next.Kind == tokens.Quoted
	}
	return false
}

// atQueryInParens says whether ( query ) stands here, rather than an expression, a join or a list of names in parentheses.
// ((SELECT 1) UNION …) is a query, ((SELECT 1) + 1) is not: what follows the inner parentheses decides.
func (p *parser) atQueryInParens() bool { return p.queryInParensAt(p.Pos, tokens.MaxNesting) }

func (p *parser) queryInParensAt(i, depth int) bool {
	if !p.TokenAt(i).IsSymbol("(") || depth == 0 {
		return false
	}
	if p.atQueryWord(i + 1) {
		return true
	}
	if !p.queryInParensAt(i+1, depth-1) {
		return false
	}
	after, closed := p.BehindParens(i + 1)
	return !closed || endsQuery(after) || continuesQuery(after)
}

// endsQuery says whether a complete query may stand before the token.
func endsQuery(t tokens.Token) bool {
	return t.Kind == tokens.End || t.IsSymbol(")") || t.IsSymbol(";")
}

// continuesQuery says whether the token goes on after a query term.
func continuesQuery(t tokens.Token) bool {
	if t.Kind != tokens.Word {
		return false
	}
	switch t.Upper {
	case "UNION", "INTERSECT", "EXCEPT", "ORDER", "ASSUME", "LIMIT", "OFFSET":
		return true
	}
	return false
}

// atQueryEnd says whether a query may end here: END DO closes a body whose last statement has no semicolon.
func (p *parser) atQueryEnd() bool {
	return endsQuery(p.Token()) || p.At("END", "DO")
}

// query reads a query with its tail, up to the end of the statement or a closing parenthesis.
func (p *parser) query() Query {
	defer p.Nested()()
	start := p.Start()
	if p.At("WITH") {
		p.Unsupported(p.Token().Span, "WITH in front of a query", "give the inner query a name: $name = (SELECT …);")
	}
	body := p.unionQuery()
	o := &Ordered{Body: body}
	remaining := []string{"ORDER BY", "LIMIT"}
	if p.At("ASSUME") || p.At("ORDER") {
		o.Assume = p.Accept("ASSUME")
		p.Expect("ORDER", "BY")
		o.OrderBy = tokens.List(&p.Cursor, p.orderItem)
		remaining = []string{"','", "LIMIT"}
	}
	switch {
	case p.Accept("LIMIT"):
		o.Limit = p.expr()
		remaining = []string{"OFFSET"}
		if p.AcceptSymbol(",") {
			o.Offset, o.Limit = o.Limit, p.expr()
		} else if p.Accept("OFFSET") {
			o.Offset = p.expr()
		}
	case p.At("OFFSET"):
		p.Fail("syntax", p.Token().Span, "OFFSET stands behind LIMIT", "write LIMIT n OFFSET m")
	}
	p.refuseQueryTail()
	if !p.atQueryEnd() {
		p.Expected(append(remaining, queryEnd)...)
	}
	if o.OrderBy == nil && o.Limit == nil {
		return body
	}
	o.Located = p.since(start)
	return o
}

// queryInParens reads ( query ); the parentheses are not part of the node.
func (p *parser) queryInParens() Query {
	p.ExpectSymbol("(")
	q := p.query()
	p.ExpectSymbol(")")
	return q
}

func (p *parser) orderItem() OrderItem {
	start := p.Start()
	item := OrderItem{Expr: p.expr()}
	if !p.Accept("ASC") {
		item.Desc = p.Accept("DESC")
	}
	if p.At("NULLS") {
		p.Unsupported(p.Token().Span, "NULLS FIRST or LAST", "NULL is less than every value")
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
	start := p.Start()
	left := operand()
	for n := 1; ; n++ {
		var op SetOp
		for _, candidate := range ops {
			if p.Accept(string(candidate)) {
				op = candidate
			}
		}
		if op == "" {
			return left
		}
		p.Link(n)
		all := p.Accept("ALL")
		if !all {
			p.Accept("DISTINCT")
		}
		right := operand()
		left = &SetOperation{p.since(start), op, all, left, right}
	}
}

func (p *parser) queryTerm() Query {
	start := p.Start()
	switch {
	case p.At("SELECT"), p.At("FROM"):
		return p.selectQuery()
	case p.At("PROCESS"), p.At("REDUCE"):
		return p.process()
	case p.At("DISCARD"):
		p.Unsupported(p.Token().Span, "DISCARD", "a query without INSERT writes nothing; leave it out")
	case p.Accept("VALUES"):
		return p.values(start)
	case p.AtSymbol("("):
		return p.queryInParens()
	}
	p.Expected("SELECT", "a query in parentheses")
	return nil
}

func (p *parser) values(start int) Query {
	rows := tokens.List(&p.Cursor, func() ValuesRow {
		rowStart := p.Start()
		exprs := listInParens(p, p.expr)
		return ValuesRow{p.since(rowStart), exprs}
	})
	return &Values{p.since(start), rows}
}

// process reads PROCESS and REDUCE.
func (p *parser) process() Query {
	start := p.Start()
	q := &Process{Reduce: p.Advance().Upper == "REDUCE"}
	q.Stream = p.Accept("STREAM")
	q.Sources = tokens.List(&p.Cursor, p.flattened)
	if p.Accept("PRESORT") {
		q.Presort = tokens.List(&p.Cursor, p.orderItem)
	}
	if q.Reduce {
		p.Expect("ON")
		q.On = p.without()
		if !p.At("USING") {
			p.Expected("','", "USING")
		}
	}
	if p.Accept("USING") {
		q.All = p.Accept("ALL")
		q.Using = p.expr()
		if p.Accept("AS") {
			alias := p.word("an alias")
			q.Alias = &alias
		}
	}
	if p.Accept("WHERE") {
		q.Where = p.expr()
	}
	if p.Accept("HAVING") {
		q.Having = p.expr()
	}
	q.Located = p.since(start)
	return q
}
