package yql

import "strings"

func (p *parser) script() *Script {
	s := &Script{Text: p.text, uses: p.uses}
	s.Statements = p.statements(func() bool { return p.token().kind == tokenEnd }, "the end of the text")
	return s
}

// statements reads statements with semicolons between them until done says that the list ends.
func (p *parser) statements(done func() bool, end string) []Statement {
	var list []Statement
	for {
		for p.acceptSymbol(";") {
		}
		if done() {
			return list
		}
		if p.token().kind == tokenEnd {
			p.expected("a statement", end)
		}
		list = append(list, p.statement())
		if !done() && !p.atSymbol(";") {
			p.expected("';'", end)
		}
	}
}

// form is a kind of statement: the words that it begins with and what reads it.
type form struct {
	words string
	read  func(*parser) Statement
}

// forms are the statements that begin with words of their own; the first that fits reads it.
func forms() []form {
	return []form{
		{"PRAGMA", (*parser).pragma},
		{"DECLARE", (*parser).declare},
		{"INSERT", (*parser).insert},
		{"UPSERT", (*parser).insert},
		{"REPLACE", (*parser).insert},
		{"CREATE", (*parser).create},
		{"ALTER", (*parser).alter},
		{"DROP", (*parser).drop},
		{"EXPLAIN", (*parser).explain},
		{"COMMIT", (*parser).commit},
	}
}

func (p *parser) statement() Statement {
	defer p.nested()()
	start := p.start()
	if p.token().kind == tokenNamed {
		return p.assign()
	}
	for _, f := range forms() {
		if p.at(f.words) {
			return f.read(p)
		}
	}
	if p.atQueryWord(p.pos) || p.atSymbol("(") {
		query := p.query()
		return &QueryStatement{p.since(start), query}
	}
	p.refuseStatement()
	words := []string{"SELECT"}
	for _, f := range forms() {
		words = append(words, f.words)
	}
	t := p.token()
	if hint := t.misspelling(words); hint != "" {
		p.fail("syntax", t.span, "found "+t.describe()+" where a statement begins", hint)
	}
	p.expected("a statement")
	return nil
}

// assign reads $name, … = value.
func (p *parser) assign() *Assign {
	start := p.start()
	a := &Assign{Names: list(p, func() NamedRef { return p.namedRef("a named expression such as $x") })}
	if !p.acceptSymbol("=") {
		if p.atSymbol("(") {
			p.fail("syntax", p.since(start).At, "a call alone does nothing", "write SELECT "+p.text.Slice(a.Names[0].At)+"(…)")
		}
		p.expected("'='")
	}
	valueStart := p.start()
	if p.atQueryWord(p.pos) || p.atQueryStatement() {
		query := p.query()
		a.Value = &Subquery{p.since(valueStart), query}
	} else {
		a.Value = p.expr()
	}
	a.Located = p.since(start)
	return a
}

// atQueryStatement says whether a query that begins with a parenthesis goes on behind it: (SELECT …) UNION ALL …
func (p *parser) atQueryStatement() bool {
	if !p.atQueryInParens() {
		return false
	}
	closing := p.closes[p.pos]
	return closing > 0 && p.tokens[closing+1].continuesQuery()
}

func (p *parser) pragma() Statement {
	start := p.start()
	p.expect("PRAGMA")
	s := &Pragma{Name: []Ident{p.word("the name of a pragma")}}
	for p.acceptSymbol(".") {
		p.link(len(s.Name))
		s.Name = append(s.Name, p.word("a name behind '.'"))
	}
	switch {
	case p.acceptSymbol("="):
		s.Equals = true
		s.Values = []Expr{p.pragmaValue()}
	case p.atSymbol("("):
		p.tight()
		p.advance()
		s.Values = listTo(p, ")", p.pragmaValue)
	}
	s.Located = p.since(start)
	return s
}

// pragmaValue reads a literal, a word or a named expression.
func (p *parser) pragmaValue() Expr {
	e := p.prefix()
	switch v := e.(type) {
	case *StringLit, *IntegerLit, *FloatLit, *BoolLit, *ColumnRef, *NamedRef:
		return e
	case *Unary:
		switch v.Operand.(type) {
		case *IntegerLit, *FloatLit:
			return e
		}
	}
	p.fail("syntax", e.Span(), "the value of a pragma is a literal", `write PRAGMA name = "value"`)
	return nil
}

func (p *parser) declare() Statement {
	start := p.start()
	p.expect("DECLARE")
	d := &Declare{Name: p.namedRef("a parameter such as $limit")}
	p.expect("AS")
	d.Type = p.typeName()
	d.Located = p.since(start)
	return d
}

func (p *parser) commit() Statement {
	start := p.start()
	p.expect("COMMIT")
	return &Commit{p.since(start)}
}

func (p *parser) explain() Statement {
	start := p.start()
	p.expect("EXPLAIN")
	if p.accept("QUERY") {
		p.expect("PLAN")
	}
	if t := p.token(); t.isWord("EXPLAIN") {
		p.fail("syntax", t.span, "EXPLAIN stands twice", "leave one out")
	}
	s := p.statement()
	return &Explain{p.since(start), s}
}

func (p *parser) insert() Statement {
	start := p.start()
	words := []string{p.advance().upper}
	if words[0] == "INSERT" && p.accept("OR") {
		words = append(words, "OR", p.choose("ABORT", "REVERT", "IGNORE"))
	}
	if t := p.token(); t.isWord("OVERWRITE") {
		p.unsupported(t.span, "INSERT OVERWRITE", "write REPLACE INTO")
	}
	p.expect("INTO")
	s := &Insert{Verb: InsertVerb(strings.Join(append(words, "INTO"), " ")), Into: p.name("a topic or a table")}
	if p.accept("WITH") {
		s.Options = p.tableOptions()
	}
	if p.atSymbol("(") && !p.atQueryInParens() {
		s.Columns = p.words("a column name")
	}
	if !p.atQueryWord(p.pos) && !p.atSymbol("(") && !p.at("VALUES") {
		p.refuseDefaultValues()
		expected := []string{"SELECT", "VALUES"}
		if s.Columns == nil {
			expected = append(expected, "column names in parentheses")
		}
		p.expected(expected...)
	}
	s.Query = p.query()
	s.Located = p.since(start)
	return s
}
