package sql

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const (
	// maxNesting bounds the recursion of the parser and so of everything that walks a tree.
	maxNesting = 500
	// maxChain bounds what grows to the left without recursion: a + b + c …, UNION, JOIN.
	maxChain = 10_000
)

// Parse reads all statements of a script. Statements are separated by semicolons;
// empty ones are passed over. The error is a *source.Error and tells of the first fault.
func Parse(text source.Text) (*Script, error) {
	return parse(text, (*parser).script)
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
		start := p.start()
		t := &TableName{Name: p.name("a table name"), Hints: p.hints()}
		t.Located = p.since(start)
		return t
	})
}

// parser walks the tokens of one text. Its methods are named for what they read and
// leave it through a panic(*source.Error) that parse catches: a fault ends the whole
// parse, and grammar code without error returns reads like the grammar.
type parser struct {
	text   source.Text
	tokens []token
	fault  *source.Error // of the lexer, stands at the last token
	closes []int         // for the index of a '(' that of its ')', or 0
	pos    int
	depth  int
	// implicitAlias is the index of the last token read as an alias without AS; a
	// misspelt keyword ends up as one.
	implicitAlias int
	uses          map[int]WordUse // by offset; keywords are left out
}

func parse[T any](text source.Text, read func(*parser) T) (result T, err error) {
	p := &parser{text: text, implicitAlias: -1, uses: map[int]WordUse{}}
	p.tokens, p.fault = lex(text)
	p.closes = matchParens(p.tokens)
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *source.Error:
			err = fault
		default:
			panic(fault)
		}
	}()
	result = read(p)
	if p.token().kind != tokenEnd {
		p.expected("the end of the text")
	}
	return result, nil
}

