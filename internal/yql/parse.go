package yql

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Parse reads all statements of a script. Statements are separated by semicolons; empty ones are passed over. The error is a *source.Error and
// tells of the first fault.
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

// ParseStatement reads a text that is one statement; a semicolon may end it.
func ParseStatement(text source.Text) (Statement, error) {
	return parse(text, func(p *parser) Statement {
		s := p.statement()
		p.AcceptSymbol(";")
		return s
	})
}

// ParseExpr reads a text that is one expression.
func ParseExpr(text source.Text) (Expr, error) {
	return parse(text, (*parser).expr)
}

// parser reads the nodes of one text; its methods are named for what they read. A fault ends the whole parse, see tokens.Cursor.
type parser struct {
	tokens.Cursor
	hinted map[int]source.Span // the text of the hints by the index of the token behind them
	uses   map[int]WordUse     // by offset; keywords are left out
}

func parse[T any](text source.Text, read func(*parser) T) (T, error) {
	return parseFrom(text, 0, read)
}

func parseFrom[T any](text source.Text, from int, read func(*parser) T) (T, error) {
	l := lex(text, from)
	language := tokens.Language{Shorten: "give parts of it names: $x = …;", Advise: advise}
	p := &parser{tokens.NewCursor(text, l.Tokens, l.Fault, language), l.hints, map[int]WordUse{}}
	return tokens.Read(&p.Cursor, func() T { return read(p) })
}

// since locates a node that began at start and ends with the last token read.
func (p *parser) since(start int) Located { return Located{p.Since(start)} }

// listTo reads items up to a closing symbol, which it reads too; a comma may stand behind the last item, and there may be none.
func listTo[T any](p *parser, closing string, item func() T) []T {
	items := []T{}
	for !p.AcceptSymbol(closing) {
		items = append(items, item())
		if !p.AcceptSymbol(",") && !p.AtSymbol(closing) {
			p.Expected("','", "'"+closing+"'")
		}
	}
	return items
}

// listInParens reads ( item, … ) with one item at least.
func listInParens[T any](p *parser, item func() T) []T {
	p.ExpectSymbol("(")
	first := item()
	if !p.AcceptSymbol(",") && !p.AtSymbol(")") {
		p.Expected("','", "')'")
	}
	return append([]T{first}, listTo(p, ")", item)...)
}

// tight marks the current token as one that belongs to what is in front of it.
func (p *parser) tight() { p.uses[p.Start()] = TightUse }

// word reads any word or name in backticks: behind AS, behind a dot and in lists of columns every keyword is a name.
func (p *parser) word(what string) Ident {
	t := p.Token()
	if t.Kind != tokens.Quoted && t.Kind != tokens.Word {
		p.Expected(what)
	}
	if t.Kind == tokens.Word && isReserved(t.Upper) && !p.delimited(1) {
		p.reserved(what)
	}
	return p.takeIdent()
}

// delimited says whether the token so far ahead ends an item of a list, so that the one in front of it was a name.
func (p *parser) delimited(n int) bool {
	switch t := p.Ahead(n); t.Kind {
	case tokens.End:
		return true
	case tokens.Word:
		return t.Upper == "FROM"
	case tokens.Symbol:
		return strings.Contains(",);=.:", t.Value)
	}
	return false
}

// quotedIdent reads a name that stands in quotes.
func (p *parser) quotedIdent() Ident {
	t := p.Advance()
	if t.Value == "" || !utf8.ValidString(t.Value) {
		p.Fail("syntax", t.Span, "a name has characters, in UTF-8", "")
	}
	return Ident{Located{t.Span}, t.Value, true}
}

func (p *parser) takeIdent() Ident {
	t := p.Advance()
	p.uses[t.Span.Start] = NameUse
	return Ident{Located{t.Span}, t.Value, t.Kind == tokens.Quoted || isReserved(t.Upper)}
}

// namedRef reads $name.
func (p *parser) namedRef(what string) NamedRef {
	t := p.Token()
	if t.Kind != tokens.Named {
		p.Expected(what)
	}
	p.Advance()
	at := Located{t.Span}
	return NamedRef{at, Ident{at, t.Value, t.Span.End-t.Span.Start > len("$")+len(t.Value)}} // what is longer stood in backticks
}

// name reads the name of an object: [source.]path.
func (p *parser) name(what string) Name {
	start := p.Start()
	switch t := p.Token(); {
	case t.Kind == tokens.Named:
		p.Unsupported(t.Span, "a named expression as "+what, "write the name itself; a path stands in backticks")
	case t.Kind == tokens.String:
		p.Fail("syntax", t.Span, what+" cannot be a string", "write it as a word, or in backticks")
	case t.Kind == tokens.Word && isReserved(t.Upper):
		p.reserved(what)
	}
	n := Name{Path: p.word(what)}
	if p.AcceptSymbol(".") {
		source := n.Path
		n.Source, n.Path = &source, p.word("a name behind '.'")
		if t := p.Token(); t.IsSymbol(".") {
			p.Fail("syntax", t.Span, "a name has no more than two parts", "a path stands in backticks: `folder/name`")
		}
	}
	n.Located = p.since(start)
	if t, next := p.Token(), p.Ahead(1); (t.IsSymbol("/") || t.IsSymbol("-")) && t.Span.Start == n.At.End && next.Span.Start == t.Span.End {
		p.Fail("syntax", t.Span, "a name with '"+t.Value+"' stands in backticks", "write `"+n.Text()+t.Value+tokens.Shown(next.Value)+"`")
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
	if !p.At("IF") || p.Ahead(1).Kind != tokens.Word || p.Ahead(1).IsWord("AS") || p.Ahead(1).IsWord("SET") {
		return false
	}
	p.Advance()
	p.Expect(words...)
	return true
}
