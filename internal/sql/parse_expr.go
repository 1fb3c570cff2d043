package sql

import "strings"

// expr reads one expression.
func (p *parser) expr() Expr {
	defer p.nested()()
	return p.operators(bindOr)
}

// operators reads an expression whose operators all bind at least as strongly as min.
func (p *parser) operators(least int) Expr {
	start := p.start()
	left := p.prefix(least)
	for n := 1; ; n++ {
		next := p.infix(start, left, least)
		if next == nil {
			return left
		}
		p.link(n)
		left = next
	}
}

// prefix reads NOT x, -x, +x or a term.
func (p *parser) prefix(least int) Expr {
	start := p.start()
	op, bind := UnaryOp(p.token().upper), bindSign
	switch {
	case p.at("NOT"):
		bind = bindNot
	case p.atSymbol("-"), p.atSymbol("+"):
	default:
		return p.postfix()
	}
	if bind < least {
		p.fail("syntax", p.token().span, "NOT binds less than the operator before it", "put NOT and its operand in parentheses")
	}
	defer p.nested()()
	if bind == bindSign {
		p.uses[start] = SignUse
	}
	p.advance()
	operand := p.operators(bind)
	return &Unary{p.since(start), op, operand}
}

// infix reads one operator and what stands right of it, or returns nil when the
// next operator binds less than least.
func (p *parser) infix(start int, left Expr, least int) Expr {
	t := p.token()
	if op, ok := t.infixOp(); ok {
		if op.strength() < least {
			return nil
		}
		p.advance()
		if q := p.token(); (q.isWord("ANY") || q.isWord("SOME") || q.isWord("ALL")) && p.ahead(1).isSymbol("(") {
			p.unsupported(q.span, q.upper+" (query)", "use IN, EXISTS, or compare with MIN or MAX")
		}
		right := p.operators(op.strength() + 1)
		return &Binary{p.since(start), op, left, right}
	}
	switch {
	case t.isWord("IS"):
		return p.is(start, left, least)
	case least > bindBetween:
		return nil
	case t.isWord("AT"):
		p.unsupported(t.span, "AT TIME ZONE", "use CONVERT_TZ, or cast to TIMESTAMP_LTZ")
	}
	not := false
	if p.at("NOT") && (p.at("NOT", "BETWEEN") || p.at("NOT", "IN") || p.at("NOT", "LIKE") || p.at("NOT", "SIMILAR")) {
		p.advance()
		not = true
	}
	switch {
	case p.accept("BETWEEN"):
		b := &Between{Operand: left, Not: not, Symmetric: p.accept("SYMMETRIC")}
		p.accept("ASYMMETRIC")
		b.Low = p.operators(bindAdd)
		p.expect("AND")
		b.High = p.operators(bindAdd)
		b.Located = p.since(start)
		return b
	case p.accept("IN"):
		return p.in(start, left, not)
	case p.accept("LIKE"):
		return p.likeRest(start, &Like{Operand: left, Not: not})
	case p.accept("SIMILAR"):
		p.expect("TO")
		return p.likeRest(start, &Like{Operand: left, Not: not, Similar: true})
	}
	return nil
}

// is reads IS [NOT] and a test, or IS [NOT] DISTINCT FROM, which is a comparison.
func (p *parser) is(start int, left Expr, least int) Expr {
	for _, op := range []BinaryOp{OpDistinctFrom, OpNotDistinctFrom} {
		words := []string{"IS", "DISTINCT", "FROM"}
		if op == OpNotDistinctFrom {
			words = []string{"IS", "NOT", "DISTINCT", "FROM"}
		}
		if least <= bindCompare && p.accept(words...) {
			right := p.operators(bindCompare + 1)
			return &Binary{p.since(start), op, left, right}
		}
	}
	if least > bindIs {
		return nil
	}
	p.expect("IS")
	e := &Is{Operand: left, Not: p.accept("NOT")}
	e.Test = Test(p.choose("NULL", "TRUE", "FALSE", "UNKNOWN", "JSON", "DISTINCT FROM"))
	if e.Test == IsJSON && !p.accept("VALUE") {
		for _, kind := range []string{"OBJECT", "ARRAY", "SCALAR"} {
			if p.accept(kind) {
				e.Test = Test("JSON " + kind)
				break
			}
		}
	}
	e.Located = p.since(start)
	return e
}

func (p *parser) in(start int, left Expr, not bool) Expr {
	e := &In{Operand: left, Not: not}
	if p.atQueryInParens() {
		e.Query = p.queryInParens()
	} else {
		e.List = inParens(p, func() []Expr { return list(p, p.expr) })
	}
	e.Located = p.since(start)
	return e
}

