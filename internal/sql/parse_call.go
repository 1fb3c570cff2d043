package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// call reads the arguments of a function and what may follow them. The arguments
// of a table function may be a query in parentheses, which elsewhere is a value.
func (p *parser) call(start int, function Name, table bool) *Call {
	c := &Call{Function: function}
	if len(function.Parts) == 1 {
		p.uses[function.Span().Start] = FunctionUse
	}
	p.ExpectSymbol("(")
	switch {
	case p.AtSymbol("*") && p.Ahead(1).IsSymbol(")"):
		p.Advance()
		c.Star = true
	case p.AtSymbol(")"):
	default:
		if !p.Accept("ALL") {
			c.Distinct = p.Accept("DISTINCT")
		}
		c.Args = tokens.List(&p.Cursor, func() Expr { return p.argument(table) })
		if p.Accept("ORDER") {
			p.Expect("BY")
			c.OrderBy = tokens.List(&p.Cursor, p.orderItem)
		}
	}
	if !p.AcceptSymbol(")") {
		p.Expected("','", "')'")
	}
	p.callSuffix(c)
	c.Located = p.since(start)
	return c
}

// callSuffix reads WITHIN GROUP, IGNORE NULLS, FILTER and OVER.
func (p *parser) callSuffix(c *Call) {
	if p.Accept("WITHIN") {
		p.Expect("GROUP")
		c.WithinGroup = true
		c.OrderBy = inParens(p, func() []OrderItem {
			p.Expect("ORDER", "BY")
			return tokens.List(&p.Cursor, p.orderItem)
		})
	}
	switch {
	case p.Accept("IGNORE", "NULLS"):
		c.Nulls = IgnoreNulls
	case p.Accept("RESPECT", "NULLS"):
		c.Nulls = RespectNulls
	}
	if p.Accept("FILTER") {
		c.Filter = inParens(p, func() Expr {
			p.Expect("WHERE")
			return p.expr()
		})
	}
	if p.Accept("OVER") {
		c.Over = p.over()
	}
}

// over reads a window in parentheses or by name.
func (p *parser) over() *WindowSpec {
	start := p.Start()
	if p.AtSymbol("(") {
		return p.windowSpec()
	}
	if !p.atIdent() {
		p.Expected("'('", "a window name")
	}
	ref := p.ident("a window name")
	return &WindowSpec{Located: p.since(start), Ref: &ref}
}

func (p *parser) windowSpec() *WindowSpec {
	start := p.Start()
	w := &WindowSpec{}
	p.ExpectSymbol("(")
	after := []string{"PARTITION BY", "ORDER BY", "ROWS", "RANGE", "')'"}
	if p.atIdent() {
		ref := p.ident("a window name")
		w.Ref = &ref
	}
	if p.Accept("PARTITION") {
		p.Expect("BY")
		w.PartitionBy = tokens.List(&p.Cursor, p.expr)
		after = []string{"','", "ORDER BY", "ROWS", "RANGE", "')'"}
	}
	if p.Accept("ORDER") {
		p.Expect("BY")
		w.OrderBy = tokens.List(&p.Cursor, p.orderItem)
		after = []string{"','", "ROWS", "RANGE", "')'"}
	}
	if p.At("ROWS") || p.At("RANGE") {
		w.Frame = p.frame()
		after = []string{"')'"}
	}
	if !p.AcceptSymbol(")") {
		p.Expected(after...)
	}
	w.Located = p.since(start)
	return w
}

func (p *parser) frame() *Frame {
	start := p.Start()
	f := &Frame{Rows: p.Choose("ROWS", "RANGE") == "ROWS"}
	if p.Accept("BETWEEN") {
		f.Start = p.frameBound()
		p.Expect("AND")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	f.Located = p.since(start)
	return f
}

func (p *parser) frameBound() FrameBound {
	start := p.Start()
	b := FrameBound{}
	preceding := func(yes, no FrameBoundKind) FrameBoundKind {
		if p.Choose("PRECEDING", "FOLLOWING") == "PRECEDING" {
			return yes
		}
		return no
	}
	switch {
	case p.Accept("CURRENT"):
		p.Expect("ROW")
		b.Kind = CurrentRow
	case p.At("UNBOUNDED", "PRECEDING"), p.At("UNBOUNDED", "FOLLOWING"):
		p.Advance()
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
	if !p.Ahead(1).IsSymbol("=>") {
		return p.argumentValue(table)
	}
	start := p.Start()
	name := p.ident("the name of an argument")
	p.ExpectSymbol("=>")
	value := p.argumentValue(table)
	return &NamedArg{p.since(start), name, value}
}

func (p *parser) argumentValue(table bool) Expr {
	start := p.Start()
	switch {
	case p.Accept("DEFAULT"):
		return &DefaultArg{p.since(start)}
	case p.At("TABLE"), table && p.atQueryArgument():
		return p.tableArg()
	}
	return p.expr()
}

// atQueryArgument says whether (query) stands here as a whole argument.
func (p *parser) atQueryArgument() bool {
	if !p.atQueryInParens() {
		return false
	}
	after, closed := p.BehindParens(p.Pos)
	return closed && (after.IsSymbol(",") || after.IsSymbol(")") || after.IsWord("PARTITION") || after.IsWord("ORDER"))
}

// descriptor reads DESCRIPTOR(column, …).
func (p *parser) descriptor() Expr {
	start := p.Start()
	p.Expect("DESCRIPTOR")
	columns := inParens(p, func() []Name {
		return tokens.List(&p.Cursor, func() Name { return p.name("a column name") })
	})
	return &Descriptor{p.since(start), columns}
}

// tableArg reads [TABLE] (query) or TABLE t, with PARTITION BY and ORDER BY.
func (p *parser) tableArg() Expr {
	start := p.Start()
	a := &TableArg{}
	p.Accept("TABLE")
	tableStart := p.Start()
	if p.AtSymbol("(") {
		query := p.queryInParens()
		a.Table = &Derived{Located: p.since(tableStart), Query: query}
	} else {
		t := &TableName{Name: p.name("a table name or a query in parentheses"), Hints: p.hints()}
		t.Located = p.since(tableStart)
		a.Table = t
	}
	if p.Accept("PARTITION") {
		p.Expect("BY")
		a.PartitionBy = argumentKeys(p, p.expr)
	}
	if p.Accept("ORDER") {
		p.Expect("BY")
		a.OrderBy = argumentKeys(p, p.orderItem)
	}
	a.Located = p.since(start)
	return a
}

// argumentKeys reads (a, b), or a, b without parentheses: there a comma goes on with
// the keys only if a column follows, because it may also end the argument.
func argumentKeys[T any](p *parser, key func() T) []T {
	if p.AtSymbol("(") {
		return inParens(p, func() []T { return tokens.List(&p.Cursor, key) })
	}
	keys := []T{key()}
	for p.keyFollowsComma() {
		p.Advance()
		keys = append(keys, key())
	}
	return keys
}

// keyFollowsComma says whether a comma and a plain column stand here.
func (p *parser) keyFollowsComma() bool {
	if !p.AtSymbol(",") || !isIdent(p.Ahead(1)) {
		return false
	}
	n := 2
	for p.Ahead(n).IsSymbol(".") && isIdent(p.Ahead(n+1)) {
		n += 2
	}
	after := p.Ahead(n)
	return after.IsSymbol(",") || after.IsSymbol(")") || after.IsWord("ORDER") || after.IsWord("ASC") || after.IsWord("DESC")
}
