package sql

import (
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// matched reads MATCH_RECOGNIZE (…) behind a table, if it is there.
func (p *parser) matched(start int, input TableRef) (TableRef, bool) {
	if !p.Accept("MATCH_RECOGNIZE") {
		return input, false
	}
	m := &MatchRecognize{Input: input}
	inParens(p, func() bool { p.matchClauses(m); return true })
	m.Alias = p.alias()
	m.Located = p.since(start)
	return m, true
}

func (p *parser) matchClauses(m *MatchRecognize) {
	if p.Accept("PARTITION") {
		p.Expect("BY")
		m.PartitionBy = tokens.List(&p.Cursor, p.expr)
	}
	if p.Accept("ORDER") {
		p.Expect("BY")
		m.OrderBy = tokens.List(&p.Cursor, p.orderItem)
	}
	if p.Accept("MEASURES") {
		m.Measures = tokens.List(&p.Cursor, p.measure)
	}
	p.rowsPerMatch()
	if p.At("AFTER") {
		m.Skip = p.matchSkip()
	}
	p.Expect("PATTERN")
	m.Pattern = inParens(p, p.pattern)
	if p.Accept("WITHIN") {
		if !p.At("INTERVAL") {
			p.Expected("INTERVAL")
		}
		m.Within = p.interval()
	}
	if p.At("SUBSET") {
		p.Unsupported(p.Token().Span, "SUBSET", "name the variables one by one")
	}
	p.Expect("DEFINE")
	m.Define = tokens.List(&p.Cursor, p.definition)
}

func (p *parser) measure() Measure {
	start := p.Start()
	switch {
	case p.At("RUNNING") && isIdent(p.Ahead(1)):
		p.Unsupported(p.Token().Span, "RUNNING", "leave it out: a measure is about the whole match")
	case p.At("FINAL"):
		p.Advance()
	}
	m := Measure{Expr: p.expr()}
	p.Expect("AS")
	m.Name = p.ident("a name for the measure")
	m.Located = p.since(start)
	return m
}

func (p *parser) rowsPerMatch() {
	switch at := p.Token().Span; {
	case p.Accept("ONE"):
		p.Expect("ROW", "PER", "MATCH")
	case p.Accept("ALL"):
		p.Expect("ROWS", "PER", "MATCH")
		p.Unsupported(at.To(p.Last().Span), "ALL ROWS PER MATCH", "write ONE ROW PER MATCH; FIRST, LAST and aggregates such as ARRAY_AGG tell of its rows")
	}
}

func (p *parser) matchSkip() *MatchSkip {
	start := p.Start()
	s := &MatchSkip{}
	p.Expect("AFTER", "MATCH", "SKIP")
	switch {
	case p.Accept("PAST"):
		p.Expect("LAST", "ROW")
		s.To = SkipPastLast
	case p.Accept("TO"):
		switch {
		case p.Accept("NEXT"):
			p.Expect("ROW")
			s.To = SkipToNext
		case p.At("FIRST") && isIdent(p.Ahead(1)) && !p.Ahead(1).IsWord("PATTERN"):
			p.Advance()
			s.To = SkipToFirst
		case p.At("LAST") && isIdent(p.Ahead(1)) && !p.Ahead(1).IsWord("PATTERN"):
			p.Advance()
			s.To = SkipToLast
		default:
			s.To = SkipToLast
		}
		if s.To != SkipToNext {
			s.Variable = p.ident("a variable of the pattern")
		}
	default:
		p.Expected("PAST LAST ROW", "TO NEXT ROW", "TO FIRST", "TO LAST")
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
		case p.AtSymbol("("):
			terms = append(terms, p.patternGroup()...)
		case p.AtSymbol(")") && terms != nil:
			return terms
		case p.atIdent():
			terms = append(terms, p.patternTerm())
		case p.Token().Kind == tokens.Word:
			p.reserved("a variable of the pattern")
		case terms != nil:
			p.Expected("a variable of the pattern", "')'")
		default:
			p.Expected("a variable of the pattern")
		}
	}
}

// refusePattern refuses by name what stands in patterns elsewhere.
func (p *parser) refusePattern() {
	switch t := p.Token(); {
	case p.AtSymbol("{") && p.Ahead(1).IsSymbol("-"):
		p.Unsupported(t.Span.To(p.Ahead(1).Span), "{- … -}", "leave the braces out; MEASURES need not name the variable")
	case p.At("PERMUTE") && p.Ahead(1).IsSymbol("("):
		p.Unsupported(t.Span, "PERMUTE", "write one order, and UNION ALL of queries for the others")
	case t.Kind == tokens.Fault || p.AtSymbol("||") || p.At("$"):
		first := source.Span{Start: t.Span.Start, End: t.Span.Start + 1}
		switch p.Text.Body[t.Span.Start] {
		case '|':
			p.Unsupported(first, "| in a pattern", "write one variable, and OR in its definition")
		case '^', '$':
			p.Unsupported(first, "an anchor in a pattern", "leave it out: a stream has neither a first nor a last row to begin or end with")
		}
	}
}

// patternGroup reads variables in parentheses, which change nothing around one variable, or without a quantifier.
func (p *parser) patternGroup() []PatternTerm {
	defer p.Nested()()
	start := p.Start()
	inner := inParens(p, p.pattern)
	if !p.atQuantifier() {
		return inner
	}
	if len(inner) > 1 || inner[0].Min != 1 || inner[0].Max != 1 {
		p.Unsupported(p.since(start).Span(), "a quantifier behind several variables", "give each variable its own quantifier")
	}
	p.quantifier(&inner[0])
	return inner
}

func (p *parser) patternTerm() PatternTerm {
	start := p.Start()
	t := PatternTerm{Variable: p.ident("a variable of the pattern"), Min: 1, Max: 1}
	p.quantifier(&t)
	t.Located = p.since(start)
	return t
}

func (p *parser) atQuantifier() bool {
	return p.AtSymbol("*") || p.AtSymbol("+") || p.AtSymbol("?") || p.AtSymbol("{") && !p.Ahead(1).IsSymbol("-")
}

// quantifier reads * + ? {n} {n,} {n,m} {,m}, each with a ? behind it if it is reluctant.
func (p *parser) quantifier(t *PatternTerm) {
	start := p.Start()
	switch {
	case !p.atQuantifier():
		return
	case p.AcceptSymbol("*"):
		t.Min, t.Max = 0, -1
	case p.AcceptSymbol("+"):
		t.Max = -1
	case p.AcceptSymbol("?"):
		t.Min = 0
	default:
		p.ExpectSymbol("{")
		t.Min, t.Max = 0, -1
		if !p.AtSymbol(",") {
			t.Min = p.count("a number")
			t.Max = t.Min
		}
		if p.AcceptSymbol(",") {
			t.Max = -1
			if !p.AtSymbol("}") {
				t.Max = p.count("a number")
			}
		}
		p.ExpectSymbol("}")
		if t.Max >= 0 && (t.Max == 0 || t.Max < t.Min) {
			p.Fail("syntax", p.since(start).Span(), "no number of rows fits this quantifier", "the first number is not above the second, and the second not zero")
		}
	}
	t.Reluctant = p.AcceptSymbol("?")
	if t.Reluctant && t.Min == 0 && t.Max == 1 {
		p.Unsupported(p.since(start).Span(), "??", "write ?, which already lets the variable behind it begin as soon as it can")
	}
}

func (p *parser) definition() Definition {
	start := p.Start()
	d := Definition{Variable: p.ident("a variable of the pattern")}
	p.Expect("AS")
	d.Condition = p.expr()
	d.Located = p.since(start)
	return d
}
