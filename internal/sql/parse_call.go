package sql

// call reads the arguments of a function and what may follow them. The arguments
// of a table function may be a query in parentheses, which elsewhere is a value.
func (p *parser) call(start int, function Name, table bool) *Call {
	c := &Call{Function: function}
	if len(function.Parts) == 1 {
		p.uses[function.Span().Start] = FunctionUse
	}
	p.expectSymbol("(")
	switch {
	case p.atSymbol("*") && p.ahead(1).isSymbol(")"):
		p.advance()
		c.Star = true
	case p.atSymbol(")"):
	default:
		if !p.accept("ALL") {
			c.Distinct = p.accept("DISTINCT")
		}
		c.Args = list(p, func() Expr { return p.argument(table) })
		if p.accept("ORDER") {
			p.expect("BY")
			c.OrderBy = list(p, p.orderItem)
		}
	}
	if !p.acceptSymbol(")") {
		p.expected("','", "')'")
	}
	p.callSuffix(c)
	c.Located = p.since(start)
	return c
}

// callSuffix reads WITHIN GROUP, IGNORE NULLS, FILTER and OVER.
func (p *parser) callSuffix(c *Call) {
	if p.accept("WITHIN") {
		p.expect("GROUP")
		c.WithinGroup = true
		c.OrderBy = inParens(p, func() []OrderItem {
			p.expect("ORDER", "BY")
			return list(p, p.orderItem)
		})
	}
	switch {
	case p.accept("IGNORE", "NULLS"):
		c.Nulls = IgnoreNulls
	case p.accept("RESPECT", "NULLS"):
		c.Nulls = RespectNulls
	}
	if p.accept("FILTER") {
		c.Filter = inParens(p, func() Expr {
			p.expect("WHERE")
			return p.expr()
		})
	}
	if p.accept("OVER") {
		c.Over = p.over()
	}
}

// over reads a window in parentheses or by name.
func (p *parser) over() *WindowSpec {
	start := p.start()
	if p.atSymbol("(") {
		return p.windowSpec()
	}
	if !p.atIdent() {
		p.expected("'('", "a window name")
	}
	ref := p.ident("a window name")
	return &WindowSpec{Located: p.since(start), Ref: &ref}
}

func (p *parser) windowSpec() *WindowSpec {
	start := p.start()
	w := &WindowSpec{}
	p.expectSymbol("(")
	after := []string{"PARTITION BY", "ORDER BY", "ROWS", "RANGE", "')'"}
	if p.atIdent() {
		ref := p.ident("a window name")
		w.Ref = &ref
	}
	if p.accept("PARTITION") {
		p.expect("BY")
		w.PartitionBy = list(p, p.expr)
		after = []string{"','", "ORDER BY", "ROWS", "RANGE", "')'"}
	}
	if p.accept("ORDER") {
		p.expect("BY")
		w.OrderBy = list(p, p.orderItem)
		after = []string{"','", "ROWS", "RANGE", "')'"}
	}
	if p.at("ROWS") || p.at("RANGE") {
		w.Frame = p.frame()
		after = []string{"')'"}
	}
	if !p.acceptSymbol(")") {
		p.expected(after...)
	}
	w.Located = p.since(start)
	return w
}

func (p *parser) frame() *Frame {
	start := p.start()
	f := &Frame{Rows: p.choose("ROWS", "RANGE") == "ROWS"}
	if p.accept("BETWEEN") {
		f.Start = p.frameBound()
		p.expect("AND")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	f.Located = p.since(start)
	return f
}

func (p *parser) frameBound() FrameBound {
	start := p.start()
	b := FrameBound{}
	preceding := func(yes, no FrameBoundKind) FrameBoundKind {
		if p.choose("PRECEDING", "FOLLOWING") == "PRECEDING" {
			return yes
		}
		return no
	}
	switch {
	case p.accept("CURRENT"):
		p.expect("ROW")
		b.Kind = CurrentRow
	case p.at("UNBOUNDED", "PRECEDING"), p.at("UNBOUNDED", "FOLLOWING"):
		p.advance()
		b.Kind = preceding(UnboundedPreceding, UnboundedFollowing)
	default:
		b.Offset = p.expr()
		b.Kind = preceding(Preceding, Following)
	}
	b.Located = p.since(start)
	return b
}

// argument reads one argument, with its name if it has one.
func (p *parser) argument(table bool) Expr {
	if !p.ahead(1).isSymbol("=>") {
		return p.argumentValue(table)
	}
	start := p.start()
	name := p.ident("the name of an argument")
	p.expectSymbol("=>")
	value := p.argumentValue(table)
	return &NamedArg{p.since(start), name, value}
}

func (p *parser) argumentValue(table bool) Expr {
	start := p.start()
	switch {
	case p.accept("DEFAULT"):
		return &DefaultArg{p.since(start)}
	case p.at("TABLE"), table && p.atQueryArgument():
		return p.tableArg()
	}
	return p.expr()
}

// atQueryArgument says whether (query) stands here as a whole argument.
func (p *parser) atQueryArgument() bool {
	if !p.atQueryInParens() {
		return false
	}
	after := p.tokens[p.closes[p.pos]+1]
	return after.isSymbol(",") || after.isSymbol(")") || after.isWord("PARTITION") || after.isWord("ORDER")
}

// descriptor reads DESCRIPTOR(column, …).
func (p *parser) descriptor() Expr {
	start := p.start()
	p.expect("DESCRIPTOR")
	columns := inParens(p, func() []Name {
		return list(p, func() Name { return p.name("a column name") })
	})
	return &Descriptor{p.since(start), columns}
}

// tableArg reads [TABLE] (query) or TABLE t, with PARTITION BY and ORDER BY.
func (p *parser) tableArg() Expr {
	start := p.start()
	a := &TableArg{}
	p.accept("TABLE")
	tableStart := p.start()
	if p.atSymbol("(") {
		query := p.queryInParens()
		a.Table = &Derived{Located: p.since(tableStart), Query: query}
	} else {
		t := &TableName{Name: p.name("a table name or a query in parentheses"), Hints: p.hints()}
		t.Located = p.since(tableStart)
		a.Table = t
	}
	if p.accept("PARTITION") {
		p.expect("BY")
		a.PartitionBy = argumentKeys(p, p.expr)
	}
	if p.accept("ORDER") {
		p.expect("BY")
		a.OrderBy = argumentKeys(p, p.orderItem)
	}
	a.Located = p.since(start)
	return a
}

// argumentKeys reads (a, b), or a, b without parentheses: there a comma goes on with
// the keys only if a column follows, because it may also end the argument.
func argumentKeys[T any](p *parser, key func() T) []T {
	if p.atSymbol("(") {
		return inParens(p, func() []T { return list(p, key) })
	}
	keys := []T{key()}
	for p.keyFollowsComma() {
		p.advance()
		keys = append(keys, key())
	}
	return keys
}

// keyFollowsComma says whether a comma and a plain column stand here.
func (p *parser) keyFollowsComma() bool {
	if !p.atSymbol(",") || !p.ahead(1).isIdent() {
		return false
	}
	n := 2
	for p.ahead(n).isSymbol(".") && p.ahead(n+1).isIdent() {
		n += 2
	}
	after := p.ahead(n)
	return after.isSymbol(",") || after.isSymbol(")") || after.isWord("ORDER") || after.isWord("ASC") || after.isWord("DESC")
}
