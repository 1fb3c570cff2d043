package sql

import "strings"

// atQueryWord says whether a token begins a query.
func (t token) atQueryWord() bool {
	return t.isWord("SELECT") || t.isWord("WITH") || t.isWord("VALUES") || t.isWord("TABLE")
}

// atQueryInParens says whether ( query ) stands here, rather than an expression, a
// join or a list of names in parentheses. ((SELECT 1) UNION …) is a query,
// ((SELECT 1) + 1) is not: what follows the inner parentheses decides.
func (p *parser) atQueryInParens() bool {
	return p.queryInParensAt(p.pos, maxNesting)
}

func (p *parser) queryInParensAt(i, depth int) bool {
	if !p.tokens[i].isSymbol("(") || depth == 0 {
		return false
	}
	if p.tokens[i+1].atQueryWord() {
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
	for _, word := range []string{"UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH"} {
		if t.isWord(word) {
			return true
		}
	}
	return false
}

// query reads a query with its WITH and its tail, up to the end of the statement
// or a closing parenthesis.
func (p *parser) query() Query {
	defer p.nested()()
	start := p.start()
	if p.accept("WITH") {
		if p.at("RECURSIVE") {
			p.unsupported(p.token().span, "WITH RECURSIVE", "a stream has no fixed point")
		}
		tables := list(p, p.commonTable)
		body := p.orderedQuery()
		return &With{p.since(start), tables, body}
	}
	return p.orderedQuery()
}

func (p *parser) commonTable() CommonTable {
	start := p.start()
	c := CommonTable{Name: p.ident("a name for the query")}
	if p.atSymbol("(") {
		c.Columns = p.idents("a column name")
	}
	p.expect("AS")
	c.Query = p.queryInParens()
	c.Located = p.since(start)
	return c
}

// queryInParens reads ( query ); the parentheses are not part of the node.
func (p *parser) queryInParens() Query {
	p.expectSymbol("(")
	q := p.query()
	p.expectSymbol(")")
	return q
}

func (p *parser) orderedQuery() Query {
	start := p.start()
	body := p.unionQuery()
	o := &Ordered{Body: body}
	remaining := []string{"ORDER BY", "LIMIT", "OFFSET", "FETCH"}
	if p.accept("ORDER") {
		p.expect("BY")
		o.OrderBy = list(p, p.orderItem)
		remaining = append([]string{"','"}, remaining[1:]...)
	}
	limited := false
	if p.accept("LIMIT") {
		limited = true
		remaining = []string{"OFFSET"}
		if !p.accept("ALL") {
			o.Limit = p.expr()
			if p.acceptSymbol(",") {
				o.Offset, o.Limit = o.Limit, p.expr()
			}
		}
	}
	if o.Offset == nil && p.accept("OFFSET") {
		o.Offset = p.expr()
		_ = p.accept("ROWS") || p.accept("ROW")
	}
	if !limited && p.accept("FETCH") {
		p.choose("FIRST", "NEXT")
		o.Limit = p.expr()
		p.choose("ROWS", "ROW")
		p.expect("ONLY")
	}
	if !p.token().endsQuery() {
		p.expected(append(remaining, "the end of the query")...)
	}
	if o.OrderBy == nil && o.Limit == nil && o.Offset == nil {
		return body
	}
	o.Located = p.since(start)
	return o
}

func (p *parser) orderItem() OrderItem {
	start := p.start()
	item := OrderItem{Expr: p.expr()}
	if !p.accept("ASC") {
		item.Desc = p.accept("DESC")
	}
	if p.accept("NULLS") {
		item.Nulls = NullsLast
		if p.choose("FIRST", "LAST") == "FIRST" {
			item.Nulls = NullsFirst
		}
	}
	item.Located = p.since(start)
	return item
}

// unionQuery reads UNION and EXCEPT, which bind less than INTERSECT.
func (p *parser) unionQuery() Query {
	return p.setOperations(p.intersectQuery, map[string]SetOp{"UNION": Union, "EXCEPT": Except, "MINUS": Except})
}

func (p *parser) intersectQuery() Query {
	return p.setOperations(p.queryTerm, map[string]SetOp{"INTERSECT": Intersect})
}

func (p *parser) setOperations(operand func() Query, ops map[string]SetOp) Query {
	start := p.start()
	left := operand()
	for n := 1; ; n++ {
		op, found := ops[p.token().upper]
		if !found || p.token().kind != tokenWord {
			return left
		}
		p.advance()
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
	case p.at("SELECT"):
		return p.selectQuery()
	case p.accept("VALUES"):
		rows := list(p, p.valuesRow)
		return &Values{p.since(start), rows}
	case p.accept("TABLE"):
		table := p.name("a table name")
		return &TableQuery{p.since(start), table}
	case p.atSymbol("("):
		return p.queryInParens()
	}
	p.expected("SELECT", "VALUES", "a query in parentheses")
	return nil
}

func (p *parser) valuesRow() ValuesRow {
	start := p.start()
	if p.token().isWord("ROW") && p.ahead(1).isSymbol("(") {
		p.advance()
	}
	var exprs []Expr
	if p.atSymbol("(") {
		exprs = inParens(p, func() []Expr { return list(p, p.expr) })
	} else {
		exprs = []Expr{p.expr()}
	}
	return ValuesRow{p.since(start), exprs}
}

func (p *parser) selectQuery() Query {
	start := p.start()
	p.expect("SELECT")
	s := &Select{Hints: p.hints()}
	if p.at("STREAM") {
		p.unsupported(p.token().span, "SELECT STREAM", "leave STREAM out: every query is a stream")
	}
	if !p.accept("ALL") {
		s.Distinct = p.accept("DISTINCT")
	}
	s.Items = list(p, p.selectItem)
	after := []string{"','", "FROM"}
	if p.accept("FROM") {
		s.From = p.from()
		after = []string{"','", "JOIN", "WHERE", "GROUP BY", "HAVING"}
	}
	if p.accept("WHERE") {
		s.Where = p.expr()
		after = []string{"AND", "OR", "GROUP BY", "HAVING"}
	}
	if p.accept("GROUP") {
		p.expect("BY")
		s.GroupBy = list(p, p.groupItem)
		after = []string{"','", "HAVING"}
	}
	if p.accept("HAVING") {
		s.Having = p.expr()
		after = []string{"AND", "OR"}
	}
	if p.accept("WINDOW") {
		s.Windows = list(p, p.namedWindow)
		after = []string{"','"}
	}
	if p.accept("QUALIFY") {
		s.Qualify = p.expr()
		after = []string{"AND", "OR"}
	}
	if t := p.token(); !t.endsQuery() && !t.continuesQuery() {
		p.expected(append(after, "UNION", "ORDER BY", "LIMIT", "the end of the query")...)
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) selectItem() SelectItem {
	start := p.start()
	if comma := p.pos - 1; p.at("FROM") && comma >= 0 && p.tokens[comma].isSymbol(",") {
		p.fail("syntax", p.tokens[comma].span, "there is nothing behind the last comma of SELECT", "leave the comma out")
	}
	if star := p.star(); star != nil {
		return SelectItem{Located: p.since(start), Expr: star}
	}
	item := SelectItem{Expr: p.expr()}
	if p.accept("AS") {
		alias := p.ident("an alias")
		item.Alias = &alias
	} else if p.atIdent() && !p.at("QUALIFY") {
		p.implicitAlias = p.pos
		alias := p.ident("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// star reads * or a.b.*, or returns nil.
func (p *parser) star() *Star {
	start := p.start()
	n := 0
	for p.ahead(n).isIdent() && p.ahead(n+1).isSymbol(".") {
		n += 2
	}
	if !p.ahead(n).isSymbol("*") {
		return nil
	}
	s := &Star{}
	if n > 0 {
		qualifier := Name{}
		for range n / 2 {
			qualifier.Parts = append(qualifier.Parts, p.ident("a table name"))
			p.expectSymbol(".")
		}
		s.Qualifier = &qualifier
	}
	p.expectSymbol("*")
	s.Located = p.since(start)
	return s
}

func (p *parser) groupItem() GroupItem {
	defer p.nested()()
	start := p.start()
	for _, kind := range []GroupingKind{ListedSets, RollupSets, CubeSets} {
		if p.at(strings.Fields(string(kind))...) {
			p.accept(strings.Fields(string(kind))...)
			sets := inParens(p, func() []GroupItem { return list(p, p.groupItem) })
			return &GroupingSets{p.since(start), kind, sets}
		}
	}
	// (a, b) is one grouping of two keys, but (a + b) * c is an expression.
	if closing := p.closes[p.pos]; closing > 0 && !p.atQueryInParens() {
		after := p.tokens[closing+1]
		if after.endsQuery() || after.continuesQuery() || after.isSymbol(",") || after.isWord("HAVING") || after.isWord("WINDOW") || after.isWord("QUALIFY") {
			p.expectSymbol("(")
			g := &GroupKeys{}
			if !p.atSymbol(")") {
				g.Keys = list(p, p.expr)
			}
			p.expectSymbol(")")
			g.Located = p.since(start)
			return g
		}
	}
	key := p.expr()
	return &GroupKeys{p.since(start), []Expr{key}}
}

func (p *parser) namedWindow() NamedWindow {
	start := p.start()
	w := NamedWindow{Name: p.ident("a window name")}
	p.expect("AS")
	w.Spec = p.windowSpec()
	w.Located = p.since(start)
	return w
}
