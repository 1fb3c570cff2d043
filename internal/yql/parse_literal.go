package yql

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (p *parser) integer() Expr {
	t := p.Advance()
	digits, base := t.Value, 10
	if b := bases[strings.ToLower(digits[:min(2, len(digits))])]; b > 0 {
		digits, base = digits[2:], b
	}
	value, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		p.Fail("invalid-literal", t.Span, "the number "+tokens.Shown(t.Value)+" does not fit into 64 bits", "a Double has a point: 1.0e30")
	}
	return &IntegerLit{Located{t.Span}, t.Value, value, t.Suffix}
}

func (p *parser) float() Expr {
	t := p.Advance()
	value, err := strconv.ParseFloat(t.Value, 64)
	if err != nil || math.IsInf(value, 0) {
		p.Fail("invalid-literal", t.Span, "the number "+tokens.Shown(t.Value)+" is too large for a Double", "")
	}
	return &FloatLit{Located{t.Span}, t.Value, value, t.Suffix == "f"}
}

// smallNumber is the value of a whole number that counts something.
func smallNumber(t tokens.Token) (int, bool) {
	n, err := strconv.ParseInt(t.Value, 10, 32)
	return int(n), err == nil
}

// parenthesized reads a subquery, a lambda, a tuple, a struct of named members or an expression in parentheses.
func (p *parser) parenthesized() Expr {
	start := p.Start()
	if p.atLambda() {
		return p.lambda()
	}
	if p.atQueryInParens() {
		query := p.queryInParens()
		return &Subquery{p.since(start), query}
	}
	p.ExpectSymbol("(")
	if p.AcceptSymbol(")") {
		return &TupleLit{Located: p.since(start)}
	}
	var members []Arg
	for {
		members = append(members, p.arg())
		comma := p.AcceptSymbol(",")
		if p.AcceptSymbol(")") {
			return p.smart(start, members, comma)
		}
		if !comma {
			p.Expected("','", "')'")
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
			p.Fail("syntax", m.At, "either all members have a name or none", "a struct is (1 AS a, 2 AS b), a tuple (1, 2)")
		}
		items = append(items, m.Value)
	}
	if members[0].Name != nil {
		return &StructLit{p.since(start), members}
	}
	return &TupleLit{p.since(start), items}
}

func (p *parser) dict() Expr {
	start := p.Start()
	p.ExpectSymbol("{")
	d := &DictLit{}
	d.Items = listTo(p, "}", func() DictItem {
		itemStart := p.Start()
		item := DictItem{Key: p.expr()}
		if p.AtSymbol(":") {
			p.tight()
			p.Advance()
			item.Value = p.expr()
		}
		item.Located = p.since(itemStart)
		return item
	})
	d.Set = len(d.Items) > 0 && d.Items[0].Value == nil
	for _, item := range d.Items {
		if (item.Value == nil) != d.Set {
			p.Fail("syntax", item.At, "either all items have a value or none", "a dict is {key: value}, a set {key}")
		}
	}
	d.Located = p.since(start)
	return d
}

func (p *parser) structLit() Expr {
	start := p.Start()
	p.ExpectSymbol("<|")
	s := &StructLit{Members: listTo(p, "|>", func() Arg {
		memberStart := p.Start()
		name := p.memberName()
		p.tight()
		p.ExpectSymbol(":")
		value := p.expr()
		return Arg{p.since(memberStart), value, &name}
	})}
	s.Located = p.since(start)
	return s
}

// memberName reads the name of a member of a struct, which may be in quotes.
func (p *parser) memberName() Ident {
	if p.Token().Kind == tokens.String {
		return p.quotedIdent()
	}
	return p.word("the name of a member")
}

// atLambda says whether parameters with an arrow behind them stand here.
func (p *parser) atLambda() bool {
	behind, ok := p.BehindParens(p.Pos)
	return ok && behind.IsSymbol("->")
}

func (p *parser) lambda() Expr {
	defer p.Nested()()
	start := p.Start()
	p.ExpectSymbol("(")
	l := &Lambda{Params: listTo(p, ")", func() LambdaParam {
		paramStart := p.Start()
		ref := p.namedRef("a parameter such as $x")
		optional := p.AtSymbol("?")
		if optional {
			p.tight()
			p.Advance()
		}
		return LambdaParam{p.since(paramStart), ref.Name, optional}
	})}
	p.ExpectSymbol("->")
	switch {
	case p.AcceptSymbol("("):
		l.Result = p.expr()
		p.ExpectSymbol(")")
	case p.AcceptSymbol("{"):
		p.lambdaBody(l)
	default:
		p.Fail("syntax", p.Token().Span, "the body of a lambda stands in parentheses or braces", "write ($x) -> ($x + 1), or ($x) -> { RETURN $x + 1; }")
	}
	l.Located = p.since(start)
	return l
}

// lambdaBody reads statements and RETURN up to the closing brace.
func (p *parser) lambdaBody(l *Lambda) {
	for p.AcceptSymbol(";") {
	}
	for p.Token().Kind == tokens.Named {
		l.Body = append(l.Body, p.assign())
		if !p.AcceptSymbol(";") {
			p.Expected("';'")
		}
		for p.AcceptSymbol(";") {
		}
	}
	if !p.Accept("RETURN") {
		p.Expected("RETURN", "a named expression")
	}
	l.Result = p.expr()
	for p.AcceptSymbol(";") {
	}
	p.ExpectSymbol("}")
}
