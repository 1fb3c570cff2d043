package yql

// expr reads one expression.
func (p *parser) expr() Expr {
	defer p.nested()()
	return p.operators(bindOr)
}

// operators reads an expression whose operators all bind at least as strongly as least.
func (p *parser) operators(least int) Expr {
	start := p.start()
	left := p.prefix()
	for n := 1; ; n++ {
		next := p.infix(start, left, least)
		if next == nil {
			return left
		}
		p.link(n)
		left = next
	}
}

// prefix reads NOT x, -x, +x, ~x or a term.
func (p *parser) prefix() Expr {
	t := p.token()
	if !t.isWord("NOT") && !t.isSymbol("-") && !t.isSymbol("+") && !t.isSymbol("~") {
		return p.postfix()
	}
	defer p.nested()()
	if t.kind == tokenSymbol {
		p.uses[t.span.Start] = SignUse
	}
	p.advance()
	operand := p.prefix()
	return &Unary{p.since(t.span.Start), UnaryOp(t.upper), operand}
}

// infix reads one operator and what stands right of it, or returns nil when the next operator binds less than least.
func (p *parser) infix(start int, left Expr, least int) Expr {
	if op, length := p.infixOp(); length > 0 {
		if op.strength() < least {
			return nil
		}
		if p.pos++; length > 1 {
			p.tight()
			p.pos++
		}
		if op == OpCoalesce {
			defer p.nested()()
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

// condition reads what binds like =: IS, IN, BETWEEN and the operators that match; nil if there is none.
func (p *parser) condition(start int, left Expr) Expr {
	switch {
	case p.at("IS"):
		return p.is(start, left)
	case p.accept("ISNULL"):
		return &IsNull{p.since(start), left, false}
	case p.accept("NOTNULL"), p.accept("NOT", "NULL"):
		return &IsNull{p.since(start), left, true}
	}
	not := false
	if p.at("NOT") && (p.ahead(1).isWord("IN") || p.ahead(1).isWord("BETWEEN") || p.ahead(1).matchOp() != "") {
		p.advance()
		not = true
	}
	switch {
	case p.accept("BETWEEN"):
		b := &Between{Operand: left, Not: not, Symmetric: p.accept("SYMMETRIC")}
		if !b.Symmetric {
			p.accept("ASYMMETRIC")
		}
		b.Low = p.operators(bindLess)
		p.expect("AND")
		b.High = p.operators(bindLess)
		b.Located = p.since(start)
		return b
	case p.accept("IN"):
		return p.in(start, left, not)
	}
	op := p.token().matchOp()
	if op == "" {
		return nil
	}
	p.advance()
	m := &Match{Op: op, Operand: left, Not: not, Pattern: p.operators(bindLess)}
	if p.accept("ESCAPE") {
		m.Escape = p.operators(bindLess)
	}
	m.Located = p.since(start)
	return m
}

// matchOp is the operator that a word is, or nothing.
func (t token) matchOp() MatchOp {
	if t.kind != tokenWord {
		return ""
	}
	switch t.upper {
	case "LIKE", "ILIKE", "GLOB", "REGEXP", "MATCH":
		return MatchOp(t.upper)
	case "RLIKE":
		return MatchRegexp
	}
	return ""
}

// is reads IS [NOT] NULL, or IS [NOT] DISTINCT FROM, which is a comparison.
func (p *parser) is(start int, left Expr) Expr {
	p.expect("IS")
	not := p.accept("NOT")
	switch t := p.token(); {
	case p.accept("NULL"):
		return &IsNull{p.since(start), left, not}
	case p.accept("DISTINCT"):
		p.expect("FROM")
		op := OpDistinctFrom
		if not {
			op = OpNotDistinctFrom
		}
		right := p.operators(bindEqual + 1)
		return &Binary{p.since(start), op, left, right}
	case t.isWord("TRUE"), t.isWord("FALSE"):
		p.unsupported(t.span, "IS "+t.upper, "write x ?? false, or x IS NOT DISTINCT FROM "+t.value)
	}
	p.expected("NULL", "DISTINCT FROM")
	return nil
}

func (p *parser) in(start int, left Expr, not bool) Expr {
	e := &In{Operand: left, Not: not, Compact: p.accept("COMPACT")}
	switch open := p.start(); {
	case p.takenFrom():
		e.Set = p.postfix()
	case p.atQueryInParens():
		query := p.queryInParens()
		e.Set = &Subquery{p.since(open), query}
	case p.acceptSymbol("("):
		items := listTo(p, ")", p.expr)
		e.Set = &TupleLit{p.since(open), items}
	default:
		e.Set = p.postfix()
	}
	e.Located = p.since(start)
	return e
}

// takenFrom says whether something is taken from the parentheses that stand here: (a).b.
func (p *parser) takenFrom() bool {
	closing := p.closes[p.pos]
	return closing > 0 && (p.tokens[closing+1].isSymbol(".") || p.tokens[closing+1].isSymbol("["))
}

// postfix reads a term with what is called, and taken, from it.
func (p *parser) postfix() Expr {
	start := p.start()
	e := p.term()
	for n := 1; ; n++ {
		switch {
		case p.atSymbol("["):
			p.tight()
			p.advance()
			index := p.expr()
			p.expectSymbol("]")
			e = &Index{p.since(start), e, index}
		case p.atSymbol("(") && callable(e):
			e = p.call(start, e)
		case p.acceptSymbol("."):
			e = p.member(start, e)
		case p.atOptional(e):
			e = p.optionalType(start, e)
		case p.at("COLLATE"):
			p.unsupported(p.token().span, "COLLATE", "texts are compared byte by byte")
		default:
			return e
		}
		p.link(n)
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
	if t := p.token(); t.kind == tokenInteger && t.suffix == "" {
		index, ok := smallNumber(t)
		if !ok {
			p.fail("syntax", t.span, "a tuple has no element "+t.value, "")
		}
		p.advance()
		return &Element{p.since(start), base, index}
	}
	if p.atSymbol("*") {
		p.fail("syntax", p.token().span, "a star is no value", "name.* stands alone in the list of SELECT")
	}
	name := p.word("the name of a column or a member")
	return &Member{p.since(start), base, name}
}

// term reads what needs no operator.
func (p *parser) term() Expr {
	t := p.token()
	at := Located{t.span}
	switch t.kind {
	case tokenInteger:
		return p.integer()
	case tokenFloat:
		return p.float()
	case tokenString:
		p.advance()
		return &StringLit{at, t.value, t.suffix, t.upper == rawMark}
	case tokenNamed:
		ref := p.namedRef("a named expression")
		return &ref
	case tokenQuoted:
		return p.reference()
	case tokenWord:
		return p.wordTerm()
	case tokenSymbol:
		switch t.value {
		case "(":
			return p.parenthesized()
		case "[":
			p.advance()
			items := listTo(p, "]", p.expr)
			return &ListLit{p.since(t.span.Start), items}
		case "{":
			return p.dict()
		case "<|":
			return p.structLit()
		}
	}
	p.expected("an expression")
	return nil
}

// reference reads a column, a function of a module, or a call of a function by name.
func (p *parser) reference() Expr {
	start := p.start()
	first := p.takeIdent()
	switch {
	case p.acceptSymbol("::"):
		p.uses[start] = FunctionUse
		p.uses[p.start()] = FunctionUse
		f := p.functionName()
		return &FunctionRef{p.since(start), &first, f}
	case p.atSymbol("("):
		p.uses[start] = FunctionUse
		return p.call(start, &FunctionRef{Located: first.Located, Name: first})
	}
	return &ColumnRef{first.Located, first}
}

// functionName reads the name behind ::, which may be any word.
func (p *parser) functionName() Ident {
	t := p.token()
	if t.kind != tokenWord && t.kind != tokenQuoted {
		p.expected("the name of a function")
	}
	p.advance()
	return Ident{Located{t.span}, t.value, t.kind == tokenQuoted}
}

// wordTerm reads a term that begins with a word without quotes.
func (p *parser) wordTerm() Expr {
	t := p.token()
	at := Located{t.span}
	followed := p.ahead(1)
	switch t.upper {
	case "TRUE", "FALSE":
		p.advance()
		return &BoolLit{at, t.upper == "TRUE"}
	case "NULL":
		p.advance()
		return &NullLit{at}
	case "CASE":
		return p.caseExpr()
	case "CAST", "BITCAST":
		return p.cast()
	case "EXISTS":
		p.advance()
		query := p.queryInParens()
		return &Exists{p.since(t.span.Start), query}
	case "GROUP", "ORDER":
		if followed.isWord("BY") {
			p.expected("an expression")
		}
	}
	p.refuseForeignTerm()
	switch {
	case isReserved(t.upper) && !followed.isSymbol("::"):
		p.reserved("an expression")
	case p.atTypeTerm():
		typeName := p.typeName()
		return &TypeExpr{typeName.Located, typeName}
	}
	return p.reference()
}

func (p *parser) caseExpr() Expr {
	start := p.start()
	p.expect("CASE")
	c := &Case{}
	if !p.at("WHEN") {
		c.Operand = p.expr()
	}
	for p.at("WHEN") {
		whenStart := p.start()
		p.advance()
		condition := p.expr()
		p.expect("THEN")
		result := p.expr()
		c.Whens = append(c.Whens, When{p.since(whenStart), condition, result})
	}
	if len(c.Whens) == 0 {
		p.expected("WHEN")
	}
	if p.accept("ELSE") {
		c.Else = p.expr()
	}
	if !p.accept("END") {
		if c.Else == nil {
			p.expected("WHEN", "ELSE", "END")
		}
		p.expected("END")
	}
	c.Located = p.since(start)
	return c
}

func (p *parser) cast() Expr {
	start := p.start()
	c := &Cast{Bits: p.advance().upper == "BITCAST"}
	p.tight()
	p.expectSymbol("(")
	c.Operand = p.expr()
	if p.atSymbol(",") {
		p.fail("syntax", p.token().span, "CAST takes a value and a type with AS between them", "write CAST(value AS type)")
	}
	p.expect("AS")
	c.Type = p.typeName()
	p.expectSymbol(")")
	c.Located = p.since(start)
	return c
}
