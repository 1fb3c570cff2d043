package yql

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const (
	// maxNesting bounds the recursion of the parser and so of everything that walks a tree.
	maxNesting = 500
	// maxChain bounds what grows to the left without recursion: a + b + c …, UNION, JOIN.
	maxChain = 10_000
)

// Parse reads all statements of a script. Statements are separated by semicolons; empty ones are passed over. The error is a *source.Error and
// tells of the first fault.
func Parse(text source.Text) (*Script, error) {
	return parse(text, (*parser).script)
}

// ParseStatement reads a text that is one statement; a semicolon may end it.
func ParseStatement(text source.Text) (Statement, error) {
	return parse(text, func(p *parser) Statement {
		s := p.statement()
		p.acceptSymbol(";")
		return s
	})
}

// ParseExpr reads a text that is one expression.
func ParseExpr(text source.Text) (Expr, error) {
	return parse(text, (*parser).expr)
}

// parser walks the tokens of one text. Its methods are named for what they read and leave it through a panic(*source.Error) that parse catches: a
// fault ends the whole parse, and grammar code without error returns reads like the grammar.
type parser struct {
	text   source.Text
	tokens []token
	hinted map[int]source.Span // the text of the hints by the index of the token behind them
	fault  *source.Error       // of the lexer, stands at the last token
	closes []int               // for the index of a '(' that of its ')', or 0
	pos    int
	depth  int
	// implicitAlias is the index of the last token read as an alias without AS, and aliasEnd what stands behind it and its columns; a misspelt
	// keyword ends up as one.
	implicitAlias, aliasEnd int
	uses                    map[int]WordUse // by offset; keywords are left out
}

func parse[T any](text source.Text, read func(*parser) T) (result T, err error) {
	l := lex(text)
	p := &parser{text: text, tokens: l.tokens, hinted: l.hints, fault: l.fault, implicitAlias: -1, uses: map[int]WordUse{}}
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

// listTo reads items up to a closing symbol, which it reads too; a comma may stand behind the last item, and there may be none.
func listTo[T any](p *parser, closing string, item func() T) []T {
	items := []T{}
	for !p.acceptSymbol(closing) {
		items = append(items, item())
		if !p.acceptSymbol(",") && !p.atSymbol(closing) {
			p.expected("','", "'"+closing+"'")
		}
	}
	return items
}

// listInParens reads ( item, … ) with one item at least.
func listInParens[T any](p *parser, item func() T) []T {
	p.expectSymbol("(")
	first := item()
	if !p.acceptSymbol(",") && !p.atSymbol(")") {
		p.expected("','", "')'")
	}
	return append([]T{first}, listTo(p, ")", item)...)
}

// nested guards a recursion; call the result when it is left.
func (p *parser) nested() func() {
	p.depth++
	if p.depth > maxNesting {
		p.fail("too-deep", p.token().span, "nested more than "+strconv.Itoa(maxNesting)+" levels deep", "give parts of it names: $x = …;")
	}
	return func() { p.depth-- }
}

// link guards the n-th step of a chain.
func (p *parser) link(n int) {
	if n > maxChain {
		p.fail("too-deep", p.token().span, "more than "+strconv.Itoa(maxChain)+" operations in one chain", "give parts of it names: $x = …;")
	}
}

// tight marks the current token as one that belongs to what is in front of it.
func (p *parser) tight() { p.uses[p.start()] = TightUse }

// word reads any word or name in backticks: behind AS, behind a dot and in lists of columns every keyword is a name.
func (p *parser) word(what string) Ident {
	t := p.token()
	if t.kind != tokenQuoted && t.kind != tokenWord {
		p.expected(what)
	}
	if t.kind == tokenWord && isReserved(t.upper) && !p.delimited(1) {
		p.reserved(what)
	}
	return p.takeIdent()
}

// delimited says whether the token so far ahead ends an item of a list, so that the one in front of it was a name.
func (p *parser) delimited(n int) bool {
	switch t := p.ahead(n); t.kind {
	case tokenEnd:
		return true
	case tokenWord:
		return t.upper == "FROM"
	case tokenSymbol:
		return strings.Contains(",);=.:", t.value)
	}
	return false
}

// quotedIdent reads a name that stands in quotes.
func (p *parser) quotedIdent() Ident {
	t := p.advance()
	if t.value == "" || !utf8.ValidString(t.value) {
		p.fail("syntax", t.span, "a name has characters, in UTF-8", "")
	}
	return Ident{Located{t.span}, t.value, true}
}

func (p *parser) takeIdent() Ident {
	t := p.advance()
	p.uses[t.span.Start] = NameUse
	return Ident{Located{t.span}, t.value, t.kind == tokenQuoted || isReserved(t.upper)}
}

// namedRef reads $name.
func (p *parser) namedRef(what string) NamedRef {
	t := p.token()
	if t.kind != tokenNamed {
		p.expected(what)
	}
	p.advance()
	at := Located{t.span}
	return NamedRef{at, Ident{Located: at, Name: t.value}}
}

// name reads the name of an object: [source.]path.
func (p *parser) name(what string) Name {
	start := p.start()
	switch t := p.token(); {
	case t.kind == tokenNamed:
		p.unsupported(t.span, "a named expression as "+what, "write the name itself; a path stands in backticks")
	case t.kind == tokenString:
		p.fail("syntax", t.span, what+" cannot be a string", "write it as a word, or in backticks")
	case t.kind == tokenWord && isReserved(t.upper):
		p.reserved(what)
	}
	n := Name{Path: p.word(what)}
	if p.acceptSymbol(".") {
		source := n.Path
		n.Source, n.Path = &source, p.word("a name behind '.'")
		if t := p.token(); t.isSymbol(".") {
			p.fail("syntax", t.span, "a name has no more than two parts", "a path stands in backticks: `folder/name`")
		}
	}
	n.Located = p.since(start)
	if t, next := p.token(), p.ahead(1); (t.isSymbol("/") || t.isSymbol("-")) && t.span.Start == n.At.End && next.span.Start == t.span.End {
		p.fail("syntax", t.span, "a name with '"+t.value+"' stands in backticks", "write `"+n.Text()+t.value+shown(next.value)+"`")
	}
	return n
}

// words reads names in parentheses.
func (p *parser) words(what string) []Ident {
	return listInParens(p, func() Ident { return p.word(what) })
}

// ifExists reads IF EXISTS, and ifNotExists IF NOT EXISTS.
func (p *parser) ifExists() bool { return p.existence("EXISTS") }

func (p *parser) ifNotExists() bool { return p.existence("NOT", "EXISTS") }

// existence reads IF and the words. An object may be called if, but not in front of another word.
func (p *parser) existence(words ...string) bool {
	if !p.at("IF") || p.ahead(1).kind != tokenWord || p.ahead(1).isWord("AS") || p.ahead(1).isWord("SET") {
		return false
	}
	p.advance()
	p.expect(words...)
	return true
}
