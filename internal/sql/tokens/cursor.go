package tokens

import (
	"errors"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const (
	// MaxNesting bounds the recursion of a parser and so of everything that walks a tree.
	MaxNesting = 500
	// maxChain bounds what grows to the left without recursion: a + b + c …, UNION, JOIN.
	maxChain = 10_000
)

// Cursor is a place in the tokens of a text. A parser embeds one; its methods leave through a panic(*source.Error) that Read catches: a fault ends the
// whole parse, and grammar code without error returns reads like the grammar.
type Cursor struct {
	Text source.Text
	// Pos is the index of the current token. Whoever knows what stands here may move it on.
	Pos int

	language Language
	tokens   []Token
	fault    *source.Error // of the lexer, stands at the last token
	closes   []int         // for the index of a '(' that of its ')', or 0
	depth    int
	// alias is the index of the last token read as an alias without AS, or -1, and aliasEnd the index behind it and its columns.
	alias, aliasEnd int
}

// Language is what the messages of a cursor say that is not the same in every language.
type Language struct {
	// Shorten says what to do about a statement that is too deep or too long.
	Shorten string
	// Advise returns what to do at a token that is none of those expected and no misspelling of one, or nothing. It may be nil.
	Advise func(c *Cursor, expected []string) string
}

// NewCursor returns a cursor at the first token. The last token is an End, or a Fault that fault tells of.
func NewCursor(text source.Text, tokens []Token, fault *source.Error, language Language) Cursor {
	return Cursor{Text: text, language: language, tokens: tokens, fault: fault, closes: matchParens(tokens), alias: -1}
}

// matchParens pairs the parentheses of a text.
func matchParens(tokens []Token) []int {
	closes := make([]int, len(tokens))
	var open []int
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.Kind != Symbol:
		case t.Value == "(":
			open = append(open, i)
		case t.Value == ")" && len(open) > 0:
			closes[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return closes
}

// Read runs a parser over the whole text of its cursor; the error is a *source.Error.
func Read[T any](c *Cursor, read func() T) (result T, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *source.Error:
			err = fault
		default:
			panic(fault)
		}
	}()
	result = read()
	if c.Token().Kind != End {
		c.Expected("the end of the text")
	}
	return result, nil
}

// Part has read, which reads a text from an offset on, read a part of a text. Places are those of the whole text.
func Part[T any](text source.Text, part source.Span, read func(source.Text, int) (T, error)) (T, error) {
	result, err := read(source.Text{Name: text.Name, Body: text.Body[:part.End]}, part.Start)
	if fault, ok := errors.AsType[*source.Error](err); ok {
		fault.Text = text
	}
	return result, err
}

// Token is the current token, which is always there: the last one is the end or a fault.
func (c *Cursor) Token() Token { return c.tokens[c.Pos] }

// Ahead is the n-th token after the current one, or the last.
func (c *Cursor) Ahead(n int) Token { return c.TokenAt(c.Pos + n) }

// TokenAt is the token with an index, or the last.
func (c *Cursor) TokenAt(i int) Token { return c.tokens[min(i, len(c.tokens)-1)] }

// Last is the token before the current one; there has to be one.
func (c *Cursor) Last() Token { return c.tokens[c.Pos-1] }

// Advance reads the current token.
func (c *Cursor) Advance() Token {
	t := c.Token()
	if c.Pos < len(c.tokens)-1 {
		c.Pos++
	}
	return t
}

// Start is where the node that is about to be read begins.
func (c *Cursor) Start() int { return c.Token().Span.Start }

// Since is the place of a node that began at start and ends with the last token read.
func (c *Cursor) Since(start int) source.Span {
	end := start
	if c.Pos > 0 {
		end = max(end, c.Last().Span.End)
	}
	return source.Span{Start: start, End: end}
}

// At says whether the words stand here, one after the other.
func (c *Cursor) At(words ...string) bool {
	for i, word := range words {
		if t := &c.tokens[min(c.Pos+i, len(c.tokens)-1)]; t.Kind != Word || t.Upper != word { // in place: this is asked a dozen times a token
			return false
		}
	}
	return true
}

// Accept reads the words if they stand here.
func (c *Cursor) Accept(words ...string) bool {
	if !c.At(words...) {
		return false
	}
	c.Pos += len(words)
	return true
}

// Expect reads the words or fails at the first one that is missing.
func (c *Cursor) Expect(words ...string) {
	for _, word := range words {
		if !c.Accept(word) {
			c.Expected(word)
		}
	}
}

// Choose reads one of the words and returns it, or fails.
func (c *Cursor) Choose(words ...string) string {
	for _, word := range words {
		if c.Accept(word) {
			return word
		}
	}
	c.Expected(words...)
	return ""
}

// AtSymbol says whether the symbol stands here.
func (c *Cursor) AtSymbol(symbol string) bool {
	t := &c.tokens[c.Pos]
	return t.Kind == Symbol && t.Value == symbol
}

// AcceptSymbol reads the symbol if it stands here.
func (c *Cursor) AcceptSymbol(symbol string) bool {
	if !c.AtSymbol(symbol) {
		return false
	}
	c.Pos++
	return true
}

// ExpectSymbol reads the symbol or fails.
func (c *Cursor) ExpectSymbol(symbol string) {
	if !c.AcceptSymbol(symbol) {
		c.Expected("'" + symbol + "'")
	}
}

// BehindParens is the token behind the parenthesis that closes the one with index i; ok is false when none is opened there, or it stays open.
func (c *Cursor) BehindParens(i int) (t Token, ok bool) {
	if closing := c.closes[i]; closing > 0 {
		return c.tokens[closing+1], true
	}
	return Token{}, false
}

// List reads one or more items with commas between them.
func List[T any](c *Cursor, item func() T) []T {
	items := []T{item()}
	for c.AcceptSymbol(",") {
		items = append(items, item())
	}
	return items
}

// Nested guards a recursion; call the result when it is left.
func (c *Cursor) Nested() func() {
	c.depth++
	if c.depth > MaxNesting {
		c.Fail("too-deep", c.Token().Span, "nested more than "+strconv.Itoa(MaxNesting)+" levels deep", c.language.Shorten)
	}
	return func() { c.depth-- }
}

// Link guards the n-th step of a chain.
func (c *Cursor) Link(n int) {
	if n > maxChain {
		c.Fail("too-deep", c.Token().Span, "more than "+strconv.Itoa(maxChain)+" operations in one chain", c.language.Shorten)
	}
}
