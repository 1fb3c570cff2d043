package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (p *parser) script() *Script {
	s := &Script{Text: p.Text, uses: p.uses}
	s.Statements = p.statements(func() bool { return p.Token().Kind == tokens.End }, "the end of the text")
	return s
}

// statements reads statements with semicolons between them until done says that the list ends.
func (p *parser) statements(done func() bool, end string) []Statement {
	var list []Statement
	for {
		for p.AcceptSymbol(";") {
		}
		if done() {
			return list
		}
		if p.Token().Kind == tokens.End {
			p.Expected("a statement", end)
		}
		list = append(list, p.statement())
		if !done() && !p.AtSymbol(";") {
			p.Expected("';'", end)
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
	defer p.Nested()()
	start := p.Start()
	if p.Token().Kind == tokens.Named {
		return p.assign()
	}
	for _, f := range forms() {
		if p.At(f.words) {
			return f.read(p)
		}
	}
	if p.atQueryWord(p.Pos) || p.AtSymbol("(") {
		query := p.query()
		return &QueryStatement{p.since(start), query}
	}
	p.refuseStatement()
	words := []string{"SELECT"}
	for _, f := range forms() {
		words = append(words, f.words)
	}
	t := p.Token()
	if hint := t.Misspelling(words); hint != "" {
		p.Fail("syntax", t.Span, "found "+t.Describe()+" where a statement begins", hint)
	}
	p.Expected("a statement")
	return nil
}

// assign reads $name, … = value.
func (p *parser) assign() *Assign {
	start := p.Start()
	a := &Assign{Names: tokens.List(&p.Cursor, func() NamedRef { return p.namedRef("a named expression such as $x") })}
	if !p.AcceptSymbol("=") {
		if p.AtSymbol("(") {
			p.Fail("syntax", p.since(start).At, "a call alone does nothing", "write SELECT "+p.Text.Slice(a.Names[0].At)+"(…)")
		}
		p.Expected("'='")
	}
	valueStart := p.Start()
	if p.atQueryWord(p.Pos) || p.atQueryStatement() {
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
	behind, ok := p.BehindParens(p.Pos)
	return ok && continuesQuery(behind)
}

func (p *parser) pragma() Statement {
	start := p.Start()
	p.Expect("PRAGMA")
	s := &Pragma{Name: []Ident{p.word("the name of a pragma")}}
	for p.AcceptSymbol(".") {
		p.Link(len(s.Name))
		s.Name = append(s.Name, p.word("a name behind '.'"))
	}
	switch {
	case p.AcceptSymbol("="):
		s.Equals = true
		s.Values = []Expr{p.pragmaValue()}
	case p.AtSymbol("("):
		p.tight()
		p.Advance()
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
	p.Fail("syntax", e.Span(), "the value of a pragma is a literal", `write PRAGMA name = "value"`)
	return nil
}

func (p *parser) declare() Statement {
	start := p.Start()
	p.Expect("DECLARE")
	d := &Declare{Name: p.namedRef("a parameter such as $limit")}
	p.Expect("AS")
	d.Type = p.typeName()
	d.Located = p.since(start)
	return d
}

func (p *parser) commit() Statement {
	start := p.Start()
	p.Expect("COMMIT")
	return &Commit{p.since(start)}
}

func (p *parser) explain() Statement {
	start := p.Start()
	p.Expect("EXPLAIN")
	if p.Accept("QUERY") {
		p.Expect("PLAN")
	}
	if t := p.Token(); t.IsWord("EXPLAIN") {
		p.Fail("syntax", t.Span, "EXPLAIN stands twice", "leave one out")
	}
	s := p.statement()
	return &Explain{p.since(start), s}
}

func (p *parser) insert() Statement {
	start := p.Start()
	words := []string{p.Advance().Upper}
	if words[0] == "INSERT" && p.Accept("OR") {
		words = append(words, "OR", p.Choose("ABORT", "REVERT", "IGNORE"))
	}
	if t := p.Token(); t.IsWord("OVERWRITE") {
		p.Unsupported(t.Span, "INSERT OVERWRITE", "write REPLACE INTO")
	}
	p.Expect("INTO")
	s := &Insert{Verb: InsertVerb(strings.Join(append(words, "INTO"), " ")), Into: p.name("a topic or a table")}
	if p.Accept("WITH") {
		s.Options = p.tableOptions()
	}
	if p.AtSymbol("(") && !p.atQueryInParens() {
		s.Columns = p.words("a column name")
	}
	if !p.atQueryWord(p.Pos) && !p.AtSymbol("(") && !p.At("VALUES") {
		p.refuseDefaultValues()
		expected := []string{"SELECT", "VALUES"}
		if s.Columns == nil {
			expected = append(expected, "column names in parentheses")
		}
		p.Expected(expected...)
	}
	s.Query = p.query()
	s.Located = p.since(start)
	return s
}