func (p *parser) likeRest(start int, e *Like) Expr {
	e.Pattern = p.operators(bindAdd)
	if p.accept("ESCAPE") {
		e.Escape = p.operators(bindAdd)
	}
	e.Located = p.since(start)
	return e
}

// postfix reads a term with the fields and elements taken from it.
func (p *parser) postfix() Expr {
	start := p.start()
	e := p.term()
	for n := 1; ; n++ {
		switch {
		case p.acceptSymbol("["):
			index := p.expr()
			p.expectSymbol("]")
			e = &Index{p.since(start), e, index}
		case p.acceptSymbol("."):
			field := p.ident("a field name")
			e = &Field{p.since(start), e, field}
		default:
			return e
		}
		p.link(n)
	}
}

// term reads what needs no operator.
func (p *parser) term() Expr {
	t := p.token()
	switch t.kind {
	case tokenInteger, tokenDecimal, tokenApprox:
		p.advance()
		kind := map[tokenKind]NumberKind{tokenInteger: IntegerNumber, tokenDecimal: DecimalNumber, tokenApprox: ApproxNumber}[t.kind]
		return &NumberLit{Located{t.span}, t.value, kind}
	case tokenString:
		p.advance()
		return &StringLit{Located{t.span}, t.value}
	case tokenBytes:
		p.advance()
		return &BytesLit{Located{t.span}, []byte(t.value)}
	case tokenQuoted:
		return p.reference()
	case tokenWord:
		return p.wordTerm()
	}
	if p.atSymbol("(") {
		return p.parenthesized()
	}
	p.expected("an expression")
	return nil
}

// parenthesized reads a scalar subquery, a row (a, b) or an expression in parentheses.
func (p *parser) parenthesized() Expr {
	start := p.start()
	if p.atQueryInParens() {
		query := p.queryInParens()
		return &Subquery{p.since(start), query}
	}
	exprs := inParens(p, func() []Expr { return list(p, p.expr) })
	if len(exprs) == 1 {
		return p.difference(start, exprs[0])
	}
	return &Call{Located: p.since(start), Function: keywordName("ROW", p.since(start)), Args: exprs}
}

// difference reads what makes an interval of a difference in parentheses: (a - b) DAY.
func (p *parser) difference(start int, e Expr) Expr {
	minus, ok := e.(*Binary)
	if !ok || minus.Op != OpSubtract {
		return e
	}
	t := p.token()
	if _, unit := intervalUnits[t.upper]; !unit || t.kind != tokenWord || !isReserved(t.upper) {
		return e
	}
	qualifier := p.intervalQualifier()
	return &Difference{p.since(start), minus.Left, minus.Right, qualifier}
}

// reference reads a column or a call of a function by name.
func (p *parser) reference() Expr {
	start := p.start()
	name := p.name("an expression")
	if p.atSymbol("(") {
		return p.call(start, name, false)
	}
	return &ColumnRef{name}
}

// wordTerm reads a term that begins with a word without quotes.
func (p *parser) wordTerm() Expr {
	t := p.token()
	located := Located{t.span}
	followed := p.ahead(1)
	switch t.upper {
	case "TRUE", "FALSE":
		p.advance()
		return &BoolLit{located, t.upper == "TRUE"}
	case "NULL", "UNKNOWN":
		p.advance()
		return &NullLit{located, t.upper == "UNKNOWN"}
	case "CASE":
		return p.caseExpr()
	case "CAST", "TRY_CAST":
		if followed.isSymbol("(") {
			return p.cast()
		}
	case "EXISTS":
		start := p.start()
		p.advance()
		query := p.queryInParens()
		return &Exists{p.since(start), query}
	case "INTERVAL":
		return p.interval()
	case "DATE", "TIME", "TIMESTAMP":
		if followed.kind == tokenString {
			return p.datetime()
		}
		if followed.isWord("WITH") {
			p.unsupported(t.span, "a literal with a time zone", "use CAST(TIMESTAMP '…' AS TIMESTAMP_LTZ(3)) or TO_TIMESTAMP_LTZ")
		}
	case "TIMESTAMP_LTZ":
		if followed.kind == tokenString {
			p.unsupported(t.span, "a TIMESTAMP_LTZ literal", "use CAST(TIMESTAMP '…' AS TIMESTAMP_LTZ(3)) or TO_TIMESTAMP_LTZ")
		}
	case "ARRAY", "MAP":
		if followed.isSymbol("[") {
			return p.collection()
		}
		if followed.isSymbol("(") {
			p.fail("syntax", followed.span, t.upper+" takes its elements in square brackets", "write "+t.upper+"[…]")
		}
	case "DESCRIPTOR":
		if followed.isSymbol("(") {
			return p.descriptor()
		}
	case "ROW":
		if followed.isSymbol("(") {
			p.advance()
			return p.call(t.span.Start, keywordName("ROW", located), false)
		}
	}
	if form := specialForm(t.upper); form != nil && followed.isSymbol("(") {
		return p.specialCall(form)
	}
	switch {
	case bareFunctions[t.upper] && !followed.isSymbol("(") && !followed.isSymbol("."):
		p.advance()
		p.uses[located.At.Start] = NameUse
		return &Call{Located: located, Function: keywordName(t.value, located), Bare: true}
	case followed.isSymbol("(") && callableWords[t.upper]:
		p.advance()
		return p.call(t.span.Start, keywordName(t.value, located), false)
	case !isReserved(t.upper):
		return p.reference()
	}
	p.reserved("an expression")
	return nil
}

