package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// expr reads one expression.
func (p *parser) expr() Expr {
	defer p.Nested()()
	return p.operators(bindOr)
}

// operators reads an expression whose operators all bind at least as strongly as min.
func (p *parser) operators(least int) Expr {
	start := p.Start()
	left := p.prefix(least)
	for n := 1; ; n++ {
		next := p.infix(start, left, least)
		if next == nil {
			return left
		}
		p.Link(n)
		left = next
	}
}

// prefix reads NOT x, -x, +x or a term.
func (p *parser) prefix(least int) Expr {
	start := p.Start()
	op, bind := UnaryOp(p.Token().Upper), bindSign
	switch {
	case p.At("NOT"):
		bind = bindNot
	case p.AtSymbol("-"), p.AtSymbol("+"):
	default:
		return p.postfix()
	}
	if bind < least {
		p.Fail("syntax", p.Token().Span, "NOT binds less than the operator before it", "put NOT and its operand in parentheses")
	}
	defer p.Nested()()
	if bind == bindSign {
		p.uses[start] = SignUse
	}
	p.Advance()
	operand := p.operators(bind)
	return &Unary{p.since(start), op, operand}
}

// infix reads one operator and what stands right of it, or returns nil when the
// next operator binds less than least.
func (p *parser) infix(start int, left Expr, least int) Expr {
	t := p.Token()
	if op, ok := infixOp(t); ok {
		if op.strength() < least {
			return nil
		}
		p.Advance()
		if q := p.Token(); (q.IsWord("ANY") || q.IsWord("SOME") || q.IsWord("ALL")) && p.Ahead(1).IsSymbol("(") {
			p.Unsupported(q.Span, q.Upper+" (query)", "use IN, EXISTS, or compare with MIN or MAX")
		}
		right := p.operators(op.strength() + 1)
		return &Binary{p.since(start), op, left, right}
	}
	switch {
	case t.IsWord("IS"):
		return p.is(start, left, least)
	case least > bindBetween:
		return nil
	case t.IsWord("AT"):
		p.Unsupported(t.Span, "AT TIME ZONE", "use CONVERT_TZ, or cast to TIMESTAMP_LTZ")
	}
	not := false
	if p.At("NOT") && (p.At("NOT", "BETWEEN") || p.At("NOT", "IN") || p.At("NOT", "LIKE") || p.At("NOT", "SIMILAR")) {
		p.Advance()
		not = true
	}
	switch {
	case p.Accept("BETWEEN"):
		b := &Between{Operand: left, Not: not, Symmetric: p.Accept("SYMMETRIC")}
		p.Accept("ASYMMETRIC")
		b.Low = p.operators(bindAdd)
		p.Expect("AND")
		b.High = p.operators(bindAdd)
		b.Located = p.since(start)
		return b
	case p.Accept("IN"):
		return p.in(start, left, not)
	case p.Accept("LIKE"):
		return p.likeRest(start, &Like{Operand: left, Not: not})
	case p.Accept("SIMILAR"):
		p.Expect("TO")
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
		if least <= bindCompare && p.Accept(words...) {
			right := p.operators(bindCompare + 1)
			return &Binary{p.since(start), op, left, right}
		}
	}
	if least > bindIs {
		return nil
	}
	p.Expect("IS")
	e := &Is{Operand: left, Not: p.Accept("NOT")}
	e.Test = Test(p.Choose("NULL", "TRUE", "FALSE", "UNKNOWN", "JSON", "DISTINCT FROM"))
	if e.Test == IsJSON && !p.Accept("VALUE") {
		for _, kind := range []string{"OBJECT", "ARRAY", "SCALAR"} {
			if p.Accept(kind) {
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
		e.List = inParens(p, func() []Expr { return tokens.List(&p.Cursor, p.expr) })
	}
	e.Located = p.since(start)
	return e
}

func (p *parser) likeRest(start int, e *Like) Expr {
	e.Pattern = p.operators(bindAdd)
	if p.Accept("ESCAPE") {
		e.Escape = p.operators(bindAdd)
	}
	e.Located = p.since(start)
	return e
}

// postfix reads a term with the fields and elements taken from it.
func (p *parser) postfix() Expr {
	start := p.Start()
	e := p.term()
	for n := 1; ; n++ {
		switch {
		case p.AcceptSymbol("["):
			index := p.expr()
			p.ExpectSymbol("]")
			e = &Index{p.since(start), e, index}
		case p.AcceptSymbol("."):
			field := p.ident("a field name")
			e = &Field{p.since(start), e, field}
		default:
			return e
		}
		p.Link(n)
	}
}

// term reads what needs no operator.
func (p *parser) term() Expr {
	t := p.Token()
	switch t.Kind {
	case tokens.Integer, tokens.Decimal, tokens.Approx:
		p.Advance()
		kind := map[tokens.Kind]NumberKind{tokens.Integer: IntegerNumber, tokens.Decimal: DecimalNumber, tokens.Approx: ApproxNumber}[t.Kind]
		return &NumberLit{Located{t.Span}, t.Value, kind}
	case tokens.String:
		p.Advance()
		return &StringLit{Located{t.Span}, t.Value}
	case tokens.Bytes:
		p.Advance()
		return &BytesLit{Located{t.Span}, []byte(t.Value)}
	case tokens.Quoted:
		return p.reference()
	case tokens.Word:
		return p.wordTerm()
	}
	if p.AtSymbol("(") {
		return p.parenthesized()
	}
	p.Expected("an expression")
	return nil
}

// parenthesized reads a scalar subquery, a row (a, b) or an expression in parentheses.
func (p *parser) parenthesized() Expr {
	start := p.Start()
	if p.atQueryInParens() {
		query := p.queryInParens()
		return &Subquery{p.since(start), query}
	}
	exprs := inParens(p, func() []Expr { return tokens.List(&p.Cursor, p.expr) })
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
	t := p.Token()
	if _, unit := intervalUnits[t.Upper]; !unit || t.Kind != tokens.Word || !isReserved(t.Upper) {
		return e
	}
	qualifier := p.intervalQualifier()
	return &Difference{p.since(start), minus.Left, minus.Right, qualifier}
}

// reference reads a column or a call of a function by name.
func (p *parser) reference() Expr {
	start := p.Start()
	name := p.name("an expression")
	if p.AtSymbol("(") {
		return p.call(start, name, false)
	}
	return &ColumnRef{name}
}

// wordTerm reads a term that begins with a word without quotes.
func (p *parser) wordTerm() Expr {
	t := p.Token()
	located := Located{t.Span}
	followed := p.Ahead(1)
	switch t.Upper {
	case "TRUE", "FALSE":
		p.Advance()
		return &BoolLit{located, t.Upper == "TRUE"}
	case "NULL", "UNKNOWN":
		p.Advance()
		return &NullLit{located, t.Upper == "UNKNOWN"}
	case "CASE":
		return p.caseExpr()
	case "CAST", "TRY_CAST":
		if followed.IsSymbol("(") {
			return p.cast()
		}
	case "EXISTS":
		start := p.Start()
		p.Advance()
		query := p.queryInParens()
		return &Exists{p.since(start), query}
	case "INTERVAL":
		return p.interval()
	case "DATE", "TIME", "TIMESTAMP":
		if followed.Kind == tokens.String {
			return p.datetime()
		}
		if followed.IsWord("WITH") {
			p.Unsupported(t.Span, "a literal with a time zone", "use CAST(TIMESTAMP '…' AS TIMESTAMP_LTZ(3)) or TO_TIMESTAMP_LTZ")
		}
	case "TIMESTAMP_LTZ":
		if followed.Kind == tokens.String {
			p.Unsupported(t.Span, "a TIMESTAMP_LTZ literal", "use CAST(TIMESTAMP '…' AS TIMESTAMP_LTZ(3)) or TO_TIMESTAMP_LTZ")
		}
	case "ARRAY", "MAP":
		if followed.IsSymbol("[") {
			return p.collection()
		}
		if followed.IsSymbol("(") {
			p.Fail("syntax", followed.Span, t.Upper+" takes its elements in square brackets", "write "+t.Upper+"[…]")
		}
	case "DESCRIPTOR":
		if followed.IsSymbol("(") {
			return p.descriptor()
		}
	case "ROW":
		if followed.IsSymbol("(") {
			p.Advance()
			return p.call(t.Span.Start, keywordName("ROW", located), false)
		}
	}
	if form := specialForm(t.Upper); form != nil && followed.IsSymbol("(") {
		return p.specialCall(form)
	}
	switch {
	case bareFunctions[t.Upper] && !followed.IsSymbol("(") && !followed.IsSymbol("."):
		p.Advance()
		p.uses[located.At.Start] = NameUse
		return &Call{Located: located, Function: keywordName(t.Value, located), Bare: true}
	case followed.IsSymbol("(") && callableWords[t.Upper]:
		p.Advance()
		return p.call(t.Span.Start, keywordName(t.Value, located), false)
	case !isReserved(t.Upper):
		return p.reference()
	}
	p.reserved("an expression")
	return nil
}

func keywordName(word string, at Located) Name {
	return Name{Parts: []Ident{{Located: at, Name: word}}}
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
	c := &Cast{Try: p.Advance().Upper == "TRY_CAST"}
	p.ExpectSymbol("(")
	c.Operand = p.expr()
	p.Expect("AS")
	c.Type = p.typeName()
	p.ExpectSymbol(")")
	c.Located = p.since(start)
	return c
}

// collection reads ARRAY[…] or MAP[key, value, …].
func (p *parser) collection() Expr {
	start := p.Start()
	word := p.Advance()
	c := &Call{Function: keywordName(word.Upper, Located{word.Span})}
	p.ExpectSymbol("[")
	if !p.AtSymbol("]") {
		c.Args = tokens.List(&p.Cursor, p.expr)
	}
	if !p.AcceptSymbol("]") {
		p.Expected("','", "']'")
	}
	c.Located = p.since(start)
	if word.Upper == "MAP" && len(c.Args)%2 != 0 {
		p.Fail("syntax", c.At, "MAP needs a value for every key", "write MAP[key, value, key, value, …]")
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
		p.Fail("syntax", s.At, "the unit of an interval stands behind the quotes", "write INTERVAL '"+words[0]+"' "+unit)
	}
}

func (p *parser) interval() Expr {
	start := p.Start()
	p.Expect("INTERVAL")
	e := &IntervalLit{}
	p.uses[p.Start()] = SignUse
	if p.AcceptSymbol("-") {
		e.Negative = true
	} else {
		p.AcceptSymbol("+")
	}
	switch t := p.Token(); t.Kind {
	case tokens.Integer:
		p.Advance()
		e.Value = StringLit{Located{t.Span}, t.Value}
	case tokens.Decimal:
		p.Fail("syntax", t.Span, "the amount of an interval must be in quotes", "write INTERVAL '"+t.Value+"' and the unit")
	default:
		e.Value = p.stringLit("an amount in quotes")
		p.unitInQuotes(e.Value)
	}
	e.Qualifier = p.intervalQualifier()
	amount, ok := intervalAmount(e.Value.Value, e.Qualifier)
	if !ok {
		p.Fail("invalid-literal", e.Value.At, "'"+tokens.Shown(e.Value.Value)+"' is not an interval of "+formatQualifier(e.Qualifier), intervalHint(e.Qualifier))
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
	start := p.Start()
	word := p.Advance()
	kind := map[string]DatetimeKind{"DATE": DateDatetime, "TIME": TimeDatetime, "TIMESTAMP": TimestampDatetime}[word.Upper]
	e := &DatetimeLit{Kind: kind, Value: p.stringLit("a string")}
	var ok bool
	if e.Micros, e.Precision, ok = datetimeMicros(e.Value.Value, kind); !ok {
		p.Fail("invalid-literal", e.Value.At, "'"+tokens.Shown(e.Value.Value)+"' is not a "+word.Upper, datetimeHints[kind])
	}
	e.Located = p.since(start)
	return e
}
