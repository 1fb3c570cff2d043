package sql

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// matched reads MATCH_RECOGNIZE (…) behind a table, if it is there.
func (p *parser) matched(start int, input TableRef) (TableRef, bool) {
	if !p.accept("MATCH_RECOGNIZE") {
		return input, false
	}
	m := &MatchRecognize{Input: input}
	inParens(p, func() bool { p.matchClauses(m); return true })
	m.Alias = p.alias()
	m.Located = p.since(start)
	return m, true
}

func (p *parser) matchClauses(m *MatchRecognize) {
	if p.accept("PARTITION") {
		p.expect("BY")
		m.PartitionBy = list(p, p.expr)
	}
	if p.accept("ORDER") {
		p.expect("BY")
		m.OrderBy = list(p, p.orderItem)
	}
	if p.accept("MEASURES") {
		m.Measures = list(p, p.measure)
	}
	p.rowsPerMatch()
	if p.at("AFTER") {
		m.Skip = p.matchSkip()
	}
	p.expect("PATTERN")
	m.Pattern = inParens(p, p.pattern)
	if p.accept("WITHIN") {
		if !p.at("INTERVAL") {
			p.expected("INTERVAL")
		}
		m.Within = p.interval()
	}
	if p.at("SUBSET") {
		p.unsupported(p.token().span, "SUBSET", "name the variables one by one")
	}
	p.expect("DEFINE")
	m.Define = list(p, p.definition)
}

func (p *parser) measure() Measure {
	start := p.start()
	switch {
	case p.at("RUNNING") && p.ahead(1).isIdent():
		p.unsupported(p.token().span, "RUNNING", "leave it out: a measure is about the whole match")
	case p.at("FINAL"):
		p.advance()
	}
	m := Measure{Expr: p.expr()}
	p.expect("AS")
	m.Name = p.ident("a name for the measure")
	m.Located = p.since(start)
	return m
}

func (p *parser) rowsPerMatch() {
	switch at := p.token().span; {
	case p.accept("ONE"):
		p.expect("ROW", "PER", "MATCH")
	case p.accept("ALL"):
		p.expect("ROWS", "PER", "MATCH")
		p.unsupported(at.To(p.tokens[p.pos-1].span), "ALL ROWS PER MATCH", "write ONE ROW PER MATCH; FIRST, LAST and aggregates such as ARRAY_AGG tell of its rows")
	}
}

func (p *parser) matchSkip() *MatchSkip {
	start := p.start()
	s := &MatchSkip{}
	p.expect("AFTER", "MATCH", "SKIP")
	switch {
	case p.accept("PAST"):
		p.expect("LAST", "ROW")
		s.To = SkipPastLast
	case p.accept("TO"):
		switch {
		case p.accept("NEXT"):
			p.expect("ROW")
			s.To = SkipToNext
		case p.at("FIRST") && p.ahead(1).isIdent() && !p.ahead(1).isWord("PATTERN"):
			p.advance()
			s.To = SkipToFirst
		case p.at("LAST") && p.ahead(1).isIdent() && !p.ahead(1).isWord("PATTERN"):
			p.advance()
			s.To = SkipToLast
		default:
			s.To = SkipToLast
		}
		if s.To != SkipToNext {
			s.Variable = p.ident("a variable of the pattern")
		}
	default:
		p.expected("PAST LAST ROW", "TO NEXT ROW", "TO FIRST", "TO LAST")
	}
	s.Located = p.since(start)
	return s
}

// pattern reads variables one behind the other.
func (p *parser) pattern() []PatternTerm {
	var terms []PatternTerm
	for {
		p.refusePattern()
		switch {
		case p.atSymbol("("):
			terms = append(terms, p.patternGroup()...)
		case p.atSymbol(")") && terms != nil:
			return terms
		case p.atIdent():
			terms = append(terms, p.patternTerm())
		case p.token().kind == tokenWord:
			p.reserved("a variable of the pattern")
		case terms != nil:
			p.expected("a variable of the pattern", "')'")
		default:
			p.expected("a variable of the pattern")
		}
	}
}

// refusePattern refuses by name what stands in patterns elsewhere.
func (p *parser) refusePattern() {
	switch t := p.token(); {
	case p.atSymbol("{") && p.ahead(1).isSymbol("-"):
		p.unsupported(t.span.To(p.ahead(1).span), "{- … -}", "leave the braces out; MEASURES need not name the variable")
	case p.at("PERMUTE") && p.ahead(1).isSymbol("("):
		p.unsupported(t.span, "PERMUTE", "write one order, and UNION ALL of queries for the others")
	case t.kind == tokenFault || p.atSymbol("||") || p.at("$"):
		first := source.Span{Start: t.span.Start, End: t.span.Start + 1}
		switch p.text.Body[t.span.Start] {
		case '|':
			p.unsupported(first, "| in a pattern", "write one variable, and OR in its definition")
		case '^', '$':
			p.unsupported(first, "an anchor in a pattern", "leave it out: a stream has neither a first nor a last row to begin or end with")
		}
	}
}

// patternGroup reads variables in parentheses, which change nothing around one variable, or without a quantifier.
func (p *parser) patternGroup() []PatternTerm {
	defer p.nested()()
	start := p.start()
	inner := inParens(p, p.pattern)
	if !p.atQuantifier() {
		return inner
	}
	if len(inner) > 1 || inner[0].Min != 1 || inner[0].Max != 1 {
		p.unsupported(p.since(start).Span(), "a quantifier behind several variables", "give each variable its own quantifier")
	}
	p.quantifier(&inner[0])
	return inner
}

func (p *parser) patternTerm() PatternTerm {
	start := p.start()
	t := PatternTerm{Variable: p.ident("a variable of the pattern"), Min: 1, Max: 1}
	p.quantifier(&t)
	t.Located = p.since(start)
	return t
}

func (p *parser) atQuantifier() bool {
	return p.atSymbol("*") || p.atSymbol("+") || p.atSymbol("?") || p.atSymbol("{") && !p.ahead(1).isSymbol("-")
}

// quantifier reads * + ? {n} {n,} {n,m} {,m}, each with a ? behind it if it is reluctant.
func (p *parser) quantifier(t *PatternTerm) {
	start := p.start()
	switch {
	case !p.atQuantifier():
		return
	case p.acceptSymbol("*"):
		t.Min, t.Max = 0, -1
	case p.acceptSymbol("+"):
		t.Max = -1
	case p.acceptSymbol("?"):
		t.Min = 0
	default:
		p.expectSymbol("{")
		t.Min, t.Max = 0, -1
		if !p.atSymbol(",") {
			t.Min = p.count("a number")
			t.Max = t.Min
		}
		if p.acceptSymbol(",") {
			t.Max = -1
			if !p.atSymbol("}") {
				t.Max = p.count("a number")
			}
		}
		p.expectSymbol("}")
		if t.Max >= 0 && (t.Max == 0 || t.Max < t.Min) {
			p.fail("syntax", p.since(start).Span(), "no number of rows fits this quantifier", "the first number is not above the second, and the second not zero")
		}
	}
	t.Reluctant = p.acceptSymbol("?")
	if t.Reluctant && t.Min == 0 && t.Max == 1 {
		p.unsupported(p.since(start).Span(), "??", "write ?, which already lets the variable behind it begin as soon as it can")
	}
}

func (p *parser) definition() Definition {
	start := p.start()
	d := Definition{Variable: p.ident("a variable of the pattern")}
	p.expect("AS")
	d.Condition = p.expr()
	d.Located = p.since(start)
	return d
}