func keywordName(word string, at Located) Name {
	return Name{Parts: []Ident{{Located: at, Name: word}}}
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
	c := &Cast{Try: p.advance().upper == "TRY_CAST"}
	p.expectSymbol("(")
	c.Operand = p.expr()
	p.expect("AS")
	c.Type = p.typeName()
	p.expectSymbol(")")
	c.Located = p.since(start)
	return c
}

// collection reads ARRAY[…] or MAP[key, value, …].
func (p *parser) collection() Expr {
	start := p.start()
	word := p.advance()
	c := &Call{Function: keywordName(word.upper, Located{word.span})}
	p.expectSymbol("[")
	if !p.atSymbol("]") {
		c.Args = list(p, p.expr)
	}
	if !p.acceptSymbol("]") {
		p.expected("','", "']'")
	}
	c.Located = p.since(start)
	if word.upper == "MAP" && len(c.Args)%2 != 0 {
		p.fail("syntax", c.At, "MAP needs a value for every key", "write MAP[key, value, key, value, …]")
	}
	return c
}

// unitInQuotes refuses an interval of PostgreSQL, INTERVAL '1 MINUTE'.
func (p *parser) unitInQuotes(s StringLit) {
	words := strings.Fields(s.Value)
	if len(words) != 2 {
		return
	}
	unit := strings.TrimSuffix(strings.ToUpper(words[1]), "S")
	if _, ok := intervalUnits[unit]; ok {
		p.fail("syntax", s.At, "the unit of an interval stands behind the quotes", "write INTERVAL '"+words[0]+"' "+unit)
	}
}

func (p *parser) interval() Expr {
	start := p.start()
	p.expect("INTERVAL")
	e := &IntervalLit{}
	p.uses[p.start()] = SignUse
	if p.acceptSymbol("-") {
		e.Negative = true
	} else {
		p.acceptSymbol("+")
	}
	switch t := p.token(); t.kind {
	case tokenInteger:
		p.advance()
		e.Value = StringLit{Located{t.span}, t.value}
	case tokenDecimal:
		p.fail("syntax", t.span, "the amount of an interval must be in quotes", "write INTERVAL '"+t.value+"' and the unit")
	default:
		e.Value = p.stringLit("an amount in quotes")
		p.unitInQuotes(e.Value)
	}
	e.Qualifier = p.intervalQualifier()
	amount, ok := intervalAmount(e.Value.Value, e.Qualifier)
	if !ok {
		p.fail("invalid-literal", e.Value.At, "'"+shown(e.Value.Value)+"' is not an interval of "+formatQualifier(e.Qualifier), intervalHint(e.Qualifier))
	}
	if e.Negative {
		amount = -amount
	}
	if e.Qualifier.IsYearMonth() {
		e.Months = amount
	} else {
		e.Micros = amount
	}
	e.Located = p.since(start)
	return e
}

func (p *parser) datetime() Expr {
	start := p.start()
	word := p.advance()
	kind := map[string]DatetimeKind{"DATE": DateDatetime, "TIME": TimeDatetime, "TIMESTAMP": TimestampDatetime}[word.upper]
	e := &DatetimeLit{Kind: kind, Value: p.stringLit("a string")}
	var ok bool
	if e.Micros, e.Precision, ok = datetimeMicros(e.Value.Value, kind); !ok {
		p.fail("invalid-literal", e.Value.At, "'"+shown(e.Value.Value)+"' is not a "+word.upper, datetimeHints[kind])
	}
	e.Located = p.since(start)
	return e
}
