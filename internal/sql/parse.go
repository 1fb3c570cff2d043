package sql

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Parse reads all statements of a script. Statements are separated by semicolons;
// empty ones are passed over. The error is a *source.Error and tells of the first fault.
func Parse(text source.Text) (*Script, error) {
	return parse(text, (*parser).script)
}

// ParsePart reads the statements of a part of a text, whose places are those of the whole text.
func ParsePart(text source.Text, part source.Span) ([]Statement, error) {
	script, err := tokens.Part(text, part, func(text source.Text, from int) (*Script, error) { return parseFrom(text, from, (*parser).script) })
	if err != nil {
		return nil, err
	}
	return script.Statements, nil
}

// ParseQuery reads a text that is one query, without a semicolon.
func ParseQuery(text source.Text) (Query, error) {
	return parse(text, (*parser).query)
}

// ParseExpr reads a text that is one expression.
func ParseExpr(text source.Text) (Expr, error) {
	return parse(text, (*parser).expr)
}

// ParseType reads a text that is one type.
func ParseType(text source.Text) (*TypeName, error) {
	return parse(text, (*parser).typeName)
}

// ParseName reads a text that is the name of a table, with dots and backquotes where it needs them.
func ParseName(text source.Text) (Name, error) {
	return parse(text, func(p *parser) Name { return p.name("a table name") })
}

// ParseTable reads the name of a table as FROM has it, hints and all.
func ParseTable(text source.Text) (*TableName, error) {
	return parse(text, func(p *parser) *TableName {
		start := p.Start()
		t := &TableName{Name: p.name("a table name"), Hints: p.hints()}
		t.Located = p.since(start)
		return t
	})
}

// parser reads the nodes of one text; its methods are named for what they read. A fault ends the whole parse, see tokens.Cursor.
type parser struct {
	tokens.Cursor
	uses map[int]WordUse // by offset; keywords are left out
}

func parse[T any](text source.Text, read func(*parser) T) (T, error) {
	return parseFrom(text, 0, read)
}

func parseFrom[T any](text source.Text, from int, read func(*parser) T) (T, error) {
	lexed, fault := lex(text, from)
	language := tokens.Language{Shorten: "split the query with views or WITH"}
	p := &parser{tokens.NewCursor(text, lexed, fault, language), map[int]WordUse{}}
	return tokens.Read(&p.Cursor, func() T { return read(p) })
}

// since locates a node that began at start and ends with the last token read.
func (p *parser) since(start int) Located { return Located{p.Since(start)} }

// inParens reads ( body ).
func inParens[T any](p *parser, body func() T) T {
	p.ExpectSymbol("(")
	result := body()
	if !p.AcceptSymbol(")") {
		p.Expected("','", "')'")
	}
	return result
}

// name reads a dotted name; what names it in errors ("a table name").
func (p *parser) name(what string) Name {
	n := Name{Parts: []Ident{p.ident(what)}}
	for p.AcceptSymbol(".") {
		p.Link(len(n.Parts))
		n.Parts = append(n.Parts, p.ident("a name after '.'"))
	}
	return n
}

// ident reads one identifier.
func (p *parser) ident(what string) Ident {
	t := p.Token()
	switch {
	case t.Kind == tokens.Quoted:
	case t.Kind == tokens.Word && !isReserved(t.Upper):
	case t.Kind == tokens.Word:
		p.reserved(what)
	default:
		p.Expected(what)
	}
	p.Advance()
	p.uses[t.Span.Start] = NameUse
	return Ident{Located{t.Span}, t.Value, t.Kind == tokens.Quoted}
}

// atIdent says whether an identifier stands here.
func (p *parser) atIdent() bool { return isIdent(p.Token()) }

func isIdent(t tokens.Token) bool {
	return t.Kind == tokens.Quoted || t.Kind == tokens.Word && !isReserved(t.Upper)
}

func (p *parser) idents(what string) []Ident {
	return inParens(p, func() []Ident {
		return tokens.List(&p.Cursor, func() Ident { return p.ident(what) })
	})
}

// stringLit reads a 'string'; what names it in errors.
func (p *parser) stringLit(what string) StringLit {
	t := p.Token()
	if t.Kind != tokens.String {
		p.Expected(what)
	}
	p.Advance()
	return StringLit{Located{t.Span}, t.Value}
}

// count reads an unsigned whole number that fits an int32.
func (p *parser) count(what string) int {
	t := p.Token()
	if t.Kind != tokens.Integer {
		p.Expected(what)
	}
	n, err := strconv.ParseInt(t.Value, 10, 32)
	if err != nil {
		p.Fail("syntax", t.Span, "number "+t.Value+" is too large here", "")
	}
	p.Advance()
	return int(n)
}

// option reads 'key' = 'value'.
func (p *parser) option() Option {
	start := p.Start()
	if bare := p.Token(); isIdent(bare) {
		words := []string{bare.Value}
		for n := 1; (p.Ahead(n).IsSymbol(".") || p.Ahead(n).IsSymbol("-")) && p.Ahead(n+1).Kind == tokens.Word; n += 2 {
			words = append(words, p.Ahead(n).Value, p.Ahead(n+1).Value)
		}
		p.Fail("syntax", bare.Span, "the key of an option must be in quotes", "write '"+strings.Join(words, "")+"' = '…'")
	}
	key := p.stringLit("a key in quotes")
	p.ExpectSymbol("=")
	value := p.stringLit("a value in quotes")
	return Option{p.since(start), key, value}
}

func (p *parser) options() []Option {
	return inParens(p, func() []Option { return tokens.List(&p.Cursor, p.option) })
}

// hints reads any number of /*+ … */.
func (p *parser) hints() []Hint {
	var hints []Hint
	for p.AcceptSymbol("/*+") {
		for !p.AcceptSymbol("*/") {
			hints = append(hints, p.hint())
			p.AcceptSymbol(",")
		}
	}
	return hints
}

func (p *parser) hint() Hint {
	start := p.Start()
	h := Hint{Name: p.ident("a hint such as OPTIONS(…)")}
	if p.AcceptSymbol("(") {
		if p.Token().Kind == tokens.String {
			h.Options = tokens.List(&p.Cursor, p.option)
		} else if !p.AtSymbol(")") {
			h.Names = tokens.List(&p.Cursor, func() Name { return p.name("a table name or 'key' = 'value'") })
		}
		p.ExpectSymbol(")")
	}
	h.Located = p.since(start)
	return h
}

// reserved fails at a keyword that stands where a name should.
func (p *parser) reserved(what string) {
	if p.misplacedKeyword() {
		p.Expected(what)
	}
	p.Reserved(what)
}

// misplacedKeyword says whether the reserved word here is far more likely to open
// the next clause than to be a name.
func (p *parser) misplacedKeyword() bool {
	switch p.Token().Upper {
	case "SELECT", "FROM", "WHERE", "HAVING", "AND", "OR", "ON", "AS", "BY", "JOIN", "UNION", "WITH", "VALUES",
		"WHEN", "THEN", "ELSE", "END", "IN", "IS", "LIKE", "BETWEEN", "INTO", "INSERT", "CREATE", "NOT", "USING", "LIMIT":
		return true
	}
	return p.Ahead(1).IsWord("BY")
}
