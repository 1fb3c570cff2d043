package yql

import "strings"

// call reads the arguments of a callee, and what may stand behind them.
func (p *parser) call(start int, callee Expr) Expr {
	defer p.nested()()
	c := &Call{Callee: callee}
	p.tight()
	p.expectSymbol("(")
	switch {
	case isJSONFunction(callee):
		p.jsonArgs(c)
	case p.atSymbol("*") && p.ahead(1).isSymbol(")"):
		p.pos += 2
		c.Star = true
	default:
		if !p.delimited(1) && !p.accept("ALL") {
			c.Distinct = p.accept("DISTINCT")
		}
		c.Args = listTo(p, ")", p.arg)
	}
	p.callTail(c)
	c.Located = p.since(start)
	return c
}

// arg reads value [AS name].
func (p *parser) arg() Arg {
	start := p.start()
	p.refuseForeignArg()
	a := Arg{Value: p.expr()}
	if p.accept("AS") {
		name := p.word("the name of the argument")
		a.Name = &name
	}
	a.Located = p.since(start)
	return a
}

// callTail reads what may stand behind the arguments of an aggregate or a window function.
func (p *parser) callTail(c *Call) {
	switch {
	case p.accept("RESPECT", "NULLS"):
		c.Nulls = RespectNulls
	case p.accept("IGNORE", "NULLS"):
		c.Nulls = IgnoreNulls
	}
	if p.at("FILTER") && p.ahead(1).isSymbol("(") {
		p.advance()
		p.expectSymbol("(")
		p.expect("WHERE")
		c.Filter = p.expr()
		p.expectSymbol(")")
	}
	if !p.accept("OVER") {
		return
	}
	if p.atSymbol("(") {
		c.Over = p.windowSpec()
		return
	}
	ref := p.word("a window name or a window in parentheses")
	c.Over = &WindowSpec{Located: ref.Located, Ref: &ref}
}

func isJSONFunction(callee Expr) bool {
	f, ok := callee.(*FunctionRef)
	if !ok || f.Module != nil || f.Name.Quoted {
		return false
	}
	switch strings.ToUpper(f.Name.Name) {
	case "JSON_VALUE", "JSON_EXISTS", "JSON_QUERY":
		return true
	}
	return false
}

// jsonArgs reads a document, a path and the clauses behind them, with the closing parenthesis.
func (p *parser) jsonArgs(c *Call) {
	if p.atSymbol(")") {
		p.expected("a JSON document")
	}
	c.Args = []Arg{p.arg()}
	p.expectSymbol(",")
	c.Args = append(c.Args, p.arg())
	start := p.start()
	j := &JSONClauses{}
	if p.accept("PASSING") {
		j.Passing = list(p, p.arg)
	}
	if p.accept("RETURNING") {
		j.Returning = p.typeName()
	}
	p.jsonWrapper(j)
	for !p.atSymbol(")") {
		p.jsonHandler(j)
	}
	if p.since(start).At.End > start {
		j.Located = p.since(start)
		c.JSON = j
	}
	p.expectSymbol(")")
}

func (p *parser) jsonWrapper(j *JSONClauses) {
	switch {
	case p.accept("WITHOUT"):
		j.Wrapper = "WITHOUT"
	case p.accept("WITH"):
		j.Wrapper = "WITH UNCONDITIONAL"
		if p.accept("CONDITIONAL") {
			j.Wrapper = "WITH CONDITIONAL"
		} else {
			p.accept("UNCONDITIONAL")
		}
	default:
		return
	}
	p.accept("ARRAY")
	p.expect("WRAPPER")
}

// jsonHandler reads what to do ON EMPTY or ON ERROR.
func (p *parser) jsonHandler(j *JSONClauses) {
	var action string
	var otherwise Expr
	switch {
	case p.accept("EMPTY", "ARRAY"):
		action = "EMPTY ARRAY"
	case p.accept("EMPTY", "OBJECT"):
		action = "EMPTY OBJECT"
	case p.accept("DEFAULT"):
		action, otherwise = "DEFAULT", p.operators(bindCoalesce)
	default:
		for _, word := range []string{"NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN"} {
			if p.accept(word) {
				action = word
			}
		}
	}
	if action == "" {
		p.expected("NULL", "ERROR", "DEFAULT", "')'")
	}
	p.expect("ON")
	if t := p.token(); p.choose("EMPTY", "ERROR") == "EMPTY" {
		if j.OnEmpty != "" || j.OnError != "" {
			p.fail("syntax", t.span, "ON EMPTY stands once, in front of ON ERROR", "")
		}
		j.OnEmpty, j.EmptyDefault = action, otherwise
	} else {
		if j.OnError != "" {
			p.fail("syntax", t.span, "ON ERROR stands twice", "leave one out")
		}
		j.OnError, j.ErrorDefault = action, otherwise
	}
}

// windowSpec reads ([name] [PARTITION BY …] [ORDER BY …] [frame]).
func (p *parser) windowSpec() *WindowSpec {
	start := p.start()
	w := &WindowSpec{}
	p.expectSymbol("(")
	if p.token().kind == tokenQuoted || p.token().kind == tokenWord && !p.ahead(1).isWord("BY") && !p.atFrame() {
		ref := p.word("a window name")
		w.Ref = &ref
	}
	if p.accept("PARTITION") {
		if p.at("COMPACT") && p.ahead(1).isWord("BY") {
			p.advance()
		}
		p.expect("BY")
		w.PartitionBy = list(p, p.namedExpr)
	}
	if p.accept("ORDER") {
		p.expect("BY")
		w.OrderBy = list(p, p.orderItem)
	}
	if p.atFrame() {
		w.Frame = p.frame()
	}
	p.expectSymbol(")")
	w.Located = p.since(start)
	return w
}

func (p *parser) atFrame() bool {
	if !p.at("ROWS") && !p.at("RANGE") && !p.at("GROUPS") {
		return false
	}
	next := p.ahead(1)
	return next.isWord("BETWEEN") || next.isWord("UNBOUNDED") || next.isWord("CURRENT") || next.kind == tokenInteger || next.kind == tokenNamed
}

func (p *parser) frame() *Frame {
	start := p.start()
	f := &Frame{Unit: p.advance().upper}
	if p.accept("BETWEEN") {
		f.Start = p.frameBound()
		p.expect("AND")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	f.Located = p.since(start)
	return f
}

func (p *parser) frameBound() FrameBound {
	start := p.start()
	b := FrameBound{}
	switch {
	case p.accept("CURRENT"):
		p.expect("ROW")
		b.Current = true
		b.Located = p.since(start)
		return b
	case !p.accept("UNBOUNDED"):
		b.Offset = p.operators(bindCoalesce)
	}
	b.Following = p.choose("PRECEDING", "FOLLOWING") == "FOLLOWING"
	b.Located = p.since(start)
	return b
}
