package sql

// jsonPathArgs reads document, path and clauses of JSON_VALUE, JSON_QUERY, JSON_EXISTS.
func (p *parser) jsonPathArgs(c *Call) {
	c.Args = list(p, p.expr)
	clauses := &JSONClauses{}
	for p.jsonClause(clauses) {
		c.JSON = clauses
	}
}

func (p *parser) jsonClause(clauses *JSONClauses) bool {
	switch {
	case p.accept("RETURNING"):
		clauses.Returning = p.typeName()
		return true
	case p.accept("WITHOUT"):
		p.accept("ARRAY")
		p.expect("WRAPPER")
		clauses.Wrapper = WithoutWrapper
		return true
	case p.accept("WITH"):
		clauses.Wrapper = UnconditionalWrapper
		if p.accept("CONDITIONAL") {
			clauses.Wrapper = ConditionalWrapper
		} else {
			p.accept("UNCONDITIONAL")
		}
		p.accept("ARRAY")
		p.expect("WRAPPER")
		return true
	}
	behavior := p.jsonBehavior()
	if behavior == nil {
		return false
	}
	p.expect("ON")
	if p.choose("EMPTY", "ERROR") == "EMPTY" {
		clauses.OnEmpty = behavior
	} else {
		clauses.OnError = behavior
	}
	return true
}

func (p *parser) jsonBehavior() *JSONBehavior {
	start := p.start()
	b := &JSONBehavior{}
	switch {
	case p.accept("DEFAULT"):
		b.Word = "DEFAULT"
		b.Default = p.expr()
	case p.accept("EMPTY"):
		b.Word = "EMPTY " + p.choose("ARRAY", "OBJECT")
	default:
		for _, word := range []string{"NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN"} {
			if p.accept(word) {
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
	if !p.atSymbol(")") && !p.atJSONNulls() {
		p.jsonEntry(c)
		for p.acceptSymbol(",") {
			p.jsonEntry(c)
		}
	}
	p.jsonNulls(c)
}

func (p *parser) jsonEntry(c *Call) {
	if p.at("KEY") && !p.ahead(1).isWord("VALUE") && !p.ahead(1).isSymbol(".") && !p.ahead(1).isSymbol("(") {
		p.advance()
	}
	c.Args = append(c.Args, p.expr())
	if !p.acceptSymbol(":") {
		p.expect("VALUE")
	}
	c.Args = append(c.Args, p.expr())
}

// jsonArrayArgs reads the values of JSON_ARRAY and JSON_ARRAYAGG.
func (p *parser) jsonArrayArgs(c *Call) {
	if !p.atSymbol(")") && !p.atJSONNulls() {
		c.Args = list(p, p.expr)
	}
	if p.accept("ORDER") {
		p.expect("BY")
		c.OrderBy = list(p, p.orderItem)
	}
	p.jsonNulls(c)
}

func (p *parser) atJSONNulls() bool {
	return p.at("NULL", "ON", "NULL") || p.at("ABSENT", "ON", "NULL")
}

func (p *parser) jsonNulls(c *Call) {
	switch {
	case p.accept("NULL", "ON", "NULL"):
		c.JSON = &JSONClauses{OnNull: NullOnNull}
	case p.accept("ABSENT", "ON", "NULL"):
		c.JSON = &JSONClauses{OnNull: AbsentOnNull}
	}
}
