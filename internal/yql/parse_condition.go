package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// condition reads what binds like =: IS, IN, BETWEEN and the operators that match; nil if there is none.
func (p *parser) condition(start int, left Expr) Expr {
	switch {
	case p.At("IS"):
		return p.is(start, left)
	case p.Accept("ISNULL"):
		return &IsNull{p.since(start), left, false}
	case p.Accept("NOTNULL"), p.Accept("NOT", "NULL"):
		return &IsNull{p.since(start), left, true}
	}
	not := false
	if p.At("NOT") && (p.Ahead(1).IsWord("IN") || p.Ahead(1).IsWord("BETWEEN") || matchOp(p.Ahead(1)) != "") {
		p.Advance()
		not = true
	}
	switch {
	case p.Accept("BETWEEN"):
		b := &Between{Operand: left, Not: not, Symmetric: p.Accept("SYMMETRIC")}
		if !b.Symmetric {
			p.Accept("ASYMMETRIC")
		}
		b.Low = p.operators(bindLess)
		p.Expect("AND")
		b.High = p.operators(bindLess)
		b.Located = p.since(start)
		return b
	case p.Accept("IN"):
		return p.in(start, left, not)
	}
	op := matchOp(p.Token())
	if op == "" {
		return nil
	}
	p.Advance()
	m := &Match{Op: op, Operand: left, Not: not, Pattern: p.operators(bindLess)}
	if p.Accept("ESCAPE") {
		m.Escape = p.operators(bindLess)
	}
	m.Located = p.since(start)
	return m
}

// matchOp is the operator that a word is, or nothing.
func matchOp(t tokens.Token) MatchOp {
	if t.Kind != tokens.Word {
		return ""
	}
	switch t.Upper {
	case "LIKE", "ILIKE", "GLOB", "REGEXP", "MATCH":
		return MatchOp(t.Upper)
	case "RLIKE":
		return MatchRegexp
	}
	return ""
}

// is reads IS [NOT] NULL, or IS [NOT] DISTINCT FROM, which is a comparison.
func (p *parser) is(start int, left Expr) Expr {
	p.Expect("IS")
	not := p.Accept("NOT")
	switch t := p.Token(); {
	case p.Accept("NULL"):
		return &IsNull{p.since(start), left, not}
	case p.Accept("DISTINCT"):
		p.Expect("FROM")
		op := OpDistinctFrom
		if not {
			op = OpNotDistinctFrom
		}
		right := p.operators(bindEqual + 1)
		return &Binary{p.since(start), op, left, right}
	case t.IsWord("TRUE"), t.IsWord("FALSE"):
		p.Unsupported(t.Span, "IS "+t.Upper, "write x ?? false, or x IS NOT DISTINCT FROM "+t.Value)
	}
	p.Expected("NULL", "DISTINCT FROM")
	return nil
}

func (p *parser) in(start int, left Expr, not bool) Expr {
	e := &In{Operand: left, Not: not, Compact: p.Accept("COMPACT")}
	switch open := p.Start(); {
	case p.takenFrom():
		e.Set = p.postfix()
	case p.atQueryInParens():
		query := p.queryInParens()
		e.Set = &Subquery{p.since(open), query}
	case p.AcceptSymbol("("):
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
	behind, ok := p.BehindParens(p.Pos)
	return ok && (behind.IsSymbol(".") || behind.IsSymbol("["))
}
