package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// expr reads one expression.
func (p *parser) expr() Expr {
	defer p.Nested()()
	return p.operators(bindOr)
}

// operators reads an expression whose operators all bind at least as strongly as least.
func (p *parser) operators(least int) Expr {
	start := p.Start()
	left := p.prefix()
	for n := 1; ; n++ {
		next := p.infix(start, left, least)
		if next == nil {
			return left
		}
		p.Link(n)
		left = next
	}
}

// prefix reads NOT x, -x, +x, ~x or a term.
func (p *parser) prefix() Expr {
	t := p.Token()
	if !t.IsWord("NOT") && !t.IsSymbol("-") && !t.IsSymbol("+") && !t.IsSymbol("~") {
		return p.postfix()
	}
	defer p.Nested()()
	if t.Kind == tokens.Symbol {
		p.uses[t.Span.Start] = SignUse
	}
	p.Advance()
	operand := p.prefix()
	return &Unary{p.since(t.Span.Start), UnaryOp(t.Upper), operand}
}

// infix reads one operator and what stands right of it, or returns nil when the next operator binds less than least.
func (p *parser) infix(start int, left Expr, least int) Expr {
	if op, length := p.infixOp(); length > 0 {
		if op.strength() < least {
			return nil
		}
		if p.Pos++; length > 1 {
			p.tight()
			p.Pos++
		}
		if op == OpCoalesce {
			defer p.Nested()()
			right := p.operators(bindCoalesce)
			return &Binary{p.since(start), op, left, right}
		}
		right := p.operators(op.strength() + 1)
		return &Binary{p.since(start), op, left, right}
	}
	if least > bindEqual {
		return nil
	}
	return p.condition(start, left)
}

// postfix reads a term with what is called, and taken, from it.
func (p *parser) postfix() Expr {
	start := p.Start()
	e := p.term()
	for n := 1; ; n++ {
		switch {
		case p.AtSymbol("["):
			p.tight()
			p.Advance()
			index := p.expr()
			p.ExpectSymbol("]")
			e = &Index{p.since(start), e, index}
		case p.AtSymbol("(") && callable(e):
			e = p.call(start, e)
		case p.AcceptSymbol("."):
			e = p.member(start, e)
		case p.atOptional(e):
			e = p.optionalType(start, e)
		case p.At("COLLATE"):
			p.Unsupported(p.Token().Span, "COLLATE", "texts are compared byte by byte")
		default:
			return e
		}
		p.Link(n)
	}
}

// callable says whether a parenthesis behind the expression calls it; a name of a function is called where it is read.
func callable(e Expr) bool {
	switch e.(type) {
	case *NamedRef, *Call, *FunctionRef, *Member, *Element, *Index, *Lambda:
		return true
	}
	return false
}

// member reads what stands behind a dot.
func (p *parser) member(start int, base Expr) Expr {
	if t := p.Token(); t.Kind == tokens.Integer && t.Suffix == "" {
		index, ok := smallNumber(t)
		if !ok {
			p.Fail("syntax", t.Span, "a tuple has no element "+t.Value, "")
		}
		p.Advance()
		return &Element{p.since(start), base, index}
	}
	if p.AtSymbol("*") {
		p.Fail("syntax", p.Token().Span, "a star is no value", "name.* stands alone in the list of SELECT")
	}
	name := p.word("the name of a column or a member")
	return &Member{p.since(start), base, name}
}

// term reads what needs no operator.
func (p *parser) term() Expr {
	t := p.Token()
	at := Located{t.Span}
	switch t.Kind {
	case tokens.Integer:
		return p.integer()
	case tokens.Approx:
		return p.float()
	case tokens.String:
		p.Advance()
		return &StringLit{at, t.Value, t.Suffix, t.Upper == rawMark}
	case tokens.Named:
		ref := p.namedRef("a named expression")
		return &ref
	case tokens.Quoted:
		return p.reference()
	case tokens.Word:
		return p.wordTerm()
	case tokens.Symbol:
		switch t.Value {
		case "(":
			return p.parenthesized()
		case "[":
			p.Advance()
			items := listTo(p, "]", p.expr)
			return &ListLit{p.since(t.Span.Start), items}
		case "{":
			return p.dict()
		case "<|":
			return p.structLit()
		}
	}
	p.Expected("an expression")
	return nil
}

// reference reads a column, a function of a module, or a call of a function by name.
func (p *parser) reference() Expr {
	start := p.Start()
	first := p.takeIdent()
	switch {
	case p.AcceptSymbol("::"):
		p.uses[start] = FunctionUse
		p.uses[p.Start()] = FunctionUse
		f := p.functionName()
		return &FunctionRef{p.since(start), &first, f}
	case p.AtSymbol("("):
		p.uses[start] = FunctionUse
		return p.call(start, &FunctionRef{Located: first.Located, Name: first})
	}
	return &ColumnRef{first.Located, first}
}

// functionName reads the name behind ::, which may be any word.
func (p *parser) functionName() Ident {
	t := p.Token()
	if t.Kind != tokens.Word && t.Kind != tokens.Quoted {
		p.Expected("the name of a function")
	}
	p.Advance()
	return Ident{Located{t.Span}, t.Value, t.Kind == tokens.Quoted}
}

// wordTerm reads a term that begins with a word without quotes.
func (p *parser) wordTerm() Expr {
	t := p.Token()
	at := Located{t.Span}
	followed := p.Ahead(1)
	switch t.Upper {
	case "TRUE", "FALSE":
		p.Advance()
		return &BoolLit{at, t.Upper == "TRUE"}
	case "NULL":
		p.Advance()
		return &NullLit{at}
	case "CASE":
		return p.caseExpr()
	case "CAST", "BITCAST":
		return p.cast()
	case "EXISTS":
		p.Advance()
		query := p.queryInParens()
		return &Exists{p.since(t.Span.Start), query}
	case "GROUP", "ORDER":
		if followed.IsWord("BY") {
			p.Expected("an expression")
		}
	}
	p.refuseForeignTerm()
	switch {
	case isReserved(t.Upper) && !followed.IsSymbol("::"):
		p.reserved("an expression")
	case p.atTypeTerm():
		typeName := p.typeName()
		return &TypeExpr{typeName.Located, typeName}
	}
	return p.reference()
}

func (p *parser) caseExpr() Expr {
	start := p.Start()
	p.Expect("CASE")
	c := &Case{}
	if !p.At("WHEN") {
		c.Operand = p.expr()
	}
	for p.At("WHEN") {
		whenStart := p.Start()
		p.Advance()
		condition := p.expr()
		p.Expect("THEN")
		result := p.expr()
		c.Whens = append(c.Whens, When{p.since(whenStart), condition, result})
	}
	if len(c.Whens) == 0 {
		p.Expected("WHEN")
	}
	if p.Accept("ELSE") {
		c.Else = p.expr()
	}
	if !p.Accept("END") {
		if c.Else == nil {
			p.Expected("WHEN", "ELSE", "END")
		}
		p.Expected("END")
	}
	c.Located = p.since(start)
	return c
}

func (p *parser) cast() Expr {
	start := p.Start()
	c := &Cast{Bits: p.Advance().Upper == "BITCAST"}
	p.tight()
	p.ExpectSymbol("(")
	c.Operand = p.expr()
	if p.AtSymbol(",") {
		p.Fail("syntax", p.Token().Span, "CAST takes a value and a type with AS between them", "write CAST(value AS type)")
	}
	p.Expect("AS")
	c.Type = p.typeName()
	p.ExpectSymbol(")")
	c.Located = p.since(start)
	return c
}
