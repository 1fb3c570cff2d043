package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// jsonPathArgs reads document, path and clauses of JSON_VALUE, JSON_QUERY, JSON_EXISTS.
func (p *parser) jsonPathArgs(c *Call) {
	c.Args = tokens.List(&p.Cursor, p.expr)
	clauses := &JSONClauses{}
	for p.jsonClause(clauses) {
		c.JSON = clauses
	}
}

func (p *parser) jsonClause(clauses *JSONClauses) bool {
	switch {
	case p.Accept("RETURNING"):
		clauses.Returning = p.typeName()
		return true
	case p.Accept("WITHOUT"):
		p.Accept("ARRAY")
		p.Expect("WRAPPER")
		clauses.Wrapper = WithoutWrapper
		return true
	case p.Accept("WITH"):
		clauses.Wrapper = UnconditionalWrapper
		if p.Accept("CONDITIONAL") {
			clauses.Wrapper = ConditionalWrapper
		} else {
			p.Accept("UNCONDITIONAL")
		}
		p.Accept("ARRAY")
		p.Expect("WRAPPER")
		return true
	}
	behavior := p.jsonBehavior()
	if behavior == nil {
		return false
	}
	p.Expect("ON")
	if p.Choose("EMPTY", "ERROR") == "EMPTY" {
		clauses.OnEmpty = behavior
	} else {
		clauses.OnError = behavior
	}
	return true
}

func (p *parser) jsonBehavior() *JSONBehavior {
	start := p.Start()
	b := &JSONBehavior{}
	switch {
	case p.Accept("DEFAULT"):
		b.Word = "DEFAULT"
		b.Default = p.expr()
	case p.Accept("EMPTY"):
		b.Word = "EMPTY " + p.Choose("ARRAY", "OBJECT")
	default:
		for _, word := range []string{"NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN"} {
			if p.Accept(word) {
				b.Word = word
				break
			}
		}
		if b.Word == "" {
			return nil
		}
	}
	b.Located = p.since(start)
	return b
}

// jsonObjectArgs reads pairs: [KEY] key VALUE value, or key: value.
func (p *parser) jsonObjectArgs(c *Call) {
	if !p.AtSymbol(")") && !p.atJSONNulls() {
		p.jsonEntry(c)
		for p.AcceptSymbol(",") {
			p.jsonEntry(c)
		}
	}
	p.jsonNulls(c)
}

func (p *parser) jsonEntry(c *Call) {
	if p.At("KEY") && !p.Ahead(1).IsWord("VALUE") && !p.Ahead(1).IsSymbol(".") && !p.Ahead(1).IsSymbol("(") {
		p.Advance()
	}
	c.Args = append(c.Args, p.expr())
	if !p.AcceptSymbol(":") {
		p.Expect("VALUE")
	}
	c.Args = append(c.Args, p.expr())
}

// jsonArrayArgs reads the values of JSON_ARRAY and JSON_ARRAYAGG.
func (p *parser) jsonArrayArgs(c *Call) {
	if !p.AtSymbol(")") && !p.atJSONNulls() {
		c.Args = tokens.List(&p.Cursor, p.expr)
	}
	if p.Accept("ORDER") {
		p.Expect("BY")
		c.OrderBy = tokens.List(&p.Cursor, p.orderItem)
	}
	p.jsonNulls(c)
}

func (p *parser) atJSONNulls() bool {
	return p.At("NULL", "ON", "NULL") || p.At("ABSENT", "ON", "NULL")
}

func (p *parser) jsonNulls(c *Call) {
	switch {
	case p.Accept("NULL", "ON", "NULL"):
		c.JSON = &JSONClauses{OnNull: NullOnNull}
	case p.Accept("ABSENT", "ON", "NULL"):
		c.JSON = &JSONClauses{OnNull: AbsentOnNull}
	}
}
