package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// fail ends the parse.
func (p *parser) fail(code string, span source.Span, message, hint string) {
	panic(&source.Error{Code: code, Span: span, Message: message, Hint: hint, Text: p.text})
}

// unsupported refuses something by name.
func (p *parser) unsupported(span source.Span, what, hint string) {
	p.fail("unsupported", span, what+" is not supported", hint)
}

// expected fails at the current token, saying what could have stood there. Keywords are given in upper case, symbols in quotes, anything else
// as a phrase. If the word here, or an alias just before it, looks like one of the keywords, that word is the fault.
func (p *parser) expected(what ...string) {
	t := p.token()
	if t.kind == tokenFault {
		panic(p.fault)
	}
	hint := t.misspelling(what)
	if p.aliasEnd == p.pos && p.implicitAlias >= 0 && hint == "" {
		alias := p.tokens[p.implicitAlias]
		if hint = alias.misspelling(what); hint != "" {
			t = alias
		}
	}
	if hint == "" && p.behindString(t) {
		hint = `inside a string, a quote has a backslash in front of it: 'it\'s'`
	}
	if hint == "" && len(what) > 0 && (what[len(what)-1] == queryEnd || what[0] == "';'") && t.beginsStatement() {
		hint = "a statement ends with ';'"
	}
	panic(&source.Error{
		Code: "syntax", Span: t.span, Text: p.text,
		Message: "found " + t.describe(), Expected: what, Hint: hint,
	})
}

// behindString says whether a string follows another one at once, as where a quote was written twice.
func (p *parser) behindString(t token) bool {
	if t.kind != tokenString || p.pos == 0 {
		return false
	}
	last := p.tokens[p.pos-1]
	return last.kind == tokenString && last.span.End == t.span.Start
}

// queryEnd is what else could have stood where a query goes on.
const queryEnd = "the end of the query"

// beginsStatement says whether a token can begin a statement, so that a semicolon may be missing in front of it.
func (t token) beginsStatement() bool {
	if t.kind == tokenNamed || t.isWord("SELECT") {
		return true
	}
	for _, f := range forms() {
		if t.isWord(f.words) {
			return true
		}
	}
	return false
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

// misplacedKeyword says whether the reserved word here is far more likely to open the next clause than to be a name.
func (p *parser) misplacedKeyword() bool {
	switch p.token().upper {
	case "SELECT", "FROM", "WHERE", "HAVING", "AND", "OR", "XOR", "ON", "AS", "JOIN", "UNION", "WHEN", "THEN", "ELSE", "IN", "IS", "LIKE",
		"BETWEEN", "NOT":
		return true
	}
	return p.ahead(1).isWord("BY")
}

func (t token) describe() string {
	switch t.kind {
	case tokenEnd:
		return "the end of the text"
	case tokenString:
		return "a string"
	case tokenQuoted:
		return "`" + shown(t.value) + "`"
	case tokenNamed:
		return "'$" + shown(t.value) + "'"
	}
	return "'" + shown(t.value+t.suffix) + "'"
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
