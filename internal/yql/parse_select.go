package yql

import "strings"

func (p *parser) selectQuery() Query {
	start := p.start()
	s := &Select{}
	if p.accept("FROM") {
		s.From = p.from()
	}
	p.expect("SELECT")
	s.Hints = p.hints()
	s.Stream = p.atStream() && p.accept("STREAM")
	if !p.accept("ALL") {
		s.Distinct = p.accept("DISTINCT")
	}
	s.Items = p.selectItems()
	after := []string{"','", "FROM"}
	if p.accept("WITHOUT") {
		s.WithoutIfExists = p.ifExists()
		s.Without = p.without()
		after = []string{"FROM"}
	}
	if at := p.token(); p.accept("FROM") {
		if s.From != nil {
			p.fail("syntax", at.span, "FROM stands twice", "it is in front of SELECT or behind the columns")
		}
		s.From = p.from()
		after = []string{"','", "JOIN", "WHERE", "GROUP BY", "HAVING"}
	}
	if p.accept("WHERE") {
		s.Where = p.expr()
		after = []string{"AND", "OR", "GROUP BY", "HAVING"}
	}
	if p.accept("GROUP") {
		s.GroupBy = p.groupBy()
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
	p.refuseQueryTail()
	if !p.atQueryEnd() && !p.token().continuesQuery() {
		p.expected(append(after, "UNION ALL", "ORDER BY", "LIMIT", queryEnd)...)
	}
	s.Located = p.since(start)
	return s
}

// atStream says whether STREAM stands here as a keyword: in front of a column. In front of an operator it is one itself.
func (p *parser) atStream() bool {
	next := p.ahead(1)
	if next.kind == tokenWord {
		_, joins := map[string]bool{"AS": true, "AND": true, "OR": true, "XOR": true, "IN": true, "IS": true, "LIKE": true, "BETWEEN": true}[next.upper]
		return p.at("STREAM") && !joins && !next.isWord("FROM")
	}
	return p.at("STREAM") && (next.kind == tokenQuoted || next.kind == tokenNamed || next.isSymbol("*"))
}

// selectItems reads the columns of SELECT; a comma may stand behind the last one.
func (p *parser) selectItems() []NamedExpr {
	items := []NamedExpr{p.selectItem()}
	for p.acceptSymbol(",") {
		if p.at("FROM") || p.at("WITHOUT") || p.at("WHERE") || p.atQueryEnd() {
			break
		}
		items = append(items, p.selectItem())
	}
	return items
}

func (p *parser) selectItem() NamedExpr {
	start := p.start()
	if star := p.star(); star != nil {
		return NamedExpr{Located: p.since(start), Expr: star}
	}
	return p.aliased()
}

// aliased reads expression [[AS] name].
func (p *parser) aliased() NamedExpr {
	start := p.start()
	item := NamedExpr{Expr: p.expr()}
	item.Alias = p.alias("an alias")
	item.Located = p.since(start)
	return item
}

// namedExpr reads expression [AS name].
func (p *parser) namedExpr() NamedExpr {
	start := p.start()
	item := NamedExpr{Expr: p.expr()}
	if p.accept("AS") {
		alias := p.word("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// alias reads [AS] name, if it is there.
func (p *parser) alias(what string) *Ident {
	switch {
	case p.accept("AS"):
		alias := p.word(what)
		return &alias
	case p.token().isAlias():
		p.implicitAlias, p.aliasEnd = p.pos, p.pos+1
		alias := p.takeIdent()
		return &alias
	}
	return nil
}

// isAlias says whether a token can be an alias without AS.
func (t token) isAlias() bool {
	return t.kind == tokenQuoted || t.kind == tokenWord && !reservedWords[t.upper] && !clauseWords[t.upper]
}

// star reads * or t.*, or returns nil.
func (p *parser) star() *Star {
	start := p.start()
	if p.acceptSymbol("*") {
		return &Star{Located: p.since(start)}
	}
	if t := p.token(); t.kind != tokenWord && t.kind != tokenQuoted || !p.ahead(1).isSymbol(".") || !p.ahead(2).isSymbol("*") {
		return nil
	}
	qualifier := p.word("a table name")
	p.pos += 2
	return &Star{p.since(start), &qualifier}
}

// without reads the columns behind WITHOUT, in parentheses or not.
func (p *parser) without() []Expr {
	column := func() Expr {
		start := p.start()
		name := p.word("a column name")
		if !p.acceptSymbol(".") {
			return &ColumnRef{name.Located, name}
		}
		member := p.word("a column name")
		return &Member{p.since(start), &ColumnRef{name.Located, name}, member}
	}
	if p.atSymbol("(") {
		return listInParens(p, column)
	}
	columns := []Expr{column()}
	for p.acceptSymbol(",") {
		if p.at("FROM") {
			break
		}
		columns = append(columns, column())
	}
	return columns
}

func (p *parser) groupBy() *GroupBy {
	start := p.tokens[p.pos-1].span.Start
	g := &GroupBy{Compact: p.accept("COMPACT")}
	p.expect("BY")
	if !p.accept("ALL") {
		g.Distinct = p.accept("DISTINCT")
	}
	g.Items = []GroupItem{p.groupItem()}
	for p.acceptSymbol(",") {
		if p.at("HAVING") || p.atQueryEnd() || p.token().continuesQuery() {
			break
		}
		g.Items = append(g.Items, p.groupItem())
	}
	if p.accept("WITH") {
		with := p.word("combine")
		g.With = &with
	}
	g.Located = p.since(start)
	return g
}

func (p *parser) groupItem() GroupItem {
	defer p.nested()()
	start := p.start()
	for _, kind := range []GroupingKind{ListedSets, RollupSets, CubeSets} {
		words := strings.Fields(string(kind))
		if p.at(words...) && p.ahead(len(words)).isSymbol("(") {
			p.pos += len(words)
			sets := listInParens(p, p.groupItem)
			return &GroupingSets{p.since(start), kind, sets}
		}
	}
	return &GroupKey{p.namedExpr()}
}

func (p *parser) namedWindow() NamedWindow {
	start := p.start()
	w := NamedWindow{Name: p.word("a window name")}
	p.expect("AS")
	w.Spec = p.windowSpec()
	w.Located = p.since(start)
	return w
}
