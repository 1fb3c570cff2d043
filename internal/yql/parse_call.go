package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// call reads the arguments of a callee, and what may stand behind them.
func (p *parser) call(start int, callee Expr) Expr {
	defer p.Nested()()
	c := &Call{Callee: callee}
	p.tight()
	p.ExpectSymbol("(")
	switch {
	case isJSONFunction(callee):
		p.jsonArgs(c)
	case p.AtSymbol("*") && p.Ahead(1).IsSymbol(")"):
		p.Pos += 2
		c.Star = true
	default:
		if !p.delimited(1) && !p.Accept("ALL") {
			c.Distinct = p.Accept("DISTINCT")
		}
		c.Args = listTo(p, ")", p.arg)
	}
	p.callTail(c)
	c.Located = p.since(start)
	return c
}

// arg reads value [AS name].
func (p *parser) arg() Arg {
	start := p.Start()
	p.refuseForeignArg()
	a := Arg{Value: p.expr()}
	if p.Accept("AS") {
		name := p.word("the name of the argument")
		a.Name = &name
	}
	a.Located = p.since(start)
	return a
}

// callTail reads what may stand behind the arguments of an aggregate or a window function.
func (p *parser) callTail(c *Call) {
	switch {
	case p.Accept("RESPECT", "NULLS"):
		c.Nulls = RespectNulls
	case p.Accept("IGNORE", "NULLS"):
		c.Nulls = IgnoreNulls
	}
	if p.At("FILTER") && p.Ahead(1).IsSymbol("(") {
		p.Advance()
		p.ExpectSymbol("(")
		p.Expect("WHERE")
		c.Filter = p.expr()
		p.ExpectSymbol(")")
	}
	if !p.Accept("OVER") {
		return
	}
	if p.AtSymbol("(") {
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
	if p.AtSymbol(")") {
		p.Expected("a JSON document")
	}
	c.Args = []Arg{p.arg()}
	p.ExpectSymbol(",")
	c.Args = append(c.Args, p.arg())
	start := p.Start()
	j := &JSONClauses{}
	if p.Accept("PASSING") {
		j.Passing = tokens.List(&p.Cursor, p.arg)
	}
	if p.Accept("RETURNING") {
		j.Returning = p.typeName()
	}
	p.jsonWrapper(j)
	for !p.AtSymbol(")") {
		p.jsonHandler(j)
	}
	if p.since(start).At.End > start {
		j.Located = p.since(start)
		c.JSON = j
	}
	p.ExpectSymbol(")")
}

func (p *parser) jsonWrapper(j *JSONClauses) {
	switch {
	case p.Accept("WITHOUT"):
		j.Wrapper = "WITHOUT"
	case p.Accept("WITH"):
		j.Wrapper = "WITH UNCONDITIONAL"
		if p.Accept("CONDITIONAL") {
			j.Wrapper = "WITH CONDITIONAL"
		} else {
			p.Accept("UNCONDITIONAL")
		}
	default:
		return
	}
	p.Accept("ARRAY")
	p.Expect("WRAPPER")
}

// jsonHandler reads what to do ON EMPTY or ON ERROR.
func (p *parser) jsonHandler(j *JSONClauses) {
	var action string
	var otherwise Expr
	switch {
	case p.Accept("EMPTY", "ARRAY"):
		action = "EMPTY ARRAY"
	case p.Accept("EMPTY", "OBJECT"):
		action = "EMPTY OBJECT"
	case p.Accept("DEFAULT"):
		action, otherwise = "DEFAULT", p.operators(bindCoalesce)
	default:
		for _, word := range []string{"NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN"} {
			if p.Accept(word) {
				action = word
			}
		}
	}
	if action == "" {
		p.Expected("NULL", "ERROR", "DEFAULT", "')'")
	}
	p.Expect("ON")
	if t := p.Token(); p.Choose("EMPTY", "ERROR") == "EMPTY" {
		if j.OnEmpty != "" || j.OnError != "" {
			p.Fail("syntax", t.Span, "ON EMPTY stands once, in front of ON ERROR", "")
		}
		j.OnEmpty, j.EmptyDefault = action, otherwise
	} else {
		if j.OnError != "" {
			p.Fail("syntax", t.Span, "ON ERROR stands twice", "leave one out")
		}
		j.OnError, j.ErrorDefault = action, otherwise
	}
}

// windowSpec reads ([name] [PARTITION BY …] [ORDER BY …] [frame]).
func (p *parser) windowSpec() *WindowSpec {
	start := p.Start()
	w := &WindowSpec{}
	p.ExpectSymbol("(")
	if p.Token().Kind == tokens.Quoted || p.Token().Kind == tokens.Word && !p.Ahead(1).IsWord("BY") && !p.atFrame() {
		ref := p.word("a window name")
		w.Ref = &ref
	}
	if p.Accept("PARTITION") {
		if p.At("COMPACT") && p.Ahead(1).IsWord("BY") {
			p.Advance()
		}
		p.Expect("BY")
		w.PartitionBy = tokens.List(&p.Cursor, p.namedExpr)
	}
	if p.Accept("ORDER") {
		p.Expect("BY")
		w.OrderBy = tokens.List(&p.Cursor, p.orderItem)
	}
	if p.atFrame() {
		w.Frame = p.frame()
	}
	p.ExpectSymbol(")")
	w.Located = p.since(start)
	return w
}

func (p *parser) atFrame() bool {
	if !p.At("ROWS") && !p.At("RANGE") && !p.At("GROUPS") {
		return false
	}
	next := p.Ahead(1)
	return next.IsWord("BETWEEN") || next.IsWord("UNBOUNDED") || next.IsWord("CURRENT") || next.Kind == tokens.Integer || next.Kind == tokens.Named
}

func (p *parser) frame() *Frame {
	start := p.Start()
	f := &Frame{Unit: p.Advance().Upper}
	if p.Accept("BETWEEN") {
		f.Start = p.frameBound()
		p.Expect("AND")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	f.Located = p.since(start)
	return f
}

func (p *parser) frameBound() FrameBound {
	start := p.Start()
	b := FrameBound{}
	switch {
	case p.Accept("CURRENT"):
		p.Expect("ROW")
		b.Current = true
		b.Located = p.since(start)
		return b
	case !p.Accept("UNBOUNDED"):
		b.Offset = p.operators(bindCoalesce)
	}
	b.Following = p.Choose("PRECEDING", "FOLLOWING") == "FOLLOWING"
	b.Located = p.since(start)
	return b
}
