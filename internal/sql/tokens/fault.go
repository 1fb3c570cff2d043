package tokens

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// Fail ends the parse.
func (c *Cursor) Fail(code string, span source.Span, message, hint string) {
	panic(&source.Error{Code: code, Span: span, Message: message, Hint: hint, Text: c.Text})
}

// Unsupported refuses something by name.
func (c *Cursor) Unsupported(span source.Span, what, hint string) {
	c.Fail("unsupported", span, what+" is not supported", hint)
}

// Expected fails at the current token, saying what could have stood there. Keywords are given in upper case, symbols in quotes, anything else as a phrase.
// If the word here, or an alias just before it, looks like one of the keywords, that word is the fault.
func (c *Cursor) Expected(what ...string) {
	t := c.Token()
	hint := t.Misspelling(what)
	if c.alias >= 0 && c.aliasEnd == c.Pos && hint == "" {
		alias := c.tokens[c.alias]
		if hint = alias.Misspelling(what); hint != "" {
			t = alias
		}
	}
	if hint == "" && c.language.Advise != nil {
		hint = c.language.Advise(c, what)
	}
	c.Refuse(t, "", what, hint)
}

// Refuse fails at a token, with more about it than its own text if there is more to say, and what could have stood there; at what is no token the lexer's fault is what
// is told.
func (c *Cursor) Refuse(t Token, more string, expected []string, hint string) {
	if c.Token().Kind == Fault {
		panic(c.fault)
	}
	panic(&source.Error{Code: "syntax", Span: t.Span, Message: "found " + t.Describe() + more, Expected: expected, Hint: hint, Text: c.Text})
}

// Reserved fails at the keyword that stands where a name should.
func (c *Cursor) Reserved(what string) {
	t := c.Token()
	c.Refuse(t, ", which is a reserved word", []string{what}, "if it is meant as a name, write `"+t.Value+"`")
}

// ImplicitAlias notes that the current token is read as an alias without AS: a misspelt keyword ends up as one.
func (c *Cursor) ImplicitAlias() { c.alias, c.aliasEnd = c.Pos, c.Pos+1 }

// ImplicitAliasEnds reports whether such an alias has just been read.
func (c *Cursor) ImplicitAliasEnds() bool { return c.aliasEnd == c.Pos }

// ExtendAlias notes that what was read since, such as the alias's columns, belongs to it.
func (c *Cursor) ExtendAlias() { c.aliasEnd = c.Pos }