// matchParens pairs the parentheses of a text.
func matchParens(tokens []token) []int {
	closes := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		if t.isSymbol("(") {
			open = append(open, i)
		} else if t.isSymbol(")") && len(open) > 0 {
			closes[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return closes
}

// token is the current token, which is always there: the last one is the end or a fault.
func (p *parser) token() token { return p.tokens[p.pos] }

// ahead is the n-th token after the current one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.pos+n, len(p.tokens)-1)] }

func (p *parser) advance() token {
	t := p.token()
	if p.pos < len(p.tokens)-1 {
		p.pos++
	}
	return t
}

// start is where the node that is about to be read begins.
func (p *parser) start() int { return p.token().span.Start }

// since locates a node that began at start and ends with the last token read.
func (p *parser) since(start int) Located {
	end := start
	if p.pos > 0 {
		end = max(end, p.tokens[p.pos-1].span.End)
	}
	return Located{source.Span{Start: start, End: end}}
}

func (t token) isWord(word string) bool { return t.kind == tokenWord && t.upper == word }

func (t token) isSymbol(symbol string) bool { return t.kind == tokenSymbol && t.value == symbol }

// at says whether the words stand here, one after the other.
func (p *parser) at(words ...string) bool {
	for i, word := range words {
		if !p.ahead(i).isWord(word) {
			return false
		}
	}
	return true
}

// accept reads the words if they stand here.
func (p *parser) accept(words ...string) bool {
	if !p.at(words...) {
		return false
	}
	p.pos += len(words)
	return true
}

// expect reads the words or fails at the first one that is missing.
func (p *parser) expect(words ...string) {
	for _, word := range words {
		if !p.accept(word) {
			p.expected(word)
		}
	}
}

func (p *parser) atSymbol(symbol string) bool { return p.token().isSymbol(symbol) }

func (p *parser) acceptSymbol(symbol string) bool {
	if !p.atSymbol(symbol) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expectSymbol(symbol string) {
	if !p.acceptSymbol(symbol) {
		p.expected("'" + symbol + "'")
	}
}

// choose reads one of the words and returns it, or fails.
func (p *parser) choose(words ...string) string {
	for _, word := range words {
		if p.accept(word) {
			return word
		}
	}
	p.expected(words...)
	return ""
}

// list reads one or more items with commas between them.
func list[T any](p *parser, item func() T) []T {
	items := []T{item()}
	for p.acceptSymbol(",") {
		items = append(items, item())
	}
	return items
}

// inParens reads ( body ).
func inParens[T any](p *parser, body func() T) T {
	p.expectSymbol("(")
	result := body()
	if !p.acceptSymbol(")") {
		p.expected("','", "')'")
	}
	return result
}

// nested guards a recursion; call the result when it is left.
func (p *parser) nested() func() {
	p.depth++
	if p.depth > maxNesting {
		p.fail("too-deep", p.token().span, "nested more than "+strconv.Itoa(maxNesting)+" levels deep", "split the query with views or WITH")
	}
	return func() { p.depth-- }
}

// link guards the n-th step of a chain.
func (p *parser) link(n int) {
	if n > maxChain {
		p.fail("too-deep", p.token().span, "more than "+strconv.Itoa(maxChain)+" operations in one chain", "split the query with views or WITH")
	}
}

// name reads a dotted name; what names it in errors ("a table name").
func (p *parser) name(what string) Name {
	n := Name{Parts: []Ident{p.ident(what)}}
	for p.acceptSymbol(".") {
		p.link(len(n.Parts))
		n.Parts = append(n.Parts, p.ident("a name after '.'"))
	}
	return n
}

// ident reads one identifier.
func (p *parser) ident(what string) Ident {
	t := p.token()
	switch {
	case t.kind == tokenQuoted:
	case t.kind == tokenWord && !isReserved(t.upper):
	case t.kind == tokenWord:
		p.reserved(what)
	default:
		p.expected(what)
	}
	p.advance()
	p.uses[t.span.Start] = NameUse
	return Ident{Located{t.span}, t.value, t.kind == tokenQuoted}
}

// atIdent says whether an identifier stands here.
func (p *parser) atIdent() bool { return p.token().isIdent() }

func (t token) isIdent() bool {
	return t.kind == tokenQuoted || t.kind == tokenWord && !isReserved(t.upper)
}

func (p *parser) idents(what string) []Ident {
	return inParens(p, func() []Ident {
		return list(p, func() Ident { return p.ident(what) })
	})
}

// stringLit reads a 'string'; what names it in errors.
func (p *parser) stringLit(what string) StringLit {
	t := p.token()
	if t.kind != tokenString {
		p.expected(what)
	}
	p.advance()
	return StringLit{Located{t.span}, t.value}
}

// count reads an unsigned whole number that fits an int32.
func (p *parser) count(what string) int {
	t := p.token()
	if t.kind != tokenInteger {
		p.expected(what)
	}
	n, err := strconv.ParseInt(t.value, 10, 32)
	if err != nil {
		p.fail("syntax", t.span, "number "+t.value+" is too large here", "")
	}
	p.advance()
	return int(n)
}

// option reads 'key' = 'value'.
func (p *parser) option() Option {
	start := p.start()
	if bare := p.token(); bare.isIdent() {
		words := []string{bare.value}
		for n := 1; (p.ahead(n).isSymbol(".") || p.ahead(n).isSymbol("-")) && p.ahead(n+1).kind == tokenWord; n += 2 {
			words = append(words, p.ahead(n).value, p.ahead(n+1).value)
		}
		p.fail("syntax", bare.span, "the key of an option must be in quotes", "write '"+strings.Join(words, "")+"' = '…'")
	}
	key := p.stringLit("a key in quotes")
	p.expectSymbol("=")
	value := p.stringLit("a value in quotes")
	return Option{p.since(start), key, value}
}

func (p *parser) options() []Option {
	return inParens(p, func() []Option { return list(p, p.option) })
}

// hints reads any number of /*+ … */.
func (p *parser) hints() []Hint {
	var hints []Hint
	for p.acceptSymbol("/*+") {
		for !p.acceptSymbol("*/") {
			hints = append(hints, p.hint())
			p.acceptSymbol(",")
		}
	}
	return hints
}

func (p *parser) hint() Hint {
	start := p.start()
	h := Hint{Name: p.ident("a hint such as OPTIONS(…)")}
	if p.acceptSymbol("(") {
		if p.token().kind == tokenString {
			h.Options = list(p, p.option)
		} else if !p.atSymbol(")") {
			h.Names = list(p, func() Name { return p.name("a table name or 'key' = 'value'") })
		}
		p.expectSymbol(")")
	}
	h.Located = p.since(start)
	return h
}

// fail ends the parse.
func (p *parser) fail(code string, span source.Span, message, hint string) {
	panic(&source.Error{Code: code, Span: span, Message: message, Hint: hint, Text: p.text})
}

// unsupported refuses something by name.
func (p *parser) unsupported(span source.Span, what, hint string) {
	p.fail("unsupported", span, what+" is not supported", hint)
}

// expected fails at the current token, saying what could have stood there. Keywords
// are given in upper case, symbols in quotes, anything else as a phrase. If the word
// here, or an alias just before it, looks like one of the keywords, that word is the fault.
func (p *parser) expected(what ...string) {
	t := p.token()
	if t.kind == tokenFault {
		panic(p.fault)
	}
	hint := t.misspelling(what)
	if p.pos > 0 && p.implicitAlias == p.pos-1 && hint == "" {
		alias := p.tokens[p.pos-1]
		if hint = alias.misspelling(what); hint != "" {
			t = alias
		}
	}
	panic(&source.Error{
		Code: "syntax", Span: t.span, Text: p.text,
		Message: "found " + t.describe(), Expected: what, Hint: hint,
	})
}

// misspelling says which of the expected keywords a word was meant to be, if one is close.
func (t token) misspelling(expected []string) string {
	if t.kind != tokenWord {
		return ""
	}
	var keywords []string
	for _, phrase := range expected {
		if phrase == strings.ToUpper(phrase) && !strings.HasPrefix(phrase, "'") {
			keywords = append(keywords, strings.Fields(phrase)[0])
		}
	}
	if near := source.Nearest(t.value, keywords); near != "" && near != t.upper {
		return "did you mean " + near + "?"
	}
	return ""
}

// reserved fails at a keyword that stands where a name should.
func (p *parser) reserved(what string) {
	t := p.token()
	if p.misplacedKeyword() {
		p.expected(what)
	}
	panic(&source.Error{
		Code: "syntax", Span: t.span, Text: p.text,
		Message: "found '" + t.value + "', which is a reserved word", Expected: []string{what},
		Hint: "if it is meant as a name, write `" + t.value + "`",
	})
}

// misplacedKeyword says whether the reserved word here is far more likely to open
// the next clause than to be a name.
func (p *parser) misplacedKeyword() bool {
	switch p.token().upper {
	case "SELECT", "FROM", "WHERE", "HAVING", "AND", "OR", "ON", "AS", "BY", "JOIN", "UNION", "WITH", "VALUES",
		"WHEN", "THEN", "ELSE", "END", "IN", "IS", "LIKE", "BETWEEN", "INTO", "INSERT", "CREATE", "NOT", "USING", "LIMIT":
		return true
	}
	return p.ahead(1).isWord("BY")
}

func (t token) describe() string {
	switch t.kind {
	case tokenEnd:
		return "the end of the text"
	case tokenString, tokenBytes:
		return "a string"
	case tokenQuoted:
		return "`" + shown(t.value) + "`"
	}
	return "'" + shown(t.value) + "'"
}

// shown makes a piece of the text fit for a message: one line, not too long.
func shown(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
