package yql

import (
	"math"
	"strconv"
	"strings"
)

func (p *parser) integer() Expr {
	t := p.advance()
	digits, base := t.value, 10
	if b := bases[strings.ToLower(digits[:min(2, len(digits))])]; b > 0 {
		digits, base = digits[2:], b
	}
	value, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		p.fail("invalid-literal", t.span, "the number "+shown(t.value)+" does not fit into 64 bits", "a Double has a point: 1.0e30")
	}
	return &IntegerLit{Located{t.span}, t.value, value, t.suffix}
}

func (p *parser) float() Expr {
	t := p.advance()
	value, err := strconv.ParseFloat(t.value, 64)
	if err != nil || math.IsInf(value, 0) {
		p.fail("invalid-literal", t.span, "the number "+shown(t.value)+" is too large for a Double", "")
	}
	return &FloatLit{Located{t.span}, t.value, value, t.suffix == "f"}
}

// smallNumber is the value of a whole number that counts something.
func smallNumber(t token) (int, bool) {
	n, err := strconv.ParseInt(t.value, 10, 32)
	return int(n), err == nil
}

// parenthesized reads a subquery, a lambda, a tuple, a struct of named members or an expression in parentheses.
func (p *parser) parenthesized() Expr {
	start := p.start()
	if p.atLambda() {
		return p.lambda()
	}
	if p.atQueryInParens() {
		query := p.queryInParens()
		return &Subquery{p.since(start), query}
	}
	p.expectSymbol("(")
	if p.acceptSymbol(")") {
		return &TupleLit{Located: p.since(start)}
	}
	var members []Arg
	for {
		members = append(members, p.arg())
		comma := p.acceptSymbol(",")
		if p.acceptSymbol(")") {
			return p.smart(start, members, comma)
		}
		if !comma {
			p.expected("','", "')'")
		}
	}
}

// smart makes what parentheses around members mean: a struct if they have names, a tuple if there is a comma, else just the expression.
func (p *parser) smart(start int, members []Arg, comma bool) Expr {
	if len(members) == 1 && !comma && members[0].Name == nil {
		return members[0].Value
	}
	var items []Expr
	for _, m := range members {
		if (m.Name != nil) != (members[0].Name != nil) {
			p.fail("syntax", m.At, "either all members have a name or none", "a struct is (1 AS a, 2 AS b), a tuple (1, 2)")
		}
		items = append(items, m.Value)
	}
	if members[0].Name != nil {
		return &StructLit{p.since(start), members}
	}
	return &TupleLit{p.since(start), items}
}

func (p *parser) dict() Expr {
	start := p.start()
	p.expectSymbol("{")
	d := &DictLit{}
	d.Items = listTo(p, "}", func() DictItem {
		itemStart := p.start()
		item := DictItem{Key: p.expr()}
		if p.atSymbol(":") {
			p.tight()
			p.advance()
			item.Value = p.expr()
		}
		item.Located = p.since(itemStart)
		return item
	})
	d.Set = len(d.Items) > 0 && d.Items[0].Value == nil
	for _, item := range d.Items {
		if (item.Value == nil) != d.Set {
			p.fail("syntax", item.At, "either all items have a value or none", "a dict is {key: value}, a set {key}")
		}
	}
	d.Located = p.since(start)
	return d
}

func (p *parser) structLit() Expr {
	start := p.start()
	p.expectSymbol("<|")
	s := &StructLit{Members: listTo(p, "|>", func() Arg {
		memberStart := p.start()
		name := p.memberName()
		p.tight()
		p.expectSymbol(":")
		value := p.expr()
		return Arg{p.since(memberStart), value, &name}
	})}
	s.Located = p.since(start)
	return s
}

// memberName reads the name of a member of a struct, which may be in quotes.
func (p *parser) memberName() Ident {
	if p.token().kind == tokenString {
		return p.quotedIdent()
	}
	return p.word("the name of a member")
}

// atLambda says whether parameters with an arrow behind them stand here.
func (p *parser) atLambda() bool {
	closing := p.closes[p.pos]
	return closing > 0 && p.tokens[closing+1].isSymbol("->")
}

func (p *parser) lambda() Expr {
	defer p.nested()()
	start := p.start()
	p.expectSymbol("(")
	l := &Lambda{Params: listTo(p, ")", func() LambdaParam {
		paramStart := p.start()
		ref := p.namedRef("a parameter such as $x")
		optional := p.atSymbol("?")
		if optional {
			p.tight()
			p.advance()
		}
		return LambdaParam{p.since(paramStart), ref.Name, optional}
	})}
	p.expectSymbol("->")
	switch {
	case p.acceptSymbol("("):
		l.Result = p.expr()
		p.expectSymbol(")")
	case p.acceptSymbol("{"):
		p.lambdaBody(l)
	default:
		p.fail("syntax", p.token().span, "the body of a lambda stands in parentheses or braces", "write ($x) -> ($x + 1), or ($x) -> { RETURN $x + 1; }")
	}
	l.Located = p.since(start)
	return l
}

// lambdaBody reads statements and RETURN up to the closing brace.
func (p *parser) lambdaBody(l *Lambda) {
	for p.acceptSymbol(";") {
	}
	for p.token().kind == tokenNamed {
		l.Body = append(l.Body, p.assign())
		if !p.acceptSymbol(";") {
			p.expected("';'")
		}
		for p.acceptSymbol(";") {
		}
	}
	if !p.accept("RETURN") {
		p.expected("RETURN", "a named expression")
	}
	l.Result = p.expr()
	for p.acceptSymbol(";") {
	}
	p.expectSymbol("}")
}
